#pragma once
/*
 * What happens next if nothing changes.
 */
#include "analysis/verdict.h"

void forecast_of(struct verdict *out);
