#include "audit/killers.h"

static bool has_memory_controller(struct facts *facts)
{
	const char *mount = facts->snapshot->mounts.v2;
	struct fact list =
		fact_text(facts, facts_format(facts, "%s/cgroup.controllers", mount));
	struct span rest = span_cstr(list.text);
	struct span word;

	while (*mount && span_word(&rest, &word))
		if (span_eq(word, "memory"))
			return true;
	return false;
}

/* The boot loader is never touched. */
static void print_psi(struct facts *facts, struct result *result)
{
	bool is_grubby = facts_exists(facts, "usr/sbin/grubby");
	const char *command =
		is_grubby ? "grubby --update-kernel=ALL --args=\"psi=1\", then reboot" :
			    "add psi=1 to GRUB_CMDLINE_LINUX in "
			    "/etc/default/grub.d/90-refault.cfg, "
			    "run update-grub and reboot";

	result_fix(result, (struct fix_step){ .kind = FIX_PRINT, .value = command });
}

static void say_skipped(struct audit *audit, enum state pressure)
{
	struct facts *facts = audit->facts;
	struct result *result;

	if (pressure != OK) {
		result = audit_fail(
			audit, "systemd-oomd.service",
			"systemd-oomd is enabled and the kernel gives no pressure, so "
			"its condition fails and it never starts");
		print_psi(facts, result);
		result_cite(audit, result, "pressure", "proc/pressure/memory", "%s",
			    state_name(pressure));
		return;
	}
	if (!has_memory_controller(facts)) {
		result = audit_fail(audit, "systemd-oomd.service",
				    "systemd-oomd is enabled and no cgroup has the memory "
				    "controller, so its condition fails and it never starts");
		result_cite(audit, result, "memory controller",
			    "sys/fs/cgroup/cgroup.controllers", "absent");
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = "boot with systemd.unified_cgroup_hierarchy=1 "
					    "and without cgroup_disable=memory" });
		return;
	}
	result = audit_warn(
		audit, "systemd-oomd.service",
		"systemd-oomd is enabled and does not run, though its conditions hold");
	result_level(result, LEVEL_MED);
	result_fix(result, (struct fix_step){ .kind = FIX_PRINT,
					      .value = "systemctl status systemd-oomd, then "
						       "systemctl start systemd-oomd" });
}

void oomd_is_skipped(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct unit_file *unit = facts_unit(facts, "systemd-oomd.service");
	enum state pressure = (enum state)facts->snapshot->state[PSI_MEM_FULL_AVG10];
	struct guards guards;

	if (!unit_is_enabled(&audit->facts->reader, unit)) {
		audit_skip(audit, "systemd-oomd is not enabled");
		return;
	}
	if (facts->is_foreign) {
		audit_unknown(
			audit, "systemd-oomd.service", "a look at the running machine",
			"systemd-oomd is enabled; whether the kernel gives pressure is not "
			"in this tree");
		return;
	}
	guards_find(facts, &guards);
	if (!killers_can_tell(audit, &guards) ||
	    killers_has(audit, &guards, GUARD_SYSTEMD_OOMD))
		return;
	if (pressure == DENIED || pressure == GARBLED) {
		audit_unknown(audit, "systemd-oomd.service", "root",
			      "/proc/pressure/memory can't be read");
		return;
	}
	say_skipped(audit, pressure);
}

/* systemd-oomd runs, and the cgroups are known. */
bool killers_oomd_there(struct audit *audit, struct guards *guards)
{
	guards_find(audit->facts, guards);
	if (!killers_can_tell(audit, guards))
		return false;
	if (!killers_has(audit, guards, GUARD_SYSTEMD_OOMD)) {
		audit_skip(audit, "systemd-oomd does not run here");
		return false;
	}
	if (audit->facts->snapshot->cgroups_state == OK)
		return true;
	audit_unknown(audit, "", "a look at the running machine",
		      "the cgroups that systemd-oomd would watch are not known");
	return false;
}

static bool is_service(const char *path)
{
	return strcmp(unit_section(path), "Service") == 0 && !strstr(path, "user@");
}

bool killers_is_large(const struct facts *facts, const struct cgroup *cgroup)
{
	return cgroup->hierarchy == HIERARCHY_V2 && cgroup->state[CG_CURRENT] == OK &&
	       facts_ram(facts) && cgroup->value[CG_CURRENT] > facts_ram(facts) / 20;
}

/* Somebody else would act for the machine. */
static bool has_other(const struct guards *guards)
{
	return guard_acts(guards, GUARD_EARLYOOM) || guard_acts(guards, GUARD_NOHANG) ||
	       guard_acts(guards, GUARD_REFAULT) || guard_acts(guards, GUARD_OOMD);
}

static void fix_slice(struct audit *audit, struct result *result, const char *path)
{
	struct facts *facts = audit->facts;
	struct fix_step step = { .kind = FIX_UNIT, .section = "Slice" };

	step.name = facts_format(facts, "%.*s", (int)strcspn(path, "/"), path);
	step.key = "ManagedOOMMemoryPressure";
	step.value = "kill";
	result_fix(result, step);
	step.key = "ManagedOOMMemoryPressureLimit";
	step.value = "60%";
	result_fix(result, step);
	if (systemd_version(facts) < 257)
		return;
	step.key = "ManagedOOMMemoryPressureDurationSec";
	step.value = "20s";
	result_fix(result, step);
}

static void say_uncovered(struct audit *audit, const struct cgroup *cgroup, bool has_others)
{
	const char *size = bytes_text(audit->facts, cgroup->value[CG_CURRENT]);
	const char *said = facts_format(audit->facts,
					"systemd-oomd runs and would not touch %s (%s in use): "
					"neither it nor a slice above "
					"it has ManagedOOMMemoryPressure=kill",
					cgroup->path, size);
	struct result *result = has_others ? audit_warn(audit, cgroup->path, "%s", said) :
					     audit_fail(audit, cgroup->path, "%s", said);

	if (has_others)
		result_level(result, LEVEL_LOW);
	result_cite(audit, result, "memory.current",
		    facts_format(audit->facts, "sys/fs/cgroup/%s/memory.current", cgroup->path),
		    "%s", size);
	if (strchr(cgroup->path, '/'))
		fix_slice(audit, result, cgroup->path);
}

void oomd_covers_nothing(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct oomd_settings settings;
	struct guards guards;
	uint64_t swap = now->state[MI_SWAP_TOTAL] == OK ? now->value[MI_SWAP_TOTAL] : 0;

	if (!killers_oomd_there(audit, &guards))
		return;
	oomd_settings_read(audit->facts, &settings);
	for (size_t i = 0; i < now->cgroup_count; i++) {
		const struct cgroup *cgroup = &now->cgroups[i];
		struct oomd_reach reach;

		if (!is_service(cgroup->path) || !killers_is_large(audit->facts, cgroup))
			continue;
		oomd_reach_read(audit->facts, &settings, cgroup->path, &reach);
		if (reach.pressure_of || reach.rules_of || (reach.swap_of && swap) ||
		    reach.omitted)
			continue;
		say_uncovered(audit, cgroup, has_other(&guards));
	}
}
