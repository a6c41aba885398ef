#include "test.h"

#include "view/matrix.h"

static const char *printed(const struct matrix *matrix)
{
	static char text[4096];
	FILE *file = fmemopen(text, sizeof(text), "w");

	assert_non_null(file);
	matrix_print(matrix, file);
	fclose(file);
	return text;
}

static void a_class_has_a_row_and_a_column_when_it_is_true_or_said(void **state)
{
	static struct matrix matrix;

	matrix.count[CLASS_FILE_REFAULT][CLASS_FILE_REFAULT] = 12;
	matrix.count[CLASS_FILE_REFAULT][CLASS_UNKNOWN] = 1;
	matrix.count[CLASS_HEALTHY][CLASS_HEALTHY] = 3;
	assert_string_equal(printed(&matrix), "   a   b   c   <- said; the truth:\n"
					      "  12   .   1   a file-refault\n"
					      "   .   3   .   b healthy\n"
					      "   .   .   .   c unknown\n");
}

static void without_runs_it_is_empty(void **state)
{
	static const struct matrix matrix;

	assert_string_equal(printed(&matrix), "   <- said; the truth:\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_class_has_a_row_and_a_column_when_it_is_true_or_said),
		cmocka_unit_test(without_runs_it_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
