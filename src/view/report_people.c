#include "view/report_people.h"

#include "view/words.h"

/* Two minutes: a slower turn over is no working set that is too large. */
#define TURN_MAX_S 120

/* How long it takes to read all its files once. */
static void add_turn(struct text *text, const struct signals *signals)
{
	double back = reread_of(signals);
	double set = signal_of(signals, SIG_FILE_LRU);

	if (!(signal_of(signals, SIG_REFAULT_FILE) > 0.5 * back && set / back < TURN_MAX_S))
		return;
	text_add(text, ": its ");
	text_bytes(text, set);
	text_add(text, " of files every %.*f s", set / back < 10 ? 1 : 0, set / back);
}

static void add_collapse(struct text *text, const struct verdict *verdict, int32_t index)
{
	const struct evidence *evidence = verdict->evidence;

	if (!evidence->members[index].loss.collapsed)
		return;
	text_add(text, ", mapped files shrank from ");
	text_bytes(text, evidence->window->track[index].calm_mapped);
	text_add(text, " to ");
	words_signal(text, &evidence->members[index].signals, SIG_MAPPED);
}

static void add_task(struct text *text, const struct party *party)
{
	if (!party->task)
		return;
	text_add(text, ", process ");
	text_name(text, span_cstr(party->task->name));
	text_add(text, " (%u)", party->task->pid);
}

void put_sufferer(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	const struct evidence *evidence = verdict->evidence;
	int32_t index = verdict->sufferer[i].member;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_cgroup(&text, evidence->pair.now, index);
	text_add(&text, "  ");
	words_loss(&text, &evidence->members[index].loss);
	if (words_reread(&text, &evidence->members[index].signals))
		add_turn(&text, &evidence->members[index].signals);
	add_collapse(&text, verdict, index);
	add_task(&text, &verdict->sufferer[i]);
	paper_row(paper, i == 0 ? "suffers" : "", &text);
}

static void add_swap_reason(struct text *text, const struct verdict *verdict)
{
	const struct signals *domain = verdict->domain->signals;

	if (signal_of(&verdict->evidence->machine, SIG_SWAP_FREE) +
		    signal_of(&verdict->evidence->machine, SIG_SWAP_USED) <=
	    0)
		text_add(text, ", cannot be swapped (no swap)");
	else if (signal_of(domain, SIG_SWAP_FREE) < 1024 * 1024)
		text_add(text, ", cannot be swapped (swap is full, or none is allowed)");
}

/* Nobody is accused on no evidence. */
bool is_accused(const struct verdict *verdict)
{
	return verdict->severity >= SEV_WARN && verdict->class != CLASS_UNKNOWN;
}

void put_culprit(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	const struct evidence *evidence = verdict->evidence;
	const struct party *party = &verdict->culprit[i];
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	const struct growth *growth = &evidence->members[party->member].growth;

	words_cgroup(&text, evidence->pair.now, party->member);
	text_add(&text, "  anonymous ");
	text_bytes(&text, growth->level);
	if (growth->rate > 0) {
		text_add(&text, ", growing ");
		text_bytes(&text, growth->rate);
		text_add(&text, "/s");
	}
	if (i == 0)
		add_swap_reason(&text, verdict);
	add_task(&text, party);
	paper_row(paper, i == 0 ? (is_accused(verdict) ? "caused by" : "grows") : "", &text);
}

void put_charged(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	if (verdict->charged < 0)
		return;
	text_add(&text, "what is re-read is charged to ");
	words_cgroup(&text, verdict->evidence->pair.now, verdict->charged);
	text_add(&text, ", which touched it first");
	paper_row(paper, "shared", &text);
}

/* Where memory is not the matter: who waits, reads or writes. */
void put_busy(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	static const struct {
		enum verdict_class class;
		enum signal signal[2];
	} rows[] = {
		{ CLASS_CPU_STARVED, { SIG_CPU_SOME, SIG_CPU_THROTTLED } },
		{ CLASS_FIRST_READ, { SIG_READ, SIG_IO_SOME } },
		{ CLASS_DIRTY_THROTTLE, { SIG_DIRTY, SIG_IO_SOME } },
	};
	int32_t index = verdict->culprit[i].member;
	const struct signals *signals = &verdict->evidence->members[index].signals;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_cgroup(&text, verdict->evidence->pair.now, index);
	for (size_t j = 0; j < 2 * ARRAY_LEN(rows); j++) {
		enum signal signal = rows[j / 2].signal[j % 2];

		if (rows[j / 2].class != verdict->class || signals->why[signal] != WHY_KNOWN)
			continue;
		text_add(&text, "%s%s ", j % 2 ? ", " : "  ", signal_row(signal)->name);
		words_signal(&text, signals, signal);
	}
	paper_row(paper, i == 0 ? "who" : "", &text);
}
