#include "reading.h"

#include "config/fstab.h"

static void a_line_has_device_place_type_and_options(void **state)
{
	struct fs_table table = { 0 };

	assert_int_equal(fstab_parse(&reader,
				     span_cstr("# no\nUUID=1 / ext4 rw 0 1\n/dev/a\\040b none "
					       "swap\nbad line\n"),
				     &table),
			 0);
	assert_int_equal(table.rows, 2);
	assert_string_equal(table.row[0].target, "");
	assert_string_equal(table.row[1].source, "/dev/a b");
	assert_string_equal(table.row[1].options, "defaults");
	assert_int_equal(table.row[1].line, 3);
	assert_int_equal(table.notes.notes, 1);
	assert_int_equal(table.notes.note[0].line, 4);
}

static void a_mount_has_its_number_and_both_kinds_of_options(void **state)
{
	struct fs_table table = { 0 };

	assert_int_equal(
		mountinfo_rows(
			&reader,
			span_cstr("36 35 98:7 / /mnt\\040x rw,noatime master:1 shared:2 - ext3 "
				  "/dev/root rw,errors=continue\nnot a mount\n"),
			&table),
		0);
	assert_int_equal(table.rows, 1);
	assert_string_equal(table.row[0].target, "mnt x");
	assert_string_equal(table.row[0].type, "ext3");
	assert_string_equal(table.row[0].options, "rw,noatime,rw,errors=continue");
	assert_int_equal(table.row[0].major, 98);
	assert_int_equal(table.row[0].minor, 7);
	assert_int_equal(table.notes.notes, 1);
}

static void a_path_lies_on_the_longest_place_and_of_the_same_on_the_last(void **state)
{
	struct fs_table table = { 0 };

	assert_int_equal(
		mountinfo_rows(
			&reader,
			span_cstr("1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /var rw - ext4 b rw\n"
				  "3 2 8:3 / /var rw - xfs c rw\n"),
			&table),
		0);
	assert_string_equal(fs_of(&table, "var/log")->source, "c");
	assert_string_equal(fs_of(&table, "variable")->source, "a");
	assert_string_equal(fs_of(&table, "")->source, "a");
}

static void an_option_has_a_value_or_none(void **state)
{
	assert_string_equal(fs_option(&reader, "rw,pri=10,noauto", "pri"), "10");
	assert_string_equal(fs_option(&reader, "rw,pri=10,noauto", "noauto"), "");
	assert_null(fs_option(&reader, "rw,pri=10", "size"));
}

static void both_tables_are_read_from_their_files(void **state)
{
	struct fs_table fstab = { 0 };
	struct fs_table mounts = { 0 };

	assert_int_equal(fstab_read(in(TREE({ "etc/fstab", "a none swap sw\n" },
					    { "proc/self/mountinfo.errno", "EACCES\n" })),
				    &fstab),
			 0);
	assert_int_equal(mountinfo_read(&reader, &mounts), 0);
	assert_int_equal(fstab.rows, 1);
	assert_int_equal(mounts.rows, 0);
	assert_int_equal(mounts.notes.notes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_line_has_device_place_type_and_options),
		TEST(a_mount_has_its_number_and_both_kinds_of_options),
		TEST(a_path_lies_on_the_longest_place_and_of_the_same_on_the_last),
		TEST(both_tables_are_read_from_their_files),
		TEST(an_option_has_a_value_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
