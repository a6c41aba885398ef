#include "test.h"

#include <errno.h>

#include "lab/scenario/paths.h"
#include "lab/scenario/shipped.h"

#define REST                      \
	"[group a]\npath = a\n"   \
	"[load a]\nkind = idle\n" \
	"group = a\n[phase p]\nstart = a\nwait = 1s\n"

static void scenarios_are_in_the_order_of_their_ids(void **state)
{
	const char *folder = TREE({ "ten.ini", "[scenario]\nid = V10\ntitle = Ten\n" REST },
				  { "nine.ini", "[scenario]\nid = V9\ntags = x\n" REST },
				  { "article.ini", "[scenario]\nsource = A\n" REST },
				  { "notes.txt", "no scenario" }, { ".hidden.ini", "x" });
	struct shipped shipped;
	struct lab_error error = { "" };

	assert_int_equal(shipped_open(folder, &shipped, &error), 0);
	assert_int_equal(shipped.rows, 3);
	assert_string_equal(shipped.row[0].name, "article");
	assert_string_equal(shipped.row[0].source, "A");
	assert_string_equal(shipped.row[1].name, "nine");
	assert_string_equal(shipped.row[1].tags, "x");
	assert_string_equal(shipped.row[2].name, "ten");
	assert_string_equal(shipped.row[2].title, "Ten");
	shipped_done(&shipped);
}

static void one_that_cannot_be_read_is_named(void **state)
{
	const char *folder = TREE({ "bad.ini", "what\n" });
	struct shipped shipped;
	struct lab_error error = { "" };

	assert_int_equal(shipped_open(folder, &shipped, &error), -EINVAL);
	assert_non_null(strstr(error.text, "bad.ini:1: 'what'"));
}

static void what_lies_beside_no_program_is_not_found(void **state)
{
	char path[1024];

	assert_int_equal(scenario_path("leak", path, sizeof(path)), -ENOENT);
	assert_int_equal(guest_path(path, sizeof(path)), -ENOENT);
	assert_int_equal(guest_path(path, 8), -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenarios_are_in_the_order_of_their_ids),
		cmocka_unit_test(one_that_cannot_be_read_is_named),
		cmocka_unit_test(what_lies_beside_no_program_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
