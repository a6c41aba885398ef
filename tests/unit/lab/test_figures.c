#include "run.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/figures.h"
#include "lab/figures/guarded.h"
#include "lab/figures/phase.h"

/* Frames at 10 s to 19 s; the measured part begins at 11 s, pressure at 13 s. */
#define V(refault, rest) \
	"workingset_refault_file " #refault "\nworkingset_refault_anon 0\n" rest
static const char *const PRESSURE[] = {
	V(0, ""),    V(5000, ""), V(5200, ""), V(5400, ""), V(5601, ""), V(6000, ""),
	V(7000, ""), V(7000, ""), V(7000, ""), V(7000, ""), NULL,
};
static const char *const CALM[] = { V(0, ""), V(5000, ""), V(5200, ""), V(5400, ""), NULL };

#define MEASURED "11000000\tphase\tleak\n"
#define KILLED MEASURED "16500000\tended\tworker signal 9\n"

static void figures_of(const char *directory, struct figure out[FIGURES])
{
	struct series series;

	series_of(directory, &series);
	figures_compute(&series, out);
	series_done(&series);
}

static void figures_of_vmstat(const char *const *vmstat, const struct file *files,
			      struct figure out[FIGURES])
{
	figures_of(run_of_vmstat(vmstat, files), out);
}
#define OF_VMSTAT(vmstat, out, ...) \
	figures_of_vmstat(vmstat, (const struct file[]){ __VA_ARGS__, { 0 } }, out)

static void expect(const struct figure *figures, enum figure_id id, double value)
{
	case_of(figure_row(id)->name);
	if (figures[id].why)
		fail_msg("%s", figures[id].why);
	assert_near(figures[id].value, value, 1e-6 * fabs(value) + 1e-9);
}

static void expect_none(const struct figure *figures, enum figure_id id, const char *why)
{
	case_of(figure_row(id)->name);
	assert_true(isnan(figures[id].value));
	assert_string_equal(figures[id].why, why);
}

static void the_phase_lasts_from_the_first_second_of_refaults_to_the_kill(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", KILLED });
	expect(figure, FIG_PHASE, 3.5);
	expect(figure, FIG_KILLED_AT, 3.5);
	expect(figure, FIG_KILLED_AFTER, 5.5);
	assert_false(figure[FIG_PHASE].censored || figure[FIG_KILLED_AT].censored ||
		     figure[FIG_KILLED_AFTER].censored);
}

static void refaults_of_the_warm_up_begin_no_phase(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(CALM, figure, { "marks.tsv", MEASURED });
	expect_none(figure, FIG_PHASE, "no pressure");
	expect_none(figure, FIG_KILLED_AT, "no pressure");
}

static void a_leak_that_outlives_the_run_is_censored(void **state)
{
	static const struct {
		const char *marks;
		double phase;
	} cases[] = {
		{ MEASURED, 6 },
		{ MEASURED "16000000\tended\tworker exit 0\n", 3 },
		{ MEASURED "17000000\tstop\tworker\n", 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct figure figure[FIGURES];

		OF_VMSTAT(PRESSURE, figure, { "marks.tsv", cases[i].marks });
		expect(figure, FIG_PHASE, cases[i].phase);
		expect(figure, FIG_KILLED_AT, cases[i].phase);
		assert_true(figure[FIG_PHASE].censored && figure[FIG_KILLED_AT].censored &&
			    figure[FIG_KILLED_AFTER].censored);
		expect_none(figure, FIG_KILL_AVAILABLE, "not killed");
	}
}

static void a_leak_that_is_killed_early_knows_no_pressure(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure,
		  { "marks.tsv", MEASURED "12000000\tended\tworker signal 15\n" });
	expect_none(figure, FIG_PHASE, "killed before pressure");
	expect(figure, FIG_KILLED_AFTER, 1);
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED "12000000\tstop\tworker\n" });
	expect_none(figure, FIG_PHASE, "ended before pressure");
}

static void a_run_whose_measured_part_never_began_has_no_figure(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", "10000000\tphase\twarm\n" });
	for (size_t i = 0; i < FIGURES; i++)
		expect_none(figure, (enum figure_id)i, "the measured part never began");
}

