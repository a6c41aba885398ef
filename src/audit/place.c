#include "audit/place.h"

#include "audit/guards.h"
#include "audit/knob.h"

static const struct cgroup *at(const struct facts *facts, int32_t index)
{
	return &facts->snapshot->cgroups[index];
}

int32_t place_next(const struct facts *facts, int32_t index)
{
	for (index++; (size_t)index < facts->snapshot->cgroup_count; index++)
		if (at(facts, index)->hierarchy == HIERARCHY_V2)
			return index;
	return -1;
}

bool place_has_v2(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;

	if (now->mounts.mode == CGROUPS_V2)
		return true;
	if (now->cgroups_state == DENIED || audit->facts->is_foreign)
		audit_unknown(audit, "", "a look at the running machine",
			      "its cgroups can't be seen");
	else
		audit_skip(audit, "there is no cgroup v2 with memory here (%s)",
			   cgroup_mode_name(now->mounts.mode));
	return false;
}

const char *place_unit(const struct facts *facts, int32_t index)
{
	const char *path = at(facts, index)->path;
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return *unit_section(name) ? name : NULL;
}

uint64_t place_value(const struct facts *facts, int32_t index, size_t field)
{
	return at(facts, index)->state[field] == OK ? at(facts, index)->value[field] :
						      UINT64_MAX;
}

uint64_t place_min(const struct facts *facts, int32_t index)
{
	uint64_t least = UINT64_MAX;

	for (; index >= 0 && *at(facts, index)->path; index = at(facts, index)->parent)
		least = MIN(least, place_value(facts, index, CG_MIN));
	return least == UINT64_MAX ? 0 : least;
}

bool place_is_swapless(const struct facts *facts, int32_t index)
{
	const struct devices *devices = facts->snapshot->devices;

	if (devices->swap_state == OK && devices->swaps == 0)
		return true;
	for (; index >= 0; index = at(facts, index)->parent)
		if (place_value(facts, index, CG_SWAP_MAX) == 0)
			return true;
	return false;
}

void place_cite(struct audit *audit, struct result *result, int32_t index, size_t field,
		const char *key)
{
	struct facts *facts = audit->facts;
	const char *unit = place_unit(facts, index);
	const struct config_row *row = NULL;
	uint64_t value = place_value(facts, index, field);
	const char *name = catalogue_of(SCOPE_CGROUP)->fields[field].file;

	if (unit)
		row = unit_find(facts_unit(facts, unit), unit_section(unit), key);
	result_cite(audit, result, name,
		    facts_format(facts, "%s/%s/%s", facts->snapshot->mounts.v2,
				 at(facts, index)->path, name),
		    "%s", value == UINT64_MAX ? "max" : place_mib(facts, value));
	if (row)
		result_cite(audit, result, key,
			    facts_format(facts, "%s:%u", row->file, row->line), "%s",
			    row->value);
}

void place_fix(struct audit *audit, struct result *result, int32_t index,
	       struct place_setting setting)
{
	struct facts *facts = audit->facts;
	const char *unit = place_unit(facts, index);
	struct fix_step step = { .kind = FIX_UNIT,
				 .key = setting.key,
				 .value = setting.value,
				 .computed = setting.computed };

	if (unit) {
		step.name = unit;
		step.section = unit_section(unit);
	} else {
		step.kind = FIX_PRINT;
		step.value = facts_format(facts, "set %s=%s where %s is made", setting.key,
					  setting.value, at(facts, index)->path);
	}
	result_fix(result, step);
}

const char *place_mib(struct facts *facts, uint64_t bytes)
{
	return facts_format(facts, "%lluM", (unsigned long long)((bytes + MIB - 1) / MIB));
}
