#include "test.h"

#include <ctype.h>

#include "analysis/capability.h"
#include "analysis/verdict.h"
#include "audit/rules.h"
#include "frozen.h"
#include "view/explain.h"

#define NAMES_MAX 1024

static char names[NAMES_MAX][160];
static size_t name_count;

static void collect_fields(void)
{
	name_count = 0;
	for (enum scope scope = 0; scope < SCOPES; scope++)
		for (size_t i = 0; i < catalogue_of(scope)->count; i++) {
			assert_true(name_count < NAMES_MAX);
			assert_true(explain_field_name(scope, i, names[name_count],
						       sizeof(names[0])));
			name_count++;
		}
}

static void every_field_has_a_name_that_stands_once(void **state)
{
	collect_fields();
	for (size_t i = 0; i < name_count; i++) {
		assert_true(strlen(names[i]) > 2);
		assert_true(isalpha(names[i][0]));
		assert_int_not_equal(names[i][strlen(names[i]) - 1], '.');
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(names[i], names[j]);
	}
}

static void every_field_is_somewhere_and_has_help(void **state)
{
	for (enum scope scope = 0; scope < SCOPES; scope++)
		for (size_t i = 0; i < catalogue_of(scope)->count; i++) {
			const struct field *field = &catalogue_of(scope)->fields[i];

			assert_true(*field->key || *field->file || *field->key1);
			assert_true(strlen(field->help) > 0);
		}
}