static void without_a_leak_the_phase_lasts_to_the_end(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED },
		  { "scenario.ini", "[measure]\nfrom=leak\n" });
	expect(figure, FIG_PHASE, 6);
	expect_none(figure, FIG_KILLED_AT, "no leak");
	expect_none(figure, FIG_KILLED_AFTER, "no leak");
	expect_none(figure, FIG_LEAK_END, "no leak");
	expect_none(figure, FIG_LEAK_GROWN, "no leak");
	expect_none(figure, FIG_KILL_AVAILABLE, "no leak");
	expect_none(figure, FIG_TICKS, "no service");
	expect_none(figure, FIG_ON_TIME, "no service");
	expect_none(figure, FIG_PAUSE, "no service");
	expect_none(figure, FIG_SLOT_P99, "no service");
	expect_none(figure, FIG_LEAD_PSI, "no service");
	expect_none(figure, FIG_LEAD_GROUP, "no cgroup");
	expect_none(figure, FIG_GROUP_MEMORY_SOME, "no cgroup");
	expect_none(figure, FIG_EVENTS_HIGH, "no cgroup");
	expect_none(figure, FIG_PROBE, "no probe");
	expect_none(figure, FIG_CHUNK_MAX, "no burst");
	expect_none(figure, FIG_PAUSE_MAX, "no collector");
	expect_none(figure, FIG_PAUSE_COUNT, "no collector");
	expect_none(figure, FIG_PAUSE_SWAPPED, "no collector");
	expect_none(figure, FIG_PAUSE_FAULTS, "no collector");
	expect_none(figure, FIG_CLIFF_AT, "no staircase");
}

static void the_leak_is_as_large_as_it_last_said_before_its_end(void **state)
{
	static const char loads[] = "1 10500000 worker running 0 0 0 0 1000\n"
				    "2 16000000 worker running 0 0 0 0 5000\n"
				    "3 17000000 worker ended 0 0 0 0 0\n";
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", KILLED }, { "loads.tsv", loads });
	expect(figure, FIG_LEAK_END, 5000);
	expect(figure, FIG_LEAK_GROWN, 4000);
	assert_false(figure[FIG_LEAK_END].censored);
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", KILLED }, { "loads.tsv", "" });
	expect_none(figure, FIG_LEAK_END, "no size");
	expect_none(figure, FIG_LEAK_GROWN, "no size");
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED },
		  { "loads.tsv", "2 16000000 worker running 0 0 0 0 5000\n" });
	expect(figure, FIG_LEAK_END, 5000);
	assert_true(figure[FIG_LEAK_END].censored);
}

/*
 * Slots of 100 ms. Before the pressure: one of 3 s in the warm-up, and calm ones. Then one that
 * takes 2 s, the 19 that pass meanwhile, and calm ones again.
 */
static const char *paused(void)
{
	static struct ticks ticks;
	uint64_t due = 10000000;

	ticks_begin(&ticks);
	tick(&ticks, "slot", due, due, due + 3000000);
	for (due = 13000000; due < 14000000; due += 100000)
		tick(&ticks, "slot", due, due + 10, due + 20000);
	tick(&ticks, "slot", due, due + 10, 16000000);
	for (due += 100000; due < 16000000; due += 100000)
		tick(&ticks, "slot", due, 16000000, 16000000);
	for (; due < 18000000; due += 100000)
		tick(&ticks, "slot", due, due + 10, due + 20000);
	return ticks.text;
}

static void slots_that_pass_are_late_and_not_done(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", KILLED }, { "slots/api.tsv", paused() });
	/* 13.0 to 16.5 s: 35 due, 19 of them passed */
	expect(figure, FIG_TICKS, 100.0 * 16 / 35);
	expect(figure, FIG_ON_TIME, 100.0 * 15 / 35);
	expect(figure, FIG_PAUSE, 2);
	expect(figure, FIG_PAUSES, 1);
	expect(figure, FIG_LOST, 2);
	expect(figure, FIG_SLOT_P50, 0.3);
	expect(figure, FIG_SLOT_MAX, 2);
	assert_true(figure[FIG_SLOT_P99].value > 1.9 && figure[FIG_SLOT_P99].value < 2);
}

static void slots_that_are_never_done_are_one_pause(void **state)
{
	static struct ticks ticks;
	struct figure figure[FIGURES];

	ticks_begin(&ticks);
	for (uint64_t due = 13000000; due < 15000000; due += 100000)
		tick(&ticks, "slot", due, 0, 0);
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED }, { "slots/api.tsv", ticks.text });
	expect(figure, FIG_PAUSE, 6);
	expect(figure, FIG_PAUSES, 1);
	expect(figure, FIG_TICKS, 0);
	/* A service that was killed waits no longer. */
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED "15000000\tended\tapi signal 9\n" },
		  { "slots/api.tsv", ticks.text });
	expect(figure, FIG_PAUSE, 2);
}

