#include "audit/knob.h"
#include "audit/place.h"
#include "audit/rules.h"

/* A service with less of its files in memory than this share of RAM is not worth a word. */
#define FILES_SHARE 50

/* The sum of what may not be evicted; the rest has to be enough for all that is not protected.
 */
#define MINIMUMS_SHARE 60

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static uint64_t measured_of(const struct facts *facts, int32_t index)
{
	const char *path = facts->snapshot->cgroups[index].path;

	for (size_t i = 0; i < facts->measures; i++)
		if (strcmp(facts->measured[i].cgroup, path) == 0)
			return facts->measured[i].bytes;
	return 0;
}

static bool is_service(const char *unit)
{
	size_t length = unit ? strlen(unit) : 0;

	return length > 8 && strcmp(unit + length - 8, ".service") == 0 &&
	       !starts(unit, "systemd-") && !starts(unit, "user@");
}

/* Its files are in memory because they are used; anonymous memory stays where there is no swap.
 */
static bool matters(const struct facts *facts, int32_t index)
{
	uint64_t file = place_value(facts, index, CG_FILE);

	if (measured_of(facts, index) > 0)
		return true;
	return is_service(place_unit(facts, index)) && file != UINT64_MAX &&
	       file > facts_ram(facts) / FILES_SHARE;
}

/* Of all that was measured below a slice: its own minimum has to be as large as theirs
 * together. */
static uint64_t measured_below(const struct facts *facts, int32_t slice)
{
	const char *path = facts->snapshot->cgroups[slice].path;
	size_t length = strlen(path);
	uint64_t sum = 0;

	for (size_t i = 0; i < facts->measures; i++)
		if (starts(facts->measured[i].cgroup, path) &&
		    facts->measured[i].cgroup[length] == '/')
			sum += facts->measured[i].bytes;
	return sum;
}

static void fix_measured(struct audit *audit, struct result *result, int32_t index,
			 uint64_t bytes)
{
	const struct cgroup *all = audit->facts->snapshot->cgroups;

	place_fix(audit, result, index,
		  (struct place_setting){ "MemoryMin", place_mib(audit->facts, bytes),
					  "its measured working set" });
	for (int32_t at = all[index].parent; at >= 0 && *all[at].path; at = all[at].parent)
		place_fix(audit, result, at,
			  (struct place_setting){
				  "MemoryMin",
				  place_mib(audit->facts, measured_below(audit->facts, at)),
				  "the sum of what was measured below it" });
}

static void judge_service(struct audit *audit, int32_t index)
{
	struct facts *facts = audit->facts;
	uint64_t measured = measured_of(facts, index);
	uint64_t min = place_min(facts, index);
	uint64_t file = place_value(facts, index, CG_FILE);
	const char *path = facts->snapshot->cgroups[index].path;
	struct result *result;

	if (min > 0 && min >= measured / 10 * 9)
		return;
	if (measured > 0)
		result = audit_fail(
			audit, path,
			"the kernel may evict its working set of %llu MiB; only %llu "
			"MiB are kept from that",
			(unsigned long long)(measured / MIB), (unsigned long long)(min / MIB));
	else
		result = audit_fail(audit, path,
				    "the kernel may evict its code and files (%llu MiB are in "
				    "memory) when somebody else needs memory",
				    (unsigned long long)(file / MIB));
	place_cite(audit, result, index, CG_MIN, "MemoryMin");
	if (measured > 0)
		fix_measured(audit, result, index, measured);
	else
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = facts_format(facts, "refault protect %s",
							 place_unit(facts, index)),
				   .computed = "it measures the working set and prints the "
					       "drop-ins for unit and slices" });
}

