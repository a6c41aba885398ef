#include "audit/killers.h"
#include "audit/rules.h"

static const char *unit_of(const struct facts *facts, const struct role_found *found)
{
	const char *path;
	const char *slash;

	if (found->cgroup < 0)
		return "";
	path = facts->snapshot->cgroups[found->cgroup].path;
	slash = strrchr(path, '/');
	path = slash ? slash + 1 : path;
	return strcmp(unit_section(path), "Service") == 0 ? path : "";
}

/* A server of many processes that goes down as a whole when one of them is killed. */
static void one_for_all(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct role_found *found = role_of(facts_roles(facts), ROLE_POSTGRES);
	const char *name = found ? unit_of(facts, found) : "";
	const struct unit_file *unit;
	const struct config_row *row;
	struct result *result;

	if (!found && (facts->snapshot->tasks_state != OK || !facts->snapshot->task_count)) {
		audit_unknown(audit, "", "the list of processes",
			      "what runs here is not known");
		return;
	}
	if (*name == '\0') {
		audit_skip(audit, "no database server of many processes runs as a unit here");
		return;
	}
	unit = facts_unit(facts, name);
	row = unit_find(unit, "Service", "OOMPolicy");
	if (row && strcmp(row->value, "continue") == 0)
		return;
	result = audit_fail(
		audit, name,
		"when one process of %s is killed for memory, systemd stops all of it", name);
	result_cite(audit, result, "OOMPolicy", where_of(facts, row), "%s",
		    row ? row->value : "stop, the default");
	result_fix(result, (struct fix_step){ .kind = FIX_UNIT,
					      .name = name,
					      .section = "Service",
					      .key = "OOMPolicy",
					      .value = "continue",
					      .previous = row ? row->value : NULL });
}

