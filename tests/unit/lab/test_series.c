#include "run.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/run_file.h"

static const char ROWS[] =
	"FRAME\tAT_US\tNAME\tSTATE\tDUE\tDONE\tLATE\tLONGEST_US\tSIZE_BYTES\t"
	"EXTRA\n"
	"0\t26159215\tapi\trunning\t10\t9\t1\t2500000\t0\t\n"
	"0\t26159215\tworker\trunning\t0\t0\t0\t0\t4096\t\n"
	"1\t27158190\tapi\trunning\t20\t19\t2\t2500000\t0\tand more\n";

static void each_frame_is_a_point_in_seconds_since_the_measured_part(void **state)
{
	struct series series;

	series_of(RUN_OF({ "marks.tsv", "27159215\tphase\tleak\n" }), &series);
	assert_int_equal(series.frames, 16);
	assert_int_equal(series.at_us[0], FIRST_US);
	assert_near(series.at[0], -1.0, 1e-9);
	assert_true(series.at[15] > 13.5 && series.at[15] < 14.5);
	assert_true(series.measured);
	series_done(&series);
}

/* 66.8 MiB available in the first frame, no swap. */
static void the_machine_is_in_bytes_seconds_and_counts(void **state)
{
	struct series series;

	series_of(RUN_OF({ 0 }), &series);
	assert_int_equal(series.value[P_AVAILABLE][0] / (1 << 20), 66);
	assert_near(series.value[P_SWAP_USED][0], 0, 0);
	assert_true(series.value[P_MIN][0] > 1 << 20);
	assert_true(series.value[P_LOW][0] > series.value[P_MIN][0]);
	assert_true(series.value[P_HIGH][0] > series.value[P_LOW][0]);
	assert_true(series.value[P_MEM_SOME][15] > 0 && series.value[P_MEM_SOME][15] < 60);
	assert_string_equal(point_row(P_MIN)->name, "min");
	assert_string_equal(point_row(P_FILE)->name, "file");
	assert_string_equal(group_point_row(G_CURRENT)->name, "current");
	series_done(&series);
}

static void a_named_group_has_its_numbers_and_one_that_is_not_there_has_none(void **state)
{
	struct series series;

	series_of(RUN_OF({ "scenario.ini", "[group api]\npath=system.slice/api.service\n"
					   "[group no]\npath=system.slice/no.service\n" }),
		  &series);
	assert_int_equal(series.groups, 2);
	assert_string_equal(series.group[0].path, "system.slice/api.service");
	assert_true(series.group[0].value[G_FILE_MAPPED][0] > 1 << 20);
	assert_true(isnan(series.group[1].value[G_FILE_MAPPED][0]));
	series_done(&series);
}

static void a_load_has_the_rows_that_name_it(void **state)
{
	struct series series;
	const struct load *api;
	size_t row;

	series_of(RUN_OF({ "loads.tsv", ROWS }), &series);
	api = series_load(&series, span_cstr("api"));
	assert_non_null(api);
	assert_int_equal(api->rows, 2);
	assert_near(api->value[LOAD_DONE][1], 19, 0);
	assert_near(api->value[LOAD_LONGEST][1], 2.5, 1e-9);
	assert_ptr_equal(api->group, &series.group[0]);
	assert_false(load_row(api, FIRST_US - 1, &row));
	assert_true(load_row(api, FIRST_US + 999, &row));
	assert_int_equal(row, 0);
	assert_true(load_row(api, UINT64_MAX, &row));
	assert_int_equal(row, 1);
	assert_null(series_load(&series, span_cstr("ap")));
	assert_ptr_equal(series_measured_load(&series, "service"), api);
	assert_null(series_measured_load(&series, "nobody"));
	series_done(&series);
}

static void slots_keep_their_order_and_their_kind(void **state)
{
	struct series series;
	const struct load *api;

	series_of(RUN_OF({ "slots/api.tsv", "KIND\tDUE_US\tBEGUN_US\tDONE_US\tVALUE\tFAULTS\n"
					    "slot\t5\t6\t7\t8\t9\n"
					    "pause\t50\t60\t0\t0\t0\n\n"
					    "step 1 0 0 0 0\n" }),
		  &series);
	api = series_load(&series, span_cstr("api"));
	assert_true(api->has_slots);
	assert_int_equal(api->slots, 3);
	assert_int_equal(api->slot[0].faults, 9);
	assert_int_equal(api->slot[1].kind, SLOT_PAUSE);
	assert_int_equal(api->slot[2].kind, SLOT_STEP);
	assert_false(series_load(&series, span_cstr("worker"))->has_slots);
	series_done(&series);
}

