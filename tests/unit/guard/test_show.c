#include "guard/show.h"

#include <math.h>

#include "kernel/field.h"
#include "test.h"

/* A guard that watches a machine on which leak.service grows. */
static struct shown *shown_new(void)
{
	static struct shared_status status;
	static struct guard_config config;
	static struct guard_record record[1];
	static struct shown shown;

	status = (struct shared_status){
		.at_us = 99 * SECOND_US,
		.class = CLASS_HEALTHY,
		.total = 1 << 30,
		.free = 1 << 20,
		.available = 1 << 24,
		.swap_free = NAN,
		.domains = 1,
		.members = 1,
		.protected_count = 1,
		.protected = { { .path = "web.service",
				 .wanted = 88 << 20,
				 .effective = 60 << 20,
				 .why_not = "over the share of RAM" } },
	};
	memset(status.capability, OK, sizeof(status.capability));
	status.domain[0] = (struct shared_domain){
		.path = "machine",
		.because = BECAUSE_NOT_LONG,
		.candidates = 1,
		.candidate = { { .path = "leak.service", .gain = 1 << 28, .growth = 1 << 20 } },
	};
	status.member[0] = (struct shared_member){
		.path = "leak.service",
		.loss = NAN,
		.loss_upper = NAN,
		.min = NAN,
		.growth = 1 << 20,
		.level = 1 << 28,
		.current = 1 << 28,
	};
	config = (struct guard_config){ .options.mode = MODE_ACT };
	record[0] = (struct guard_record){
		.kind = RECORD_NEAR_MISS,
		.because = BECAUSE_SWAP_LEFT,
		.domain = "machine",
		.culprit = "leak.service",
		.loss = NAN,
		.loss_upper = NAN,
		.available = NAN,
		.left_s = NAN,
	};
	shown = (struct shown){ .status = &status,
				.config = &config,
				.record = record,
				.records = 1,
				.now_us = 100 * SECOND_US };
	return &shown;
}

static const char *text_of(const struct shown *shown, const char *why)
{
	static char buffer[SHOWN_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	if (why)
		why_text(&text, shown, why);
	else
		status_text(&text, shown);
	return buffer;
}

static void status_says_who_would_be_next_and_why_nothing_is_done(void **state)
{
	const char *text = text_of(shown_new(), NULL);

	(void)state;
	assert_non_null(strstr(text, "mode        act\n"));
	assert_non_null(strstr(text, "it has not lasted long enough"));
	assert_non_null(strstr(text, "/leak.service: would give back 256 MiB"));
}

static void a_dry_run_never_says_that_it_acts(void **state)
{
	struct shown *shown = shown_new();

	(void)state;
	shown->dry = true;
	assert_null(strstr(text_of(shown, NULL), "mode        act"));
	assert_non_null(strstr(text_of(shown, NULL), "--dry-run"));
}

static void what_protection_does_not_cover_is_shown(void **state)
{
	(void)state;
	assert_non_null(strstr(text_of(shown_new(), NULL),
			       "working set 88.0 MiB, in force 60.0 MiB, not covered 28.0 MiB "
			       "(over the share of RAM)"));
}

static void what_is_missing_is_shown_with_what_it_costs(void **state)
{
	struct shown *shown = shown_new();
	struct shared_status status = *shown->status;

	(void)state;
	status.capability[0] = DENIED;
	shown->status = &status;
	assert_non_null(strstr(text_of(shown, NULL), "missing     "));
	assert_non_null(strstr(text_of(shown, NULL), "(denied)"));
	assert_null(strstr(text_of(shown_new(), NULL), "missing     "));
}

static void why_finds_the_decisions_about_a_cgroup(void **state)
{
	const char *text = text_of(shown_new(), "/leak.service");

	(void)state;
	assert_non_null(strstr(text, "there is swap left to go to"));
	assert_non_null(strstr(text, "number 1 of who would be killed"));
	assert_non_null(strstr(text, "loses an unknown share of its time"));
}

static void why_leaves_out_what_is_about_others(void **state)
{
	const char *text = text_of(shown_new(), "web.service");

	(void)state;
	assert_null(strstr(text, "there is swap left to go to"));
	assert_non_null(strstr(text, "none of the last 1 records is about it"));
	assert_non_null(strstr(text, "working set 88.0 MiB"));
}

static void why_of_the_top_is_about_the_machine_only(void **state)
{
	struct shown *shown = shown_new();
	struct guard_record start = { .kind = RECORD_START, .loss = NAN, .loss_upper = NAN };

	(void)state;
	assert_non_null(strstr(text_of(shown, "/"), "there is swap left to go to"));
	shown->record = &start;
	assert_non_null(strstr(text_of(shown, "/"), "none of the last 1 records is about it"));
}

static void a_domain_does_not_hold_a_neighbour_of_like_name(void **state)
{
	struct shown *shown = shown_new();
	struct shared_status status = *shown->status;

	(void)state;
	status.domain[0].id = 5;
	strncpy(status.domain[0].path, "leak", sizeof(status.domain[0].path) - 1);
	shown->status = &status;
	assert_null(strstr(text_of(shown, "leak.service"), "in          "));
	assert_non_null(strstr(text_of(shown, "leak/a"), "in          /leak"));
}

static void all_places_that_there_are_fit_into_the_answer(void **state)
{
	static struct shared_status status;
	struct shown *shown = shown_new();

	(void)state;
	status = *shown->status;
	status.domains = PLAN_DOMAINS;
	status.protected_count = PROTECTED_MAX;
	for (size_t i = 0; i < PLAN_DOMAINS; i++) {
		status.domain[i] = status.domain[0];
		memset(status.domain[i].path, 1, RECORD_PATH - 1);
	}
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		status.protected[i] = status.protected[0];
		memset(status.protected[i].path, 1, RECORD_PATH - 1);
	}
	shown->status = &status;
	assert_non_null(strstr(text_of(shown, NULL), "\nlast        "));
}

