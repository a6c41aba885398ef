#include "test.h"

#include "analysis/made.h"
#include "view/words.h"

static char said[512];

static struct text *fresh(void)
{
	static struct text text;

	text = text_on(said, sizeof(said));
	return &text;
}

static const char *signal_said(enum signal signal, double value)
{
	static struct signals signals;

	signals.value[signal] = value;
	signals.why[signal] = WHY_KNOWN;
	words_signal(fresh(), &signals, signal);
	return said;
}

static void a_signal_is_said_in_its_unit(void **state)
{
	assert_string_equal(signal_said(SIG_AVAILABLE, 43.4 * 1048576), "43.4 MiB");
	assert_string_equal(signal_said(SIG_AVAILABLE, 0), "0 B");
	assert_string_equal(signal_said(SIG_READ, 1536), "1.5 KiB/s");
	assert_string_equal(signal_said(SIG_ALLOCSTALL, 7081), "7,081/s");
	assert_string_equal(signal_said(SIG_EV_HIGH, 0.4), "0.4/s");
	assert_string_equal(signal_said(SIG_MEM_SOME, 0.63), "63 %");
	assert_string_equal(signal_said(SIG_MEM_SOME, 0.004), "0.4 %");
	assert_string_equal(signal_said(SIG_MEM_SOME, 0), "0 %");
}