static void a_run_that_was_cut_short_has_ticks_from_its_rows(void **state)
{
	static const char loads[] = "1 13000000 api running 100 100 0 0 0\n"
				    "2 19000000 api running 160 130 15 0 0\n";
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED }, { "loads.tsv", loads });
	expect(figure, FIG_TICKS, 50);
	expect(figure, FIG_ON_TIME, 25);
	expect_none(figure, FIG_PAUSE, "no slots");
	expect_none(figure, FIG_LOST, "no slots");
	expect_none(figure, FIG_PAUSES, "no slots");
	expect_none(figure, FIG_SLOT_P50, "no slots");
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED });
	expect_none(figure, FIG_TICKS, "no slots");
	expect_none(figure, FIG_ON_TIME, "no slots");
	/* None was due in the phase. */
	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", KILLED },
		  { "slots/api.tsv", "slot 12000000 1 2 0 0\n" });
	expect_none(figure, FIG_TICKS, "no slots");
	expect_none(figure, FIG_ON_TIME, "no slots");
}

static void the_probe_counts_its_wait(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED },
		  { "slots/login.tsv", "slot 10000000 10000000 19000000 0 0\n"
				       "slot 14000000 15000000 15500000 0 0\n" });
	expect(figure, FIG_PROBE, 1.5);
}

static void a_burst_is_measured_from_begin_to_end_of_each_chunk(void **state)
{
	static const char scenario[] = "[measure]\nfrom=leak\n[load b]\nkind=burst\n";
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED }, { "scenario.ini", scenario },
		  { "slots/b.tsv", "slot 10000000 10000000 19000000 0 0\n"
				   "slot 13000000 14000000 14100000 0 0\n"
				   "slot 13000000 14000000 14200000 0 0\n"
				   "slot 13000000 14000000 14400000 0 0\n"
				   "slot 13000000 14000000 0 0 0\n" });
	expect(figure, FIG_CHUNK_P50, 0.2);
	expect(figure, FIG_CHUNK_P99, 0.396);
	expect(figure, FIG_CHUNK_MAX, 0.4);
}

static void a_collector_has_pauses_steps_and_waits(void **state)
{
	static const char scenario[] = "[measure]\nfrom=leak\n[load gc]\nkind=collector\n";
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "marks.tsv", MEASURED }, { "scenario.ini", scenario },
		  { "slots/gc.tsv", "pause 10000000 10000000 10900000 0 99\n"
				    "pause 13000000 13000000 13000050 0 0\n"
				    "pause 14000000 14000000 14000060 0 0\n"
				    "pause 15000000 15000000 15040000 0 228\n"
				    "step 13000000 13000000 13003000 0 0\n"
				    "wait 13000000 13000000 13000700 0 0\n" });
	expect(figure, FIG_PAUSE_P50, 60e-6);
	expect(figure, FIG_PAUSE_MAX, 0.04);
	assert_true(figure[FIG_PAUSE_P99].value > 0.03);
	expect(figure, FIG_PAUSE_COUNT, 3);
	expect(figure, FIG_PAUSE_SWAPPED, 1);
	expect(figure, FIG_PAUSE_FAULTS, 228);
	expect(figure, FIG_STEP_P99, 0.003);
	expect(figure, FIG_STEP_MAX, 0.003);
	expect(figure, FIG_WAIT_P99, 0.0007);
	expect(figure, FIG_WAIT_MAX, 0.0007);
}

#define COUNTERS(n)                                                               \
	"workingset_refault_file " #n "000\nworkingset_refault_anon " #n "00\n"   \
	"nr_active_file " #n "1\nnr_inactive_file " #n "\n"                       \
	"pgmajfault " #n "00\npgpgin " #n "024\npswpin " #n "\npswpout " #n "0\n" \
	"allocstall_dma32 " #n "\nallocstall_movable " #n "\n"                    \
	"pgsteal_kswapd " #n "000\npgsteal_direct " #n "000\n"                    \
	"pgscan_kswapd " #n "0000\npgsteal_anon " #n "00\noom_kill " #n "\n"      \
	"compact_stall " #n "\ncompact_fail " #n "0\n"                            \
	"thp_fault_alloc " #n "000\nthp_fault_fallback " #n "000\n"
