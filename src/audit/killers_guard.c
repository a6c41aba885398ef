#include "audit/killers.h"

#define SAFE_ADJ 500 /* oom_score_adj of -500, as the snapshot has it: plus 1000 */

static const char guard_unit[] = "refault-guard.service";

static const struct task *task_of(const struct facts *facts, const struct guard_found *found)
{
	return found->pid ? snapshot_pid(facts->snapshot, found->pid) : NULL;
}

static void fix_unit(struct result *result, const char *key, const char *value)
{
	result_fix(result, (struct fix_step){ .kind = FIX_UNIT,
					      .name = guard_unit,
					      .section = "Service",
					      .key = key,
					      .value = value });
}

static void look_at_adj(struct audit *audit, const struct task *task)
{
	struct result *result;
	int adj = (int)task->value[TASK_OOM_ADJ] - 1000;

	if (task->state[TASK_OOM_ADJ] != OK) {
		audit_unknown(audit, guard_unit, "root",
			      "oom_score_adj of the guard can't be read");
		return;
	}
	if (task->value[TASK_OOM_ADJ] < SAFE_ADJ)
		return;
	result =
		audit_fail(audit, guard_unit,
			   "the kernel may kill the guard first: its oom_score_adj is %d", adj);
	result_cite(audit, result, "oom_score_adj",
		    facts_format(audit->facts, "proc/%u/oom_score_adj", task->pid), "%d", adj);
	fix_unit(result, "OOMScoreAdjust", "-900");
}

static void look_at_lock(struct audit *audit, const struct task *task)
{
	struct result *result;

	if (task->state[TASK_LOCKED] != OK || task->value[TASK_LOCKED] > 0)
		return;
	result =
		audit_fail(audit, guard_unit,
			   "the guard is not locked in memory, so its own code can be evicted");
	result_cite(audit, result, "VmLck",
		    facts_format(audit->facts, "proc/%u/status", task->pid), "0 B");
	fix_unit(result, "LimitMEMLOCK", "infinity");
}

static void look_at_limits(struct audit *audit, const struct task *task)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct result *result;

	for (int32_t at = task->cgroup; at >= 0; at = now->cgroups[at].parent) {
		const struct cgroup *cgroup = &now->cgroups[at];

		if (cgroup->state[CG_HIGH] != OK)
			continue;
		result = audit_fail(audit, guard_unit,
				    "the guard itself can be throttled: %s has a memory.high",
				    cgroup->path);
		result_cite(audit, result, "memory.high",
			    facts_format(audit->facts, "sys/fs/cgroup/%s/memory.high",
					 cgroup->path),
			    "%s", bytes_text(audit->facts, cgroup->value[CG_HIGH]));
		fix_unit(result, "Slice", "refault.slice");
	}
}

/* A program that has to be fetched from another machine may never come back. */
static void look_at_disk(struct audit *audit, const struct task *task)
{
	struct facts *facts = audit->facts;
	const char *exe = facts_link(facts, facts_format(facts, "proc/%u/exe", task->pid));
	const struct fs_row *mount = *exe == '/' ? fs_of(facts_mounts(facts), exe + 1) : NULL;
	struct result *result;

	if (!mount ||
	    (strncmp(mount->type, "nfs", 3) != 0 && strcmp(mount->type, "cifs") != 0 &&
	     strncmp(mount->type, "fuse.", 5) != 0))
		return;
	result = audit_fail(audit, guard_unit, "the guard's program lies on %s (%s)",
			    mount->source, mount->type);
	result_cite(audit, result, "file system", mount->target, "%s", mount->type);
	result_fix(result, (struct fix_step){ .kind = FIX_PRINT,
					      .value = "install refault on a local disk" });
}

static void look_at_unit(struct audit *audit)
{
	const struct unit_file *unit = facts_unit(audit->facts, guard_unit);
	const struct config_row *row = unit_find(unit, "Service", "WatchdogSec");
	struct result *result;

	if (unit->standing != UNIT_PRESENT || (row && strcmp(row->value, "0") != 0))
		return;
	result =
		audit_fail(audit, guard_unit,
			   "nobody notices when the guard hangs: its unit has no WatchdogSec=");
	result_cite(audit, result, "WatchdogSec", where_of(audit->facts, row), "%s",
		    row ? row->value : "not set");
	fix_unit(result, "WatchdogSec", "30");
}

static void look_at_guard(struct audit *audit, const struct guard_found *found)
{
	const struct task *task = task_of(audit->facts, found);
	struct result *result;

	look_at_unit(audit);
	if (task) {
		look_at_adj(audit, task);
		look_at_lock(audit, task);
		look_at_limits(audit, task);
		look_at_disk(audit, task);
		return;
	}
	if (audit->facts->is_foreign)
		return;
	result = audit_fail(audit, guard_unit, "the guard is enabled and does not run");
	result_fix(result,
		   (struct fix_step){ .kind = FIX_PRINT,
				      .value = "systemctl status refault-guard, then systemctl "
					       "start refault-guard" });
}

/* Somebody acts here, and yet there are units that nobody would end in time. */
static void look_at_coverage(struct audit *audit)
{
	struct coverage *coverage = arena_alloc(audit->facts->reader.arena, sizeof(*coverage));
	struct result *result;
	size_t left = 0;

	if (!coverage)
		return;
	coverage_find(audit->facts, coverage);
	for (size_t i = 1; i < coverage->rows; i++)
		left += coverage->row[i].nobody;
	if (coverage->state != OK || left == 0)
		return;
	result = audit_warn(audit, "",
			    "in %zu of %zu large or limited units nobody would act in time",
			    left, coverage->rows - 1);
	for (size_t i = 1; i < coverage->rows; i++)
		if (coverage->row[i].nobody)
			result_cite(audit, result, coverage->row[i].unit, "", "%s",
				    coverage->row[i].shape);
	result_fix(result, (struct fix_step){ .kind = FIX_PRINT,
					      .value = "refault check shows in its first table "
						       "who would act; set mode = act for the "
						       "guard" });
}

static bool anybody_acts(const struct guards *guards)
{
	for (size_t i = 0; i < guards->count; i++)
		if (guards->guard[i].is_running && guards->guard[i].acts &&
		    guards->guard[i].kind != GUARD_KUBELET)
			return true;
	return false;
}

void guard_is_exposed(struct audit *audit)
{
	const struct guard_found *found;
	struct guards guards;

	guards_find(audit->facts, &guards);
	if (!killers_can_tell(audit, &guards))
		return;
	found = guard_of(&guards, GUARD_REFAULT);
	if (found)
		look_at_guard(audit, found);
	if (anybody_acts(&guards))
		look_at_coverage(audit);
	else if (!found)
		audit_skip(audit, "no guard acts here (OOMD-001)");
}
