#pragma once
/*
 * What is read back a second after it was evicted, files and anonymous memory together.
 */
#include "analysis/signals.h"

/* Bytes per second; NAN when neither is known: kernels before 5.9 count files only. */
double reread_of(const struct signals *signals);
