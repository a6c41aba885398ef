#include "analysis/capability.h"
#include "base/json.h"
#include "view/report.h"

static void json_cgroup(struct json *json, const char *name, const struct evidence *evidence,
			int32_t index)
{
	if (index < 0)
		json_null(json, name);
	else if (!evidence->pair.now->cgroups[index].path[0])
		json_text(json, name, "/");
	else
		json_span(json, name, span_cstr(evidence->pair.now->cgroups[index].path));
}

static double at_s(const struct host *host)
{
	return host->has_time ? (double)host->at_us / SECOND_US : (double)NAN;
}

static void json_host(struct json *json, const struct evidence *evidence)
{
	const struct snapshot *now = evidence->pair.now;

	json_open(json, "host", '{');
	json_span(json, "name", span_cstr(now->host.name));
	json_span(json, "kernel", span_cstr(now->host.release));
	json_span(json, "boot_id", span_cstr(now->host.boot_id));
	json_span(json, "container", span_cstr(now->host.container));
	json_double(json, "cpus", now->host.cpus > 0 ? (double)now->host.cpus : (double)NAN);
	json_u64(json, "page_size", now->host.page_bytes);
	json_text(json, "cgroups", cgroup_mode_name(now->mounts.mode));
	json_text(json, "lru", lru_name(now->profile.lru));
	json_text(json, "reclaim_counts", reclaim_counts_name(now->profile.reclaim_counts));
	json_double(json, "memory_bytes", signal_of(&evidence->machine, SIG_TOTAL));
	json_double(json, "available_bytes", signal_of(&evidence->machine, SIG_AVAILABLE));
	json_double(json, "swap_free_bytes", signal_of(&evidence->machine, SIG_SWAP_FREE));
	json_close(json, '}');
}

static void json_domain(struct json *json, const struct evidence *evidence,
			const struct domain *domain)
{
	static const char *const kinds[] = {
		[LIMIT_RAM] = "machine",
		[LIMIT_HIGH] = "memory.high",
		[LIMIT_MAX] = "memory.max",
	};

	json_open(json, "domain", '{');
	json_text(json, "kind", kinds[domain->kind]);
	json_cgroup(json, "cgroup", evidence, domain->cgroup);
	json_double(json, "limit_bytes", domain->limit);
	json_close(json, '}');
}

static void json_task(struct json *json, const struct party *party)
{
	if (!party->task) {
		json_null(json, "process");
		return;
	}
	json_open(json, "process", '{');
	json_u64(json, "pid", party->task->pid);
	json_span(json, "name", span_cstr(party->task->name));
	json_double(json, "anonymous_bytes", party->task_level);
	json_double(json, "growth_bytes_per_s", party->task_rate);
	json_close(json, '}');
}

