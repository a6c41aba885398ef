#include "fixture.h"

static struct looked looked;

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

#define STAT(pid, name, parent)                                                                \
	pid " (" name ") S " parent " 1 1 0 -1 4194560 0 0 0 0 10 10 0 0 20 0 1 0 2 22000000 " \
	    "3000 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 "  \
	    "0\n"

static const struct roles *roles_in(const char *tree)
{
	looked_open(tree, NULL, &looked);
	return facts_roles(&looked.facts);
}

static void a_server_is_told_by_its_program_and_its_version_by_the_path(void **state)
{
	const struct roles *roles =
		roles_in(TREE({ "proc/70/stat", STAT("70", "postgres", "1") },
			      { "proc/70/exe", "->/usr/lib/postgresql/16/bin/postgres" },
			      { "proc/71/stat", STAT("71", "postgres", "70") },
			      { "proc/80/stat", STAT("80", "redis-server", "1") },
			      { "proc/80/exe", "->/usr/bin/redis-check-rdb" }));

	assert_int_equal(roles->count, 2);
	assert_int_equal(role_of(roles, ROLE_POSTGRES)->pid, 70);
	assert_int_equal(role_of(roles, ROLE_POSTGRES)->major, 16);
	assert_int_equal(role_of(roles, ROLE_REDIS)->major, 0);
	assert_null(role_of(roles, ROLE_MONGODB));
}

static void a_name_that_another_program_took_is_no_role(void **state)
{
	const struct roles *roles =
		roles_in(TREE({ "proc/70/stat", STAT("70", "mongod", "1") },
			      { "proc/70/exe", "->/tmp/miner" },
			      { "proc/71/stat", STAT("71", "mysqld", "1") }));

	assert_null(role_of(roles, ROLE_MONGODB));
	assert_non_null(role_of(roles, ROLE_MYSQL));
}

#define NUL_WORDS(name, ...)                                                            \
	static void name(const char *tree)                                              \
	{                                                                               \
		static const char bytes[] = __VA_ARGS__;                                \
		FILE *file = fopen(path_in(tree, "proc/90/cmdline"), "we");             \
                                                                                        \
		assert_non_null(file);                                                  \
		assert_int_equal(fwrite(bytes, 1, sizeof(bytes), file), sizeof(bytes)); \
		fclose(file);                                                           \
	}

NUL_WORDS(write_search, "java\0-Xms1g\0-Xmx1g\0-Xmx2g\0-cp\0/x/elasticsearch-8.11.jar\0"
			"org.elasticsearch.bootstrap.Elasticsearch")
NUL_WORDS(write_share, "java\0-XX:MaxRAMPercentage=50.0\0-jar\0x.jar")

static const char *java_tree(void)
{
	return TREE({ "proc/90/stat", STAT("90", "java", "1") },
		    { "proc/90/exe", "->/usr/lib/jvm/java-17-openjdk-amd64/bin/java" },
		    { "proc/meminfo", "MemTotal: 4194304 kB\n" });
}

static void a_jvm_is_also_what_runs_in_it(void **state)
{
	const char *tree = java_tree();
	const struct roles *roles;

	write_search(tree);
	roles = roles_in(tree);
	assert_int_equal(role_of(roles, ROLE_JVM)->limit, (uint64_t)2 << 30);
	assert_int_equal(role_of(roles, ROLE_JVM)->major, 17);
	assert_int_equal(role_of(roles, ROLE_ELASTICSEARCH)->major, 8);
	assert_int_equal(role_of(roles, ROLE_ELASTICSEARCH)->limit, (uint64_t)2 << 30);
	assert_int_equal(roles->denied, 0);
}

static void a_heap_in_percent_is_of_the_ram(void **state)
{
	const char *tree = java_tree();
	const struct roles *roles;

	write_share(tree);
	roles = roles_in(tree);
	assert_in_range(role_of(roles, ROLE_JVM)->limit, ((uint64_t)2 << 30) - 10000,
			(uint64_t)2 << 30);
	assert_null(role_of(roles, ROLE_ELASTICSEARCH));
}

static void a_jvm_whose_command_line_is_denied_is_counted(void **state)
{
	const struct roles *roles = roles_in(TREE({ "proc/90/stat", STAT("90", "java", "1") },
						  { "proc/90/cmdline.errno", "EACCES\n" }));

	assert_non_null(role_of(roles, ROLE_JVM));
	assert_int_equal(roles->denied, 1);
}

static void a_role_can_be_given_by_hand(void **state)
{
	looked_open(TREE({ "proc/80/stat", STAT("80", "redis-server", "1") }), NULL, &looked);
	looked.facts.forced_roles = "redis, postgres,nonsense";
	assert_int_equal(facts_roles(&looked.facts)->count, 2);
	assert_int_equal(role_of(facts_roles(&looked.facts), ROLE_POSTGRES)->pid, 0);
	assert_int_equal(role_of(facts_roles(&looked.facts), ROLE_REDIS)->pid, 80);
}

static void an_option_is_found_in_each_of_its_forms(void **state)
{
	static const char *const words[] = { "kubelet", "-m",	    "5",      "-s100",
					     "--x=1",	"--config", "/etc/k", "-m" };

	assert_string_equal(words_option(words, 4, "-m"), "5");
	assert_string_equal(words_option(words, 8, "-m"), "");
	assert_string_equal(words_option(words, 8, "-s"), "100");
	assert_string_equal(words_option(words, 8, "--x"), "1");
	assert_string_equal(words_option(words, 8, "--config"), "/etc/k");
	assert_null(words_option(words, 8, "--conf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_server_is_told_by_its_program_and_its_version_by_the_path, tear_down),
		cmocka_unit_test_teardown(a_name_that_another_program_took_is_no_role,
					  tear_down),
		cmocka_unit_test_teardown(a_jvm_is_also_what_runs_in_it, tear_down),
		cmocka_unit_test_teardown(a_heap_in_percent_is_of_the_ram, tear_down),
		cmocka_unit_test_teardown(a_jvm_whose_command_line_is_denied_is_counted,
					  tear_down),
		cmocka_unit_test_teardown(a_role_can_be_given_by_hand, tear_down),
		cmocka_unit_test(an_option_is_found_in_each_of_its_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
