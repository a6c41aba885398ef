#include <math.h>

#include "analysis/capability.h"
#include "guard/print.h"
#include "guard/show.h"

/* null where it is not known. */
static void json_if(struct json *json, const char *name, bool is_known, uint64_t value)
{
	if (is_known)
		json_u64(json, name, value);
	else
		json_null(json, name);
}

static void domain_json(struct json *json, const struct shared_domain *domain)
{
	json_open(json, NULL, '{');
	json_u64(json, "id", domain->id);
	json_text(json, "cgroup", domain->path);
	json_text(json, "rung", rung_name(domain->rung));
	json_text(json, "because", because_words(domain->because));
	json_double(json, "lost_lower", domain->loss);
	json_text(json, "sufferer", domain->sufferer);
	json_text(json, "culprit", domain->culprit);
	json_double(json, "growth_bytes_per_s", domain->growth);
	json_double(json, "left_s", domain->left_s);
	json_u64(json, "kills", domain->kills);
	json_bool(json, "storm", domain->storm);
	json_open(json, "candidates", '[');
	for (uint32_t i = 0; i < MIN(domain->candidates, (uint32_t)RECORD_CANDIDATES); i++)
		candidate_json(json, &domain->candidate[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void member_json(struct json *json, const char *name, const struct shared_member *member)
{
	json_open(json, name, '{');
	json_text(json, "cgroup", member->path);
	json_double(json, "lost_lower", member->loss);
	json_double(json, "lost_upper", member->loss_upper);
	json_double(json, "growth_bytes_per_s", member->growth);
	json_double(json, "anonymous_bytes", member->level);
	json_double(json, "current_bytes", member->current);
	json_double(json, "min_bytes", member->min);
	json_text(json, "exempt", exempt_words(member->exempt));
	json_double(json, "rank", member->rank);
	json_double(json, "score", member->score);
	json_close(json, '}');
}

static void protected_json(struct json *json, const struct shared_protected *unit)
{
	json_open(json, NULL, '{');
	json_text(json, "cgroup", unit->path);
	json_bool(json, "is_ancestor", unit->is_ancestor);
	json_u64(json, "found_bytes", unit->found);
	json_u64(json, "set_bytes", unit->set);
	json_if(json, "wanted_bytes", !isnan(wanted_of(unit)), unit->wanted);
	json_u64(json, "effective_bytes", unit->effective);
	json_double(json, "anon_bytes", unit->anon);
	json_double(json, "hot_file_bytes", unit->hot_file);
	json_double(json, "kernel_bytes", unit->kernel);
	json_text(json, "why_not", unit->why_not);
	json_close(json, '}');
}

static void health_json(struct json *json, const struct shared_health *health)
{
	json_open(json, "health", '{');
	json_u64(json, "ticks", health->ticks);
	json_u64(json, "samples", health->samples);
	json_u64(json, "missed", health->missed);
	json_u64(json, "dropped", health->dropped);
	json_u64(json, "tape_dropped", health->tape_dropped);
	json_u64(json, "records_lost", health->records_lost);
	json_u64(json, "loop_us_last", health->loop_us_last);
	json_u64(json, "loop_us_max", health->loop_us_max);
	json_u64(json, "late_us_max", health->late_us_max);
	json_if(json, "locked_bytes", health->locked_bytes > 0, health->locked_bytes);
	json_u64(json, "cpu_us", health->cpu_us);
	json_bool(json, "locked", health->locked);
	json_bool(json, "realtime", health->realtime);
	json_close(json, '}');
}

static void missing_json(struct json *json, const struct shared_status *status)
{
	json_open(json, "missing", '[');
	for (enum capability i = 0; i < CAPABILITIES; i++) {
		if (status->capability[i] == OK)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "capability", capability_row(i)->name);
		json_text(json, "state", state_name(status->capability[i]));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void head_json(struct json *json, const struct shown *shown)
{
	const struct shared_status *status = shown->status;
	bool acts = shown->config->options.mode == MODE_ACT && !shown->dry && !shown->observe;

	json_text(json, "schema", "refault.guard-status/1");
	json_text(json, "mode", acts ? "act" : "observe");
	json_bool(json, "dry", shown->dry);
	json_bool(json, "in_container", status->in_container);
	json_text(json, "other_guard", status->other_guard);
	json_double(json, "at_s", (double)status->at_us / SECOND_US);
	json_text(json, "class",
		  class_row(status->class < CLASSES ? status->class : CLASS_UNKNOWN)->name);
	json_double(json, "total_bytes", status->total);
	json_double(json, "free_bytes", status->free);
	json_double(json, "available_bytes", status->available);
	json_double(json, "swap_free_bytes", status->swap_free);
}

static void records_json(struct json *json, const struct shown *shown, const char *path)
{
	json_open(json, "records", '[');
	for (size_t i = 0; i < shown->records; i++)
		if (!path || record_names(&shown->record[i], path))
			record_json(json, NULL, &shown->record[i]);
	json_close(json, ']');
}

void status_json(struct json *json, const struct shown *shown)
{
	const struct shared_status *status = shown->status;

	json_open(json, NULL, '{');
	head_json(json, shown);
	missing_json(json, status);
	json_open(json, "domains", '[');
	for (uint32_t i = 0; i < MIN(status->domains, (uint32_t)PLAN_DOMAINS); i++)
		domain_json(json, &status->domain[i]);
	json_close(json, ']');
	json_open(json, "cgroups", '[');
	for (uint32_t i = 0; i < MIN(status->members, (uint32_t)MEMBERS_SHOWN); i++)
		member_json(json, NULL, &status->member[i]);
	json_close(json, ']');
	json_open(json, "protected", '[');
	for (uint32_t i = 0; i < MIN(status->protected_count, (uint32_t)PROTECTED_MAX); i++)
		protected_json(json, &status->protected[i]);
	json_close(json, ']');
	health_json(json, &status->health);
	records_json(json, shown, NULL);
	json_close(json, '}');
}

void why_json(struct json *json, const struct shown *shown, const char *path)
{
	const struct shared_status *status = shown->status;

	while (*path == '/')
		path++;
	json_open(json, NULL, '{');
	head_json(json, shown);
	json_text(json, "cgroup", path);
	json_open(json, "cgroups", '[');
	for (uint32_t i = 0; i < MIN(status->members, (uint32_t)MEMBERS_SHOWN); i++)
		if (strcmp(status->member[i].path, path) == 0)
			member_json(json, NULL, &status->member[i]);
	json_close(json, ']');
	json_open(json, "domains", '[');
	for (uint32_t i = 0; i < MIN(status->domains, (uint32_t)PLAN_DOMAINS); i++)
		domain_json(json, &status->domain[i]);
	json_close(json, ']');
	records_json(json, shown, path);
	json_close(json, '}');
}
