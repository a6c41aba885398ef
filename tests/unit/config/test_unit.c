#include "reading.h"

#include "config/unit.h"

#define U "etc/systemd/system/"
#define L "usr/lib/systemd/system/"

static struct unit_file unit_in(const char *tree, const char *name)
{
	struct unit_file unit;

	assert_int_equal(unit_read(in(tree), name, &unit), 0);
	return unit;
}

static const char *value_of(const struct unit_file *unit, const char *key)
{
	const struct config_row *row = unit_find(unit, "Service", key);

	return row ? row->value : "(none)";
}

static void drop_ins_come_behind_the_fragment_by_their_names(void **state)
{
	const struct unit_file unit = unit_in(
		TREE({ L "a.service", "[Service]\nMemoryMax=1G\nMemoryHigh=1M\n" },
		     { L "a.service.d/20.conf", "[Service]\nMemoryMax=2G\n" },
		     { U "a.service.d/10.conf", "[Service]\nMemoryMax=3G\nMemoryHigh=\n" }),
		"a.service");

	assert_int_equal(unit.standing, UNIT_PRESENT);
	assert_string_equal(unit.fragment, L "a.service");
	assert_string_equal(value_of(&unit, "MemoryMax"), "2G");
	assert_string_equal(value_of(&unit, "MemoryHigh"), "(none)");
}

static void a_fragment_in_etc_replaces_the_vendors(void **state)
{
	const struct unit_file unit = unit_in(TREE({ L "a.service", "[Service]\nA=1\nB=1\n" },
						   { U "a.service", "[Service]\nA=2\n" }),
					      "a.service");

	assert_string_equal(value_of(&unit, "A"), "2");
	assert_string_equal(value_of(&unit, "B"), "(none)");
}

static void a_link_to_dev_null_masks(void **state)
{
	const struct unit_file unit = unit_in(
		TREE({ L "a.service", "[Service]\nA=1\n" }, { U "a.service", "->/dev/null" }),
		"a.service");

	assert_int_equal(unit.standing, UNIT_MASKED);
	assert_string_equal(value_of(&unit, "A"), "(none)");
}

static void an_alias_is_the_unit_it_leads_to(void **state)
{
	const struct unit_file unit =
		unit_in(TREE({ L "real.service", "[Service]\nA=1\n" },
			     { U "alias.service", "->"
						  "/usr/lib/systemd/system/real.service" }),
			"alias.service");

	assert_string_equal(unit.fragment, L "real.service");
	assert_string_equal(value_of(&unit, "A"), "1");
}

static void an_instance_is_made_of_its_template_and_has_its_drop_ins(void **state)
{
	const struct unit_file unit =
		unit_in(TREE({ L "a@.service", "[Service]\nA=1\nB=1\n" },
			     { U "a@.service.d/1.conf", "[Service]\nB=2\n" },
			     { U "a@x.service.d/2.conf", "[Service]\nC=3\n" }),
			"a@x.service");

	assert_string_equal(value_of(&unit, "A"), "1");
	assert_string_equal(value_of(&unit, "B"), "2");
	assert_string_equal(value_of(&unit, "C"), "3");
}

static void prefixes_and_types_have_drop_ins_too(void **state)
{
	const struct unit_file unit =
		unit_in(TREE({ L "a-b-c.service", "[Service]\nA=1\n" },
			     { U "a-b-.service.d/1.conf", "[Service]\nB=2\n" },
			     { U "service.d/2.conf", "[Service]\nC=3\n" }),
			"a-b-c.service");

	assert_string_equal(value_of(&unit, "B"), "2");
	assert_string_equal(value_of(&unit, "C"), "3");
}

static void what_nobody_has_heard_of_is_absent(void **state)
{
	assert_int_equal(unit_in(TREE({ "etc/x", "" }), "a.service").standing, UNIT_ABSENT);
	assert_int_equal(unit_in(TREE({ "etc/x", "" }), "../../etc/passwd").standing,
			 UNIT_ABSENT);
}

static void links_in_a_circle_are_a_note(void **state)
{
	const struct unit_file unit = unit_in(
		TREE({ U "a.service", "->b.service" }, { U "b.service", "->a.service" }),
		"a.service");

	assert_int_equal(unit.config.notes, 1);
}

static void enabled_is_what_a_target_wants(void **state)
{
	struct unit_file unit =
		unit_in(TREE({ L "a.service", "[Service]\n" }, { L "b.service", "[Service]\n" },
			     { U "multi-user.target.wants/a.service", "->/usr/lib/x" }),
			"a.service");

	assert_true(unit_is_enabled(&reader, &unit));
	assert_int_equal(unit_read(&reader, "b.service", &unit), 0);
	assert_false(unit_is_enabled(&reader, &unit));
}

static void units_are_listed_once_and_sorted(void **state)
{
	struct unit_names names;

	assert_int_equal(unit_list(in(TREE({ L "b.service", "" }, { U "b.service", "" },
					   { U "a.slice.d/x.conf", "" }, { L "c.txt", "" })),
				   &names),
			 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.name[0], "a.slice");
	assert_string_equal(names.name[1], "b.service");
}

static void sizes_are_read_as_systemd_does(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = { { "1024", 1024 },
		     { "1K", 1024 },
		     { "56M", 58720256 },
		     { "2G", 2147483648 },
		     { "infinity", UINT64_MAX },
		     { "12.5%", 125 },
		     { "100%", 1000 } };
	static const char *const bad[] = {
		"", "x", "1X", "101%", "-1", "99999999999999999999", "17179869184G"
	};
	uint64_t bytes;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		case_of(rows[i].text);
		assert_int_equal(unit_bytes(rows[i].text, 1000, &bytes), 0);
		assert_true(bytes == rows[i].bytes);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		case_of(bad[i]);
		assert_true(unit_bytes(bad[i], 1000, &bytes) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(drop_ins_come_behind_the_fragment_by_their_names),
		TEST(a_fragment_in_etc_replaces_the_vendors),
		TEST(a_link_to_dev_null_masks),
		TEST(an_alias_is_the_unit_it_leads_to),
		TEST(an_instance_is_made_of_its_template_and_has_its_drop_ins),
		TEST(prefixes_and_types_have_drop_ins_too),
		TEST(what_nobody_has_heard_of_is_absent),
		TEST(links_in_a_circle_are_a_note),
		TEST(enabled_is_what_a_target_wants),
		TEST(units_are_listed_once_and_sorted),
		TEST(sizes_are_read_as_systemd_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
