#include "test.h"

#include "lab/boot/feature.h"

static enum feature_state state_of(const struct kernel *kernel, const char *name)
{
	struct kernel_facts facts;
	enum feature_state state = FEATURE_UNKNOWN;

	assert_int_equal(kernel_facts_read(kernel, &facts), 0);
	for (size_t i = 0; feature_at(i); i++)
		if (strcmp(feature_at(i)->name, name) == 0)
			state = feature_of(&facts, feature_at(i));
	kernel_facts_done(&facts);
	return state;
}

static struct kernel kernel_in(const char *folder, const char *release)
{
	struct kernel kernel = { 0 };

	snprintf(kernel.release, sizeof(kernel.release), "%s", release);
	snprintf(kernel.image, sizeof(kernel.image), "%s/vmlinuz", folder);
	snprintf(kernel.modules, sizeof(kernel.modules), "%s/modules", folder);
	return kernel;
}

static void the_configuration_decides(void **state)
{
	struct kernel kernel = kernel_in(
		TREE({ "modules/a", "" },
		     { "config-6.5", "CONFIG_ZRAM=m\nCONFIG_PSI=y\n# CONFIG_ZSWAP is not set\n"
				     "CONFIG_SWAP_X=y\n" }),
		"6.5");

	assert_int_equal(state_of(&kernel, "zram"), FEATURE_YES);
	assert_int_equal(state_of(&kernel, "psi"), FEATURE_YES);
	assert_int_equal(state_of(&kernel, "zswap"), FEATURE_NO);
	assert_int_equal(state_of(&kernel, "swap"), FEATURE_NO);
}

static void without_it_modules_decide(void **state)
{
	struct kernel kernel = kernel_in(TREE({ "modules/kernel/zram.ko.xz", "" },
					      { "modules/modules.builtin", "kernel/x/y.ko\n" }),
					 "6.5");

	assert_int_equal(state_of(&kernel, "zram"), FEATURE_YES);
	assert_int_equal(state_of(&kernel, "dm-delay"), FEATURE_NO);
	assert_int_equal(state_of(&kernel, "psi"), FEATURE_UNKNOWN);
	kernel = kernel_in(TREE({ "modules/modules.builtin", "kernel/md/dm-delay.ko\n" }),
			   "6.5");
	assert_int_equal(state_of(&kernel, "dm-delay"), FEATURE_YES);
	kernel = kernel_in(TREE({ "modules/kernel/zramx.ko", "" }), "6.5");
	assert_int_equal(state_of(&kernel, "zram"), FEATURE_UNKNOWN);
	kernel.modules[0] = '\0';
	assert_int_equal(state_of(&kernel, "zram"), FEATURE_UNKNOWN);
}

static void an_old_kernel_cannot_have_what_is_new(void **state)
{
	struct kernel kernel = kernel_in(TREE({ "modules/a", "" }), "6.0.12-x");

	assert_int_equal(state_of(&kernel, "mglru"), FEATURE_NO);
	kernel = kernel_in(TREE({ "modules/a", "" }), "6.1-rc1");
	assert_int_equal(state_of(&kernel, "mglru"), FEATURE_UNKNOWN);
	kernel = kernel_in(TREE({ "modules/a", "" }), "mine");
	assert_int_equal(state_of(&kernel, "mglru"), FEATURE_UNKNOWN);
}

static void each_feature_says_what_it_is(void **state)
{
	for (size_t i = 0; feature_at(i); i++) {
		assert_true(strlen(feature_at(i)->name) > 0);
		assert_true(strlen(feature_at(i)->config) > 0);
		assert_true(strlen(feature_at(i)->help) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_configuration_decides),
		cmocka_unit_test(without_it_modules_decide),
		cmocka_unit_test(an_old_kernel_cannot_have_what_is_new),
		cmocka_unit_test(each_feature_says_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
