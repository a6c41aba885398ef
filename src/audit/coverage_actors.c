#include "audit/coverage_case.h"
#include "base/units.h"

/*
 * How long it takes is what the lab measured: docs/EXPERIMENTS.md (guests of 512 MiB) and
 * docs/GUARDS.md. Where it measured nothing, nothing is promised.
 */

static void add_actor(struct case_of_row *of, struct coverage_actor actor, bool in_time)
{
	of->in_time |= in_time;
	if (of->row->actors < COVERAGE_ACTORS)
		of->row->actor[of->row->actors++] = actor;
}

static struct coverage_actor kernel_of_machine(const struct case_of_row *of)
{
	static const struct coverage_actor actors[] = {
		[OUTLET_UNKNOWN] = { "kernel OOM", "nothing is left to reclaim", "not known" },
		[OUTLET_NONE] = { "kernel OOM", "hardly a file page is left to drop",
				  "5 s (a leak of 20 MB/s) to 169 s (0.25 MB/s) of freeze, "
				  "measured in 512 MiB (docs/EXPERIMENTS.md, article A)" },
		[OUTLET_KEPT] = { "kernel OOM", "hardly a file page is left to drop",
				  "40 s of freeze at 1 MB/s, as without swap "
				  "(docs/EXPERIMENTS.md, article A, swappiness-0)" },
		[OUTLET_ZRAM] = { "kernel OOM", "zram is full and hardly a file page is left",
				  "44 s of freeze with pages that do not compress "
				  "(docs/EXPERIMENTS.md, article A, zram-random)" },
		[OUTLET_DISK] = { "kernel OOM", "RAM and swap are both full",
				  "when swap is full: 23 s at 20 MB/s into 256 MiB of swap; no "
				  "freeze before at 1 MB/s (docs/EXPERIMENTS.md, article A)" },
	};

	return actors[of->outlet];
}

static void add_kernel(struct case_of_row *of)
{
	if (of->place == PLACE_HIGH)
		add_actor(of,
			  (struct coverage_actor){ "kernel OOM", "memory.high never calls it",
						   "never: still stuck after 78 s "
						   "(docs/EXPERIMENTS.md, article A, high)" },
			  false);
	else if (of->place == PLACE_MAX && case_has_swap(of))
		add_actor(of,
			  (struct coverage_actor){
				  "kernel OOM", "memory.max is reached and its swap is full",
				  "when its swap is full; 19 to 41 % of the time "
				  "is lost before (docs/EXPERIMENTS.md, "
				  "article B)" },
			  true);
	else if (of->place == PLACE_MAX)
		add_actor(of,
			  (struct coverage_actor){
				  "kernel OOM", "memory.max is reached",
				  "at once for what grows "
				  "(docs/EXPERIMENTS.md, article B); never while "
				  "files are re-read (docs/GUARDS.md, G8)" },
			  true);
	else if (guard_acts(&of->look->guards, GUARD_MIN_TTL))
		add_actor(of,
			  (struct coverage_actor){
				  "kernel OOM (min_ttl_ms)",
				  guard_of(&of->look->guards, GUARD_MIN_TTL)->at,
				  "0.5 to 5 s (docs/EXPERIMENTS.md, article A, min-ttl)" },
			  true);
	else
		add_actor(of, kernel_of_machine(of), false);
}

static const char *pressure_words(struct facts *facts, const struct oomd_reach *reach)
{
	char buffer[256];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "memory pressure of %.100s above ", reach->pressure_of);
	text_share(&text, (double)reach->pressure_centi / 10000);
	text_add(&text, " for ");
	text_time(&text, (double)reach->duration_us / SECOND_US);
	return facts_format(facts, "%s", buffer);
}

/* Its mark on the folder counts as well as its unit's file. */
static bool is_omitted(const struct case_of_row *of, const struct oomd_reach *reach)
{
	const struct cgroup *cgroup = facts_cgroup(of->look->facts, of->row->unit);

	return reach->omitted || (cgroup && (cgroup->marks & MARK_OOMD_OMIT));
}

