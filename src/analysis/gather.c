#include "analysis/gather.h"

#include <errno.h>
#include <fnmatch.h>

#include "analysis/domain.h"
#include "analysis/growth.h"
#include "analysis/loss.h"

/* Where processes are: by count, or where that is not known, at the ends of the tree. */
static bool is_leaf(const struct snapshot *now, size_t index)
{
	const struct cgroup *cgroup = &now->cgroups[index];

	if (cgroup->hierarchy == HIERARCHY_V2 && now->mounts.mode == CGROUPS_HYBRID)
		return false; /* members are the cgroups that have memory */
	/* The top holds processes beside services; its numbers are those of all together. */
	if (cgroup->parent < 0)
		return !cgroup->has_children ||
		       (cgroup->tasks > 0 && cgroup->tasks == now->task_count);
	if (now->tasks_state == OK && cgroup->tasks > 0)
		return true;
	return !cgroup->has_children;
}

static bool is_looked_at(const struct snapshot *now, size_t index, const char *only)
{
	if (!only)
		return true;
	for (int32_t at = (int32_t)index; at >= 0; at = now->cgroups[at].parent)
		if (fnmatch(only, now->cgroups[at].path, 0) == 0)
			return true;
	return false;
}

static int members_of(struct evidence *out, const char *only, struct arena *arena)
{
	const struct snapshot *now = out->pair.now;

	out->members = arena_raw(arena, now->cgroup_count * sizeof(*out->members));
	if (!out->members)
		return -ENOMEM;
	out->member_count = now->cgroup_count;
	for (size_t i = 0; i < now->cgroup_count; i++) {
		struct member *member = &out->members[i];

		signals_cgroup(&out->pair, i, &out->machine, &member->signals);
		member->leaf = is_leaf(now, i) && is_looked_at(now, i, only);
	}
	growth_of_members(out);
	for (size_t i = 0; i < now->cgroup_count; i++)
		out->members[i].loss = loss_of(out, i);
	return growth_mark_saw_teeth(out, arena);
}

int evidence_of(const struct window *window, const char *only, struct arena *arena,
		struct evidence *out)
{
	int r;

	*out = (struct evidence){
		.window = window,
		.is_part = only != NULL,
		.pair = pair_of(window_oldest(window), window_newest(window)),
	};
	signals_machine(&out->pair, &out->machine);
	r = members_of(out, only, arena);
	if (r < 0)
		return r;
	growth_of_machine(window, out);
	return domains_of(out, arena);
}