static void how_a_load_ended_is_in_the_marks(void **state)
{
	static const struct {
		const char *mark;
		enum load_end end;
		bool ended;
	} cases[] = {
		{ "1\tended\tworker signal 9\n", LOAD_KILLED, true },
		{ "1\tended\tworker exit 1\n", LOAD_EXITED, true },
		{ "1\tended\tworker\n", LOAD_RUNS, false },
		{ "1\tended\tworker vanished\n", LOAD_RUNS, false },
		{ "1\tended\tother signal 9\n", LOAD_RUNS, false },
		{ "1\tended\t\n", LOAD_RUNS, false },
		{ "1\tnote\tworker signal 9\n", LOAD_RUNS, false },
		{ "1\tstop\tworker\n", LOAD_STOPPED, true },
		{ "1\tended\tworker signal 9\n2\tstop\tworker\n", LOAD_KILLED, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct series series;
		const struct load *worker;

		case_of(cases[i].mark);
		series_of(RUN_OF({ "marks.tsv", cases[i].mark }), &series);
		worker = series_load(&series, span_cstr("worker"));
		assert_int_equal(worker->end, cases[i].end);
		assert_int_equal(worker->ended_us, cases[i].ended);
		series_done(&series);
	}
}

static void the_measured_part_begins_with_the_phase_that_is_named(void **state)
{
	static const struct {
		const char *scenario;
		const char *marks;
		uint64_t at_us; /* 0: it does not */
	} cases[] = {
		{ "[measure]\nfrom=b\n", "5\tphase\ta\n7\tphase\tb\n9\tphase\tb\n", 7 },
		{ "", "5\tphase\ta\n7\tphase\tb\n", 7 },
		{ "", "5\tphase\tmeasure\n7\tphase\tb\n", 5 },
		{ "", "4\tnote\tb\n5\tphase\ta\n", 5 },
		{ "[measure]\nfrom=c\n", "5\tphase\ta\n", 0 },
		{ "", "", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct series series;

		series_of(RUN_OF({ "scenario.ini", cases[i].scenario },
				 { "marks.tsv", cases[i].marks }),
			  &series);
		assert_int_equal(series.measured, cases[i].at_us != 0);
		assert_int_equal(series.measured_us,
				 series.measured ? cases[i].at_us : FIRST_US);
		series_done(&series);
	}
}

static void the_run_ends_with_its_last_frame_or_mark(void **state)
{
	struct series series;

	series_of(RUN_OF({ "marks.tsv", "1\tphase\tleak\n" }), &series);
	assert_int_equal(series.end_us, series.at_us[15]);
	series_done(&series);
	series_of(RUN_OF({ "marks.tsv", "1\tphase\tleak\n99000000\tnote\tend\n" }), &series);
	assert_int_equal(series.end_us, 99000000);
	series_done(&series);
}

static void a_rise_is_unknown_rather_than_wrong(void **state)
{
	const double nan = (double)NAN;
	const struct {
		double value[4];
		double rise;
	} cases[] = {
		{ { 1, 2, 3, 5 }, 4 },	   { { 1, nan, 3, 5 }, 4 },   { { 1, 2, 1, 5 }, nan },
		{ { 5, nan, 4, 9 }, nan }, { { nan, 2, 3, 5 }, nan }, { { 1, 2, 3, nan }, nan },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double rise = series_rise(cases[i].value, (struct frame_range){ 0, 3 });

		if (isnan(cases[i].rise))
			assert_true(isnan(rise));
		else
			assert_near(rise, cases[i].rise, 0);
	}
	assert_true(isnan(series_rise(cases[0].value, (struct frame_range){ 2, 2 })));
	assert_true(isnan(series_rise(cases[0].value, (struct frame_range){ 3, 2 })));
}

static void frames_of_a_stretch_lie_in_it(void **state)
{
	struct series series;
	struct frame_range frames;

	series_of(RUN_OF({ 0 }), &series);
	frames = series_frames(&series, series.at_us[2], series.at_us[5] + 1);
	assert_int_equal(frames.first, 2);
	assert_int_equal(frames.last, 5);
	frames = series_frames(&series, series.at_us[2] + 1, series.at_us[3] - 1);
	assert_true(frames.first > frames.last);
	frames = series_frames(&series, UINT64_MAX, UINT64_MAX);
	assert_true(frames.first > frames.last);
	series_done(&series);
}

static void what_is_not_a_row_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *file;
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "marks.tsv", "1\tphase\ta\nx\tphase\tb\n",
		  "marks.tsv:2: expected a time in" },
		{ "marks.tsv", "1\n", "marks.tsv:1: expected a time in" },
		{ "marks.tsv", "1\t\ta\n", "marks.tsv:1: expected a time in" },
		{ "marks.tsv", "2\tphase\ta\n\n1\tphase\tb\n",
		  "marks.tsv:3: expected a time not" },
		{ "loads.tsv", "0 1 api running 1 2 3 4\n", "loads.tsv:1: expected FRAME" },
		{ "loads.tsv", "0 1 api running 1 2 3 4 -5\n", "loads.tsv:1: expected FRAME" },
		{ "loads.tsv", "0 1 who running 1 2 3 4 5\n",
		  "loads.tsv:1: expected the name" },
		{ "loads.tsv", "0 2 api running 1 2 3 4 5\n1 1 api running 1 2 3 4 5\n",
		  "loads.tsv:2: expected a time not" },
		{ "slots/api.tsv", "slot 1 2 3 4\n", "slots/api.tsv:1: expected KIND" },
		{ "slots/api.tsv", "nap 1 2 3 4 5\n", "slots/api.tsv:1: expected KIND" },
		{ "slots/api.tsv", "slot 1 3 2 4 5\n", "slots/api.tsv:1: expected KIND" },
		{ "slots/api.tsv", "slot 1 3 99999999999999999999 4 5\n",
		  "slots/api.tsv:1: expected KIND" },
		{ "scenario.ini", "[load a/b]\n", "scenario.ini: expected the name" },
		{ "scenario.ini", "[load ..]\n", "scenario.ini: expected the name" },
		{ "scenario.ini", "[load ]\n[load a]\n[load a]\n",
		  "scenario.ini: expected the" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i].text);
		assert_memory_equal(refused(RUN_OF({ cases[i].file, cases[i].text })),
				    cases[i].sentence, strlen(cases[i].sentence));
	}
}