static void add_systemd(struct case_of_row *of)
{
	struct facts *facts = of->look->facts;
	struct oomd_reach reach;
	struct coverage_actor actor = { .who = "systemd-oomd" };

	if (!guard_acts(&of->look->guards, GUARD_SYSTEMD_OOMD))
		return;
	oomd_reach_read(facts, &of->look->settings, of->row->unit, &reach);
	if (is_omitted(of, &reach))
		return;
	if (reach.pressure_of) {
		actor.at = pressure_words(facts, &reach);
		actor.after = case_has_swap(of) ?
				      "after that time" :
				      "after that time at least; without swap the kernel was "
				      "first (docs/GUARDS.md, peers)";
		add_actor(of, actor, case_has_swap(of));
	}
	if (reach.rules_of) {
		actor.at = facts_format(facts, "the rules of %s (OOMRules=)", reach.rules_of);
		actor.after = "as the rules say";
		add_actor(of, actor, false);
	}
	if (reach.swap_of && case_has_swap(of)) {
		actor.at =
			facts_format(facts, "memory and swap %llu %% full",
				     (unsigned long long)of->look->settings.swap_centi / 100);
		actor.after = "when swap is nearly full";
		add_actor(of, actor, of->place == PLACE_MACHINE);
	}
}

/* earlyoom and nohang look at the whole machine's free memory, and at nothing else. */
static void add_free_memory(struct case_of_row *of)
{
	const struct guards *guards = &of->look->guards;
	struct earlyoom earlyoom;
	bool sees_swap;

	if (of->place != PLACE_MACHINE)
		return;
	if (guard_acts(guards, GUARD_EARLYOOM)) {
		const struct guard_found *found = guard_of(guards, GUARD_EARLYOOM);

		earlyoom_read(of->look->facts, found->pid, &earlyoom);
		sees_swap = of->outlet == OUTLET_ZRAM && earlyoom.swap_centi < 10000;
		add_actor(of,
			  (struct coverage_actor){
				  "earlyoom", found->at,
				  sees_swap ?
					  "late: zram keeps swap free while RAM is gone" :
					  "before anything is re-read "
					  "(docs/EXPERIMENTS.md, article A, earlyoom-20m)" },
			  !sees_swap);
	}
	if (guard_acts(guards, GUARD_NOHANG))
		add_actor(of,
			  (struct coverage_actor){ "nohang", guard_of(guards, GUARD_NOHANG)->at,
						   "within a second; longest pause 0.4 s "
						   "(docs/GUARDS.md, peers)" },
			  true);
}

static void add_refault(struct case_of_row *of)
{
	const struct guard_found *found = guard_of(&of->look->guards, GUARD_REFAULT);

	if (!found || !guard_acts(&of->look->guards, GUARD_REFAULT) || of->place == PLACE_MAX)
		return;
	add_actor(of,
		  (struct coverage_actor){ "refault guard", found->at,
					   of->place == PLACE_HIGH ?
						   "0 to 17 s (docs/GUARDS.md, G5 to G7)" :
						   "0 to 5 s after the first harm "
						   "(docs/GUARDS.md, G1 to G15)" },
		  true);
}

static void add_rest(struct case_of_row *of)
{
	const struct guards *guards = &of->look->guards;
	bool is_pods = strncmp(of->row->unit, "kubepods", 8) == 0;

	if (guard_acts(guards, GUARD_OOMD))
		add_actor(of,
			  (struct coverage_actor){ "oomd", guard_of(guards, GUARD_OOMD)->at,
						   "as its rules say; as Debian ships it the "
						   "kernel was first (docs/GUARDS.md, peers)" },
			  false);
	if (guard_acts(guards, GUARD_KUBELET) && of->place == PLACE_MACHINE &&
	    (is_pods || *of->row->unit == '\0'))
		add_actor(of,
			  (struct coverage_actor){ "kubelet",
						   guard_of(guards, GUARD_KUBELET)->at,
						   "at its next look, about every 10 s "
						   "(Kubernetes, node-pressure eviction)" },
			  false);
}

void coverage_actors(struct case_of_row *of)
{
	add_kernel(of);
	add_systemd(of);
	add_free_memory(of);
	add_refault(of);
	add_rest(of);
	of->row->nobody = !of->in_time;
}
