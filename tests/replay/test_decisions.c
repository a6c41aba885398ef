/*
 * What the guard would have decided at each frame of every recording, beside what is expected:
 * tests/fixtures/rec/NAME.decisions, rewritten with --update. Whatever is expected there,
 * nobody is killed where the truth knows of no culprit, and nobody else than the culprit.
 */
#include <stdarg.h>

#include "analysis/judge.h"
#include "base/text.h"
#include "model/sampler.h"
#include "model/source.h"
#include "policy/rehearsal.h"

/* Of the decision about all domains, in words. */
#define STATE_SIZE 8192

static int failures;
static bool is_update;

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

static size_t file_read(const char *path, struct buffer buffer)
{
	FILE *file = fopen(path, "re");
	size_t length;

	if (!file)
		return 0;
	length = fread(buffer.at, 1, buffer.size, file);
	fclose(file);
	return length;
}

static bool is_kill(const struct guard_record *record)
{
	return record->kind == RECORD_TERM || record->kind == RECORD_KILL;
}

static void record_put(const struct guard_record *record, FILE *file)
{
	const struct record_candidate *victim = &record->candidate[0];

	if (is_kill(record))
		fprintf(file, "  kill %s %s in %s: %s\n", victim->path, victim->comm,
			record->domain, because_words(record->because));
	else if (record->kind == RECORD_NEAR_MISS || record->kind == RECORD_NOBODY)
		fprintf(file, "  nothing in %s: %s\n", record->domain,
			because_words(record->because));
	else
		fprintf(file, "  %s %s\n", record_row(record->kind)->word,
			record->sufferer[0] ? record->sufferer : record->culprit);
}

/* Who may die: whom the truth names, in its cgroup or as its process. */
static void expect_culprit(const char *name, const struct guard_record *record,
			   const struct truth *truth)
{
	const struct record_candidate *victim = &record->candidate[0];

	if (!is_kill(record))
		return;
	if (!truth->culprit[0] && !truth->sufferer[0])
		fail(name, "kills %s, and there is no harm", victim->path);
	else if (!truth->culprit[0] && strcmp(victim->path, truth->sufferer) == 0)
		fail(name, "kills %s, which suffers", victim->path);
	else if (!truth->culprit[0])
		return; /* what it really is, idle huge pages, can't be killed: who fills the
			   rest */
	else if (strcmp(victim->path, truth->culprit) != 0)
		fail(name, "kills %s, expected %s", victim->path, truth->culprit);
	else if (truth->culprit_process[0] && victim->comm[0] &&
		 strcmp(victim->comm, truth->culprit_process) != 0)
		fail(name, "kills %s, expected %s", victim->comm, truth->culprit_process);
}

/* A state that is the one before is not said again. */
static void frame_put(const struct rehearsal *rehearsal, size_t frame, char last[STATE_SIZE],
		      FILE *file)
{
	const struct domain_state *domain = rehearsal->engine.plan.domain;
	char state[STATE_SIZE];
	struct text text = text_on(state, sizeof(state));

	text_add(&text, "%s\n", class_row(rehearsal->engine.verdict.class)->name);
	for (size_t i = 0; i < PLAN_DOMAINS; i++)
		if (domain[i].used && (i == 0 || domain[i].because != BECAUSE_CALM))
			text_add(&text, "  %s %s: %s\n", domain[i].path,
				 rung_name(domain[i].rung), because_words(domain[i].because));
	if (strcmp(state, last) != 0 || rehearsal->out.records > 0)
		fprintf(file, "%zu %s", frame, state);
	memcpy(last, state, sizeof(state));
	for (size_t i = 0; i < rehearsal->out.records; i++)
		record_put(&rehearsal->out.record[i], file);
}

/* The recording, and the guard that looks at it. */
struct viewing {
	struct source source;
	struct sampler sampler;
	struct rehearsal rehearsal;
};

static bool viewing_open(const char *path, struct viewing *out)
{
	return source_open(path, "/", &out->source) == 0 && sampler_init(&out->sampler) == 0 &&
	       rehearsal_init(&out->rehearsal) == 0;
}

static void viewing_done(struct viewing *viewing)
{
	rehearsal_done(&viewing->rehearsal);
	sampler_done(&viewing->sampler);
	source_done(&viewing->source);
}

static bool viewing_next(struct viewing *viewing, const struct guard_config *config)
{
	struct snapshot *snapshot;

	return source_next(&viewing->source) == 0 &&
	       sampler_take(&viewing->sampler, &viewing->source.root, SAMPLE_ALL,
			    rehearsal_arena(&viewing->rehearsal), &snapshot) == 0 &&
	       rehearsal_next(&viewing->rehearsal, config, snapshot) == 0;
}

static void rehearse(const char *name, struct viewing *viewing, const struct truth *truth,
		     FILE *file)
{
	struct guard_config config;
	const struct rehearsal *rehearsal = &viewing->rehearsal;
	char last[STATE_SIZE] = "";
	size_t frame = 0;

	config_defaults(&config);
	for (; viewing_next(viewing, &config); frame++) {
		frame_put(rehearsal, frame, last, file);
		for (size_t i = 0; i < rehearsal->out.records; i++)
			expect_culprit(name, &rehearsal->out.record[i], truth);
	}
}

static void compare(const char *name, const char *path, struct span got)
{
	static char text[1 << 20];
	size_t length;

	if (is_update) {
		FILE *file = fopen(path, "we");

		if (!file || fwrite(got.at, 1, span_len(got), file) != span_len(got))
			fail(name, "cannot write %s", path);
		if (file)
			fclose(file);
		return;
	}
	length = file_read(path, (struct buffer){ text, sizeof(text) });
	if (length != span_len(got) || memcmp(text, got.at, length) != 0)
		fail(name, "decides otherwise than in %s, which --update rewrites", path);
}

static void test_recording(const char *path)
{
	static struct viewing viewing;
	static char text[1 << 20];
	char beside[4096];
	char truth_text[16384];
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int stem = (int)(strlen(path) - strlen(".tar.zst"));
	FILE *file = fmemopen(text, sizeof(text), "w");
	struct truth truth;
	int before = failures;
	size_t length;

	snprintf(beside, sizeof(beside), "%.*s.truth", stem, path);
	length = file_read(beside, (struct buffer){ truth_text, sizeof(truth_text) });
	if (!file || !truth_parse(span_of(truth_text, length), &truth) ||
	    !viewing_open(path, &viewing)) {
		fail(name, "cannot be read, or has no truth");
		return;
	}
	rehearse(name, &viewing, &truth, file);
	viewing_done(&viewing);
	length = (size_t)ftell(file);
	fclose(file);
	snprintf(beside, sizeof(beside), "%.*s.decisions", stem, path);
	compare(name, beside, span_of(text, length));
	if (failures == before)
		printf("ok - %s\n", name);
}

int main(int argc, char **argv)
{
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "--update") == 0) {
		is_update = true;
		first = 2;
	}
	for (int i = first; i < argc; i++)
		test_recording(argv[i]);
	printf("1..%d\n", argc - first);
	return failures > 0 || argc <= first;
}