static void a_field_is_named_by_its_file_and_key(void **state)
{
	static const struct {
		enum scope scope;
		size_t field;
		const char *name;
	} cases[] = {
		{ SCOPE_MACHINE, VM_PGFAULT, "vmstat.pgfault" },
		{ SCOPE_MACHINE, MI_AVAILABLE, "meminfo.MemAvailable" },
		{ SCOPE_MACHINE, TUN_SWAPPINESS, "vm/swappiness" },
		{ SCOPE_CGROUP, CG_ANON, "cgroup.memory.stat.anon" },
		{ SCOPE_CGROUP, CG_MAX, "cgroup.memory.max" },
		{ SCOPE_CGROUP, CG_SWAP_V1, "cgroup.memory.stat.total_swap" },
		{ SCOPE_CGROUP, CG_FAILCNT, "cgroup.memory.failcnt" },
		{ SCOPE_ZONE, ZONE_LOW, "zone.low" },
		{ SCOPE_TASK, TASK_PEAK, "task.VmHWM" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char name[160];

		assert_true(
			explain_field_name(cases[i].scope, cases[i].field, name, sizeof(name)));
		assert_string_equal(name, cases[i].name);
	}
}

static void a_name_that_does_not_fit_is_cut_off(void **state)
{
	char name[8];

	assert_false(explain_field_name(SCOPE_MACHINE, VM_PGFAULT, name, sizeof(name)));
	assert_string_equal(name, "vmstat.");
}

static const char *explained(const char *name)
{
	FILE *file = page_open();
	bool found = explain_name(file, name);
	const char *text = page_text();

	assert_int_equal(found, strlen(text) > 0);
	return text;
}

static size_t list_names(void)
{
	const char *text;
	size_t count = 0;

	explain_list(page_open());
	for (text = page_text(); *text; count++) {
		size_t length = strcspn(text, "\t\n");

		assert_int_equal(text[length], '\t');
		assert_true(count < NAMES_MAX);
		span_copy(span_of(text, length), names[count], sizeof(names[0]));
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return count;
}

static void every_name_of_the_list_is_explained(void **state)
{
	size_t count = list_names();

	collect_fields();
	assert_int_equal(count, CLASSES + SIGNALS + CAPABILITIES + rule_count() + name_count);
	count = list_names();
	for (size_t i = 0; i < count; i++) {
		case_of(names[i]);
		assert_true(strlen(explained(names[i])) > strlen(names[i]) + 10);
	}
}

static void a_field_is_explained_by_the_end_of_its_name_too(void **state)
{
	const char *text = explained("pgfault");

	assert_non_null(strstr(text, "vmstat.pgfault: counter of a machine, count\n"));
	assert_non_null(strstr(text, "cgroup.memory.stat.pgfault: counter of a cgroup"));
	assert_non_null(strstr(text, "  in cgroup v1: total_pgfault\n"));
	assert_non_null(strstr(text, "  since Linux: 4.19 or before\n"));
	assert_non_null(strstr(explained("cgroup.pressure"), "  since Linux: 6.1\n"));
}

static void a_rule_is_explained_with_its_sources_whatever_its_case(void **state)
{
	const char *text = explained("swap-001");

	assert_non_null(strstr(text, "SWAP-001: rule, severity high\n  There is no swap.\n"));
	assert_non_null(strstr(text, "  sources:  "));
	assert_non_null(strstr(text, "(read 2026-"));
}

static void every_rule_has_an_entry_in_its_manual(void **state)
{
	const char *text;
	const struct rule *rule;

	assert_true(explain_manual(page_open(), "rules"));
	text = page_text();
	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++) {
		char entry[40];

		case_of(rule->id);
		snprintf(entry, sizeof(entry), "\n*%s*\n\t", rule->id);
		assert_non_null(strstr(text, entry));
	}
}

static void half_a_word_is_no_name(void **state)
{
	assert_string_equal(explained("ault"), "");
	assert_string_equal(explained("gfault"), "");
	assert_string_equal(explained(""), "");
	assert_string_equal(explained("."), "");
	assert_string_equal(explained("nothing of that name"), "");
}

static void a_class_and_a_capability_say_what_to_do(void **state)
{
	const char *text = explained("file-refault");

	assert_non_null(strstr(text, "file-refault: verdict, severity harm\n"));
	assert_non_null(strstr(text, "  now:      restart or stop the culprit\n"));
	assert_non_null(strstr(text, "  changes when "));
	assert_non_null(
		strstr(explained("cgroup-io"), "  To have it: enable the io controller"));
	assert_non_null(strstr(explained("swap.in"), "swap.in: signal, bytes per second\n"));
}

static void a_manual_names_every_class_capability_and_signal(void **state)
{
	const char *text;

	assert_true(explain_manual(page_open(), "verdicts"));
	text = page_text();
	for (enum verdict_class i = 0; i < CLASSES; i++)
		assert_non_null(strstr(text, class_row(i)->name));
	for (enum capability i = 0; i < CAPABILITIES; i++)
		assert_non_null(strstr(text, capability_row(i)->name));
	assert_true(explain_manual(page_open(), "fields"));
	text = page_text();
	for (enum signal i = 0; i < SIGNALS; i++)
		assert_non_null(strstr(text, signal_row(i)->name));
	/* Underscores and brackets are plain for scdoc. */
	assert_non_null(strstr(text, "*vmstat.nr\\_free\\_pages*\n"));
	assert_false(explain_manual(page_open(), "nothing"));
	assert_string_equal(page_text(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_has_a_name_that_stands_once),
		cmocka_unit_test(every_field_is_somewhere_and_has_help),
		cmocka_unit_test(a_field_is_named_by_its_file_and_key),
		cmocka_unit_test(a_name_that_does_not_fit_is_cut_off),
		cmocka_unit_test(every_name_of_the_list_is_explained),
		cmocka_unit_test(a_field_is_explained_by_the_end_of_its_name_too),
		cmocka_unit_test(a_rule_is_explained_with_its_sources_whatever_its_case),
		cmocka_unit_test(every_rule_has_an_entry_in_its_manual),
		cmocka_unit_test(half_a_word_is_no_name),
		cmocka_unit_test(a_class_and_a_capability_say_what_to_do),
		cmocka_unit_test(a_manual_names_every_class_capability_and_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