static const char *const COUNTING[] = { COUNTERS(1), COUNTERS(2), COUNTERS(3), NULL };

static void counters_of_the_machine_count_from_the_measured_part_on(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(COUNTING, figure, { "marks.tsv", MEASURED });
	expect(figure, FIG_REREAD, 1100 * 4096.0);
	expect(figure, FIG_REREAD_RATE, 1100);
	expect(figure, FIG_READ, 1000 * 1024.0);
	expect(figure, FIG_READ_RATE, 1000 * 1024.0);
	expect(figure, FIG_SWAPPED_IN, 4096);
	expect(figure, FIG_SWAPPED_OUT, 10 * 4096.0);
	expect(figure, FIG_MAJFLT, 100);
	expect(figure, FIG_FILE_PAGES_FIRST, 23 * 4096.0);
	expect(figure, FIG_FILE_PAGES_LAST, 34 * 4096.0);
	expect(figure, FIG_ALLOCSTALL, 2);
	expect(figure, FIG_DIRECT_SHARE, 50);
	expect(figure, FIG_KSWAPD_STEAL, 1000 * 4096.0);
	expect(figure, FIG_DIRECT_STEAL, 1000 * 4096.0);
	expect(figure, FIG_KSWAPD_YIELD, 10);
	expect(figure, FIG_ANON_STEAL, 100 * 4096.0);
	expect(figure, FIG_COMPACT_STALL, 1);
	expect(figure, FIG_COMPACT_FAIL, 10);
	expect(figure, FIG_THP_FALLBACK, 50);
	expect(figure, FIG_OOM_KILLS, 1);
	expect_none(figure, FIG_AVAILABLE_MIN, "not counted");
	expect_none(figure, FIG_FREE_MIN, "not counted");
	expect_none(figure, FIG_SWAP_MAX, "not counted");
	expect_none(figure, FIG_PSI_SOME, "not counted");
	expect_none(figure, FIG_GROUP_IO_SOME, "not counted");
}

static void a_share_of_nothing_is_none(void **state)
{
	static const char none[] = V(0, "pgsteal_kswapd 1\npgsteal_direct 1\npgscan_kswapd 1\n"
					"thp_fault_alloc 1\nthp_fault_fallback 1\n");
	static const char *const vmstat[] = { none, none, none, NULL };
	struct figure figure[FIGURES];

	OF_VMSTAT(vmstat, figure, { "marks.tsv", MEASURED });
	expect_none(figure, FIG_DIRECT_SHARE, "no reclaim");
	expect_none(figure, FIG_KSWAPD_YIELD, "no reclaim");
	expect_none(figure, FIG_THP_FALLBACK, "no huge page wanted");
	expect_none(figure, FIG_FILE_PAGES_FIRST, "no pressure");
	expect(figure, FIG_REREAD, 0);
	OF_VMSTAT(CALM, figure, { "marks.tsv", MEASURED });
	expect_none(figure, FIG_DIRECT_SHARE, "not counted");
}

/* tests/fixtures/rec/leak-captured-6.12.truth: after the onset, 9,900 refaults/s and 38 MiB/s.
 */
static void a_real_leak_reads_as_its_truth_says(void **state)
{
	struct figure figure[FIGURES];

	figures_of(RUN_OF({ 0 }), figure);
	assert_true(figure[FIG_PHASE].censored && figure[FIG_PHASE].value > 11);
	assert_true(figure[FIG_REREAD_RATE].value > 8000 &&
		    figure[FIG_REREAD_RATE].value < 11000);
	assert_true(figure[FIG_READ_RATE].value / (1 << 20) > 30);
	assert_true(figure[FIG_GROUP_IO_SOME].value > 20 &&
		    figure[FIG_GROUP_IO_SOME].value < 60);
	assert_true(figure[FIG_GROUP_MEMORY_SOME].value > 8);
	assert_true(figure[FIG_PSI_SOME].value > figure[FIG_PSI_FULL].value);
	assert_true(figure[FIG_AVAILABLE_MIN].value / (1 << 20) < 40);
	assert_true(figure[FIG_ALLOCSTALL].value > 50);
	expect(figure, FIG_SWAP_MAX, 0);
	expect(figure, FIG_EVENTS_HIGH, 0);
	expect(figure, FIG_EVENTS_MAX, 0);
	expect(figure, FIG_EVENTS_OOM, 0);
}

