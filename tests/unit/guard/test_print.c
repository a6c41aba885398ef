#include "guard/print.h"

#include <errno.h>
#include <math.h>

#include "test.h"

/* A kill on the machine as the plan would record it. */
static struct guard_record a_kill(void)
{
	return (struct guard_record){
		.id = 7,
		.kind = RECORD_KILL,
		.because = BECAUSE_HARM,
		.class = CLASS_HEALTHY,
		.domain = "machine",
		.sufferer = "system.slice/web.service",
		.loss = 0.63,
		.loss_upper = 0.7,
		.culprit = "system.slice/leak.service",
		.growth = 20.0 * 1048576,
		.available = 29.0 * 1048576,
		.free = NAN,
		.reread = NAN,
		.psi_memory = NAN,
		.psi_io = NAN,
		.left_s = NAN,
		.freed = NAN,
		.effect_us = NAN,
		.candidate = { { .path = "system.slice/leak.service",
				 .pid = 1234,
				 .comm = "python3" } },
		.candidates = 1,
	};
}

static const char *line_of(const struct guard_record *record)
{
	static char buffer[2048];
	struct text text = text_on(buffer, sizeof(buffer));

	record_line(&text, record);
	return buffer;
}

static const char *json_of(const struct guard_record *record)
{
	static char buffer[8192];
	FILE *file = fmemopen(buffer, sizeof(buffer), "w");
	struct json json = json_on(file, false);

	record_json(&json, NULL, record);
	fclose(file);
	return buffer;
}

static void a_line_says_what_was_seen_what_it_means_and_what_was_done(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	assert_string_equal(line_of(&record),
			    "kill: /system.slice/web.service loses 63 % to 70 % of its time, "
			    "/system.slice/leak.service grows 20.0 MiB/s (29.0 MiB available); "
			    "somebody else than the culprit loses too much of its time; "
			    "killed /system.slice/leak.service (python3, pid 1234)");
}

static void a_dry_run_says_what_it_would_do(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.dry = true;
	assert_non_null(strstr(line_of(&record), "; would kill /system.slice/leak.service"));
	assert_null(strstr(line_of(&record), "killed"));
}

static void an_action_that_failed_is_not_told_as_done(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.error = -EPERM;
	assert_non_null(
		strstr(line_of(&record), "; could not kill /system.slice/leak.service"));
	assert_non_null(strstr(line_of(&record), ": Operation not permitted"));
}

static void a_name_cannot_write_to_the_terminal(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	strncpy(record.candidate[0].comm, "a\033[2J\nb", sizeof(record.candidate[0].comm) - 1);
	strncpy(record.sufferer, "evil\033]0;\n.service", sizeof(record.sufferer) - 1);
	assert_null(strchr(line_of(&record), '\033'));
	assert_null(strchr(line_of(&record), '\n'));
	assert_non_null(strstr(line_of(&record), "evil\\x1b]0;\\x0a.service"));
}

static void who_is_protected_need_not_suffer(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.kind = RECORD_PROTECT;
	record.value_to = 88 << 20;
	assert_null(strstr(line_of(&record), "web.service loses"));
	assert_non_null(strstr(line_of(&record), "protected /system.slice/web.service with "
						 "memory.min from 0 B to 88.0 MiB"));
}

static void a_freeze_names_the_cgroup_not_one_process_of_it(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.kind = RECORD_FREEZE;
	assert_non_null(strstr(line_of(&record), "froze /system.slice/leak.service"));
	assert_null(strstr(line_of(&record), "python3"));
}

static void every_kind_has_a_line(void **state)
{
	(void)state;
	for (int kind = 0; kind < RECORD_KINDS; kind++) {
		struct guard_record record = a_kill();

		record.kind = (enum record_kind)kind;
		case_of(record_row(record.kind)->word);
		assert_null(strstr(line_of(&record), "(null)"));
		assert_true(strlen(line_of(&record)) > 60);
	}
}

static void a_loss_that_is_unknown_is_not_nothing(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.loss = NAN;
	record.loss_upper = NAN;
	assert_non_null(strstr(line_of(&record), "web.service waits"));
	assert_null(strstr(line_of(&record), "0 %"));
}