static void json_sufferers(struct json *json, const struct verdict *verdict)
{
	json_open(json, "sufferers", '[');
	for (size_t i = 0; i < verdict->sufferers; i++) {
		const struct party *party = &verdict->sufferer[i];
		const struct member *member = &verdict->evidence->members[party->member];

		json_open(json, NULL, '{');
		json_cgroup(json, "cgroup", verdict->evidence, party->member);
		json_double(json, "lost_lower", member->loss.lower);
		json_double(json, "lost_upper", member->loss.upper);
		json_bool(json, "lost_is_machines", member->loss.borrowed);
		json_bool(json, "mapped_collapsed", member->loss.collapsed);
		json_double(json, "refault_file_bytes_per_s",
			    signal_of(&member->signals, SIG_REFAULT_FILE));
		json_double(json, "refault_anon_bytes_per_s",
			    signal_of(&member->signals, SIG_REFAULT_ANON));
		json_double(json, "memory_full", signal_of(&member->signals, SIG_MEM_FULL));
		json_double(json, "io_full", signal_of(&member->signals, SIG_IO_FULL));
		json_task(json, party);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_culprits(struct json *json, const struct verdict *verdict)
{
	json_open(json, "culprits", '[');
	for (size_t i = 0; i < verdict->culprits; i++) {
		const struct party *party = &verdict->culprit[i];
		const struct growth *growth = &verdict->evidence->members[party->member].growth;

		json_open(json, NULL, '{');
		json_cgroup(json, "cgroup", verdict->evidence, party->member);
		json_double(json, "anonymous_bytes", growth->level);
		json_double(json, "growth_bytes_per_s", growth->rate);
		json_task(json, party);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_signal(struct json *json, const struct evidence *evidence,
			const struct signals *signals, const struct cite *cite)
{
	static const char *const units[] = {
		[BYTES_S] = "bytes/s",
		[PER_S] = "1/s",
		[SHARE_OF] = "share",
		[BYTES_AT] = "bytes",
	};
	const struct signal_row *row = signal_row(cite->signal);

	json_open(json, NULL, '{');
	json_text(json, "signal", row->name);
	json_cgroup(json, "cgroup", evidence, cite->member);
	json_double(json, "value", signal_of(signals, cite->signal));
	json_text(json, "unit", units[row->unit]);
	json_text(json, "state", why_name(signals->why[cite->signal]));
	json_close(json, '}');
}

static void json_findings(struct json *json, const struct verdict *verdict)
{
	json_open(json, "findings", '[');
	for (size_t i = 0; i < verdict->findings; i++) {
		const struct finding *finding = &verdict->finding[i];

		json_open(json, NULL, '{');
		json_text(json, "class", class_row(finding->class)->name);
		json_text(json, "severity", severity_name(finding->severity));
		json_domain(json, verdict->evidence, finding->domain);
		json_open(json, "evidence", '[');
		for (size_t j = 0; j < finding->cites; j++)
			json_signal(json, verdict->evidence, finding->domain->signals,
				    &finding->cite[j]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_forecast(struct json *json, const struct forecast *forecast)
{
	static const char *const names[] = {
		[NEXT_NOTHING] = "nothing",	[NEXT_OOM] = "oom-kill",
		[NEXT_SWAP_FULL] = "swap-full", [NEXT_FREEZE] = "no-memory",
		[NEXT_NEVER] = "never",		[NEXT_UNKNOWN] = "unknown",
	};

	json_open(json, "forecast", '{');
	json_text(json, "next", names[forecast->next]);
	json_double(json, "low_s", forecast->low_s);
	json_double(json, "high_s", forecast->high_s);
	json_close(json, '}');
}

static void json_missing(struct json *json, const struct verdict *verdict)
{
	json_open(json, "cannot_tell", '[');
	for (size_t i = 0; i < verdict->untolds; i++) {
		json_open(json, NULL, '{');
		json_text(json, "class", class_row(verdict->untold[i].class)->name);
		json_text(json, "needs", signal_row(verdict->untold[i].cite.signal)->name);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "missing", '[');
	for (enum capability i = 0; i < CAPABILITIES; i++) {
		enum state state = capability_state(i, verdict->evidence);

		if (state == OK)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "capability", capability_row(i)->name);
		json_text(json, "state", state_name(state));
		json_close(json, '}');
	}
	json_close(json, ']');
}

void report_json(FILE *file, bool pretty, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	struct json json = json_on(file, pretty);

	json_open(&json, NULL, '{');
	json_text(&json, "schema", REPORT_SCHEMA);
	json_text(&json, "refault", REFAULT_VERSION);
	json_host(&json, evidence);
	json_double(&json, "at_s", at_s(&evidence->pair.now->host));
	json_double(&json, "sampled_s", evidence->pair.seconds);
	json_double(&json, "gap_s", evidence->window->gap_s);
	json_text(&json, "class", class_row(verdict->class)->name);
	json_text(&json, "severity", severity_name(verdict->severity));
	json_text(&json, "title", class_row(verdict->class)->title);
	json_domain(&json, evidence, verdict->domain);
	json_text(&json, "confidence", confidence_name(verdict->confidence));
	json_text(&json, "confidence_why", verdict->confidence_why);
	json_text(&json, "changes_when", class_row(verdict->class)->flips);
	json_sufferers(&json, verdict);
	json_cgroup(&json, "charged", evidence, verdict->charged);
	json_culprits(&json, verdict);
	json_double(&json, "oom_kills",
		    signal_of(&evidence->machine, SIG_OOM_KILL) * evidence->pair.seconds);
	json_forecast(&json, &verdict->forecast);
	json_findings(&json, verdict);
	json_missing(&json, verdict);
	json_close(&json, '}');
}