/* A service that is on time until so many seconds after the first frame, and then is not. */
static const char *lost_after(int seconds)
{
	static struct ticks ticks;

	ticks_begin(&ticks);
	for (int i = 0; i < 150; i++) {
		uint64_t due = FIRST_US + (uint64_t)i * 100000;
		bool late = i >= 10 * seconds;

		/* one late slot is not a loss */
		tick(&ticks, "slot", due, due, due + (late || i == 5 ? 150000 : 1000));
	}
	return ticks.text;
}

static void a_signal_leads_by_the_time_from_its_crossing_to_the_loss(void **state)
{
	struct figure figure[FIGURES];

	figures_of(RUN_OF({ "slots/api.tsv", lost_after(10) }), figure);
	assert_true(figure[FIG_LEAD_PSI].value > 0 && figure[FIG_LEAD_PSI].value < 10);
	assert_true(figure[FIG_LEAD_GROUP].value > 0 && figure[FIG_LEAD_GROUP].value < 10);
	assert_true(figure[FIG_LEAD_REFAULT].value > 5 && figure[FIG_LEAD_REFAULT].value < 10);
	assert_true(figure[FIG_LEAD_AVAILABLE].value >= 0 &&
		    figure[FIG_LEAD_AVAILABLE].value < 10);
	figures_of(RUN_OF({ "slots/api.tsv", lost_after(0) }), figure);
	assert_true(figure[FIG_LEAD_PSI].value < 0);
}

static void a_signal_without_a_loss_is_a_false_alarm(void **state)
{
	struct figure figure[FIGURES];

	figures_of(RUN_OF({ "slots/api.tsv", lost_after(99) }), figure);
	expect_none(figure, FIG_LEAD_PSI, "false alarm");
	OF_VMSTAT(CALM, figure, { "marks.tsv", MEASURED },
		  { "slots/api.tsv", "slot 12000000 12000000 12001000 0 0\n" });
	expect_none(figure, FIG_LEAD_REFAULT, "quiet");
	expect_none(figure, FIG_LEAD_PSI, "quiet");
	expect_none(figure, FIG_LEAD_GROUP, "quiet");
	expect_none(figure, FIG_LEAD_AVAILABLE, "quiet");
}

/* What the guest reads once more when it ends has no rate. */
static void a_frame_just_after_another_crosses_nothing(void **state)
{
	const char *frames =
		ARCHIVE(".tar.zst", { "0/_host.ini", "at_us=10000000\n" },
			{ "0/proc/vmstat", V(0, "") }, { "1/_host.ini", "at_us=11000000\n" },
			{ "1/proc/vmstat", V(100, "") }, { "2/_host.ini", "at_us=11010000\n" },
			{ "2/proc/vmstat", V(110, "") });
	const char *directory =
		RUN_OF({ "marks.tsv", "1\tphase\tleak\n" }, { "slots/api.tsv", paused() });
	struct figure figure[FIGURES];
	char link[512];

	snprintf(link, sizeof(link), "->%s", frames);
	unlink(path_in(directory, "frames.tar.zst"));
	tree_add(directory, (const struct file[]){ { "frames.tar.zst", link }, { 0 } });
	figures_of(directory, figure);
	expect_none(figure, FIG_LEAD_REFAULT, "silent");
}

static void a_loss_without_a_signal_is_silent(void **state)
{
	struct figure figure[FIGURES];

	OF_VMSTAT(CALM, figure, { "marks.tsv", MEASURED }, { "slots/api.tsv", paused() });
	expect_none(figure, FIG_LEAD_REFAULT, "silent");
}

static void loads_that_are_not_named_are_found_by_their_kind(void **state)
{
	static const char scenario[] = "[measure]\nfrom=leak\n[load b]\nkind=sweep\n"
				       "[load s]\nkind=service\n[load l]\nkind=leak\n"
				       "[load p]\nkind=prober\n";
	struct figure figure[FIGURES];

	OF_VMSTAT(PRESSURE, figure, { "scenario.ini", scenario },
		  { "marks.tsv", MEASURED "15000000\tended\tl signal 9\n" },
		  { "slots/s.tsv", paused() },
		  { "slots/p.tsv", "slot 14000000 15000000 15500000 0 0\n" });
	expect(figure, FIG_PAUSE, 2);
	expect(figure, FIG_PHASE, 2);
	expect(figure, FIG_PROBE, 1.5);
}

