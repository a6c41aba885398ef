/* The tables themselves: that their rows are whole, and that each class has its proof. */
#include "test.h"

#include <ctype.h>
#include <glob.h>

#include "analysis/capability.h"
#include "analysis/rules.h"
#include "base/span.h"

static void expect_name(const char *name)
{
	case_of(name);
	assert_true(islower(name[0]));
	assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
	assert_null(strstr(name, "--"));
	assert_int_not_equal(name[strlen(name) - 1], '-');
}

static void class_names_are_words_with_hyphens_and_stand_once(void **state)
{
	for (enum verdict_class i = 0; i < CLASSES; i++) {
		expect_name(class_row(i)->name);
		for (enum verdict_class j = 0; j < i; j++)
			assert_string_not_equal(class_row(i)->name, class_row(j)->name);
	}
}

static void every_class_says_all_that_a_person_reads(void **state)
{
	for (enum verdict_class i = 0; i < CLASSES; i++) {
		const struct class_row *row = class_row(i);
		const char *const texts[] = { row->word, row->title, row->meaning,
					      row->now,	 row->good,  row->flips };

		case_of(row->name);
		for (size_t j = 0; j < ARRAY_LEN(texts); j++)
			assert_true(texts[j] && strlen(texts[j]) > 0);
		assert_int_not_equal(row->title[strlen(row->title) - 1], '.');
		assert_int_equal(row->meaning[strlen(row->meaning) - 1], '.');
		assert_int_equal(strspn(row->word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ "),
				 strlen(row->word));
	}
}

static void a_class_is_found_by_its_name(void **state)
{
	for (enum verdict_class i = 0; i < CLASSES; i++)
		assert_int_equal(class_find(span_cstr(class_row(i)->name)), i);
	assert_int_equal(class_find(span_cstr("")), CLASSES);
	assert_int_equal(class_find(span_cstr("health")), CLASSES);
	assert_int_equal(class_find(span_cstr("Healthy")), CLASSES);
}

static void severities_have_names(void **state)
{
	for (enum severity i = SEV_NONE; i <= SEV_HARM; i++) {
		assert_true(strlen(severity_name(i)) > 0);
		for (enum severity j = SEV_NONE; j < i; j++)
			assert_string_not_equal(severity_name(i), severity_name(j));
	}
}

static void signal_names_stand_once_and_have_a_formula(void **state)
{
	for (enum signal i = 0; i < SIGNALS; i++) {
		const struct signal_row *row = signal_row(i);

		case_of(row->name);
		assert_true(strlen(row->name) > 0);
		assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz."),
				 strlen(row->name));
		assert_true(strlen(row->formula) > 0);
		assert_true(row->unit <= BYTES_AT);
		for (enum signal j = 0; j < i; j++)
			assert_string_not_equal(row->name, signal_row(j)->name);
	}
}

static size_t rules_of(enum verdict_class class)
{
	size_t count = 0;

	for (size_t i = 0; i < RULE_COUNT; i++)
		count += RULES[i].class == class;
	return count;
}

static void every_class_has_its_rule_but_for_health_and_ignorance(void **state)
{
	for (enum verdict_class i = 0; i < CLASSES; i++) {
		case_of(class_row(i)->name);
		assert_int_equal(rules_of(i), i == CLASS_HEALTHY || i == CLASS_UNKNOWN ? 0 : 1);
	}
	assert_int_equal(RULE_COUNT, CLASS_HEALTHY);
}

/* Among equals the first is the headline: the rows of classes.def are the order of causes. */
static void rules_stand_in_the_order_of_classes(void **state)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		assert_int_equal(RULES[i].class, i);
}

static size_t signals_in(const enum signal *list, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		assert_true(list[i] <= SIGNALS);
		if (list[i] == SIGNALS)
			return i;
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(list[i], list[j]);
	}
	fail_msg("a list of signals does not end");
	return 0;
}

