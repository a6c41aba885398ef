#pragma once
/*
 * Lost time of one cgroup.
 */
#include "analysis/evidence.h"

/* Signals of all members are there already. */
struct loss loss_of(const struct evidence *evidence, size_t member);
