#include "test.h"

#include "policy/config.h"

static struct guard_config config;

#define SET(array, text) span_copy(span_cstr(text), (array), sizeof(array))

static struct policy_row *row(uint32_t kinds, int32_t priority)
{
	struct policy_row *added = &config.row[config.rows++];

	*added = (struct policy_row){ .kinds = kinds, .priority = priority };
	snprintf(added->name, sizeof(added->name), "row %u", config.rows);
	return added;
}

static int empty(void **state)
{
	config = (struct guard_config){ 0 };
	return 0;
}

static const struct policy_row *found(enum policy_kind kind, const char *cgroup)
{
	const struct policy_subject subject = { .cgroup = cgroup };

	return policy_find(&config, kind, &subject);
}

static void every_default_is_in_its_range_and_has_a_word(void **state)
{
	config_defaults(&config);
	assert_int_equal(config.options.mode, MODE_OBSERVE);
	assert_int_equal(config.options.on_other_guard, OTHER_YIELD);
	assert_int_equal(config.options.machine_for_us, SECOND_US);
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *option = &OPTION_ROWS[i];

		case_of(option->key);
		assert_int_equal(*option_at(&config.options, option), option->value);
		assert_in_range(option->value, option->least, option->most);
		assert_true(option->help[0] != '\0');
		if (option->type != OPTION_WORD)
			continue;
		assert_false(span_empty(option_word(option, option->most)));
		assert_true(span_empty(option_word(option, option->most + 1)));
	}
}

static void every_option_has_a_name_of_its_own(void **state)
{
	for (size_t i = 0; i < OPTIONS; i++)
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(OPTION_ROWS[i].offset, OPTION_ROWS[j].offset);
			if (strcmp(OPTION_ROWS[i].section, OPTION_ROWS[j].section) == 0)
				assert_string_not_equal(OPTION_ROWS[i].key, OPTION_ROWS[j].key);
		}
}

static void what_is_needed_to_log_in_is_protected_and_an_administrator_comes_first(void **state)
{
	static const char *const needed[] = {
		"init.scope",
		"system.slice/ssh.service",
		"system.slice/systemd-journald.service",
		"system.slice/system-getty.slice/getty@tty1.service",
		"system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS0.service",
		"refault.slice/refault-guard.service",
	};

	config_defaults(&config);
	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		const struct policy_row *built_in = found(POLICY_PROTECT, needed[i]);

		case_of(needed[i]);
		assert_non_null(built_in);
		assert_string_equal(built_in->name, BUILT_IN_NAME);
		assert_true(built_in->priority < 0);
		assert_null(found(POLICY_NEVER, needed[i]));
	}
	assert_null(found(POLICY_PROTECT, "system.slice/api.service"));
	for (uint32_t i = 1; i < config.rows; i++)
		assert_true(config.row[i].priority <= config.row[i - 1].priority);
}

static void nobody_takes_the_place_of_what_is_built_in(void **state)
{
	static const char *const impostors[] = {
		"user.slice/user-1000.slice/user@1000.service/app.slice/ssh.service",
		"user.slice/user-1000.slice/user@1000.service/init.scope",
		"system.slice/docker-1.scope/system.slice/ssh.service",
		"system.slice/docker-1.scope/init.scope",
		"ssh.service",
	};

	config_defaults(&config);
	for (size_t i = 0; i < ARRAY_LEN(impostors); i++) {
		case_of(impostors[i]);
		assert_null(found(POLICY_PROTECT, impostors[i]));
	}
}

static void a_unit_is_the_last_part_and_a_cgroup_the_whole_path(void **state)
{
	SET(row(1u << POLICY_PREFER, 0)->unit, "web@*.service");
	SET(row(1u << POLICY_NEVER, 0)->cgroup, "a.slice/*");
	assert_non_null(found(POLICY_PREFER, "x.slice/web@1.service"));
	assert_non_null(found(POLICY_PREFER, "web@1.service"));
	assert_null(found(POLICY_PREFER, "web@1.service/child"));
	assert_null(found(POLICY_PREFER, "x.slice/my-web@1.service"));
	assert_non_null(found(POLICY_NEVER, "a.slice/b.slice/c.service"));
	assert_null(found(POLICY_NEVER, "a.slice"));
	assert_null(found(POLICY_NEVER, "x/a.slice/c.service"));
}

static void all_matchers_that_are_given_must_match(void **state)
{
	struct policy_row *both = row(1u << POLICY_PREFER, 0);
	struct policy_subject subject = {
		.cgroup = "a.slice/b.service", .comm = "leak", .has_uid = true, .uid = 7
	};

	SET(both->unit, "b.service");
	SET(both->comm, "lea*");
	both->has_uid = true;
	both->uid = 7;
	assert_ptr_equal(policy_find(&config, POLICY_PREFER, &subject), both);
	subject.uid = 8;
	assert_null(policy_find(&config, POLICY_PREFER, &subject));
	subject.uid = 7;
	subject.comm = "peak";
	assert_null(policy_find(&config, POLICY_PREFER, &subject));
	subject.comm = "leak";
	subject.cgroup = "a.slice/c.service";
	assert_null(policy_find(&config, POLICY_PREFER, &subject));
}

