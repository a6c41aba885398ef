#pragma once
/*
 * The confusion matrix: which class was true, and which was said.
 */
#include "analysis/class.h"

struct matrix {
	unsigned int count[CLASSES][CLASSES]; /* [true][said] */
};

/* Classes that are neither true nor said anywhere are left out. */
void matrix_print(const struct matrix *matrix, FILE *file);
