/*
 * Replays recordings of real kernels and holds each verdict against the truth that was declared
 * when it was made: tests/fixtures/rec/NAME.tar.zst with NAME.truth beside it. With -v it
 * prints the verdict at every frame.
 */
#include <stdarg.h>

#include "analysis/gather.h"
#include "analysis/verdict.h"
#include "analysis/window.h"
#include "base/macro.h"
#include "model/sampler.h"
#include "model/source.h"

#define WINDOW_US (5 * SECOND_US)

/* By when a verdict must be right: product law, docs/VERDICTS.md. */
#define DEADLINE_S 5.0

struct truth {
	char class[32];
	char domain[256];
	char sufferer[256];
	char culprit[256];
	char sufferer_process[32];
	char culprit_process[32];
	uint64_t onset_frame;
};

struct replay {
	struct source source;
	struct sampler sampler;
	struct window window;
	struct arena arena;
};

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

static void truth_line(struct span line, struct truth *truth)
{
	const struct {
		const char *key;
		char *text;
		size_t size;
	} rows[] = {
		{ "class", truth->class, sizeof(truth->class) },
		{ "domain", truth->domain, sizeof(truth->domain) },
		{ "sufferer", truth->sufferer, sizeof(truth->sufferer) },
		{ "culprit", truth->culprit, sizeof(truth->culprit) },
		{ "sufferer_process", truth->sufferer_process,
		  sizeof(truth->sufferer_process) },
		{ "culprit_process", truth->culprit_process, sizeof(truth->culprit_process) },
	};
	struct span key;
	struct span value;

	if (!span_split(line, '=', &key, &value))
		return;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (span_eq(span_trim(key), rows[i].key))
			span_copy(span_trim(value), rows[i].text, rows[i].size);
	if (span_eq(span_trim(key), "onset_frame") &&
	    span_u64(span_trim(value), &truth->onset_frame) < 0)
		truth->onset_frame = 0;
}

static bool truth_read(const char *path, struct truth *truth)
{
	char text[16384];
	FILE *file = fopen(path, "re");
	struct span rest;
	struct span line;

	if (!file)
		return false;
	rest = span_of(text, fread(text, 1, sizeof(text), file));
	fclose(file);
	*truth = (struct truth){ 0 };
	while (span_line(&rest, &line))
		truth_line(line, truth);
	return truth->class[0];
}

static const char *path_of(const struct verdict *verdict, int32_t member)
{
	return member < 0 ? "machine" : verdict->evidence->pair.now->cgroups[member].path;
}

static bool judge(struct replay *replay, struct evidence *evidence, struct verdict *verdict)
{
	struct snapshot *snapshot;

	if (source_next(&replay->source) != 0)
		return false;
	if (sampler_take(&replay->sampler, &replay->source.root, SAMPLE_ALL,
			 window_arena(&replay->window), &snapshot) < 0 ||
	    window_push(&replay->window, snapshot) < 0)
		return false;
	arena_reset(&replay->arena);
	if (evidence_of(&replay->window, NULL, &replay->arena, evidence) < 0)
		return false;
	verdict_of(evidence, verdict);
	return true;
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
		       path_of(verdict, verdict->domain->cgroup),
		       verdict->sufferers ? path_of(verdict, sufferer->member) : "-",
		       lost * 100, verdict->culprits ? path_of(verdict, culprit->member) : "-",
		       rate / 1024);
}

static void expect_text(const char *name, const char *what, const char *got, const char *want)
{
	if (want[0] && strcmp(got, want) != 0)
		fail(name, "%s is %s, expected %s", what, got, want);
}

static const char *process_of(const struct party *party, size_t count)
{
	return count > 0 && party->task ? party->task->name : "none";
}

/* At the deadline: class, and where the truth names them domain, sufferer and culprit. */
static void expect_right(const char *name, const struct verdict *verdict,
			 const struct truth *truth)
{
	expect_text(name, "class", class_row(verdict->class)->name, truth->class);
	if (strcmp(class_row(verdict->class)->name, truth->class) != 0)
		return;
	if (verdict->severity <= SEV_INFO)
		return;
	expect_text(name, "domain", path_of(verdict, verdict->domain->cgroup), truth->domain);
	if (verdict->severity >= SEV_WARN)
		expect_text(name, "sufferer",
			    verdict->sufferers ? path_of(verdict, verdict->sufferer[0].member) :
						 "none",
			    truth->sufferer);
	expect_text(name, "culprit",
		    verdict->culprits ? path_of(verdict, verdict->culprit[0].member) : "none",
		    truth->culprit);
	expect_text(name, "suffering process",
		    process_of(verdict->sufferer, verdict->sufferers), truth->sufferer_process);
	expect_text(name, "culprit process", process_of(verdict->culprit, verdict->culprits),
		    truth->culprit_process);
}

/* A false alarm: harm or a warning where the truth knows of none, or before the onset. */
static bool is_false_alarm(const struct verdict *verdict, const struct truth *truth,
			   bool is_early)
{
	enum verdict_class wanted = class_find(span_cstr(truth->class));

	if (verdict->severity < SEV_WARN || verdict->class == CLASS_UNKNOWN ||
	    verdict->class == wanted)
		return false;
	return is_early || (wanted < CLASSES && class_row(wanted)->severity < SEV_WARN);
}

static void replay_frames(const char *name, struct replay *replay, const struct truth *truth)
{
	struct evidence evidence;
	struct verdict verdict;
	double onset = -1;
	bool judged = false;
	size_t frame = 0;

	for (; judge(replay, &evidence, &verdict); frame++) {
		double at = (double)evidence.pair.now->host.at_us / SECOND_US;

		show(&verdict, frame);
		if (frame == truth->onset_frame)
			onset = at;
		if (is_false_alarm(&verdict, truth, frame + 1 < truth->onset_frame))
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

static bool replay_open(const char *path, struct replay *replay)
{
	*replay = (struct replay){ 0 };
	return source_open(path, NULL, &replay->source) == 0 &&
	       sampler_init(&replay->sampler) == 0 &&
	       window_init(&replay->window, WINDOW_US) == 0 &&
	       arena_init(&replay->arena, SNAPSHOT_ARENA) == 0;
}

static void replay_done(struct replay *replay)
{
	arena_done(&replay->arena);
	window_done(&replay->window);
	sampler_done(&replay->sampler);
	source_done(&replay->source);
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
	if (replay_open(path, &replay))
		replay_frames(name, &replay, &truth);
	else
		fail(name, "cannot be opened");
	replay_done(&replay);
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
