#include "run.h"

#include <errno.h>
#include <sys/stat.h>

#include "lab/figures/cut.h"
#include "lab/figures/run_file.h"
#include "lab/figures/truth.h"
#include "model/source.h"

/* As the scenario of the recording declares it. */
#define TRUTH                                                                               \
	"[scenario]\nabout=a\n\tleak\nid=V1\n[truth]\nclass=file-refault\ndomain=machine\n" \
	"sufferer=system.slice/api.service\nculprit=system.slice/worker.service\n"          \
	"[group api]\npath=system.slice/api.service\n"                                      \
	"[load api]\nkind=service\ngroup=api\n[load worker]\nkind=leak\n"

static char truth[1 << 14];

static void read_truth(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t n;

	assert_non_null(file);
	n = fread(truth, 1, sizeof(truth) - 1, file);
	truth[n] = '\0';
	fclose(file);
}

static void expect(const char *part)
{
	case_of(part);
	if (!strstr(truth, part))
		fail_msg("not in:\n%s", truth);
}

static size_t frames_in(const char *path)
{
	struct source source;
	size_t frames;

	assert_int_equal(source_open(path, NULL, &source), 0);
	frames = source.frames;
	source_done(&source);
	return frames;
}

static size_t onset_of(const char *directory)
{
	struct series series;
	size_t onset;

	series_of(directory, &series);
	onset = truth_onset(&series);
	series_done(&series);
	return onset;
}

/* The truth beside the recording has onset_frame=3. */
static void the_onset_is_the_frame_before_the_sufferer_stalls(void **state)
{
	size_t onset = onset_of(RUN_OF({ "scenario.ini", TRUTH }));

	assert_true(onset >= 2 && onset <= 3);
}

static void a_sufferer_that_does_too_few_slots_is_harmed_before_it_stalls(void **state)
{
	static const char loads[] = "0 26159300 api running 10 10 0 0 0\n"
				    "1 27158300 api running 20 19 0 0 0\n"
				    "2 28158300 api running 30 26 0 0 0\n";

	assert_int_equal(onset_of(RUN_OF({ "scenario.ini", TRUTH }, { "loads.tsv", loads })),
			 1);
}

static void a_sufferer_that_has_done_nothing_yet_misses_nothing(void **state)
{
	static const char loads[] = "0 26159300 api running 10 0 0 0 0\n"
				    "1 27158300 api running 20 1 0 0 0\n";
	size_t onset = onset_of(RUN_OF({ "scenario.ini", TRUTH }, { "loads.tsv", loads }));

	assert_true(onset >= 2);
}

static void where_nobody_suffers_it_is_the_last_start_or_the_phase_that_is_named(void **state)
{
	static const char marks[] = "26159215\tphase\tleak\n28200000\tstart\tworker\n"
				    "31200000\tphase\tnext\n";

	static const char measured[] = "[measure]\nfrom=leak\n";

	assert_int_equal(onset_of(RUN_OF({ "scenario.ini", measured }, { "marks.tsv", marks })),
			 2);
	/* What was started before is no onset. */
	assert_int_equal(onset_of(RUN_OF({ "scenario.ini", "" }, { "marks.tsv", marks })), 5);
	assert_int_equal(onset_of(RUN_OF({ "scenario.ini", "[truth]\nonset=next\n" },
					 { "marks.tsv", marks })),
			 5);
	assert_int_equal(onset_of(RUN_OF({ "scenario.ini", TRUTH "[truth]\nonset=next\n" },
					 { "marks.tsv", marks })),
			 5);
	assert_int_equal(onset_of(RUN_OF({ "scenario.ini",
					   "[measure]\nfrom=leak\n[truth]\nonset=harm\n" },
					 { "marks.tsv", marks })),
			 2);
}

static void a_cut_is_a_small_recording_with_its_truth(void **state)
{
	static const char loads[] = "0 26159300 api running 10 10 0 0 0\n"
				    "3 29158300 api running 40 40 0 0 0\n"
				    "15 41158300 api running 160 52 0 0 0\n";
	const char *name = path_in(folder_new(), "leak-captured-6.12");
	const char *run = RUN_OF({ "scenario.ini", TRUTH }, { "loads.tsv", loads },
				 { "marks.tsv", "1\tphase\tleak\n"
						"40000000\tended\tworker signal 9\n" });
	struct lab_error error;
	struct stat st;

	assert_int_equal(cut_write(&(struct cut){ .run = run, .name = name }, &error), 0);
	{
		char path[512];

		snprintf(path, sizeof(path), "%s.tar.zst", name);
		assert_int_equal(frames_in(path), 16);
		assert_int_equal(stat(path, &st), 0);
		assert_true((size_t)st.st_size <= CUT_BYTES);
		snprintf(path, sizeof(path), "%s.truth", name);
		read_truth(path);
	}
	expect("class=file-refault\ndomain=machine\nsufferer=system.slice/api.service\n"
	       "culprit=system.slice/worker.service\n");
	expect("id=V1\nscenario=leak\nnote=a leak\nkernel=6.12.117+deb13-cloud-amd64\n");
	expect("frames=16\ninterval_s=1\nonset_frame=");
	expect("before_memory_some=");
	expect("after_refault_file_per_second=");
	expect("slots_per_second=system.slice/api.service ");
	expect("machine_available_mib=67,");
	expect("machine_swap_pages_per_second=in 0 out 0\n");
	expect("killed=worker\n");
	/* Nothing is ever overwritten. */
	assert_int_equal(cut_write(&(struct cut){ .run = run, .name = name }, &error), -EEXIST);
}