static void what_is_not_known_matches_no_pattern(void **state)
{
	static const struct policy_subject unknown = { .cgroup = "a.service" };
	static const struct policy_subject empty_names = { .cgroup = "",
							   .comm = "",
							   .exe = "" };

	SET(row(1u << POLICY_PREFER, 0)->comm, "*");
	SET(row(1u << POLICY_NEVER, 0)->exe, "*");
	row(1u << POLICY_PROTECT, 0)->has_uid = true; /* root, which 0 would be */
	SET(row(1u << POLICY_HOOK, 0)->unit, "*");
	assert_null(policy_find(&config, POLICY_PREFER, &unknown));
	assert_null(policy_find(&config, POLICY_NEVER, &unknown));
	assert_null(policy_find(&config, POLICY_PROTECT, &unknown));
	assert_non_null(policy_find(&config, POLICY_HOOK, &unknown));
	assert_null(policy_find(&config, POLICY_PREFER, &empty_names));
	assert_null(policy_find(&config, POLICY_NEVER, &empty_names));
	assert_null(policy_find(&config, POLICY_HOOK, &empty_names));
}

/* Rows stand in the order of their priority, as the reader leaves them. */
static void the_first_of_the_rows_that_match_holds(void **state)
{
	struct policy_row *high = row(1u << POLICY_HOOK, 5);

	SET(high->unit, "a*");
	SET(row(1u << POLICY_HOOK, 0)->unit, "*");
	assert_ptr_equal(found(POLICY_HOOK, "ab"), high);
	assert_ptr_equal(found(POLICY_HOOK, "b"), high + 1);
	assert_null(found(POLICY_UNIT_AS_ONE, "b"));
}

static void of_rows_that_contradict_the_higher_one_holds(void **state)
{
	static const enum policy_kind spares[] = { POLICY_PROTECT, POLICY_NEVER };
	static const enum policy_kind gives_up[] = { POLICY_PREFER, POLICY_EXPENDABLE };

	for (size_t i = 0; i < 4; i++) {
		enum policy_kind one = spares[i / 2];
		enum policy_kind other = gives_up[i % 2];

		empty(NULL);
		SET(row(1u << one, 1)->unit, "*");
		SET(row(1u << other, 0)->unit, "*");
		assert_non_null(found(one, "a"));
		assert_null(found(other, "a"));
		empty(NULL);
		SET(row(1u << other, 1)->unit, "*");
		SET(row(1u << one, 0)->unit, "*");
		assert_non_null(found(other, "a"));
		assert_null(found(one, "a"));
	}
}

static void of_rows_of_one_priority_the_one_that_spares_holds(void **state)
{
	SET(row(1u << POLICY_EXPENDABLE, 3)->unit, "*");
	SET(row(1u << POLICY_NEVER, 3)->unit, "*");
	assert_null(found(POLICY_EXPENDABLE, "a"));
	assert_non_null(found(POLICY_NEVER, "a"));
}

static void what_does_not_contradict_holds_beside_it(void **state)
{
	SET(row(1u << POLICY_NEVER, 3)->unit, "*");
	SET(row(1u << POLICY_PROTECT | 1u << POLICY_UNIT_AS_ONE, 0)->unit, "*");
	assert_non_null(found(POLICY_NEVER, "a"));
	assert_non_null(found(POLICY_PROTECT, "a"));
	assert_non_null(found(POLICY_UNIT_AS_ONE, "a"));
}

/* A row that contradicts elsewhere says nothing here. */
static void a_contradiction_is_one_only_where_both_match(void **state)
{
	SET(row(1u << POLICY_NEVER, 3)->unit, "b");
	SET(row(1u << POLICY_PREFER, 0)->unit, "*");
	assert_non_null(found(POLICY_PREFER, "a"));
	assert_null(found(POLICY_PREFER, "b"));
}

#define TEST(name) cmocka_unit_test_setup(name, empty)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_default_is_in_its_range_and_has_a_word),
		TEST(every_option_has_a_name_of_its_own),
		TEST(what_is_needed_to_log_in_is_protected_and_an_administrator_comes_first),
		TEST(nobody_takes_the_place_of_what_is_built_in),
		TEST(a_unit_is_the_last_part_and_a_cgroup_the_whole_path),
		TEST(all_matchers_that_are_given_must_match),
		TEST(what_is_not_known_matches_no_pattern),
		TEST(the_first_of_the_rows_that_match_holds),
		TEST(of_rows_that_contradict_the_higher_one_holds),
		TEST(of_rows_of_one_priority_the_one_that_spares_holds),
		TEST(what_does_not_contradict_holds_beside_it),
		TEST(a_contradiction_is_one_only_where_both_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