static void figures_are_written_as_people_read_them(void **state)
{
	static const struct {
		enum figure_id id;
		struct figure figure;
		const char *text;
	} cases[] = {
		{ FIG_PHASE, { 78, false, NULL }, "78.0 s" },
		{ FIG_PHASE, { 150.4, true, NULL }, "> 150 s" },
		{ FIG_PAUSE, { 6.66, false, NULL }, "6.7 s" },
		{ FIG_PAUSE, { 0.25, false, NULL }, "0.25 s" },
		{ FIG_PAUSE, { 0.0123, false, NULL }, "12 ms" },
		{ FIG_PAUSE, { 0.0034, false, NULL }, "3.4 ms" },
		{ FIG_PAUSE_P50, { 51e-6, false, NULL }, "51 us" },
		{ FIG_PAUSE, { 0, false, NULL }, "0.00 s" },
		{ FIG_LEAD_PSI, { -2, false, NULL }, "-2.0 s" },
		{ FIG_TICKS, { 28, false, NULL }, "28 %" },
		{ FIG_REREAD, { 2147483648.0, false, NULL }, "2.0 GiB" },
		{ FIG_READ_RATE, { 1048576, false, NULL }, "1.0 MiB/s" },
		{ FIG_PAUSES, { 5, false, NULL }, "5" },
		{ FIG_PAUSES, { 5.5, false, NULL }, "5.5" },
		{ FIG_PAUSES, { 1234, false, NULL }, "1,234" },
		{ FIG_MAJFLT, { 300, false, NULL }, "300/s" },
		{ FIG_CLIFF_RATIO, { 1500, false, NULL }, "x 1,500" },
		{ FIG_PHASE, { (double)NAN, false, "no pressure" }, "no pressure" },
		{ FIG_PHASE, { (double)NAN, false, NULL }, "-" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char buffer[64];
		struct text text = text_on(buffer, sizeof(buffer));

		figure_text(&text, cases[i].id, &cases[i].figure);
		assert_string_equal(buffer, cases[i].text);
	}
}

static void numbers_are_read_in_the_unit_of_their_figure(void **state)
{
	static const struct {
		enum figure_id id;
		const char *text;
		double value;
	} cases[] = {
		{ FIG_PHASE, "13", 13 },
		{ FIG_PHASE, " 0.5 s ", 0.5 },
		{ FIG_PHASE, "99ms", 0.099 },
		{ FIG_PAUSE_P50, "51us", 51e-6 },
		{ FIG_PHASE, "2m", 120 },
		{ FIG_REREAD, "2.0G", 2147483648.0 },
		{ FIG_LEAK_END, "490M", 513802240 },
		{ FIG_READ_RATE, "4K", 4096 },
		{ FIG_TICKS, "28%", 28 },
		{ FIG_TICKS, "28", 28 },
		{ FIG_CLIFF_RATIO, "1500x", 1500 },
		{ FIG_SWAP_MAX, "1T", 1099511627776.0 },
	};
	static const struct {
		enum figure_id id;
		const char *text;
	} wrong[] = {
		{ FIG_PHASE, "" },    { FIG_PHASE, "-1" },
		{ FIG_PHASE, "13M" }, { FIG_TICKS, "28s" },
		{ FIG_PAUSES, "3%" }, { FIG_PHASE, "1.2.3" },
		{ FIG_PHASE, "s" },   { FIG_PHASE, "99999999999999999999" },
	};
	double value;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i].text);
		assert_int_equal(figure_parse(span_cstr(cases[i].text), cases[i].id, &value),
				 0);
		assert_near(value, cases[i].value, 1e-9);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		case_of(wrong[i].text);
		assert_int_equal(figure_parse(span_cstr(wrong[i].text), wrong[i].id, &value),
				 -EBADMSG);
	}
}

static void a_figure_is_found_by_its_name(void **state)
{
	assert_int_equal(figure_find(span_cstr("cliff_at")), FIG_CLIFF_AT);
	assert_int_equal(figure_find(span_cstr("cliff")), FIGURES);
	assert_int_equal(figure_find(span_cstr("")), FIGURES);
	assert_non_null(strstr(figures_definitions(), PHASE_DEFINITION));
}