static void more_than_there_is_room_for_is_refused(void **state)
{
	static char many[70 * 16];
	static char marks[4 << 18];

	for (size_t i = 0; i < 70; i++)
		snprintf(many + strlen(many), 16, "[load a%zu]\n", i);
	assert_string_equal(refused(RUN_OF({ "scenario.ini", many })),
			    "scenario.ini: more than 64 loads");
	for (size_t i = 0; many[i]; i++)
		if (strncmp(many + i, "load ", 5) == 0)
			memcpy(many + i, "group", 5);
	for (char *at = strstr(many, "groupa"); at; at = strstr(at, "groupa"))
		at[5] = ' ';
	assert_string_equal(refused(RUN_OF({ "scenario.ini", many })),
			    "scenario.ini: more than 64 groups");
	memset(marks, '\n', sizeof(marks) - 1);
	assert_string_equal(refused(RUN_OF({ "marks.tsv", marks })),
			    "marks.tsv: more than 65536 lines");
	assert_string_equal(refused(RUN_OF({ "slots/api.tsv", marks })),
			    "slots/api.tsv: more than 1000000 lines");
}

static void a_directory_without_what_it_needs_is_refused(void **state)
{
	static const char *const names[] = { "run.ini", "scenario.ini", "frames.tar.zst",
					     "marks.tsv", "loads.tsv" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *directory = RUN_OF({ 0 });

		case_of(names[i]);
		assert_int_equal(unlink(path_in(directory, names[i])), 0);
		assert_non_null(strstr(refused(directory), names[i]));
	}
	assert_non_null(strstr(refused("/nowhere/at/all"), "No such file"));
}

