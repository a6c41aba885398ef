#include "guard/print.h"

#include <math.h>

#include "base/units.h"

void candidate_name(struct text *text, const struct record_candidate *candidate)
{
	text_add(text, "/");
	text_name(text, span_cstr(candidate->path));
	if (candidate->pid == 0)
		return;
	text_add(text, " (");
	text_name(text, span_cstr(candidate->comm));
	text_add(text, ", pid %u)", candidate->pid);
}

void path_name(struct text *text, const char *path)
{
	text_add(text, "/");
	text_name(text, span_cstr(path));
}

/* The machine is called "machine"; all else is a cgroup. */
static void add_domain(struct text *text, const struct guard_record *record)
{
	if (record->domain_id == 0)
		text_add(text, "the machine");
	else
		path_name(text, record->domain);
}

/* Who an action is about. */
enum whom {
	WHOM_NOBODY,
	WHOM_VICTIM,
	WHOM_CGROUP, /* of the victim, all of it */
	WHOM_SUFFERER,
	WHOM_DOMAIN,
};

/* How an action is told: before it, after it, and what follows the name. */
static const struct telling {
	const char *verb;
	const char *past;
	const char *tail;
	enum whom whom;
	bool is_bytes; /* a value in bytes was changed */
} TELLINGS[RECORD_KINDS] = {
	[RECORD_PROTECT] = { "protect", "protected", " with memory.min", WHOM_SUFFERER, true },
	[RECORD_HOOK] = { "run the hook for", "ran the hook for", "", WHOM_VICTIM, false },
	[RECORD_RELAX] = { "raise memory.high of", "raised memory.high of", "", WHOM_DOMAIN,
			   true },
	[RECORD_RESTORE] = { "take back what was raised for", "took back what was raised for",
			     "", WHOM_DOMAIN, true },
	[RECORD_FREEZE] = { "freeze", "froze", "", WHOM_CGROUP, false },
	[RECORD_THAW] = { "let go on", "let go on", "", WHOM_CGROUP, false },
	[RECORD_TERM] = { "ask to end", "asked to end", "", WHOM_VICTIM, false },
	[RECORD_KILL] = { "kill", "killed", "", WHOM_VICTIM, false },
};

/* What the other kinds say of themselves. */
static const char *const SAYINGS[RECORD_KINDS] = {
	[RECORD_START] = "the guard has started",
	[RECORD_STOP] = "the guard has ended",
	[RECORD_RELOAD] = "the configuration was read",
	[RECORD_NEAR_MISS] = "nothing was done",
	[RECORD_HOOK_DONE] = "the hook has ended",
	[RECORD_STUCK] = "it does not die, and is left out from now on",
	[RECORD_STORM] = "left alone from now on",
	[RECORD_NOBODY] = "nobody was killed",
	[RECORD_OTHER_GUARD] = "another guard is at work",
	[RECORD_LATE] = "the guard's own loop stood still",
	[RECORD_FORECAST] = "nothing was done yet",
};

static void add_whom(struct text *text, const struct guard_record *record, enum whom whom)
{
	bool has_victim = record->candidates > 0;

	bool no_sufferer = whom == WHOM_SUFFERER && !record->sufferer[0];

	if (has_victim && (whom == WHOM_VICTIM || no_sufferer))
		candidate_name(text, &record->candidate[0]);
	else if (whom == WHOM_CGROUP && has_victim)
		path_name(text, record->candidate[0].path);
	else if (whom == WHOM_VICTIM || whom == WHOM_CGROUP)
		path_name(text, record->culprit);
	else if (whom == WHOM_SUFFERER && !no_sufferer)
		path_name(text, record->sufferer);
	else
		add_domain(text, record);
}

static void add_change(struct text *text, const struct guard_record *record)
{
	if (record->value_from == record->value_to)
		return;
	text_add(text, " from ");
	text_bytes(text, (double)record->value_from);
	text_add(text, " to ");
	text_bytes(text, (double)record->value_to);
}

static void add_error(struct text *text, const struct guard_record *record)
{
	if (record->error != 0)
		text_add(text, ": %s",
			 strerror(record->error < 0 ? -record->error : record->error));
}

static void add_effect(struct text *text, const struct guard_record *record)
{
	if (isnan(record->effect_us)) {
		text_add(text, "no effect yet");
	} else {
		text_add(text, "after %.1f s", record->effect_us / (double)SECOND_US);
		if (!isnan(record->freed)) {
			text_add(text, " ");
			text_bytes(text, record->freed);
			text_add(text, " were free again");
		}
	}
	add_error(text, record);
}

static void add_done(struct text *text, const struct guard_record *record)
{
	const struct telling *telling = &TELLINGS[record->kind];

	if (record->kind == RECORD_EFFECT) {
		add_effect(text, record);
		return;
	}
	if (!telling->verb) {
		text_add(text, "%s", SAYINGS[record->kind]);
		add_error(text, record);
		return;
	}
	if (record->dry)
		text_add(text, "would %s ", telling->verb);
	else if (record->error != 0)
		text_add(text, "could not %s ", telling->verb);
	else
		text_add(text, "%s ", telling->past);
	add_whom(text, record, telling->whom);
	text_add(text, "%s", telling->tail);
	if (telling->is_bytes)
		add_change(text, record);
	if (!record->dry)
		add_error(text, record);
}

/* Pieces are parted by a separator that the first one has not. */
static void part(struct text *text, size_t start, const char *separator)
{
	if (text->used > start)
		text_add(text, "%s", separator);
}

static void add_loss(struct text *text, const struct guard_record *record)
{
	path_name(text, record->sufferer);
	if (isnan(record->loss) && isnan(record->loss_upper)) {
		text_add(text, " waits");
		return;
	}
	text_add(text, " loses ");
	if (!isnan(record->loss)) {
		text_share(text, record->loss);
		text_add(text, isnan(record->loss_upper) ? " or more" : " to ");
	} else {
		text_add(text, "up to ");
	}
	if (!isnan(record->loss_upper))
		text_share(text, record->loss_upper);
	text_add(text, " of its time");
}

static void add_seen(struct text *text, const struct guard_record *record)
{
	size_t start = text->used;

	/* Who is protected need not suffer. */
	if (record->sufferer[0] && record->kind != RECORD_PROTECT)
		add_loss(text, record);
	if (record->culprit[0]) {
		part(text, start, ", ");
		path_name(text, record->culprit);
		if (record->growth > 0) {
			text_add(text, " grows ");
			text_bytes(text, record->growth);
			text_add(text, "/s");
		} else {
			text_add(text, " is the largest");
		}
	}
	if (record->left_s >= 0 && !isinf(record->left_s)) {
		part(text, start, ", ");
		text_add(text, "full in ");
		text_time(text, record->left_s);
	}
	if (record->domain_id != 0) {
		part(text, start, ", ");
		text_add(text, "at the limit of ");
		add_domain(text, record);
	}
	if (!isnan(record->available) && text->used > start) {
		text_add(text, " (");
		text_bytes(text, record->available);
		text_add(text, " available)");
	}
}

void record_line(struct text *text, const struct guard_record *record)
{
	size_t start;

	text_add(text, "%s: ", record_row(record->kind)->word);
	start = text->used;
	add_seen(text, record);
	if (record->because != BECAUSE_NONE) {
		part(text, start, "; ");
		text_add(text, "%s", because_words(record->because));
	}
	part(text, start, "; ");
	add_done(text, record);
	if (record->text[0]) {
		part(text, start, "; ");
		text_name(text, span_cstr(record->text));
	}
}
