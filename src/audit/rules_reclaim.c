#include "audit/guards.h"
#include "audit/knob.h"
#include "audit/rules.h"

#define SWAPPINESS "proc/sys/vm/swappiness"
#define MIN_TTL "sys/kernel/mm/lru_gen/min_ttl_ms"
#define ZONE_RECLAIM "proc/sys/vm/zone_reclaim_mode"

static bool has_swap(const struct facts *facts)
{
	const struct devices *devices = facts->snapshot->devices;

	return devices->swap_state == OK && devices->swaps > 0;
}

static bool is_mglru(const struct facts *facts)
{
	return facts->snapshot->state[TUN_LRU_GEN] == OK &&
	       (facts->snapshot->value[TUN_LRU_GEN] & 1);
}

static bool swap_is_compressed(const struct facts *facts)
{
	const struct devices *devices = facts->snapshot->devices;

	for (size_t i = 0; i < devices->swaps; i++)
		if (strncmp(devices->swap[i].name, "/dev/zram", 9) == 0)
			return true;
	return facts->snapshot->state[TUN_ZSWAP] == OK && facts->snapshot->value[TUN_ZSWAP];
}

/* Why that value, for the comment beside it. */
static const char *wanted_swappiness(struct facts *facts, const char **why)
{
	const char *database = knob_database(facts);

	if (swap_is_compressed(facts)) {
		*why = "swap is compressed memory, which is as cheap as reading a file again";
		return "100";
	}
	if (database) {
		*why = facts_format(facts, "the least that still swaps, for %s", database);
		return "1";
	}
	*why = "swap only what is cold";
	return "10";
}

static void swappiness_zero(struct audit *audit)
{
	struct fact swappiness = fact_number(audit->facts, SWAPPINESS);
	const char *why;
	const char *value;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &swappiness, "this kernel is built without swap"))
		return;
	if (audit->facts->snapshot->devices->swap_state != OK) {
		audit_unknown(audit, "", "a readable /proc/swaps",
			      "whether there is swap is not known");
		return;
	}
	if (!has_swap(audit->facts)) {
		audit_skip(audit, "there is no swap that it would keep from being used");
		return;
	}
	if (swappiness.number != 0)
		return;
	value = wanted_swappiness(audit->facts, &why);
	if (is_mglru(audit->facts)) {
		result = audit_fail(audit, "",
				    "swap is never used: with MGLRU, swappiness 0 evicts "
				    "files only, as if there were no swap");
		result_level(result, LEVEL_HIGH);
	} else {
		result = audit_fail(audit, "",
				    "swap is not used when a cgroup meets its limit, and "
				    "too late when the machine runs short");
		result_level(result, LEVEL_MED);
	}
	knob_cite(audit, result, SWAPPINESS);
	result_cite(audit, result, "MGLRU", "sys/kernel/mm/lru_gen/enabled", "%s",
		    is_mglru(audit->facts) ? "on" : "off");
	knob_fix(audit, result, SWAPPINESS, value, why);
}

/* Somebody who would act for the whole machine; NULL. */
static const char *acting_guard(const struct guards *guards)
{
	for (size_t i = 0; i < guards->count; i++)
		if (guards->guard[i].is_running && guards->guard[i].acts &&
		    guards->guard[i].kind != GUARD_MIN_TTL &&
		    guards->guard[i].kind != GUARD_KUBELET)
			return guard_kind_name(guards->guard[i].kind);
	return NULL;
}

static bool ttl_applies(struct audit *audit, const struct fact *ttl)
{
	struct facts *facts = audit->facts;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, ttl, "this kernel is built without MGLRU"))
		return false;
	if (facts->snapshot->state[TUN_LRU_GEN] != OK) {
		audit_unknown(audit, "", "a readable /sys/kernel/mm/lru_gen/enabled",
			      "whether MGLRU is on is not known");
		return false;
	}
	if (!is_mglru(facts))
		audit_skip(audit, "MGLRU is off, and min_ttl_ms has no effect then");
	return is_mglru(facts);
}

static void ttl_zero(struct audit *audit)
{
	struct fact ttl = fact_number(audit->facts, MIN_TTL);
	struct guards guards;
	struct result *result;

	if (!ttl_applies(audit, &ttl) || ttl.number > 0)
		return;
	guards_find(audit->facts, &guards);
	if (acting_guard(&guards)) {
		audit_pass(audit, "", "%s acts for the whole machine", acting_guard(&guards));
		return;
	}
	if (has_swap(audit->facts)) {
		result = audit_warn(audit, "",
				    "nobody ends a freeze: no guard acts, and the kernel "
				    "may evict what was used a moment ago");
		result_level(result, LEVEL_LOW);
	} else {
		result = audit_fail(audit, "",
				    "nobody ends a freeze: there is no swap, no guard "
				    "acts, and the kernel may evict code that runs");
	}
	knob_cite(audit, result, MIN_TTL);
	knob_fix(audit, result, MIN_TTL, "1000",
		 "one second: the OOM killer comes when pages younger than that would have to "
		 "go");
}

