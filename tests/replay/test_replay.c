/*
 * Replays recordings of real kernels and holds each verdict against the truth that was declared
 * when it was made: tests/fixtures/rec/NAME.tar.zst with NAME.truth beside it. With -v it
 * prints the verdict at every frame.
 */
#include <stdarg.h>

#include "analysis/judge.h"
#include "analysis/replay.h"

static int failures;
static bool is_verbose;

static void printf_like(2, 3) fail(const char *name, const char *format, ...)
{
	va_list arguments;

	printf("not ok - %s: ", name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	failures++;
}

static bool truth_read(const char *path, struct truth *truth)
{
	char text[16384];
	FILE *file = fopen(path, "re");
	size_t length;

	if (!file)
		return false;
	length = fread(text, 1, sizeof(text), file);
	fclose(file);
	return truth_parse(span_of(text, length), truth);
}

static void show(const struct verdict *verdict, size_t frame)
{
	const struct party *sufferer = verdict->sufferer;
	const struct party *culprit = verdict->culprit;
	double lost = verdict->sufferers ?
			      verdict->evidence->members[sufferer->member].loss.lower :
			      0;
	double rate = verdict->culprits && culprit->member >= 0 ?
			      verdict->evidence->members[culprit->member].growth.rate :
			      0;

	if (is_verbose)
		printf("  %2zu %-15s %-24s suffers %-28s %3.0f %%  grows %-28s %.0f KiB/s\n",
		       frame, class_row(verdict->class)->name,
		       judge_path(verdict, verdict->domain->cgroup),
		       verdict->sufferers ? judge_path(verdict, sufferer->member) : "-",
		       lost * 100,
		       verdict->culprits ? judge_path(verdict, culprit->member) : "-",
		       rate / 1024);
}

/* At the deadline: class, and where the truth names them domain, sufferer and culprit. */
static void expect_right(const char *name, const struct verdict *verdict,
			 const struct truth *truth)
{
	struct mismatch wrong[MISMATCHES_MAX];
	size_t count = judge_verdict(verdict, truth, wrong);

	for (size_t i = 0; i < count; i++)
		fail(name, "%s is %s, expected %s", wrong[i].what, wrong[i].got, wrong[i].want);
}

static void replay_frames(const char *name, struct replay *replay, const struct truth *truth)
{
	struct verdict verdict;
	double onset = -1;
	bool judged = false;
	size_t frame = 0;

	for (; replay_next(replay, &verdict) == 0; frame++) {
		double at = replay_at(replay);

		show(&verdict, frame);
		if (frame == truth->onset_frame)
			onset = at;
		if (judge_false_alarm(&verdict, truth, frame + 1 < truth->onset_frame))
			fail(name, "false alarm %s at frame %zu",
			     class_row(verdict.class)->name, frame);
		/* Half a frame of grace: frames are not taken on the second. */
		if (!judged && onset >= 0 && at >= onset + DEADLINE_S - 0.5) {
			expect_right(name, &verdict, truth);
			judged = true;
		}
	}
	if (!judged)
		fail(name, "ends before its deadline: %zu frames", frame);
}

static void test_recording(const char *path)
{
	char beside[4096];
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct replay replay;
	struct truth truth;
	int before = failures;

	snprintf(beside, sizeof(beside), "%.*s.truth", (int)(strlen(path) - strlen(".tar.zst")),
		 path);
	if (is_verbose)
		printf("%s\n", name);
	if (!truth_read(beside, &truth)) {
		fail(name, "has no truth: %s", beside);
		return;
	}
	if (replay_open(path, JUDGE_WINDOW_US, &replay) == 0) {
		replay_frames(name, &replay, &truth);
		replay_done(&replay);
	} else {
		fail(name, "cannot be opened");
	}
	if (failures == before)
		printf("ok - %s: %s\n", name, truth.class);
}

int main(int argc, char **argv)
{
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "-v") == 0) {
		is_verbose = true;
		first = 2;
	}
	for (int i = first; i < argc; i++)
		test_recording(argv[i]);
	printf("1..%d\n", argc - first);
	return failures > 0 || argc <= first;
}