static void unprotected(struct audit *audit)
{
	struct facts *facts = audit->facts;
	bool any = false;

	if (!place_has_v2(audit))
		return;
	if (facts->snapshot->devices->swap_state != OK) {
		audit_unknown(audit, "", "root", "the list of swap areas can't be read");
		return;
	}
	for (int32_t i = place_next(facts, -1); i >= 0; i = place_next(facts, i)) {
		const struct cgroup *cgroup = &facts->snapshot->cgroups[i];

		if (!matters(facts, i) || !place_is_swapless(facts, i))
			continue;
		any = true;
		if (cgroup->state[CG_MIN] == DENIED || cgroup->state[CG_MIN] == GARBLED)
			audit_unknown(audit, cgroup->path, "root",
				      "its memory.min can't be read");
		else
			judge_service(audit, i);
	}
	if (!any)
		audit_pass(audit, "", "what has large files in memory has swap beside it");
}

/* The sum of the minimums right below a cgroup, each of them no more than it uses at most. */
static uint64_t minimums_below(const struct facts *facts, int32_t parent)
{
	uint64_t sum = 0;

	for (int32_t i = place_next(facts, -1); i >= 0; i = place_next(facts, i)) {
		uint64_t min = place_value(facts, i, CG_MIN);

		if (facts->snapshot->cgroups[i].parent == parent && min != UINT64_MAX)
			sum += min;
	}
	return sum;
}

/* What a cgroup may hold at most: its limits, or of the top a share of RAM. */
static uint64_t room_of(const struct facts *facts, int32_t index)
{
	if (*facts->snapshot->cgroups[index].path)
		return MIN(place_value(facts, index, CG_MAX),
			   place_value(facts, index, CG_HIGH));
	return facts_ram(facts) / 100 * MINIMUMS_SHARE;
}

static void too_many(struct audit *audit)
{
	struct facts *facts = audit->facts;

	if (!place_has_v2(audit))
		return;
	if (facts_ram(facts) == 0)
		audit_unknown(audit, "", "root", "how much RAM there is is not known");
	for (int32_t i = place_next(facts, -1); i >= 0 && facts_ram(facts) > 0;
	     i = place_next(facts, i)) {
		const struct cgroup *cgroup = &facts->snapshot->cgroups[i];
		uint64_t sum = minimums_below(facts, i);
		struct result *result;

		if (sum == 0 || sum <= room_of(facts, i))
			continue;
		result = audit_fail(
			audit, cgroup->path,
			*cgroup->path ? "the minimums below it are %llu MiB together, more "
					"than the %llu MiB it may have" :
					"the minimums of all are %llu MiB together, more than "
					"%llu MiB: too little is left that can be evicted",
			(unsigned long long)(sum / MIB),
			(unsigned long long)(room_of(facts, i) / MIB));
		result_cite(audit, result, "sum of memory.min", facts->snapshot->mounts.v2,
			    "%llu MiB", (unsigned long long)(sum / MIB));
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = "lower MemoryMin= of what matters least; systemctl "
					    "show -p MemoryMin '*' lists them" });
	}
}

/* The sum of memory.low below a slice, for what its own minimum has to be. */
static uint64_t lows_below(const struct facts *facts, int32_t slice)
{
	uint64_t sum = 0;

	for (int32_t i = place_next(facts, -1); i >= 0; i = place_next(facts, i)) {
		uint64_t low = place_value(facts, i, CG_LOW);

		if (facts->snapshot->cgroups[i].parent == slice && low != UINT64_MAX)
			sum += MAX(low, lows_below(facts, i));
	}
	return sum;
}

static void judge_low(struct audit *audit, int32_t index)
{
	struct facts *facts = audit->facts;
	const struct cgroup *all = facts->snapshot->cgroups;
	uint64_t low = place_value(facts, index, CG_LOW);
	struct result *result =
		audit_fail(audit, all[index].path,
			   "its %llu MiB of memory.low are given up before anybody is killed",
			   (unsigned long long)(low / MIB));

	place_cite(audit, result, index, CG_LOW, "MemoryLow");
	place_cite(audit, result, index, CG_MIN, "MemoryMin");
	place_fix(audit, result, index,
		  (struct place_setting){ "MemoryMin",
					  place_mib(facts, MAX(low, lows_below(facts, index))),
					  "what MemoryLow= promises" });
	for (int32_t at = all[index].parent; at >= 0 && *all[at].path; at = all[at].parent)
		place_fix(audit, result, at,
			  (struct place_setting){
				  "MemoryMin", place_mib(facts, lows_below(facts, at)),
				  "the sum of what MemoryLow= promises below it" });
}

