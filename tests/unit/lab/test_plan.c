#include "test.h"

#include <sys/stat.h>

#include "cmd/lab_job.h"

static char said[512];

/* In the place of cmd/main.c. */
void cmd_error(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(said, sizeof(said), format, list);
	va_end(list);
}

/* Two kernels, something to start them with, and where the runs may go. */
static const char *place(void)
{
	const char *folder =
		TREE({ "refault/kernels/6.12/vmlinuz", "x" },
		     { "refault/kernels/6.12/release", "6.12.9\n" },
		     { "refault/kernels/6.1/vmlinuz", "x" },
		     { "refault/kernels/6.1/release", "6.1.5\n" }, { "bin/" MACHINE_QEMU, "" },
		     { "arms.ini", "[scenario]\ntitle = t\n"
				   "[group api]\npath = system.slice/api.service\n"
				   "[load api]\nkind = idle\ngroup = api\n"
				   "[phase calm]\nstart = api\nwait = 1s\n"
				   "[arm one]\nmachine.ram = 256M\n"
				   "[arm two]\nmachine.ram = 512M\n"
				   "[arm three]\nmachine.ram = 1G\n" });

	chmod(path_in(folder, "bin/" MACHINE_QEMU), 0755);
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("PATH", path_in(folder, "bin"), 1);
	said[0] = '\0';
	return folder;
}

/* The plan of arms.ini; its folder is new. */
static int opened(struct lab_options *options, struct lab_plan *out)
{
	const char *folder = place();
	const char *name = path_in(folder, "arms.ini");

	options->output = path_in(folder, "runs");
	if (options->repeats == 0)
		options->repeats = 1;
	return plan_open(options, &name, 1, out);
}

static size_t times_named(const struct lab_plan *plan, const char *name)
{
	size_t times = 0;

	for (size_t i = 0; i < plan->jobs; i++)
		times += strcmp(plan->job[i].name, name) == 0;
	return times;
}

static struct lab_plan plans[2];

static void each_arm_is_a_job_in_the_order_of_the_file(void **state)
{
	struct lab_options options = { 0 };

	assert_int_equal(opened(&options, &plans[0]), 0);
	assert_int_equal(plans[0].jobs, 3);
	assert_string_equal(plans[0].job[0].name, "arms.one.1");
	assert_string_equal(plans[0].job[1].name, "arms.two.1");
	assert_string_equal(plans[0].job[2].name, "arms.three.1");
	assert_string_equal(plans[0].job[0].kernel->name, "6.12");
	assert_true(plans[0].is_made && access(plans[0].folder, F_OK) == 0);
	plan_done(&plans[0]);
}

static void the_kernel_is_in_the_name_where_there_are_several(void **state)
{
	struct lab_options options = { .kernel = { "6.1", "6.12" }, .kernels = 2, .arm = "t*" };

	assert_int_equal(opened(&options, &plans[0]), 0);
	assert_int_equal(plans[0].jobs, 4);
	assert_int_equal(times_named(&plans[0], "arms.two.6.1.1"), 1);
	assert_int_equal(times_named(&plans[0], "arms.three.6.12.1"), 1);
	plan_done(&plans[0]);
}

static void repeats_come_in_an_order_that_the_seed_gives(void **state)
{
	struct lab_options options = { .repeats = 10, .seed = 7, .has_seed = true };
	size_t moved = 0;

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(opened(&options, &plans[i]), 0);
	assert_int_equal(plans[0].jobs, 30);
	for (size_t i = 0; i < 30; i++) {
		assert_string_equal(plans[0].job[i].name, plans[1].job[i].name);
		assert_int_equal(times_named(&plans[0], plans[0].job[i].name), 1);
		moved += plans[0].job[i].repeat != i / 3 + 1;
	}
	assert_true(moved > 10);
	plan_done(&plans[1]);
	options.seed = 8;
	assert_int_equal(opened(&options, &plans[1]), 0);
	moved = 0;
	for (size_t i = 0; i < 30; i++)
		moved += strcmp(plans[0].job[i].name, plans[1].job[i].name) != 0;
	assert_true(moved > 10);
	plan_done(&plans[0]);
	plan_done(&plans[1]);
}

static void two_jobs_of_one_name_are_refused(void **state)
{
	struct lab_options options = { .kernel = { "6.1", "6.1" }, .kernels = 2 };

	assert_int_equal(opened(&options, &plans[0]), EXIT_USAGE);
	assert_string_equal(said, "two runs would be called arms.one.6.1.1: name each scenario "
				  "and kernel once");
	assert_false(plans[0].is_made);
	plan_done(&plans[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_arm_is_a_job_in_the_order_of_the_file),
		cmocka_unit_test(the_kernel_is_in_the_name_where_there_are_several),
		cmocka_unit_test(repeats_come_in_an_order_that_the_seed_gives),
		cmocka_unit_test(two_jobs_of_one_name_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