static void frames_must_be_a_recording_in_the_order_of_time(void **state)
{
	const char *folder = RUN_OF({ 0 });
	const char *still = ARCHIVE(".tar.zst", { "0/_host.ini", "at_us=5\n" },
				    { "1/_host.ini", "at_us=5\n" });
	const char *timeless = ARCHIVE(".tar.zst", { "0/proc/vmstat", "" });
	const char *const archives[] = { still, timeless };

	unlink(path_in(folder, "frames.tar.zst"));
	tree_add(folder,
		 (const struct file[]){ { "frames.tar.zst/0/proc/vmstat", "" }, { 0 } });
	assert_non_null(strstr(refused(folder), "not a folder"));
	for (size_t i = 0; i < ARRAY_LEN(archives); i++) {
		char link[512];
		const char *directory = RUN_OF({ 0 });

		unlink(path_in(directory, "frames.tar.zst"));
		snprintf(link, sizeof(link), "->%s", archives[i]);
		tree_add(directory, (const struct file[]){ { "frames.tar.zst", link }, { 0 } });
		assert_non_null(strstr(refused(directory), "expected a time in _host.ini"));
	}
}

static void counters_that_are_absent_are_unknown_and_old_ones_are_added(void **state)
{
	static const char *const vmstat[] = {
		"workingset_refault 5\nallocstall_dma32 1\nallocstall_movable 2\n",
		"workingset_refault_file 9\nworkingset_refault_anon 1\nallocstall_normal x\n",
		NULL
	};
	struct series series;

	series_of(run_of_vmstat(vmstat, (const struct file[]){ { 0 } }), &series);
	assert_near(series.value[P_REFAULT_FILE][0], 5, 0);
	assert_true(isnan(series.value[P_REFAULT_ANON][0]));
	assert_near(series.value[P_ALLOCSTALL][0], 3, 0);
	assert_near(series.value[P_REFAULT_FILE][1], 9, 0);
	assert_true(isnan(series.value[P_ALLOCSTALL][1]));
	assert_true(isnan(series.value[P_SWPIN][0]));
	assert_true(isnan(series.value[P_MIN][0]));
	series_done(&series);
}

static void only_plain_files_of_bounded_size_are_read(void **state)
{
	const char *folder = TREE({ "folder", NULL }, { "five", "12345" });
	struct arena arena;
	struct span text;

	assert_int_equal(arena_init(&arena, 1 << 20), 0);
	assert_int_equal(run_file_read(&(struct run_file){ folder, "five", 5 }, &arena, &text),
			 0);
	assert_span_equal(text, "12345");
	assert_int_equal(run_file_read(&(struct run_file){ folder, "five", 4 }, &arena, &text),
			 -EFBIG);
	assert_int_equal(
		run_file_read(&(struct run_file){ folder, "folder", 4 }, &arena, &text),
		-EINVAL);
	assert_int_equal(run_file_read(&(struct run_file){ folder, "none", 4 }, &arena, &text),
			 -ENOENT);
	arena_done(&arena);
}

/* Where no zone was seen there is no watermark, rather than one of 0. */
static void watermarks_of_no_zone_are_unknown(void **state)
{
	static struct zones zones;
	static struct snapshot snapshot = { .zones = &zones, .zones_state = OK };
	double points[POINTS];

	points_of(&snapshot, points);
	assert_true(isnan(points[P_MIN]) && isnan(points[P_LOW]) && isnan(points[P_HIGH]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(watermarks_of_no_zone_are_unknown),
		cmocka_unit_test(each_frame_is_a_point_in_seconds_since_the_measured_part),
		cmocka_unit_test(the_machine_is_in_bytes_seconds_and_counts),
		cmocka_unit_test(
			a_named_group_has_its_numbers_and_one_that_is_not_there_has_none),
		cmocka_unit_test(a_load_has_the_rows_that_name_it),
		cmocka_unit_test(slots_keep_their_order_and_their_kind),
		cmocka_unit_test(how_a_load_ended_is_in_the_marks),
		cmocka_unit_test(the_measured_part_begins_with_the_phase_that_is_named),
		cmocka_unit_test(the_run_ends_with_its_last_frame_or_mark),
		cmocka_unit_test(a_rise_is_unknown_rather_than_wrong),
		cmocka_unit_test(frames_of_a_stretch_lie_in_it),
		cmocka_unit_test(what_is_not_a_row_is_refused_with_its_line),
		cmocka_unit_test(more_than_there_is_room_for_is_refused),
		cmocka_unit_test(a_directory_without_what_it_needs_is_refused),
		cmocka_unit_test(frames_must_be_a_recording_in_the_order_of_time),
		cmocka_unit_test(counters_that_are_absent_are_unknown_and_old_ones_are_added),
		cmocka_unit_test(only_plain_files_of_bounded_size_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