/* Two frames in a second are looked at together. */
static void a_second_is_a_second_whatever_the_interval(void **state)
{
	const char *frames =
		ARCHIVE(".tar.zst", { "0/_host.ini", "at_us=10000000\n" },
			{ "0/proc/vmstat", V(0, "") }, { "1/_host.ini", "at_us=10500000\n" },
			{ "1/proc/vmstat", V(150, "") }, { "2/_host.ini", "at_us=11000000\n" },
			{ "2/proc/vmstat", V(150, "") }, { "3/_host.ini", "at_us=11500000\n" },
			{ "3/proc/vmstat", V(351, "") });
	const char *directory = RUN_OF({ "marks.tsv", "1\tphase\tleak\n" });
	struct figure figure[FIGURES];
	char link[512];

	snprintf(link, sizeof(link), "->%s", frames);
	unlink(path_in(directory, "frames.tar.zst"));
	tree_add(directory, (const struct file[]){ { "frames.tar.zst", link }, { 0 } });
	figures_of(directory, figure);
	expect(figure, FIG_PHASE, 1);
}

#define TRUTH_OF_GUARD                                                         \
	"[truth]\nkill=none\n[measure]\nfrom=leak\nservice=api\nleak=worker\n" \
	"[group worker]\npath=system.slice/worker.service\n"                   \
	"[load worker]\nkind=leak\ngroup=worker\n"
#define STARTED_BY_THE_ROOT "[measure]\nguard_group=worker\n"

/* A service of the machine that was recorded stands for the guard. */
static void a_guard_that_the_root_starts_is_known_by_its_group(void **state)
{
	const char *scenario[] = { TRUTH_OF_GUARD, TRUTH_OF_GUARD STARTED_BY_THE_ROOT };

	for (size_t i = 0; i < ARRAY_LEN(scenario); i++) {
		struct figure figure[FIGURES];
		struct guarded guarded;
		struct series series;

		series_of(RUN_OF({ "scenario.ini", scenario[i] }), &series);
		figures_compute(&series, figure);
		guarded_judge(&series, figure, &guarded);
		series_done(&series);
		assert_int_equal(guarded.has_guard, i == 1);
		assert_int_equal(isnan(figure[FIG_GUARD_MEMORY].value), i == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_phase_lasts_from_the_first_second_of_refaults_to_the_kill),
		cmocka_unit_test(refaults_of_the_warm_up_begin_no_phase),
		cmocka_unit_test(a_leak_that_outlives_the_run_is_censored),
		cmocka_unit_test(a_leak_that_is_killed_early_knows_no_pressure),
		cmocka_unit_test(a_run_whose_measured_part_never_began_has_no_figure),
		cmocka_unit_test(without_a_leak_the_phase_lasts_to_the_end),
		cmocka_unit_test(the_leak_is_as_large_as_it_last_said_before_its_end),
		cmocka_unit_test(slots_that_pass_are_late_and_not_done),
		cmocka_unit_test(slots_that_are_never_done_are_one_pause),
		cmocka_unit_test(a_run_that_was_cut_short_has_ticks_from_its_rows),
		cmocka_unit_test(the_probe_counts_its_wait),
		cmocka_unit_test(a_burst_is_measured_from_begin_to_end_of_each_chunk),
		cmocka_unit_test(a_collector_has_pauses_steps_and_waits),
		cmocka_unit_test(counters_of_the_machine_count_from_the_measured_part_on),
		cmocka_unit_test(a_share_of_nothing_is_none),
		cmocka_unit_test(a_real_leak_reads_as_its_truth_says),
		cmocka_unit_test(a_signal_leads_by_the_time_from_its_crossing_to_the_loss),
		cmocka_unit_test(a_signal_without_a_loss_is_a_false_alarm),
		cmocka_unit_test(a_frame_just_after_another_crosses_nothing),
		cmocka_unit_test(a_loss_without_a_signal_is_silent),
		cmocka_unit_test(a_guard_that_the_root_starts_is_known_by_its_group),
		cmocka_unit_test(loads_that_are_not_named_are_found_by_their_kind),
		cmocka_unit_test(figures_are_written_as_people_read_them),
		cmocka_unit_test(numbers_are_read_in_the_unit_of_their_figure),
		cmocka_unit_test(a_figure_is_found_by_its_name),
		cmocka_unit_test(a_second_is_a_second_whatever_the_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
