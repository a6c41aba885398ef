#include "guard/show.h"

#include <math.h>

#include "analysis/capability.h"
#include "base/units.h"
#include "guard/print.h"

#define LAST_SHOWN 8

static void add_bytes(struct text *text, double bytes)
{
	if (isnan(bytes))
		text_add(text, "unknown");
	else
		text_bytes(text, bytes);
}

static void add_age(struct text *text, const struct shown *shown, uint64_t at_us)
{
	double age = shown->now_us > at_us ? (double)(shown->now_us - at_us) / SECOND_US : 0;

	text_time(text, age);
	text_add(text, " ago");
}

static void add_mode(struct text *text, const struct shown *shown)
{
	const struct shared_status *status = shown->status;
	bool acts = shown->config->options.mode == MODE_ACT && !shown->dry && !shown->observe;

	text_add(text, "mode        %s", acts ? "act" : "observe: it says what it would do");
	if (shown->dry)
		text_add(text, " (--dry-run)");
	else if (status->in_container)
		text_add(text, " (this is a container)");
	if (status->other_guard[0]) {
		text_add(text, "; another guard is at work: ");
		text_name(text, span_cstr(status->other_guard));
	}
	text_add(text, "\nverdict     %s, looked at ",
		 class_row(status->class < CLASSES ? status->class : CLASS_UNKNOWN)->title);
	add_age(text, shown, status->at_us);
	text_add(text, "\nmemory      ");
	add_bytes(text, status->available);
	text_add(text, " available of ");
	add_bytes(text, status->total);
	text_add(text, ", swap ");
	add_bytes(text, status->swap_free);
	text_add(text, " free\n");
}

static void add_missing(struct text *text, const struct shared_status *status)
{
	for (enum capability i = 0; i < CAPABILITIES; i++) {
		const struct capability_row *row = capability_row(i);

		if (status->capability[i] == OK)
			continue;
		text_add(text, "missing     %s (%s): %s\n", row->missing,
			 state_name(status->capability[i]), row->costs);
	}
}

static void add_candidate(struct text *text, const struct record_candidate *candidate)
{
	text_add(text, "    ");
	candidate_name(text, candidate);
	text_add(text, ": would give back ");
	add_bytes(text, candidate->gain);
	text_add(text, ", grows ");
	add_bytes(text, candidate->growth);
	text_add(text, "/s, weighs ");
	add_bytes(text, candidate->score);
	if (candidate->exempt != EXEMPT_NOT && candidate->exempt < EXEMPTS)
		text_add(text, "; not to be killed: %s", exempt_words(candidate->exempt));
	text_add(text, "\n");
}

static void add_rung(struct text *text, const struct shared_domain *domain)
{
	if (domain->id == 0)
		text_add(text, "the machine");
	else
		path_name(text, domain->path);
	text_add(text, ": %s", rung_name(domain->rung));
}

static void add_domain(struct text *text, const struct shared_domain *domain)
{
	text_add(text, "domain      ");
	add_rung(text, domain);
	if (domain->because != BECAUSE_NONE && domain->because < BECAUSES)
		text_add(text, ", since %s", because_words(domain->because));
	if (domain->kills > 0)
		text_add(text, "; %u kills", domain->kills);
	if (domain->storm)
		text_add(text, "; left alone: too many kills");
	text_add(text, "\n");
	for (uint32_t i = 0; i < MIN(domain->candidates, (uint32_t)RECORD_CANDIDATES); i++)
		add_candidate(text, &domain->candidate[i]);
}

double wanted_of(const struct shared_protected *unit)
{
	return unit->wanted == 0 && isnan(unit->working) ? (double)NAN : (double)unit->wanted;
}

static void add_protected(struct text *text, const struct shared_protected *unit)
{
	double gap = wanted_of(unit) - (double)unit->effective;

	text_add(text, "protected   ");
	path_name(text, unit->path);
	text_add(text, ": working set ");
	add_bytes(text, wanted_of(unit));
	text_add(text, ", in force ");
	text_bytes(text, (double)unit->effective);
	if (gap > 0) {
		text_add(text, ", not covered ");
		text_bytes(text, gap);
	}
	if (unit->why_not[0]) {
		text_add(text, " (");
		text_name(text, span_cstr(unit->why_not));
		text_add(text, ")");
	}
	text_add(text, "\n");
}

static void add_health(struct text *text, const struct shared_health *health)
{
	text_add(
		text,
		"health      %llu looks, %llu samples, %llu missed, %llu dropped; a look takes "
		"%.1f ms (%.1f at most), late by %.1f ms at most\n",
		(unsigned long long)health->ticks, (unsigned long long)health->samples,
		(unsigned long long)health->missed, (unsigned long long)health->dropped,
		(double)health->loop_us_last / 1000, (double)health->loop_us_max / 1000,
		(double)health->late_us_max / 1000);
	text_add(text, "            %s, %s", health->realtime ? "real-time" : "not real-time",
		 health->locked ? "locked in memory" : "not locked in memory");
	if (health->locked && health->locked_bytes > 0) {
		text_add(text, " (");
		text_bytes(text, (double)health->locked_bytes);
		text_add(text, ")");
	}
	text_add(text, ", %.1f s of CPU", (double)health->cpu_us / SECOND_US);
	if (health->records_lost + health->tape_dropped > 0)
		text_add(text, "; %llu records and %llu frames were lost",
			 (unsigned long long)health->records_lost,
			 (unsigned long long)health->tape_dropped);
	text_add(text, "\n");
}