static void an_unknown_signal_says_why(void **state)
{
	static const struct {
		enum why why;
		const char *wanted;
	} cases[] = {
		{ WHY_ABSENT, "unknown (absent)" },
		{ WHY_DENIED, "unknown (denied)" },
		{ WHY_DISABLED, "unknown (disabled)" },
		{ WHY_GARBLED, "unknown (garbled)" },
		{ WHY_UNLIMITED, "unknown (unlimited)" },
		{ WHY_RESET, "unknown (reset)" },
		{ WHY_BASELINE, "unknown (first sample)" },
		{ WHY_NO_TIME, "unknown (no time between samples)" },
		{ WHY_NOT_APPLICABLE, "unknown (not applicable)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		static struct signals signals;

		signals.value[SIG_READ] = (double)NAN;
		signals.why[SIG_READ] = (uint8_t)cases[i].why;
		words_signal(fresh(), &signals, SIG_READ);
		assert_string_equal(said, cases[i].wanted);
	}
}

static const char *loss_said(double lower, double upper)
{
	words_loss(fresh(), &(const struct loss){ .lower = lower, .upper = upper });
	return said;
}

static void a_loss_is_said_with_both_bounds(void **state)
{
	assert_string_equal(loss_said(0.63, 0.70), "loses 63 to 70 % of its time");
	assert_string_equal(loss_said(0.63, 0.635), "loses 63 % of its time");
	assert_string_equal(loss_said(0.0, 0.0), "loses 0 % of its time");
	assert_string_equal(loss_said(1, 1), "loses 100 % of its time");
	assert_string_equal(loss_said((double)NAN, (double)NAN),
			    "loses an unknown share of its time");
}

static void a_borrowed_loss_says_whose_it_is(void **state)
{
	words_loss(fresh(), &(const struct loss){ 0.2, 0.2, .borrowed = true });
	assert_string_equal(said, "loses 20 % of its time (by the machine's pressure)");
}

static const char *cgroup_said(const char *path, enum cgroup_mode mode)
{
	struct snapshot *now = snapshot_new();

	now->mounts.mode = mode;
	words_cgroup(fresh(), now, cgroup(now, path, 1, -1));
	return said;
}

static void a_cgroup_is_its_path(void **state)
{
	assert_string_equal(cgroup_said("system.slice/db.service", CGROUPS_V2),
			    "system.slice/db.service");
	assert_string_equal(cgroup_said("", CGROUPS_V2), "/");
	assert_string_equal(cgroup_said("", CGROUPS_NONE), "the machine");
	words_cgroup(fresh(), snapshot_new(), -1);
	assert_string_equal(said, "/");
}

static void a_hostile_path_is_escaped(void **state)
{
	assert_string_equal(cgroup_said("a\033[2Jb\nc\\", CGROUPS_V2), "a\\x1b[2Jb\\x0ac\\\\");
	assert_string_equal(cgroup_said("\xff\xe2\x80\xae", CGROUPS_V2),
			    "\\xff\\xe2\\x80\\xae");
}

static const char *reread_said(double file, double anon)
{
	struct signals signals = { 0 };

	signals.value[SIG_REFAULT_FILE] = file;
	signals.value[SIG_REFAULT_ANON] = anon;
	words_reread(fresh(), &signals);
	return said;
}

/* Kernels before 5.9 count files only. */
static void what_is_read_back_is_said_also_when_only_files_are_counted(void **state)
{
	assert_string_equal(reread_said(1048576, 1048576), ", re-reads 2.0 MiB/s");
	assert_string_equal(reread_said(1048576, (double)NAN), ", re-reads 1.0 MiB/s");
	assert_string_equal(reread_said(65535, 0), "");
	assert_string_equal(reread_said((double)NAN, (double)NAN), "");
}

static const char *domain_said(enum limit_kind kind, double limit)
{
	struct snapshot *now = snapshot_new();
	const struct domain domain = {
		.kind = kind,
		.cgroup = kind == LIMIT_RAM ? -1 : 0,
		.limit = limit,
	};

	cgroup(now, "app.slice", 1, -1);
	words_domain(fresh(), EVIDENCE(now), &domain);
	return said;
}

static void a_domain_is_said_with_its_limit(void **state)
{
	assert_string_equal(domain_said(LIMIT_RAM, 1e9), "the machine");
	assert_string_equal(domain_said(LIMIT_HIGH, 500 * 1048576.0),
			    "app.slice (memory.high 500 MiB)");
	assert_string_equal(domain_said(LIMIT_MAX, 1048576), "app.slice (memory.max 1.0 MiB)");
	assert_string_equal(domain_said(LIMIT_HIGH, 0), "app.slice (memory.high 0 B)");
}

static void a_limit_that_is_unknown_is_named_without_a_size(void **state)
{
	assert_string_equal(domain_said(LIMIT_HIGH, (double)NAN), "app.slice (memory.high)");
}

static const char *forecast_said(enum next next, double low_s, double high_s)
{
	words_forecast(fresh(), &(const struct forecast){ next, low_s, high_s });
	return said;
}

static void a_forecast_is_said_with_both_bounds(void **state)
{
	assert_string_equal(forecast_said(NEXT_OOM, 15, 40),
			    "kernel OOM kill in 15 s to 40 s at this rate");
	assert_string_equal(forecast_said(NEXT_SWAP_FULL, 600, 7200),
			    "swap is full in 10 min to 2 h at this rate");
	assert_string_equal(forecast_said(NEXT_FREEZE, 0, 0),
			    "no memory left in 0 s at this rate");
}

static void bounds_that_are_near_are_one(void **state)
{
	assert_string_equal(forecast_said(NEXT_OOM, 100, 119),
			    "kernel OOM kill in 119 s at this rate");
	assert_string_equal(forecast_said(NEXT_OOM, 0.1, 1.05),
			    "kernel OOM kill in 1 s at this rate");
	assert_string_equal(forecast_said(NEXT_OOM, 0, 3),
			    "kernel OOM kill in 0 s to 3 s at this rate");
}

static void a_forecast_without_a_time_is_a_sentence(void **state)
{
	double none = (double)NAN;

	assert_string_equal(forecast_said(NEXT_NOTHING, none, none),
			    "nothing grows: it stays as it is");
	assert_string_equal(forecast_said(NEXT_NEVER, none, none),
			    "nothing ends this: memory.high never calls the OOM killer");
	assert_string_equal(forecast_said(NEXT_UNKNOWN, none, none), "unknown");
}

static struct snapshot *named(const char *name, const char *release)
{
	struct snapshot *now = snapshot_new();

	span_copy(span_cstr(name), now->host.name, sizeof(now->host.name));
	span_copy(span_cstr(release), now->host.release, sizeof(now->host.release));
	machine(now, MI_TOTAL, GIB_BYTES);
	machine(now, MI_SWAP_TOTAL, 0);
	machine(now, MI_SWAP_FREE, 0);
	return now;
}

static void a_machine_is_said_in_a_line(void **state)
{
	struct snapshot *before = named("db3", "6.12.0-amd64");

	before->profile.lru = LRU_MGLRU;
	words_machine(fresh(), EVIDENCE(before, later(before, 5)));
	assert_string_equal(said,
			    "db3 · Linux 6.12.0-amd64 · 1.0 GiB RAM · no swap · cgroup v2 · "
			    "MGLRU on · 5.0 s sampled");
}

static void what_a_machine_does_not_say_is_unknown(void **state)
{
	struct snapshot *now = named("", "");

	machine_is(now, MI_TOTAL, DENIED);
	machine_is(now, MI_SWAP_TOTAL, DENIED);
	now->mounts.mode = CGROUPS_NONE;
	words_machine(fresh(), EVIDENCE(now));
	assert_string_equal(said,
			    "machine · Linux unknown · unknown (denied) RAM · swap unknown · "
			    "no cgroups · LRU unknown · one sample");
}

static void a_machine_that_nobody_named_is_a_machine(void **state)
{
	words_machine(fresh(), EVIDENCE(named("(none)", "6.1")));
	assert_true(strncmp(said, "machine · Linux 6.1 · ", strlen("machine · Linux 6.1 · ")) ==
		    0);
}

static void a_container_and_swap_are_said(void **state)
{
	struct snapshot *now = named("web\n", "6.1\t");

	machine(now, MI_SWAP_TOTAL, 2 * GIB_BYTES);
	machine(now, MI_SWAP_FREE, 2 * GIB_BYTES);
	span_copy(span_cstr("docker\033"), now->host.container, sizeof(now->host.container));
	words_machine(fresh(), EVIDENCE(now));
	assert_string_equal(said, "web\\x0a · Linux 6.1\\x09 · 1.0 GiB RAM · swap 2.0 GiB · "
				  "cgroup v2 · LRU unknown · in a container (docker\\x1b) · "
				  "one sample");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_is_said_in_its_unit),
		cmocka_unit_test(an_unknown_signal_says_why),
		cmocka_unit_test(a_loss_is_said_with_both_bounds),
		cmocka_unit_test(a_borrowed_loss_says_whose_it_is),
		cmocka_unit_test(a_cgroup_is_its_path),
		cmocka_unit_test(a_hostile_path_is_escaped),
		cmocka_unit_test(what_is_read_back_is_said_also_when_only_files_are_counted),
		cmocka_unit_test(a_domain_is_said_with_its_limit),
		cmocka_unit_test(a_limit_that_is_unknown_is_named_without_a_size),
		cmocka_unit_test(a_forecast_is_said_with_both_bounds),
		cmocka_unit_test(bounds_that_are_near_are_one),
		cmocka_unit_test(a_forecast_without_a_time_is_a_sentence),
		cmocka_unit_test(a_machine_is_said_in_a_line),
		cmocka_unit_test(what_a_machine_does_not_say_is_unknown),
		cmocka_unit_test(a_machine_that_nobody_named_is_a_machine),
		cmocka_unit_test(a_container_and_swap_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
