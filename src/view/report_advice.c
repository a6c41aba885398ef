#include "view/report_advice.h"

#include "view/report_people.h"
#include "view/words.h"

static const char *unit_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return length > 8 && strcmp(name + length - 8, ".service") == 0 ? name : NULL;
}

/* The sufferer and the culprit are processes of one cgroup: restarting it would hit both. */
static bool is_one_cgroup(const struct verdict *verdict)
{
	const struct party *sufferer = &verdict->sufferer[0];
	const struct party *culprit = &verdict->culprit[0];

	return verdict->sufferers > 0 && verdict->culprits > 0 &&
	       sufferer->member == culprit->member && sufferer->task && culprit->task &&
	       sufferer->task != culprit->task && culprit->task_rate > 0;
}

/* Ending the culprit ends the harm; a service that is just too large for its limit is none. */
static bool helps_to_end(const struct verdict *verdict)
{
	static const enum verdict_class classes[] = { CLASS_HIGH_THROTTLE, CLASS_ZRAM_FULL,
						      CLASS_FILE_REFAULT, CLASS_SWAP_THRASH };
	const struct party *culprit = &verdict->culprit[0];
	bool found = false;

	if (!is_accused(verdict) || verdict->culprits == 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		found |= classes[i] == verdict->class;
	return found && (verdict->sufferers == 0 || verdict->class == CLASS_HIGH_THROTTLE ||
			 culprit->member != verdict->sufferer[0].member ||
			 verdict->evidence->members[culprit->member].growth.rate > 0);
}

static void add_action(struct text *text, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	const struct party *party = &verdict->culprit[0];
	const char *unit = unit_of(evidence->pair.now->cgroups[party->member].path);
	double frees = evidence->members[party->member].growth.level;

	if (unit && !is_one_cgroup(verdict)) {
		text_add(text, ": systemctl restart ");
		text_name(text, span_cstr(unit));
	} else if (party->task) {
		text_add(text, ": kill %u", party->task->pid);
		frees = party->task_level;
	} else {
		return;
	}
	text_add(text, "  frees about ");
	text_bytes(text, frees);
}

void put_now(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "%s", class_row(verdict->class)->now);
	if (helps_to_end(verdict))
		add_action(&text, verdict);
	paper_row(paper, "now", &text);
}

/* The sufferer's working set: what memory.min would have to hold. */
static double working_set(const struct verdict *verdict, int32_t index)
{
	const struct evidence *evidence = verdict->evidence;
	const struct signals *signals = &evidence->members[index].signals;

	return signal_of(signals, SIG_ANON) + 1.1 * evidence->window->track[index].calm_mapped;
}

void put_good(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	double set;

	text_add(&text, "%s", class_row(verdict->class)->good);
	if ((verdict->class == CLASS_FILE_REFAULT || verdict->class == CLASS_HIGH_THROTTLE) &&
	    verdict->sufferers > 0 && !is_one_cgroup(verdict)) {
		set = working_set(verdict, verdict->sufferer[0].member);
		if (set > 0) {
			text_add(&text, "; memory.min of at least ");
			text_bytes(&text, set);
			text_add(&text, " on ");
			words_cgroup(&text, verdict->evidence->pair.now,
				     verdict->sufferer[0].member);
			text_add(&text, " and the slices above it (mapped files and anonymous "
					"memory seen so far)");
		}
	}
	paper_row(paper, "for good", &text);
}

void put_forecast(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_forecast(&text, &verdict->forecast);
	paper_row(paper, "next", &text);
}

void put_confidence(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "%s: %s. It would change when %s.",
		 confidence_name(verdict->confidence), verdict->confidence_why,
		 class_row(verdict->class)->flips);
	paper_row(paper, "sure?", &text);
}
