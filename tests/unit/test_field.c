#include "test.h"

#include <ctype.h>
#include <errno.h>

#include "kernel/field.h"

static bool same_name(const char *left, const char *right)
{
	return *left && strcmp(left, right) == 0;
}

static void every_number_is_explained(void **state)
{
	for (enum scope scope = 0; scope < SCOPES; scope++) {
		const struct catalogue *catalogue = catalogue_of(scope);

		assert_true(catalogue->count > 0);
		for (size_t i = 0; i < catalogue->count; i++) {
			const struct field *field = &catalogue->fields[i];

			assert_non_null(field->help); /* NULL: an id without its row */
			case_of(field->help);
			assert_true(*field->key || *field->file || *field->key1);
			assert_true(isupper(field->help[0]) || islower(field->help[0]) ||
				    isdigit(field->help[0]));
			assert_int_not_equal(field->help[strlen(field->help) - 1], '.');
		}
	}
}

static void no_key_stands_twice_in_a_file(void **state)
{
	for (enum scope scope = 0; scope < SCOPES; scope++) {
		const struct catalogue *catalogue = catalogue_of(scope);

		for (size_t i = 0; i < catalogue->count; i++)
			for (size_t j = 0; j < i; j++) {
				const struct field *one = &catalogue->fields[i];
				const struct field *other = &catalogue->fields[j];

				if (strcmp(one->file, other->file) != 0)
					continue;
				assert_false(same_name(one->key, other->key));
				assert_false(same_name(one->key1, other->key1));
			}
	}
}

static void every_scope_has_its_fields(void **state)
{
	static const size_t counts[SCOPES] = {
		[SCOPE_MACHINE] = MACHINE_FIELDS, [SCOPE_CGROUP] = CGROUP_FIELDS,
		[SCOPE_TASK] = TASK_FIELDS,	  [SCOPE_ZONE] = ZONE_FIELDS,
		[SCOPE_NODE] = NODE_FIELDS,	  [SCOPE_SWAP] = SWAP_FIELDS,
		[SCOPE_ZRAM] = ZRAM_FIELDS,	  [SCOPE_DISK] = DISK_FIELDS,
	};

	for (enum scope scope = 0; scope < SCOPES; scope++)
		assert_int_equal(catalogue_of(scope)->count, counts[scope]);
}

static void since_is_known_of_some_fields_only(void **state)
{
	const struct field *machine = catalogue_of(SCOPE_MACHINE)->fields;
	const struct field *cgroup = catalogue_of(SCOPE_CGROUP)->fields;

	assert_string_equal(field_since(&machine[VM_REFAULT_FILE]), "5.9");
	assert_string_equal(field_since(&cgroup[CG_PRESSURE]), "6.1");
	assert_null(field_since(&machine[VM_FREE]));
	assert_null(field_since(&cgroup[CG_ANON]));
}

static void a_failed_read_says_why_there_is_no_number(void **state)
{
	static const struct {
		int error;
		enum state wanted;
	} cases[] = {
		{ ENOENT, ABSENT },	   { ENODEV, ABSENT },	{ ESRCH, ABSENT },
		{ ENOTDIR, ABSENT },	   { EACCES, DENIED },	{ EPERM, DENIED },
		{ EOPNOTSUPP, DISABLED },  { EFBIG, GARBLED },	{ EIO, GARBLED },
		{ EINVAL, GARBLED },	   { EISDIR, GARBLED }, { EMFILE, GARBLED },
		{ ENAMETOOLONG, GARBLED },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(state_of_error(-cases[i].error), cases[i].wanted);
}

static void a_failure_marks_only_its_own_slots(void **state)
{
	struct numbers numbers = NUMBERS(5);

	numbers_fail(numbers, 1, 3, -EACCES);
	assert_state(numbers, 0, ABSENT);
	assert_state(numbers, 1, DENIED);
	assert_state(numbers, 2, DENIED);
	assert_state(numbers, 3, ABSENT);
	numbers_fail(numbers, 4, 4, -EACCES);
	assert_state(numbers, 4, ABSENT);
}

static void every_state_and_choice_has_a_name(void **state)
{
	for (enum state i = ABSENT; i <= GARBLED; i++)
		assert_true(strlen(state_name(i)) > 0);
	for (uint64_t i = 0; i < CHOICES; i++)
		assert_true(strlen(choice_name(i)) > 1);
	assert_string_equal(choice_name(CHOICES), "?");
	assert_string_equal(choice_name(UINT64_MAX), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_explained),
		cmocka_unit_test(no_key_stands_twice_in_a_file),
		cmocka_unit_test(every_scope_has_its_fields),
		cmocka_unit_test(since_is_known_of_some_fields_only),
		cmocka_unit_test(a_failed_read_says_why_there_is_no_number),
		cmocka_unit_test(a_failure_marks_only_its_own_slots),
		cmocka_unit_test(every_state_and_choice_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
