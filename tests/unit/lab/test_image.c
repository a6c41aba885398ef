#include "test.h"

#include <errno.h>

#include "lab/boot/content.h"
#include "lab/boot/image.h"

static struct machine machine;

static const char *name_of(enum image_kind kind, const char *guest)
{
	static char names[4][64];
	static size_t next;
	char *name = names[next++ % 4];

	assert_int_equal(image_name(kind, &machine, guest, name, 64), 0);
	return name;
}

static void setup(void)
{
	machine = (struct machine){
		.file = { { "/data/a", 4096 }, { "/big/b", 4096 } },
		.files = 2,
		.program = { { "api", 8192, "", "" } },
		.programs = 1,
	};
}

static void all_that_goes_in_changes_the_name(void **state)
{
	const char *tree = TREE({ "guest", "one" }, { "other", "two" });
	const char *guest = path_in(tree, "guest");
	char first[64];

	setup();
	snprintf(first, sizeof(first), "%s", name_of(IMAGE_DATA, guest));
	assert_string_equal(name_of(IMAGE_DATA, guest), first);
	assert_string_not_equal(name_of(IMAGE_DATA, path_in(tree, "other")), first);
	machine.program[0].code_bytes++;
	assert_string_not_equal(name_of(IMAGE_DATA, guest), first);
	setup();
	machine.file[0].bytes++;
	assert_string_not_equal(name_of(IMAGE_DATA, guest), first);
	setup();
	machine.ram_bytes = 7; /* is not on a disk */
	machine.file[1].bytes++;
	assert_string_equal(name_of(IMAGE_DATA, guest), first);
}

static void the_big_disk_is_made_of_its_files_only(void **state)
{
	const char *tree = TREE({ "guest", "one" }, { "other", "two" });
	char first[64];

	setup();
	snprintf(first, sizeof(first), "%s", name_of(IMAGE_BIG, path_in(tree, "guest")));
	assert_string_equal(name_of(IMAGE_BIG, path_in(tree, "other")), first);
	machine.file[1].bytes++;
	assert_string_not_equal(name_of(IMAGE_BIG, path_in(tree, "guest")), first);
	assert_true(image_needed(IMAGE_BIG, &machine));
	machine.files = 1;
	assert_false(image_needed(IMAGE_BIG, &machine));
	assert_true(image_needed(IMAGE_DATA, &machine));
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	const char *guest = path_in(TREE({ "guest", "one" }), "guest");
	char name[64];

	setup();
	snprintf(machine.program[0].host, sizeof(machine.program[0].host), "/none/such");
	assert_int_equal(image_name(IMAGE_DATA, &machine, guest, name, 64), -ENOENT);
}

/* A file that was made; lives until the next call. */
static struct span made(const char *tree, const char *name)
{
	static char *text;
	struct span got;

	free(text);
	text = NULL;
	assert_int_equal(file_read(path_in(tree, name), 1 << 24, &text, &got), 0);
	return got;
}

static void code_is_a_function_in_each_page(void **state)
{
	struct content content = { folder_new(), NULL };
	struct span got;

	assert_int_equal(content_code(&content, "code/a", 5000), 0);
	got = made(content.tree, "code/a");
	assert_int_equal(span_len(got), 8192);
#ifdef __x86_64__
	assert_memory_equal(got.at, "\x48\x8d\x47\x01\xc3\xcc", 6);
	assert_memory_equal(got.at + 4096, "\x48\x8d\x47\x01\xc3\xcc", 6);
#endif
}

static void files_are_the_same_every_time_and_differ(void **state)
{
	struct content one = { folder_new(), NULL };
	struct content two = { folder_new(), NULL };
	char first[16];

	assert_int_equal(content_random(&one, "a", 3000000), 0);
	assert_int_equal(content_random(&one, "b", 10), 0);
	assert_int_equal(content_random(&two, "a", 10), 0);
	assert_int_equal(content_pattern(&two, "p", 100), 0);
	assert_int_equal(span_len(made(one.tree, "a")), 3000000);
	memcpy(first, made(one.tree, "a").at, 10);
	assert_memory_equal(made(two.tree, "a").at, first, 10);
	assert_memory_not_equal(made(one.tree, "b").at, first, 10);
	assert_null(memchr(made(two.tree, "p").at, 0, 100));
	assert_int_equal(content_random(&one, "../c", 10), -EINVAL);
	assert_int_equal(content_random(&one, "a", 10), -EEXIST);
}

static void a_stop_ends_the_work(void **state)
{
	static const volatile sig_atomic_t stop = 1;
	struct content content = { folder_new(), &stop };

	assert_int_equal(content_random(&content, "a", (uint64_t)1 << 40), -ECANCELED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_goes_in_changes_the_name),
		cmocka_unit_test(the_big_disk_is_made_of_its_files_only),
		cmocka_unit_test(a_program_that_is_not_there_is_an_error),
		cmocka_unit_test(code_is_a_function_in_each_page),
		cmocka_unit_test(files_are_the_same_every_time_and_differ),
		cmocka_unit_test(a_stop_ends_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
