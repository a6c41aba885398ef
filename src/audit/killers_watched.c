#include "audit/killers.h"

/* Nobody reaches such a machine any more, or nothing runs on it, when one of these is gone. */
static const char *const CRITICAL[] = {
	"ssh.service",
	"sshd.service",
	"dbus.service",
	"dbus-broker.service",
	"containerd.service",
	"docker.service",
	"crio.service",
	"kubelet.service",
	"systemd-journald.service",
	"systemd-logind.service",
};

/* Each unit that is watched is told once. */
struct told {
	const char *name[32];
	size_t count;
};

static bool is_new(struct told *told, const char *name)
{
	for (size_t i = 0; i < told->count; i++)
		if (strcmp(told->name[i], name) == 0)
			return false;
	if (told->count == ARRAY_LEN(told->name))
		return false;
	told->name[told->count++] = name;
	return true;
}

typedef void visitor(struct audit *audit, const struct oomd_reach *reach);

static void visit_one(struct audit *audit, const struct oomd_settings *settings,
		      const char *path, struct told *told, visitor *visit)
{
	struct oomd_reach reach;
	const char *name;

	oomd_reach_read(audit->facts, settings, path, &reach);
	name = reach.pressure_of ? reach.pressure_of : reach.swap_of;
	if (name && is_new(told, name))
		visit(audit, &reach);
}

/* Slices, users' managers and large services: what somebody is likely to have set. */
static void visit_all(struct audit *audit, visitor *visit)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct oomd_settings settings;
	struct told told = { 0 };

	oomd_settings_read(audit->facts, &settings);
	visit_one(audit, &settings, "", &told, visit);
	for (size_t i = 0; i < now->cgroup_count; i++) {
		const struct cgroup *cgroup = &now->cgroups[i];
		const char *section = unit_section(cgroup->path);

		if (cgroup->hierarchy != HIERARCHY_V2)
			continue;
		if (strcmp(section, "Slice") == 0 || strstr(cgroup->path, "/user@") ||
		    (*section && killers_is_large(audit->facts, cgroup)))
			visit_one(audit, &settings, cgroup->path, &told, visit);
	}
}

static void say_no_swap(struct audit *audit, const struct oomd_reach *reach)
{
	struct result *result;

	if (!reach->swap_of || reach->pressure_of)
		return;
	result = audit_fail(audit, reach->swap_of,
			    "systemd-oomd is to act on the swap of %s, and there is no swap",
			    reach->swap_of);
	result_cite(audit, result, "ManagedOOMSwap", where_of(audit->facts, reach->row),
		    "kill");
	result_fix(result, (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = "add swap and restart systemd-oomd, or watch the "
					    "pressure of a slice (OOMD-003)" });
}

void oomd_needs_swap(struct audit *audit)
{
	struct guards guards;
	uint64_t swap;

	if (killers_oomd_there(audit, &guards) && killers_swap(audit, &swap) && swap == 0)
		visit_all(audit, say_no_swap);
}

static void say_high(struct audit *audit, const struct oomd_reach *reach)
{
	struct result *result;
	unsigned int percent = (unsigned int)(reach->pressure_centi / 100);

	if (!reach->pressure_of || percent < 90)
		return;
	result =
		audit_fail(audit, reach->pressure_of,
			   "systemd-oomd waits for a memory pressure of %u %% in %s, which one "
			   "busy process beside the stuck ones keeps it from reaching",
			   percent, reach->pressure_of);
	result_cite(audit, result, "ManagedOOMMemoryPressureLimit",
		    where_of(audit->facts, reach->row), "%u %%", percent);
	result_fix(result, (struct fix_step){
				   .kind = FIX_UNIT,
				   .name = reach->pressure_of,
				   .section = unit_section(reach->pressure_of),
				   .key = "ManagedOOMMemoryPressureLimit",
				   .value = "60%",
				   .previous = facts_format(audit->facts, "%u%%", percent) });
}

void oomd_limit_is_high(struct audit *audit)
{
	struct guards guards;

	if (killers_oomd_there(audit, &guards))
		visit_all(audit, say_high);
}

static bool is_critical(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(CRITICAL); i++)
		if (strcmp(name, CRITICAL[i]) == 0)
			return true;
	return false;
}

static bool is_spared(struct audit *audit, const struct cgroup *cgroup, const char *name)
{
	const struct config_row *row =
		unit_find(facts_unit(audit->facts, name), "Service", "ManagedOOMPreference");

	return (row && strcmp(row->value, "none") != 0) ||
	       (cgroup->marks & (MARK_OOMD_AVOID | MARK_OOMD_OMIT));
}

static void look_at_critical(struct audit *audit, const struct oomd_settings *settings,
			     const struct cgroup *cgroup)
{
	const char *slash = strrchr(cgroup->path, '/');
	const char *name = slash ? slash + 1 : cgroup->path;
	struct oomd_reach reach;
	struct result *result;

	if (!is_critical(name) || is_spared(audit, cgroup, name))
		return;
	oomd_reach_read(audit->facts, settings, cgroup->path, &reach);
	if (!reach.pressure_of && !reach.swap_of)
		return;
	result = audit_fail(audit, name,
			    "systemd-oomd may choose %s: %s is watched, and nothing spares it",
			    name, reach.pressure_of ? reach.pressure_of : reach.swap_of);
	result_cite(audit, result, "ManagedOOM", where_of(audit->facts, reach.row), "kill");
	result_fix(result, (struct fix_step){ .kind = FIX_UNIT,
					      .name = name,
					      .section = "Service",
					      .key = "ManagedOOMPreference",
					      .value = "omit" });
}

void oomd_may_take(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct oomd_settings settings;
	struct guards guards;

	if (!killers_oomd_there(audit, &guards))
		return;
	oomd_settings_read(audit->facts, &settings);
	for (size_t i = 0; i < now->cgroup_count; i++)
		if (now->cgroups[i].hierarchy == HIERARCHY_V2)
			look_at_critical(audit, &settings, &now->cgroups[i]);
}