static bool is_hpc(struct facts *facts)
{
	const struct config_row *row =
		config_find(facts_tuned(facts), "sysctl", "vm.zone_reclaim_mode");

	return row && strcmp(row->value, "0") != 0;
}

static void zone_reclaim_on(struct audit *audit)
{
	struct fact mode = fact_number(audit->facts, ZONE_RECLAIM);
	const char *database;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &mode, "this kernel is built without NUMA") || mode.number == 0)
		return;
	if (is_hpc(audit->facts)) {
		result = audit_note(audit, "",
				    "memory of the local node is reclaimed before "
				    "another node is asked, as the profile of tuned wants it");
		knob_cite(audit, result, ZONE_RECLAIM);
		return;
	}
	database = knob_database(audit->facts);
	result = audit_fail(audit, "",
			    "file cache of the local node is thrown away while another "
			    "node has free memory%s%s",
			    database ? ", on a machine that runs " : "",
			    database ? database : "");
	result_level(result, database ? LEVEL_HIGH : LEVEL_MED);
	knob_cite(audit, result, ZONE_RECLAIM);
	knob_fix(audit, result, ZONE_RECLAIM, "0", "the kernel's default");
}

static const struct rule RULES[] = {
	{
		.id = "RECL-001",
		.title = "vm.swappiness is 0, so swap is as good as not there",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/swappiness, /sys/kernel/mm/lru_gen/enabled, /proc/swaps",
		.why = "With MGLRU, 0 ages and evicts file pages only. With the classic lists, "
		       "reclaim for the limit of a cgroup never swaps, and that of the machine "
		       "only "
		       "when free and file pages are below the high watermark. So code that "
		       "runs is "
		       "evicted while cold anonymous memory stays.",
		.unless = "There is no swap, or this is a container, whose host decides.",
		.fix = "Set vm.swappiness to 1 for databases, 10 for a general server, 100 or "
		       "more "
		       "where swap is compressed memory (zram or zswap).",
		.revert = "Delete the line and write the previous value back.",
		.source = "Documentation/admin-guide/sysctl/vm.rst, 6.12; mm/vmscan.c "
			  "get_scan_count() and isolate_folios(), 6.12",
		.checked = "2026-12-01",
		.test = swappiness_zero,
	},
	{
		.id = "RECL-005",
		.title = "min_ttl_ms is 0 and no guard acts: the machine freezes instead of "
			 "killing",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/sys/kernel/mm/lru_gen/min_ttl_ms, /sys/kernel/mm/lru_gen/enabled, "
			 "/proc/swaps, the guards that run",
		.why = "MGLRU can call the OOM killer when pages younger than this would have "
		       "to be "
		       "evicted. Measured with 1000: freezes of 13 s and 78 s ended after 5 s "
		       "to 7 s, "
		       "with one pause of 6 s to 11 s before the kill. Only kswapd looks, so "
		       "it "
		       "protects the machine as a whole and does nothing for the limit of a "
		       "cgroup.",
		.unless = "A guard acts for the whole machine, or MGLRU is off.",
		.fix = "Set min_ttl_ms to 1000, by tmpfiles.d; or run a guard that acts.",
		.revert = "Delete the line and write 0 back.",
		.source = "Documentation/admin-guide/mm/multigen_lru.rst, 6.12; mm/vmscan.c "
			  "lru_gen_age_node(), 6.12; docs/EXPERIMENTS.md, article A",
		.checked = "2026-12-01",
		.test = ttl_zero,
	},
	{
		.id = "NUMA-001",
		.title = "vm.zone_reclaim_mode is on, so cache is dropped while memory is free",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/zone_reclaim_mode, the profile of tuned",
		.why = "Before memory of another node is used, the local one is reclaimed: "
		       "data that "
		       "is read again and again is thrown away, and allocations wait, while "
		       "other "
		       "nodes have room.",
		.unless = "A profile of tuned for computing (hpc-compute) wants it.",
		.fix = "Set vm.zone_reclaim_mode to 0.",
		.revert = "Delete the line and write the previous value back.",
		.source =
			"Documentation/admin-guide/sysctl/vm.rst, 6.12; MongoDB 8.0 production "
			"notes",
		.checked = "2026-12-01",
		.test = zone_reclaim_on,
	},
};

const struct rules rules_reclaim = { RULES, ARRAY_LEN(RULES) };
