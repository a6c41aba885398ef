#include "fixture.h"

#include "audit/rules.h"
#include "audit/waiver.h"

static struct looked looked;
static struct waivers waivers;

static void look(const char *text)
{
	looked_open(TREE({ "proc/vmstat", "oom_kill 0\n" },
			 { "proc/swaps", "Filename Type Size Used Priority\n" },
			 { "proc/meminfo", "MemTotal: 4013812 kB\n" },
			 { "etc/refault/waivers.d/a.conf", text }),
		    rule_named("SWAP-001"), &looked);
	assert_int_equal(waivers_read(&looked.facts, &waivers), 0);
}

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

static void expect_note(unsigned int line, const char *part)
{
	assert_int_equal(waivers.notes.notes, 1);
	assert_int_equal(waivers.notes.note[0].line, line);
	if (!strstr(waivers.notes.note[0].what, part))
		fail_msg("\"%s\" is not in \"%s\"", part, waivers.notes.note[0].what);
	assert_int_equal(waivers_apply(&looked.audit, &waivers), 0);
	assert_int_equal(looked.audit.result[0].state, AUDIT_FAIL);
}

static void a_finding_with_a_reason_and_an_end_is_waived(void **state)
{
	look("[waiver a]\nrule = swap-*\nreason = a cache, ticket 7\nexpires = "
	     "2026-12-31\nowner = me\n");
	assert_int_equal(waivers.notes.notes, 0);
	assert_int_equal(waivers_apply(&looked.audit, &waivers), 1);
	assert_int_equal(looked.audit.result[0].state, AUDIT_WAIVED);
	assert_string_equal(looked.audit.result[0].waived_for, "a cache, ticket 7");
	assert_string_equal(looked.audit.result[0].waiver, "etc/refault/waivers.d/a.conf:2");
	assert_false(result_fires(&looked.audit.result[0]));
}

static void a_waiver_of_another_scope_or_rule_waives_nothing(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nscope=x*\nreason=r\nexpires=2026-12-31\n"
	     "[waiver b]\nrule=CG-001\nreason=r\nexpires=2026-12-31\n");
	assert_int_equal(waivers.count, 2);
	assert_int_equal(waivers_apply(&looked.audit, &waivers), 0);
}

static void without_a_reason_it_holds_for_nothing(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nexpires=2026-12-31\n");
	expect_note(2, "has no reason=");
}

static void without_an_end_it_holds_for_nothing(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nreason=r\n");
	expect_note(2, "has no expires=");
}

static void a_day_that_is_none_is_no_end(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nreason=r\nexpires=2026-02-30\n");
	expect_note(2, "has no expires=");
}

static void one_that_has_expired_holds_no_more(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nreason=r\nexpires=2026-11-30\n");
	expect_note(2, "has expired");
}

static void on_its_last_day_it_holds(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nreason=r\nexpires=2026-12-01\n");
	assert_int_equal(waivers_apply(&looked.audit, &waivers), 1);
}

static void without_a_rule_and_in_no_section_it_holds_for_nothing(void **state)
{
	look("rule=SWAP-001\nreason=r\nexpires=2026-12-31\n");
	expect_note(1, "is in no section [waiver NAME]");
}

static void a_key_that_is_none_is_told(void **state)
{
	look("[waiver a]\nrule=SWAP-001\nreason=r\nexpires=2026-12-31\nexpire=x\n");
	assert_int_equal(waivers.notes.note[0].line, 5);
	assert_int_equal(waivers_apply(&looked.audit, &waivers), 1);
}

static void days_are_counted_from_1970(void **state)
{
	static const struct {
		const char *text;
		uint64_t days;
	} rows[] = { { "1970-01-01", 0 },
		     { "2000-02-29", 11016 },
		     { "2000-03-01", 11017 },
		     { "2026-12-01", 20788 },
		     { "2100-03-01", 47541 } };
	static const char *const bad[] = { "",		 "2026-1-01",  "2026-13-01",
					   "2026-00-10", "2026-04-31", "2100-02-29",
					   "1969-12-31", "2026/12/01" };
	uint64_t days;

	look("");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		case_of(rows[i].text);
		assert_int_equal(day_parse(span_cstr(rows[i].text), &days), 0);
		assert_int_equal(days, rows[i].days);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		case_of(bad[i]);
		assert_true(day_parse(span_cstr(bad[i]), &days) < 0);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_finding_with_a_reason_and_an_end_is_waived),
		TEST(a_waiver_of_another_scope_or_rule_waives_nothing),
		TEST(without_a_reason_it_holds_for_nothing),
		TEST(without_an_end_it_holds_for_nothing),
		TEST(a_day_that_is_none_is_no_end),
		TEST(one_that_has_expired_holds_no_more),
		TEST(on_its_last_day_it_holds),
		TEST(without_a_rule_and_in_no_section_it_holds_for_nothing),
		TEST(a_key_that_is_none_is_told),
		TEST(days_are_counted_from_1970),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