static void a_window_that_is_chosen_is_kept(void **state)
{
	const char *name = path_in(folder_new(), "part");
	const char *run = RUN_OF({ "scenario.ini", TRUTH });
	struct lab_error error;
	char path[512];

	assert_int_equal(cut_write(&(struct cut){ run, name, true, { 4, 9 } }, &error), 0);
	snprintf(path, sizeof(path), "%s.tar.zst", name);
	assert_int_equal(frames_in(path), 6);
	snprintf(path, sizeof(path), "%s.truth", name);
	read_truth(path);
	expect("frames=6\ninterval_s=1\nonset_frame=0\n");
	assert_null(strstr(truth, "before_"));
}

static void a_window_outside_the_run_is_refused(void **state)
{
	static const struct frame_range cases[] = { { 4, 4 }, { 5, 4 }, { 4, 16 } };
	const char *name = path_in(folder_new(), "part");
	const char *run = RUN_OF({ "scenario.ini", TRUTH });
	struct lab_error error;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(cut_write(&(struct cut){ run, name, true, cases[i] }, &error),
				 -EINVAL);
		assert_non_null(strstr(error.text, "among the 16 of the run"));
	}
	assert_true(cut_write(&(struct cut){ .run = "/nowhere", .name = name }, &error) < 0);
	assert_int_equal(
		cut_write(&(struct cut){ .run = run, .name = "/nowhere/at/all" }, &error),
		-ENOENT);
}

static void a_window_has_calm_frames_before_and_ends_with_the_run(void **state)
{
	double at[30];
	struct series series = { .frames = 30, .at = at };
	struct frame_range window;

	for (size_t i = 0; i < ARRAY_LEN(at); i++)
		at[i] = (double)i;
	window = cut_window(&series, 10, 16);

	assert_int_equal(window.first, 6);
	assert_int_equal(window.last, 26);
	window = cut_window(&series, 2, 16);
	assert_int_equal(window.first, 0);
	window = cut_window(&series, 20, 16);
	assert_int_equal(window.last, 29);
	/* The last frame was taken just after the one before. */
	at[29] = at[28] + 0.01;
	window = cut_window(&series, 20, 16);
	assert_int_equal(window.last, 28);
}

/* What a verdict reads of the copy is what it reads of the run. */
static void frames_are_copied_as_they_are(void **state)
{
	const char *name = path_in(folder_new(), "part");
	struct lab_error error;
	struct span got[2];
	struct source source;
	char path[512];

	assert_int_equal(cut_write(&(struct cut){ RUN_OF({ "scenario.ini", TRUTH }),
						  name,
						  true,
						  { 0, 2 } },
				   &error),
			 0);
	snprintf(path, sizeof(path), "%s.tar.zst", name);
	for (int i = 0; i < 2; i++) {
		static char space[2][1 << 20];

		assert_int_equal(
			source_open(i ? path : RECORDINGS "/leak-captured-6.12.tar.zst", NULL,
				    &source),
			0);
		assert_int_equal(source_next(&source), 0);
		assert_int_equal(root_read(&source.root,
					   "sys/fs/cgroup/system.slice/api.service/memory.stat",
					   (struct buffer){ space[i], sizeof(space[i]) },
					   &got[i]),
				 0);
		memmove(space[i], got[i].at, span_len(got[i]));
		got[i] = span_of(space[i], span_len(got[i]));
		source_done(&source);
	}
	assert_int_equal(span_len(got[0]), span_len(got[1]));
	assert_memory_equal(got[0].at, got[1].at, span_len(got[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_onset_is_the_frame_before_the_sufferer_stalls),
		cmocka_unit_test(a_sufferer_that_does_too_few_slots_is_harmed_before_it_stalls),
		cmocka_unit_test(a_sufferer_that_has_done_nothing_yet_misses_nothing),
		cmocka_unit_test(
			where_nobody_suffers_it_is_the_last_start_or_the_phase_that_is_named),
		cmocka_unit_test(a_cut_is_a_small_recording_with_its_truth),
		cmocka_unit_test(a_window_that_is_chosen_is_kept),
		cmocka_unit_test(a_window_outside_the_run_is_refused),
		cmocka_unit_test(a_window_has_calm_frames_before_and_ends_with_the_run),
		cmocka_unit_test(frames_are_copied_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
