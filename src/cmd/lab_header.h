#pragma once
/*
 * The header of results: on what they were measured, and how quiet it was meanwhile.
 */
#include "lab/figures/outcome.h"

/* Three lines for people; nothing when no run says on what it ran. */
void header_print(const struct outcomes *outcomes, FILE *file);
