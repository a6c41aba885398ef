#pragma once
/*
 * What a kernel can do, asked in the guest: an arm that needs what is missing is skipped with
 * the reason and never silently run.
 */
#include "base/text.h"

/* 1 there, 0 missing, -EINVAL for a name without a row. */
must_check int feature_has(struct span name);

/* "feature.NAME=0|1" lines. */
void feature_print(struct text *text);
