#include "audit/coverage_case.h"

#define LARGE_SHARE 20 /* a twentieth of RAM */

static enum outlet outlet_of_machine(const struct snapshot *now)
{
	if (now->state[MI_SWAP_TOTAL] != OK)
		return OUTLET_UNKNOWN;
	if (now->value[MI_SWAP_TOTAL] == 0)
		return OUTLET_NONE;
	if (now->state[TUN_SWAPPINESS] == OK && now->value[TUN_SWAPPINESS] == 0)
		return OUTLET_KEPT;
	for (size_t i = 0; now->devices && i < now->devices->swaps; i++)
		if (!strstr(now->devices->swap[i].name, "zram"))
			return OUTLET_DISK;
	return now->devices && now->devices->swaps ? OUTLET_ZRAM : OUTLET_DISK;
}

/* The least of a limit on the way to the top; UINT64_MAX for none. */
static uint64_t least(const struct snapshot *now, const struct cgroup *cgroup, size_t field)
{
	uint64_t limit = UINT64_MAX;

	for (;;) {
		if (cgroup->state[field] == OK)
			limit = MIN(limit, cgroup->value[field]);
		if (cgroup->parent < 0)
			return limit;
		cgroup = &now->cgroups[cgroup->parent];
	}
}

/* What is protected is what all above it protect too; the top has no such file. */
static uint64_t least_min(const struct snapshot *now, const struct cgroup *cgroup)
{
	uint64_t limit = UINT64_MAX;

	for (; cgroup->parent >= 0; cgroup = &now->cgroups[cgroup->parent])
		limit = MIN(limit, cgroup->state[CG_MIN] == OK	      ? cgroup->value[CG_MIN] :
				   cgroup->state[CG_MIN] == UNLIMITED ? UINT64_MAX :
									0);
	return limit == UINT64_MAX ? 0 : limit;
}

static enum state limits_state(const struct cgroup *cgroup)
{
	enum state state = (enum state)cgroup->state[CG_MAX];

	return state == UNLIMITED ? OK : state;
}

static const char *const OUTLET_WORDS[] = {
	[OUTLET_UNKNOWN] = "whether there is swap is not known",
	[OUTLET_NONE] = "without swap only file pages can leave, running code among them",
	[OUTLET_KEPT] = "vm.swappiness is 0: swap stays empty, only file pages can leave",
	[OUTLET_ZRAM] = "cold memory goes to zram, which takes RAM and is full one day",
	[OUTLET_DISK] = "cold memory goes to swap; what is in use comes straight back",
};

static const char *const OUTLET_SHAPES[] = {
	[OUTLET_UNKNOWN] = "unknown",	[OUTLET_NONE] = "file-refault",
	[OUTLET_KEPT] = "file-refault", [OUTLET_ZRAM] = "zram-full",
	[OUTLET_DISK] = "swap-thrash",
};

static void set_shape(struct case_of_row *of)
{
	struct coverage_row *row = of->row;

	row->shape = OUTLET_SHAPES[of->outlet];
	row->shape_why = OUTLET_WORDS[of->outlet];
	if (of->place == PLACE_HIGH) {
		row->shape = "high-throttle";
		row->shape_why = "memory.high makes it wait and never calls the OOM killer";
	} else if (of->place == PLACE_MAX && !case_has_swap(of)) {
		row->shape = "max-loop";
		row->shape_why = "at memory.max its own files are dropped and read again; what "
				 "grows is killed there";
	}
}

static void fill(struct case_of_row *of)
{
	if (of->row->high < of->row->max)
		of->place = PLACE_HIGH;
	else if (of->row->max != UINT64_MAX)
		of->place = PLACE_MAX;
	of->outlet = of->row->swap == 0 && of->look->machine != OUTLET_UNKNOWN &&
				     of->look->machine != OUTLET_KEPT ?
			     OUTLET_NONE :
			     of->look->machine;
	set_shape(of);
	coverage_actors(of);
}