static void low_only(struct audit *audit)
{
	struct facts *facts = audit->facts;

	if (!place_has_v2(audit))
		return;
	for (int32_t i = place_next(facts, -1); i >= 0; i = place_next(facts, i)) {
		const struct cgroup *cgroup = &facts->snapshot->cgroups[i];
		uint64_t low = place_value(facts, i, CG_LOW);

		if (cgroup->state[CG_LOW] == DENIED || cgroup->state[CG_LOW] == GARBLED)
			audit_unknown(audit, cgroup->path, "root",
				      "its memory.low can't be read");
		else if (low != UINT64_MAX && low > 0 && place_min(facts, i) < low &&
			 !cgroup->has_children && place_is_swapless(facts, i))
			judge_low(audit, i);
	}
}

static const struct rule RULES[] = {
	{
		.id = "PROT-001",
		.title = "A service's working set may be evicted, and there is no swap",
		.level = LEVEL_HIGH,
		.grade = GRADE_B,
		.scope = "unit",
		.reads = "memory.min of it and of its slices, memory.stat, memory.swap.max, "
			 "/proc/swaps, what "
			 "refault protect has measured",
		.why = "Measured with a leak beside a service whose working set is 88 MiB: "
		       "without protection "
		       "117 s of freeze and 19 % of its work done, with MemoryMin=110M on the "
		       "unit and its "
		       "slice an OOM kill at once, a longest pause of 0.5 s and 97 % done. The "
		       "kernel can't "
		       "count re-reading as progress when it may not evict what would be "
		       "re-read.",
		.unless = "There is swap for cold memory to go to.",
		.fix = "Set MemoryMin= for the unit and for each slice above it, to the "
		       "measured working set; "
		       "refault protect UNIT measures it and prints the drop-ins.",
		.revert = "Delete the drop-ins.",
		.source = "Documentation/admin-guide/cgroup-v2.rst, 6.12; docs/EXPERIMENTS.md, "
			  "article A; "
			  "docs/GUARDS.md",
		.checked = "2026-12-01",
		.test = unprotected,
	},
	{
		.id = "PROT-002",
		.title = "More memory is protected than there is room for",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "memory.min, memory.max and memory.high of all cgroups, /proc/meminfo",
		.why = "What is protected is never evicted. Above three fifths of RAM, or "
		       "above the limit of "
		       "the cgroup it is in, too little is left for all else, and the OOM "
		       "killer comes early.",
		.fix = "Lower the minimum of what matters least.",
		.revert = "Set the previous minimum again.",
		.source = "Documentation/admin-guide/cgroup-v2.rst, 6.12",
		.checked = "2026-12-01",
		.test = too_many,
	},
	{
		.id = "PROT-003",
		.title = "MemoryLow= is set where only MemoryMin= holds",
		.level = LEVEL_MED,
		.grade = GRADE_B,
		.scope = "unit",
		.reads = "memory.low and memory.min of it and of its slices, /proc/swaps",
		.why = "memory.low is given up before the OOM killer is called: measured, the "
		       "freeze was as "
		       "long as without it. memory.min holds.",
		.unless = "There is swap for cold memory to go to.",
		.fix = "Set MemoryMin= to what MemoryLow= says, for the unit and its slices.",
		.revert = "Delete the drop-ins.",
		.source = "Documentation/admin-guide/cgroup-v2.rst, 6.12; docs/EXPERIMENTS.md, "
			  "article A",
		.checked = "2026-12-01",
		.test = low_only,
	},
};

const struct rules rules_protect = { RULES, ARRAY_LEN(RULES) };
