/*
 * Steps that wait for something to come true, and give up at their limit.
 */
#include <errno.h>

#include "guest/file.h"
#include "guest/group.h"
#include "guest/moment.h"
#include "guest/run.h"

#define MEMINFO "/proc/meminfo"
#define POLL_US (SECOND_US / 10)

struct question {
	struct guest *guest;
	const struct step *step;
	uint64_t (*level)(const struct question *question);
	const struct child *child;
	char path[256];
	bool is_above; /* asks whether the level is above the number, else below */
	uint64_t number;
};

static int ask(struct question *question, uint64_t limit_us)
{
	uint64_t limit = now_us() + limit_us;
	const struct step *step = question->step;

	for (;;) {
		uint64_t level = question->level(question);

		if (question->is_above ? level > question->number : level < question->number)
			return 0;
		if (now_us() >= limit)
			break;
		guest_sleep_until(question->guest, MIN(limit, now_us() + POLL_US));
	}
	guest_mark(question->guest, "gave-up", "%.*s", (int)span_len(step->line),
		   step->line.at);
	return 0;
}

static uint64_t available(const struct question *question)
{
	(void)question;
	return meminfo_bytes(MEMINFO, "MemAvailable");
}

static uint64_t is_free(const struct question *question)
{
	(void)question;
	return meminfo_bytes(MEMINFO, "MemFree");
}

static uint64_t swapped(const struct question *question)
{
	(void)question;
	return meminfo_bytes(MEMINFO, "SwapTotal") - meminfo_bytes(MEMINFO, "SwapFree");
}

static uint64_t node_free(const struct question *question)
{
	return meminfo_bytes(question->path, "MemFree");
}

static uint64_t size(const struct question *question)
{
	return question->child->progress->size_bytes;
}

static uint64_t rounds(const struct question *question)
{
	return question->child->progress->done;
}

static uint64_t current(const struct question *question)
{
	return group_number(question->path, "memory.current");
}

static uint64_t needs(const struct question *question)
{
	return group_needs(question->path);
}

static uint64_t has_ended(const struct question *question)
{
	return question->child->state == CHILD_ENDED;
}

/* SUBJECT <|> NUMBER limit NUMBER: the last three of the words that were kept. */
static struct question question_of(struct guest *guest, const struct step *step, size_t from)
{
	return (struct question){ .guest = guest,
				  .step = step,
				  .is_above = step->number[from] == 1,
				  .number = step->number[from + 1] };
}

int run_until_machine(struct guest *guest, const struct step *step)
{
	static uint64_t (*const levels[])(const struct question *question) = {
		available,
		is_free,
		swapped,
	};
	struct question question = question_of(guest, step, 1);

	question.level = levels[step->number[0]];
	return ask(&question, step->number[3]);
}

int run_until_node(struct guest *guest, const struct step *step)
{
	struct question question = question_of(guest, step, 1);

	question.level = node_free;
	snprintf(question.path, sizeof(question.path),
		 "/sys/devices/system/node/node%ju/meminfo", (uintmax_t)step->number[0]);
	if (access(question.path, R_OK) < 0)
		return -errno;
	return ask(&question, step->number[3]);
}

int run_until_load(struct guest *guest, const struct step *step)
{
	struct question question = question_of(guest, step, 2);

	question.level = step->number[0] == 0 ? size : rounds;
	question.child = guest_child(guest, step->word[1]);
	return question.child ? ask(&question, step->number[4]) : -EINVAL;
}

int run_until_group(struct guest *guest, const struct step *step)
{
	struct question question = question_of(guest, step, 2);

	question.level = step->number[0] == 0 ? current : needs;
	span_copy(step->word[1], question.path, sizeof(question.path));
	return ask(&question, step->number[4]);
}

int run_until_killed(struct guest *guest, const struct step *step)
{
	struct question question = { .guest = guest,
				     .step = step,
				     .level = has_ended,
				     .child = guest_child(guest, step->word[0]),
				     .is_above = true };

	return question.child ? ask(&question, step->number[1]) : -EINVAL;
}
