#include "fixture.h"

#include <ctype.h>

#include "audit/rules.h"

static bool text_has(const char *text, struct span part)
{
	return memmem(text, strlen(text), part.at, span_len(part)) != NULL;
}

static bool is_word(struct span *rest, const char *wanted)
{
	struct span word;

	return !span_word(rest, &word) || span_eq(word, "*") ||
	       (wanted && span_eq(word, wanted));
}

static const char *fix_word(enum fix_kind kind)
{
	static const char *const words[] = {
		[FIX_NONE] = "none",	     [FIX_SYSCTL] = "sysctl",
		[FIX_TMPFILES] = "tmpfiles", [FIX_UNIT] = "unit",
		[FIX_CONF] = "conf",	     [FIX_KUBELET] = "kubelet",
		[FIX_SWAPFILE] = "swapfile", [FIX_ENABLE] = "enable",
		[FIX_PRINT] = "print",
	};

	return words[kind];
}

/* "fix KIND NAME SECTION KEY VALUE": words from the front, "*" for any and for none. */
static bool has_fix(const struct result *result, struct span rest)
{
	for (size_t i = 0; i < result->fixes; i++) {
		const struct fix_step *step = &result->fix[i];
		struct span words = rest;

		if (!is_word(&words, fix_word(step->kind)) || !is_word(&words, step->name) ||
		    !is_word(&words, step->section) || !is_word(&words, step->key))
			continue;
		words = span_trim(words);
		if (span_empty(words) || (step->value && span_eq(words, step->value)))
			return true;
	}
	return false;
}

/* "cite WHAT WHERE VALUE" */
static bool has_cite(const struct result *result, struct span rest)
{
	for (size_t i = 0; i < result->cites; i++) {
		const struct audit_cite *cite = &result->cite[i];
		struct span words = rest;

		if (!is_word(&words, cite->what) || !is_word(&words, cite->where))
			continue;
		words = span_trim(words);
		if (span_empty(words) || span_eq(words, cite->value))
			return true;
	}
	return false;
}

static bool meets(const struct result *result, struct span line)
{
	struct span word = { 0 };

	if (!span_word(&line, &word))
		return true;
	line = span_trim(line);
	if (span_eq(word, "cite"))
		return has_cite(result, line);
	if (span_eq(word, "fix"))
		return has_fix(result, line);
	if (span_eq(word, "says"))
		return text_has(result->said, line);
	if (span_eq(word, "need"))
		return text_has(result->need, line);
	if (span_eq(word, "never"))
		return false;
	return span_eq(word, audit_state_name(result->state)) &&
	       is_word(&line, level_name(result->level)) && is_word(&line, result->subject);
}

static void print_results(const struct audit *audit)
{
	for (size_t i = 0; i < audit->results; i++) {
		const struct result *result = &audit->result[i];

		print_message("  got %s %s \"%s\": %s\n", audit_state_name(result->state),
			      level_name(result->level), result->subject, result->said);
		for (size_t j = 0; j < result->cites; j++)
			print_message("    cite %s %s %s\n", result->cite[j].what,
				      result->cite[j].where, result->cite[j].value);
		for (size_t j = 0; j < result->fixes; j++)
			print_message("    fix %s %s %s %s %s\n", fix_word(result->fix[j].kind),
				      result->fix[j].name, result->fix[j].section,
				      result->fix[j].key, result->fix[j].value);
	}
}

/* "never STATE": no result has it. All other lines are met by one result at least. */
static bool line_holds(const struct audit *audit, struct span line)
{
	struct span rest = line;
	struct span word = { 0 };
	bool is_never = span_word(&rest, &word) && span_eq(word, "never");
	bool met = false;

	for (size_t i = 0; i < audit->results; i++)
		met |= meets(&audit->result[i], is_never ? rest : line);
	return met != is_never;
}

/* The state that the name of a fixture promises is that of some result. */
static bool name_holds(const struct audit *audit, const char *file)
{
	bool fires = false;
	bool unknown = false;

	for (size_t i = 0; i < audit->results; i++) {
		fires |=
			result_fires(&audit->result[i]) || audit->result[i].state == AUDIT_NOTE;
		unknown |= audit->result[i].state == AUDIT_UNKNOWN;
	}
	if (strstr(file, ".fires"))
		return fires;
	if (strstr(file, ".unknown"))
		return unknown && !fires;
	return !fires && !unknown;
}

