#include "test.h"

#include <errno.h>
#include <sys/stat.h>

#include "lab/boot/kernels.h"

/* A cache with two kernels and one that is broken. */
static const char *cache(void)
{
	const char *folder =
		TREE({ "refault/kernels/6.12/vmlinuz", "x" },
		     { "refault/kernels/6.12/release", "6.12.9-cloud\n" },
		     { "refault/kernels/6.12/modules", "->tree/6.12.9" },
		     { "refault/kernels/6.12/tree/6.12.9/a.ko", "x" },
		     { "refault/kernels/6.1/vmlinuz", "x" },
		     { "refault/kernels/6.1/release", "6.1.5-cloud\n" },
		     { "refault/kernels/broken/release", "1\n" },
		     { "refault/kernels/.lock", "" }, { "boot/vmlinuz-5.10.3", "x" },
		     { "boot/mods/x.ko", "" }, { "boot/with:colon", "x" });

	setenv("XDG_CACHE_HOME", folder, 1);
	return folder;
}

static void a_kernel_of_the_cache_is_found(void **state)
{
	struct kernel kernel;

	cache();
	assert_int_equal(kernel_find("6.12", &kernel), 0);
	assert_string_equal(kernel.name, "6.12");
	assert_string_equal(kernel.release, "6.12.9-cloud");
	assert_true(file_exists(kernel.image));
	assert_true(file_exists(kernel.modules));
	assert_int_equal(kernel_find("6.1", &kernel), 0);
	assert_string_equal(kernel.modules, "");
}

static void what_is_not_there_leaves_the_answer_alone(void **state)
{
	struct kernel kernel = { .name = "old" };

	cache();
	assert_int_equal(kernel_find("7", &kernel), -ENOENT);
	assert_int_equal(kernel_find("broken", &kernel), -ENOENT);
	assert_int_equal(kernel_find("..", &kernel), -EINVAL);
	assert_int_equal(kernel_find("", &kernel), -EINVAL);
	assert_int_equal(kernel_find("/none/vmlinuz", &kernel), -ENOENT);
	assert_string_equal(kernel.name, "old");
}

static void a_path_may_bring_its_modules(void **state)
{
	const char *folder = cache();
	struct kernel kernel;
	char name[4096];

	snprintf(name, sizeof(name), "%s/boot/vmlinuz-5.10.3:%s/boot/mods", folder, folder);
	assert_int_equal(kernel_find(name, &kernel), 0);
	assert_string_equal(kernel.release, "5.10.3");
	assert_string_equal(kernel.modules, path_in(folder, "boot/mods"));
	assert_int_equal(kernel_find(path_in(folder, "boot/vmlinuz-5.10.3"), &kernel), 0);
	assert_string_equal(kernel.modules, "");
}

static void kernels_are_listed_by_version(void **state)
{
	struct kernel kernels[8];
	size_t count;

	cache();
	assert_int_equal(kernel_list(kernels, 8, &count), 0);
	assert_true(count == 2 || strcmp(kernels[2].name, "running") == 0);
	assert_string_equal(kernels[0].name, "6.1");
	assert_string_equal(kernels[1].name, "6.12");
	assert_int_equal(kernel_list(kernels, 1, &count), 0);
	assert_int_equal(count, 1);
}

static void the_cache_follows_the_environment(void **state)
{
	char path[64];

	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/home/x", 1);
	assert_int_equal(lab_cache(path, sizeof(path)), 0);
	assert_string_equal(path, "/home/x/.cache/refault");
	assert_int_equal(lab_cache(path, 10), -ENAMETOOLONG);
	unsetenv("HOME");
	assert_int_equal(lab_cache(path, sizeof(path)), -ENOENT);
}

static void only_known_kernels_are_fetched(void **state)
{
	cache();
	assert_int_equal(kernel_fetch("5.10", NULL), -EINVAL);
	assert_int_equal(package_fetch("../x", NULL), -EINVAL);
	assert_int_equal(package_fetch("-x", NULL), -EINVAL);
	assert_int_equal(kernel_fetch("6.12", NULL), 0); /* it is there */
	assert_string_equal(kernel_name(0), "6.1");
	assert_null(kernel_name(3));
}

static int make_executable(void *data, const struct tree_entry *entry)
{
	return chmod(entry->path, 0755);
}

static void a_program_of_a_package_is_found_by_name(void **state)
{
	const char *folder = TREE({ "refault/packages/p/tree/usr/bin/one", "x" },
				  { "refault/packages/p/tree/usr/bin/two", "x" },
				  { "refault/packages/q/tree/usr/bin/other", "x" });
	char root[1024];
	char path[1024];
	struct buffer r = { root, sizeof(root) };
	struct buffer p = { path, sizeof(path) };

	setenv("XDG_CACHE_HOME", folder, 1);
	assert_int_equal(tree_walk(folder, 0, make_executable, NULL), 0);
	assert_int_equal(package_program("p", "two", r, p), 0);
	assert_string_equal(path, path_in(folder, "refault/packages/p/tree/usr/bin/two"));
	assert_int_equal(package_program("p", "three", r, p), -ENOENT);
	assert_int_equal(package_program("q", "guard", r, p), 0);
	assert_int_equal(package_program("none", "x", r, p), -ENOENT);
	assert_int_equal(package_program("..", "x", r, p), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_of_the_cache_is_found),
		cmocka_unit_test(what_is_not_there_leaves_the_answer_alone),
		cmocka_unit_test(a_path_may_bring_its_modules),
		cmocka_unit_test(kernels_are_listed_by_version),
		cmocka_unit_test(the_cache_follows_the_environment),
		cmocka_unit_test(only_known_kernels_are_fetched),
		cmocka_unit_test(a_program_of_a_package_is_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
