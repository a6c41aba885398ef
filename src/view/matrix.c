#include "view/matrix.h"

static bool is_said(const struct matrix *matrix, size_t said)
{
	for (size_t truth = 0; truth < CLASSES; truth++)
		if (matrix->count[truth][said] > 0)
			return true;
	return false;
}

static bool is_true(const struct matrix *matrix, size_t truth)
{
	for (size_t said = 0; said < CLASSES; said++)
		if (matrix->count[truth][said] > 0)
			return true;
	return false;
}

static void print_head(const bool *shown, FILE *file)
{
	char letter = 'a';

	for (size_t i = 0; i < CLASSES; i++)
		if (shown[i])
			fprintf(file, "%4c", letter++);
	fputs("   <- said; the truth:\n", file);
}

static void print_row(const struct matrix *matrix, size_t truth, char letter, const bool *shown,
		      FILE *file)
{
	for (size_t said = 0; said < CLASSES; said++) {
		unsigned int count = matrix->count[truth][said];

		if (shown[said] && count > 0)
			fprintf(file, "%4u", count);
		else if (shown[said])
			fputs("   .", file);
	}
	fprintf(file, "   %c %s\n", letter, class_row((enum verdict_class)truth)->name);
}

void matrix_print(const struct matrix *matrix, FILE *file)
{
	bool shown[CLASSES];
	char letter = 'a';

	for (size_t i = 0; i < CLASSES; i++)
		shown[i] = is_said(matrix, i) || is_true(matrix, i);
	print_head(shown, file);
	for (size_t i = 0; i < CLASSES; i++)
		if (shown[i])
			print_row(matrix, i, letter++, shown, file);
}