static void every_rule_names_what_it_needs_and_cites(void **state)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule *rule = &RULES[i];

		case_of(class_row(rule->class)->name);
		assert_true(rule->scope > 0 && rule->scope <= ON_ALL);
		assert_non_null(rule->test);
		assert_true(signals_in(rule->needs, ARRAY_LEN(rule->needs)) > 0);
		assert_true(signals_in(rule->cites, ARRAY_LEN(rule->cites)) > 0);
	}
}

static void capability_names_stand_once_and_say_what_is_lost(void **state)
{
	for (enum capability i = 0; i < CAPABILITIES; i++) {
		const struct capability_row *row = capability_row(i);

		expect_name(row->name);
		assert_true(strlen(row->missing) > 0);
		assert_true(strlen(row->costs) > 0);
		assert_true(strlen(row->gain) > 0);
		assert_int_not_equal(row->costs[strlen(row->costs) - 1], '.');
		for (enum capability j = 0; j < i; j++)
			assert_string_not_equal(row->name, capability_row(j)->name);
		assert_int_equal(class_find(span_cstr(row->name)), CLASSES);
	}
}

/* Classes that no recording shows yet, each with the reason: none now. */
static const struct {
	enum verdict_class class;
	const char *why;
} UNPROVEN[] = {
	{ CLASSES, NULL }, /* ends the list */
};

static const char *why_unproven(enum verdict_class class)
{
	for (size_t i = 0; UNPROVEN[i].why; i++)
		if (UNPROVEN[i].class == class)
			return UNPROVEN[i].why;
	return NULL;
}

static enum verdict_class truth_of(const char *path)
{
	char text[16384];
	FILE *file = fopen(path, "re");
	struct span rest;
	struct span line;

	assert_non_null(file);
	rest = span_of(text, fread(text, 1, sizeof(text), file));
	fclose(file);
	while (span_line(&rest, &line)) {
		struct span key;
		struct span value;

		if (span_split(line, '=', &key, &value) && span_eq(key, "class"))
			return class_find(span_trim(value));
	}
	return CLASSES;
}

/* Of each class, how many recordings it is the truth of; the last is for what is none. */
static size_t count_truths(size_t *counts)
{
	glob_t found;
	size_t count;

	assert_int_equal(glob(RECORDINGS "/*.truth", 0, NULL, &found), 0);
	count = found.gl_pathc;
	for (size_t i = 0; i < count; i++) {
		enum verdict_class class = truth_of(found.gl_pathv[i]);

		if (class == CLASSES)
			print_error("%s: names no class\n", found.gl_pathv[i]);
		counts[class]++;
	}
	globfree(&found);
	return count;
}

static void every_class_is_proven_by_a_recording(void **state)
{
	size_t counts[CLASSES + 1] = { 0 };
	size_t all = count_truths(counts);
	size_t bad = counts[CLASSES];

	for (enum verdict_class i = 0; i < CLASSES; i++) {
		const char *why = why_unproven(i);

		if (counts[i] == 0 && why)
			print_message("UNPROVEN: no recording shows %s: %s\n",
				      class_row(i)->name, why);
		if (counts[i] == 0 && !why)
			print_error("no recording shows %s\n", class_row(i)->name);
		if (counts[i] > 0 && why)
			print_error("%s is proven now: take it out of UNPROVEN\n",
				    class_row(i)->name);
		if (counts[i] == all)
			print_error("no recording is without %s\n", class_row(i)->name);
		bad += (counts[i] == 0) != (why != NULL) || counts[i] == all;
	}
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(class_names_are_words_with_hyphens_and_stand_once),
		cmocka_unit_test(every_class_says_all_that_a_person_reads),
		cmocka_unit_test(a_class_is_found_by_its_name),
		cmocka_unit_test(severities_have_names),
		cmocka_unit_test(signal_names_stand_once_and_have_a_formula),
		cmocka_unit_test(every_class_has_its_rule_but_for_health_and_ignorance),
		cmocka_unit_test(rules_stand_in_the_order_of_classes),
		cmocka_unit_test(every_rule_names_what_it_needs_and_cites),
		cmocka_unit_test(capability_names_stand_once_and_say_what_is_lost),
		cmocka_unit_test(every_class_is_proven_by_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