static void add_record(struct text *text, const struct shown *shown,
		       const struct guard_record *record)
{
	add_age(text, shown, record->at_us);
	text_add(text, ": ");
	record_line(text, record);
	text_add(text, "\n");
}

void status_text(struct text *text, const struct shown *shown)
{
	const struct shared_status *status = shown->status;
	size_t first = shown->records > LAST_SHOWN ? shown->records - LAST_SHOWN : 0;

	add_mode(text, shown);
	add_missing(text, status);
	for (uint32_t i = 0; i < MIN(status->domains, (uint32_t)PLAN_DOMAINS); i++)
		add_domain(text, &status->domain[i]);
	for (uint32_t i = 0; i < MIN(status->protected_count, (uint32_t)PROTECTED_MAX); i++)
		if (!status->protected[i].is_ancestor)
			add_protected(text, &status->protected[i]);
	add_health(text, &status->health);
	for (size_t i = first; i < shown->records; i++) {
		text_add(text, i == first ? "last        " : "            ");
		add_record(text, shown, &shown->record[i]);
	}
}

bool record_names(const struct guard_record *record, const char *path)
{
	/* The top is the machine, and nobody's name is empty. */
	if (!path[0])
		return strcmp(record->domain, "machine") == 0;
	if (strcmp(record->sufferer, path) == 0 || strcmp(record->culprit, path) == 0)
		return true;
	if (record->domain_id != 0 && strcmp(record->domain, path) == 0)
		return true;
	for (size_t i = 0; i < MIN(record->candidates, (uint32_t)RECORD_CANDIDATES); i++)
		if (strcmp(record->candidate[i].path, path) == 0)
			return true;
	return false;
}

static const struct shared_member *member_find(const struct shared_status *status,
					       const char *path)
{
	for (uint32_t i = 0; i < MIN(status->members, (uint32_t)MEMBERS_SHOWN); i++)
		if (strcmp(status->member[i].path, path) == 0)
			return &status->member[i];
	return NULL;
}

static bool is_below(const char *path, const struct shared_domain *domain)
{
	size_t length = strlen(domain->path);

	if (domain->id == 0)
		return true;
	return strncmp(path, domain->path, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0');
}

static void add_member(struct text *text, const struct shared_member *member)
{
	text_add(text, "now         uses ");
	add_bytes(text, member->current);
	text_add(text, ", of it ");
	add_bytes(text, member->level);
	text_add(text, " that its end would free; grows ");
	add_bytes(text, member->growth);
	text_add(text, "/s; loses ");
	if (isnan(member->loss))
		text_add(text, "an unknown share");
	else
		text_share(text, member->loss);
	text_add(text, " of its time; memory.min ");
	add_bytes(text, member->min);
	text_add(text, "\n");
	if (member->exempt != EXEMPT_NOT && member->exempt < EXEMPTS)
		text_add(text, "exempt      never killed: %s\n", exempt_words(member->exempt));
	else if (member->rank != 0)
		text_add(text, "rank        %s\n",
			 member->rank > 0 ? "killed before others" : "killed after all others");
}

/* Its place among those who would be next, and why nobody is. */
static void add_place(struct text *text, const struct shared_domain *domain, const char *path)
{
	if (!is_below(path, domain))
		return;
	text_add(text, "in          ");
	add_rung(text, domain);
	if (domain->because != BECAUSE_NONE && domain->because < BECAUSES)
		text_add(text, ", nothing more is done, since %s",
			 because_words(domain->because));
	for (uint32_t i = 0; i < MIN(domain->candidates, (uint32_t)RECORD_CANDIDATES); i++)
		if (strcmp(domain->candidate[i].path, path) == 0)
			text_add(text, "; number %u of who would be killed", i + 1);
	text_add(text, "\n");
}

static const char *plain_path(const char *path)
{
	while (*path == '/')
		path++;
	return path;
}

void why_text(struct text *text, const struct shown *shown, const char *path)
{
	const struct shared_status *status = shown->status;
	const char *plain = plain_path(path);
	const struct shared_member *member = member_find(status, plain);
	size_t told = 0;

	path_name(text, plain);
	text_add(text, "\n");
	if (member)
		add_member(text, member);
	else
		text_add(text,
			 "now         it is not among the cgroups that are looked at, or "
			 "not among the %u largest\n",
			 MEMBERS_SHOWN);
	for (uint32_t i = 0; i < MIN(status->domains, (uint32_t)PLAN_DOMAINS); i++)
		add_place(text, &status->domain[i], plain);
	for (uint32_t i = 0; i < MIN(status->protected_count, (uint32_t)PROTECTED_MAX); i++)
		if (strcmp(status->protected[i].path, plain) == 0)
			add_protected(text, &status->protected[i]);
	for (size_t i = 0; i < shown->records; i++) {
		if (!record_names(&shown->record[i], plain))
			continue;
		text_add(text, told++ == 0 ? "decisions   " : "            ");
		add_record(text, shown, &shown->record[i]);
	}
	if (told == 0)
		text_add(text, "decisions   none of the last %zu records is about it\n",
			 shown->records);
}