static const char *json_of(const struct shown *shown, const char *why)
{
	static char buffer[SHOWN_SIZE];
	FILE *file = fmemopen(buffer, sizeof(buffer), "w");
	struct json json = json_on(file, false);

	if (why)
		why_json(&json, shown, why);
	else
		status_json(&json, shown);
	fclose(file);
	return buffer;
}

static void json_says_the_same(void **state)
{
	(void)state;
	assert_non_null(strstr(json_of(shown_new(), NULL), "\"wanted_bytes\":92274688"));
	assert_non_null(strstr(json_of(shown_new(), NULL), "\"swap_free_bytes\":null"));
	assert_non_null(strstr(json_of(shown_new(), "/leak.service"), "\"records\":[{"));
	assert_non_null(strstr(json_of(shown_new(), "web.service"), "\"records\":[]"));
}

static void what_was_never_measured_is_unknown_and_not_zero(void **state)
{
	struct shown *shown = shown_new();
	struct shared_protected *unit = &((struct shared_status *)shown->status)->protected[0];

	(void)state;
	unit->wanted = 0;
	unit->working = NAN;
	assert_non_null(strstr(text_of(shown, NULL), "working set unknown, in force 60.0 MiB"));
	assert_non_null(strstr(json_of(shown, NULL), "\"wanted_bytes\":null"));
	assert_non_null(strstr(json_of(shown, NULL), "\"locked_bytes\":null"));
	unit->wanted = 1 << 20; /* of an earlier round */
	assert_non_null(strstr(text_of(shown, NULL), "working set 1.0 MiB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_says_who_would_be_next_and_why_nothing_is_done),
		cmocka_unit_test(a_dry_run_never_says_that_it_acts),
		cmocka_unit_test(what_protection_does_not_cover_is_shown),
		cmocka_unit_test(what_is_missing_is_shown_with_what_it_costs),
		cmocka_unit_test(why_finds_the_decisions_about_a_cgroup),
		cmocka_unit_test(why_leaves_out_what_is_about_others),
		cmocka_unit_test(why_of_the_top_is_about_the_machine_only),
		cmocka_unit_test(a_domain_does_not_hold_a_neighbour_of_like_name),
		cmocka_unit_test(all_places_that_there_are_fit_into_the_answer),
		cmocka_unit_test(what_was_never_measured_is_unknown_and_not_zero),
		cmocka_unit_test(json_says_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