static void json_has_null_for_what_is_unknown(void **state)
{
	struct guard_record record = a_kill();
	const char *json = json_of(&record);

	(void)state;
	assert_non_null(strstr(json, "\"record\":\"kill\""));
	assert_non_null(strstr(json, "\"decision\":7"));
	assert_non_null(strstr(json, "\"free_bytes\":null"));
	assert_non_null(strstr(json, "\"lost_lower\":0.63"));
	assert_non_null(strstr(json, "\"pid\":1234"));
}

static void json_of_a_whole_cgroup_has_no_pid(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	record.candidate[0].pid = 0;
	assert_non_null(strstr(json_of(&record), "\"pid\":null"));
}

/* The field of that name; NULL when it is not there. */
static const char *field_of(const struct guard_record *record, const char *name)
{
	static char buffer[RECORD_JOURNAL_SIZE];
	static char value[4096];
	struct text text = text_on(buffer, sizeof(buffer));
	struct iovec field[RECORD_FIELDS];
	size_t count = record_journal(&text, record, field);

	for (size_t i = 0; i < count; i++) {
		struct span all = span_of(field[i].iov_base, field[i].iov_len);
		struct span left;
		struct span right;

		if (span_split(all, '=', &left, &right) && span_eq(left, name) &&
		    span_copy(right, value, sizeof(value)))
			return value;
	}
	return NULL;
}

static void the_journal_gets_fields_to_search_by(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	assert_string_equal(field_of(&record, "MESSAGE_ID"),
			    "d27d1a1f4d5c4c42a9f2f4f0a1a0000d");
	assert_string_equal(field_of(&record, "PRIORITY"), "3");
	assert_string_equal(field_of(&record, "REFAULT_RECORD"), "kill");
	assert_string_equal(field_of(&record, "REFAULT_CULPRIT"), "system.slice/leak.service");
	assert_string_equal(field_of(&record, "REFAULT_VICTIM_PID"), "1234");
	assert_string_equal(field_of(&record, "REFAULT_DOMAIN"), "machine");
	assert_non_null(
		strstr(field_of(&record, "MESSAGE"), "killed /system.slice/leak.service"));
}

static void the_journal_gets_no_field_for_what_is_unknown(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	assert_null(field_of(&record, "REFAULT_FREE_BYTES"));
	record.candidates = 0;
	assert_null(field_of(&record, "REFAULT_VICTIM"));
}

/* Its protocol ends a value at a newline: a name with one would make fields of its own. */
static void a_name_cannot_forge_a_field(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	strncpy(record.culprit, "x\nPRIORITY=0\nY=", sizeof(record.culprit) - 1);
	assert_string_equal(field_of(&record, "PRIORITY"), "3");
	assert_null(strchr(field_of(&record, "REFAULT_CULPRIT"), '\n'));
	assert_null(strchr(field_of(&record, "MESSAGE"), '\n'));
}

static void the_longest_names_fit_into_the_journal(void **state)
{
	struct guard_record record = a_kill();

	(void)state;
	memset(record.domain, 1, sizeof(record.domain) - 1);
	memset(record.sufferer, 1, sizeof(record.sufferer) - 1);
	memset(record.culprit, 1, sizeof(record.culprit) - 1);
	memset(record.text, 1, sizeof(record.text) - 1);
	memset(record.candidate[0].path, 1, sizeof(record.candidate[0].path) - 1);
	record.domain_id = 5;
	record.candidate[0].pid = 9;
	assert_string_equal(field_of(&record, "REFAULT_VICTIM_PID"), "9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_says_what_was_seen_what_it_means_and_what_was_done),
		cmocka_unit_test(a_dry_run_says_what_it_would_do),
		cmocka_unit_test(an_action_that_failed_is_not_told_as_done),
		cmocka_unit_test(a_name_cannot_write_to_the_terminal),
		cmocka_unit_test(who_is_protected_need_not_suffer),
		cmocka_unit_test(a_freeze_names_the_cgroup_not_one_process_of_it),
		cmocka_unit_test(every_kind_has_a_line),
		cmocka_unit_test(a_loss_that_is_unknown_is_not_nothing),
		cmocka_unit_test(json_has_null_for_what_is_unknown),
		cmocka_unit_test(json_of_a_whole_cgroup_has_no_pid),
		cmocka_unit_test(the_journal_gets_fields_to_search_by),
		cmocka_unit_test(the_journal_gets_no_field_for_what_is_unknown),
		cmocka_unit_test(a_name_cannot_forge_a_field),
		cmocka_unit_test(the_longest_names_fit_into_the_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
