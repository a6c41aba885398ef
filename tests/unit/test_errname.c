#include "test.h"

#include <errno.h>

#include "base/errname.h"

static void every_error_that_a_kernel_file_gives_has_a_name(void **state)
{
	static const int errors[] = {
		EACCES, EPERM,	EOPNOTSUPP, ENODEV, EFBIG, EINVAL,  EIO,	  ESRCH,
		EMFILE, ENFILE, ENOTDIR,    ENOMEM, ELOOP, EBADMSG, ENAMETOOLONG, EISDIR,
	};

	for (size_t i = 0; i < ARRAY_LEN(errors); i++)
		assert_int_equal(errname_parse(span_cstr(errname_of(errors[i]))), errors[i]);
	assert_string_equal(errname_of(EACCES), "EACCES");
}

static void an_error_without_a_name_is_a_failure_to_read(void **state)
{
	static const char *const names[] = {
		"", "eacces", "EACCES\n", "EACCE", "EACCESS", "13"
	};

	assert_string_equal(errname_of(0), "EIO");
	assert_string_equal(errname_of(-EACCES), "EIO");
	assert_string_equal(errname_of(99999), "EIO");
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(errname_parse(span_cstr(names[i])), EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_error_that_a_kernel_file_gives_has_a_name),
		cmocka_unit_test(an_error_without_a_name_is_a_failure_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