static const struct rule ROWS[] = {
	{
		.id = "OOMD-001",
		.title = "No guard acts when memory runs short",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "processes, units of guards, /etc/default/earlyoom, "
			 "/etc/systemd/oomd.conf, "
			 "/etc/refault/guard.conf",
		.why = "The kernel's OOM killer waits until reclaim fails, not until somebody "
		       "waits: with a leak of 1 MB/s a service stood still for 48 s, with 0.25 "
		       "MB/s for 169 s. earlyoom ended the fast leak with a longest pause of "
		       "33 "
		       "ms.",
		.unless = "min_ttl_ms is set: then the kernel itself ends a freeze of the "
			  "machine.",
		.fix = "Enable the guard of refault with mode = act, or systemd-oomd with a "
		       "slice that it "
		       "watches, or install earlyoom.",
		.revert = "Disable its unit again and remove 90-refault.conf of its "
			  "configuration.",
		.source = "docs/EXPERIMENTS.md, article A; systemd-oomd.service(8), 257; "
			  "earlyoom(1), 1.8",
		.checked = "2026-12-01",
		.test = killers_nobody,
	},
	{
		.id = "OOMD-002",
		.title = "systemd-oomd is enabled and never starts",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "systemd-oomd.service, /proc/pressure/memory, cgroup.controllers",
		.why = "Its unit has conditions: /proc/pressure and the memory controller of "
		       "cgroup v2. Where the kernel was built with pressure off by default, as "
		       "in the family of Red Hat, the conditions fail and nothing turns red.",
		.unless = NULL,
		.fix = "Boot with psi=1; refault prints the command and leaves the boot loader "
		       "alone.",
		.revert = "Take psi=1 away again.",
		.source = "systemd, units/systemd-oomd.service.in, 257; "
			  "Documentation/admin-guide/kernel-parameters.txt, 6.12",
		.checked = "2026-12-01",
		.test = oomd_is_skipped,
	},
	{
		.id = "OOMD-003",
		.title = "systemd-oomd runs and a large service is not covered",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "ManagedOOMMemoryPressure= and ManagedOOMSwap= of units and slices, "
			 "memory.current",
		.why = "systemd-oomd acts only below units with ManagedOOM…=kill. Debian sets "
		       "that "
		       "for users' sessions only, Fedora for system.slice too, systemd itself "
		       "for "
		       "nothing.",
		.unless = "The unit has ManagedOOMPreference=omit or OOMRules= (systemd 261), "
			  "or another guard acts.",
		.fix = "ManagedOOMMemoryPressure=kill with a limit of 60 % on the unit's "
		       "slice. "
		       "Without swap the kernel was first all the same in the lab, so a guard "
		       "that looks at lost time is better there.",
		.revert = "Remove the drop-in 90-refault.conf of the slice.",
		.source = "systemd.resource-control(5), 257; systemd-oomd.service(8), 257; "
			  "docs/GUARDS.md",
		.checked = "2026-12-01",
		.test = oomd_covers_nothing,
	},
	{
		.id = "OOMD-004",
		.title = "systemd-oomd is to act on swap, and there is no swap",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "ManagedOOMSwap= of units and slices, /proc/meminfo",
		.why = "Without swap this action never comes. Swap that is added later is not "
		       "noticed before systemd-oomd is started again.",
		.unless = "The unit's memory pressure is watched as well.",
		.fix = "Add swap and restart systemd-oomd, or watch memory pressure instead.",
		.revert = "Remove the swap, or the drop-in.",
		.source = "systemd-oomd.service(8), 257; systemd issue 36704",
		.checked = "2026-12-01",
		.test = oomd_needs_swap,
	},
	{
		.id = "OOMD-005",
		.title = "The pressure that systemd-oomd waits for is hardly ever reached",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "ManagedOOMMemoryPressureLimit= of units and slices, "
			 "/etc/systemd/oomd.conf",
		.why = "Pressure is averaged over the processors that are not idle: one busy "
		       "process beside one that is stuck halves it. In the lab pressure of a "
		       "group at its memory.high swung between 16 and 62 % while the service "
		       "stood still.",
		.unless = NULL,
		.fix = "A limit of 60 % in a drop-in that sorts after the vendor's.",
		.revert = "Remove the drop-in 90-refault.conf of the unit.",
		.source = "kernel/sched/psi.c, 6.12; systemd issues 31573 and 33486; "
			  "docs/GUARDS.md",
		.checked = "2026-12-01",
		.test = oomd_limit_is_high,
	},
	{
		.id = "OOMD-006",
		.title = "earlyoom waits for swap that stays free",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/etc/default/earlyoom, its command line, /proc/swaps",
		.why = "earlyoom kills only when available memory and free swap are both below "
		       "their thresholds. zram keeps swap free while RAM is gone, and a large "
		       "swap is full long after the machine has begun to thrash.",
		.unless = "Swap is at most a quarter of RAM and not zram, or -s 100 is given.",
		.fix = "EARLYOOM_ARGS=\"-m 5 -s 100 -r 3600\" in /etc/default/earlyoom, or a "
		       "guard "
		       "that looks at lost time.",
		.revert = "Put the old EARLYOOM_ARGS back and restart earlyoom.",
		.source = "earlyoom(1), 1.8; earlyoom issues 71, 100 and 307",
		.checked = "2026-12-01",
		.test = killers_earlyoom,
	},
	{
		.id = "OOMD-007",
		.title = "Two guards act",
		.level = LEVEL_MED,
		.grade = GRADE_C,
		.scope = "host",
		.reads = "processes, units and configuration of guards",
		.why = "The second kills on the pressure of what the first is just ending.",
		.unless =
			"Only one of them acts and the others observe; refault's guard leaves "
			"kills to another one by default (on-other-guard = yield).",
		.fix = "Let one act; disable the others, or let them observe.",
		.revert = "Enable the other's unit again.",
		.source = "Start9Labs start-technologies issues 3885 and 4010",
		.checked = "2026-12-01",
		.test = killers_two,
	},
	{
		.id = "OOMD-008",
		.title = "systemd-oomd may choose a unit that others need",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "ManagedOOM…= of units and slices, marks on cgroups",
		.why = "Below a watched slice each unit is a candidate. Without sshd nobody "
		       "gets "
		       "in, without dbus or a container runtime nothing runs.",
		.unless =
			"ManagedOOMPreference= is avoid or omit; it counts only where unit and "
			"watched slice have the same owner.",
		.fix = "ManagedOOMPreference=omit in a drop-in of the unit.",
		.revert = "Remove the drop-in 90-refault.conf of the unit.",
		.source = "systemd.resource-control(5), 257; systemd issue 24185",
		.checked = "2026-12-01",
		.test = oomd_may_take,
	},
	{
		.id = "OOMD-010",
		.title = "One killed process stops the whole database",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "OOMPolicy= of the unit in which PostgreSQL runs",
		.why = "OOMPolicy=stop is the default: the kernel kills one backend and "
		       "systemd "
		       "then stops the unit. PostgreSQL itself recovers from a killed backend "
		       "as "
		       "long as the postmaster lives.",
		.unless = NULL,
		.fix = "OOMPolicy=continue in a drop-in of the unit.",
		.revert = "Remove the drop-in 90-refault.conf of the unit.",
		.source = "systemd.service(5), 257; PostgreSQL 17, Managing Kernel Resources",
		.checked = "2026-12-01",
		.test = one_for_all,
	},
	{
		.id = "CONF-001",
		.title = "Vendors of what runs here want opposite settings",
		.level = LEVEL_INFO,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "what runs, its versions by their paths",
		.why = "A setting of the whole machine can follow one of them only: PostgreSQL "
		       "asks for vm.overcommit_memory 2 and Redis for 1, MongoDB 8 for huge "
		       "pages "
		       "and Redis against them, Elasticsearch for no swap and PostgreSQL for "
		       "some.",
		.unless = NULL,
		.fix = "A value both can live with, and per service what the one needs: "
		       "MemorySwapMax=, MemoryTHP=, MemoryMax=; or separate machines.",
		.revert = "There is nothing to take back.",
		.source =
			"PostgreSQL 17, Managing Kernel Resources; Redis administration; "
			"MongoDB "
			"8.0, Production Notes; Elasticsearch 9, Disable swapping; ClickHouse, "
			"Usage Recommendations; ScyllaDB, scylla_setup",
		.checked = "2026-12-01",
		.test = roles_disagree,
	},
	{
		.id = "CONF-009",
		.title = "The guard itself can be held up, or leaves units to nobody",
		.level = LEVEL_HIGH,
		.grade = GRADE_C,
		.scope = "host",
		.reads = "refault-guard.service, its process and cgroups, the coverage table",
		.why = "A guard that is throttled, evicted or killed first can't act when it "
		       "has "
		       "to, and one that reaches only some units leaves the others to the "
		       "kernel.",
		.unless =
			"The guard runs locked in memory, with a low oom_score_adj, a watchdog "
			"and no memory.high above it.",
		.fix = "The settings of the unit that refault ships; mode = act.",
		.revert = "Remove the drop-in 90-refault.conf of refault-guard.service.",
		.source = "docs/GUARDS.md; systemd.exec(5) and systemd.service(5), 257",
		.checked = "2026-12-01",
		.test = guard_is_exposed,
	},
};

const struct rules rules_killers = { ROWS, ARRAY_LEN(ROWS) };