static bool is_shown(const struct facts *facts, const struct cgroup *cgroup)
{
	if (cgroup->parent < 0)
		return false;
	if (cgroup->state[CG_MAX] == OK || cgroup->state[CG_HIGH] == OK)
		return true;
	return cgroup->state[CG_CURRENT] == OK && facts_ram(facts) &&
	       cgroup->value[CG_CURRENT] > facts_ram(facts) / LARGE_SHARE;
}

static struct coverage_row row_of(const struct look *look, const struct cgroup *cgroup)
{
	const struct snapshot *now = look->facts->snapshot;

	return (struct coverage_row){
		.unit = cgroup->path,
		.used = cgroup->state[CG_CURRENT] == OK ? cgroup->value[CG_CURRENT] :
							  UINT64_MAX,
		.high = least(now, cgroup, CG_HIGH),
		.max = least(now, cgroup, CG_MAX),
		.min = least_min(now, cgroup),
		.swap = MIN(least(now, cgroup, CG_SWAP_MAX), look->machine_swap),
		.limits = limits_state(cgroup),
	};
}

static uint64_t size_of(const struct coverage_row *row)
{
	return row->used == UINT64_MAX ? 0 : row->used;
}

/* The machine is first, the rest stands by size; the smallest has to go. */
static void insert(struct coverage *out, const struct coverage_row *row)
{
	size_t place = out->rows;

	while (place > 1 && size_of(&out->row[place - 1]) < size_of(row))
		place--;
	out->cut |= out->rows == COVERAGE_ROWS;
	if (place == COVERAGE_ROWS)
		return;
	if (out->rows < COVERAGE_ROWS)
		out->rows++;
	memmove(&out->row[place + 1], &out->row[place],
		(out->rows - 1 - place) * sizeof(out->row[0]));
	out->row[place] = *row;
}

static struct coverage_row machine_row(const struct look *look)
{
	const struct snapshot *now = look->facts->snapshot;
	bool is_known = now->state[MI_TOTAL] == OK && now->state[MI_AVAILABLE] == OK;

	return (struct coverage_row){
		.unit = "",
		.used = is_known ? now->value[MI_TOTAL] -
					   MIN(now->value[MI_AVAILABLE], now->value[MI_TOTAL]) :
				   UINT64_MAX,
		.high = UINT64_MAX,
		.max = UINT64_MAX,
		.swap = look->machine_swap,
		.limits = OK,
	};
}

/* Whose list is not whole may miss somebody who acts. */
static enum state state_of(const struct look *look)
{
	const struct snapshot *now = look->facts->snapshot;

	if (look->guards.state != OK)
		return look->guards.state;
	return now->cgroups_state;
}

void coverage_find(struct facts *facts, struct coverage *out)
{
	const struct snapshot *now = facts->snapshot;
	struct look look = { .facts = facts };
	struct coverage_row row;

	*out = (struct coverage){ 0 };
	guards_find(facts, &look.guards);
	if (guard_acts(&look.guards, GUARD_SYSTEMD_OOMD))
		oomd_settings_read(facts, &look.settings);
	look.machine = outlet_of_machine(now);
	look.machine_swap =
		now->state[MI_SWAP_TOTAL] == OK ? now->value[MI_SWAP_TOTAL] : UINT64_MAX;
	row = machine_row(&look);
	insert(out, &row);
	for (size_t i = 0; i < now->cgroup_count; i++) {
		if (!is_shown(facts, &now->cgroups[i]) ||
		    &now->cgroups[i] != facts_cgroup(facts, now->cgroups[i].path))
			continue;
		row = row_of(&look, &now->cgroups[i]);
		insert(out, &row);
	}
	for (size_t i = 0; i < out->rows; i++)
		fill(&(struct case_of_row){ .look = &look, .row = &out->row[i] });
	out->state = state_of(&look);
}