static size_t check_fixture(const char *file)
{
	struct fixture fixture;
	struct looked looked;
	char id[32];
	size_t wrong = 0;

	fixture_open(file, &fixture);
	snprintf(id, sizeof(id), "%.*s", (int)strcspn(file, "."), file);
	if (!rule_named(id)) {
		print_message("%s: there is no rule %s\n", file, id);
		return 1;
	}
	looked_open(fixture.tree, rule_named(id), &looked);
	if (!name_holds(&looked.audit, file)) {
		print_message("%s: is not what its name says\n", file);
		wrong++;
	}
	for (size_t i = 0; i < fixture.count; i++)
		if (!line_holds(&looked.audit, fixture.wanted[i].line)) {
			print_message("%s:%u: does not hold: %.*s\n", file,
				      fixture.wanted[i].number,
				      (int)span_len(fixture.wanted[i].line),
				      fixture.wanted[i].line.at);
			wrong++;
		}
	if (wrong)
		print_results(&looked.audit);
	assert_false(facts_failed(&looked.facts));
	looked_close(&looked);
	return wrong;
}

static const char *names[2000];

/* REFAULT_FIXTURE=SWAP-001 looks at those of one rule only. */
static void every_fixture_is_judged_as_it_says(void **state)
{
	size_t count = fixture_files(names, ARRAY_LEN(names));
	const char *only = getenv("REFAULT_FIXTURE");
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		if (!only || strncmp(names[i], only, strlen(only)) == 0)
			wrong += check_fixture(names[i]);
	assert_int_equal(wrong, 0);
}

static bool has_fixture(size_t count, const char *id, const char *what)
{
	char start[64];

	snprintf(start, sizeof(start), "%s.%s", id, what);
	for (size_t i = 0; i < count; i++)
		if (strncmp(names[i], start, strlen(start)) == 0)
			return true;
	return false;
}

static void every_rule_has_a_fixture_that_fires_one_that_passes_and_one_unknown(void **state)
{
	static const char *const wanted[] = { "fires", "passes", "unknown" };
	size_t count = fixture_files(names, ARRAY_LEN(names));
	const struct rule *rule;
	size_t missing = 0;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		for (size_t j = 0; j < ARRAY_LEN(wanted); j++)
			if (!has_fixture(count, rule->id, wanted[j])) {
				print_message("%s.%s is missing\n", rule->id, wanted[j]);
				missing++;
			}
	assert_int_equal(missing, 0);
}

static bool is_day(const char *text)
{
	return text && strlen(text) == 10 && text[4] == '-' && text[7] == '-' &&
	       strncmp(text, "2026-", 5) == 0;
}

static bool is_sentence(const char *text)
{
	return text && strlen(text) > 15 && text[strlen(text) - 1] == '.';
}

static void every_rule_says_all_that_a_reader_needs(void **state)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++) {
		case_of(rule->id);
		assert_non_null(strchr(rule->id, '-'));
		assert_true(rule->title && rule->title[strlen(rule->title) - 1] != '.');
		assert_true(rule->scope && *rule->scope && rule->reads && *rule->reads);
		assert_true(is_sentence(rule->why));
		assert_true(is_sentence(rule->fix));
		assert_true(is_sentence(rule->revert));
		assert_true(!rule->unless || is_sentence(rule->unless));
		assert_true(rule->source && strlen(rule->source) > 5);
		assert_true(is_day(rule->checked));
		assert_non_null(rule->test);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(strcmp(rule_at(j)->id, rule->id), 0);
	}
	assert_null(rule_named("SWAP-999"));
}

/* No rule fires on a machine that is set up well, and none is unknown on it. */
static void a_machine_that_is_set_up_well_passes(void **state)
{
	struct looked looked;
	const char *tree;
	struct fixture fixture;
	size_t wrong = 0;

	fixture_open("GOOD", &fixture);
	tree = fixture.tree;
	looked_open(tree, NULL, &looked);
	for (size_t i = 0; rule_at(i); i++)
		audit_rule(&looked.audit, rule_at(i));
	for (size_t i = 0; i < looked.audit.results; i++)
		wrong += result_fires(&looked.audit.result[i]) ||
			 looked.audit.result[i].state == AUDIT_UNKNOWN;
	if (wrong)
		print_results(&looked.audit);
	looked_close(&looked);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fixture_is_judged_as_it_says),
		cmocka_unit_test(
			every_rule_has_a_fixture_that_fires_one_that_passes_and_one_unknown),
		cmocka_unit_test(every_rule_says_all_that_a_reader_needs),
		cmocka_unit_test(a_machine_that_is_set_up_well_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
