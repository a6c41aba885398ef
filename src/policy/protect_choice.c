#include "policy/protect_choice.h"

#include "analysis/facts.h"
#include "policy/protect_tree.h"

/* Services without a policy row come after those with one. */
#define PRIORITY_SERVICE (-1)

struct protected *protected_find(struct protection *state, uint64_t id)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (id != 0 && state->list[i].id == id)
			return &state->list[i];
	return NULL;
}

struct protected *protected_new(struct protection *state, const struct cgroup *cgroup)
{
	struct protected *entry = protected_find(state, cgroup->id);

	if (entry)
		return entry;
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		entry = &state->list[i];
		if (entry->id != 0)
			continue;
		*entry = (struct protected){
			.id = cgroup->id,
			.found = cgroup->value[CG_MIN],
			.size = { NAN, NAN, NAN, NAN, NAN, "" },
		};
		span_copy(span_cstr(cgroup->path), entry->path, sizeof(entry->path));
		return entry;
	}
	return NULL;
}

/* A value that is not ours any more is somebody else's: it is respected from then on. */
static void look_at_file(struct protected *entry, const struct cgroup *cgroup)
{
	uint64_t value = cgroup->value[CG_MIN];

	/* It was written after all: how the write went was not told. */
	if (entry->set == 0 && entry->said != 0 && value == entry->said)
		entry->set = value;
	if (entry->set != 0 && value != entry->set) {
		entry->set = 0;
		entry->found = value;
	} else if (entry->set == 0) {
		entry->found = value;
	}
}

void choice_forget(const struct round *round)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		struct protected *entry = &round->state->list[i];
		int32_t at = tree_index(round->now, entry->id);

		if (entry->id == 0)
			continue;
		if (at < 0 && !round->now->cgroups_cut)
			*entry = (struct protected){ 0 };
		if (at < 0)
			continue;
		if (tree_has_min(&round->now->cgroups[at]))
			look_at_file(entry, &round->now->cgroups[at]);
	}
}

static bool policy_is_built_in(const struct policy_row *row)
{
	return strcmp(row->name, BUILT_IN_NAME) == 0;
}

/* The rows that come with the program protect only where protect.who asks for it. */
static bool counts(const struct guard_config *config, const struct policy_row *row)
{
	return row &&
	       (config->options.protect_who != PROTECT_NOBODY || !policy_is_built_in(row));
}

const struct policy_row *choice_row(const struct round *round, const struct cgroup *cgroup)
{
	const struct policy_subject subject = { .cgroup = cgroup->path };
	const struct policy_row *row = policy_find(round->config, POLICY_PROTECT, &subject);

	return counts(round->config, row) ? row : NULL;
}

static bool is_service(const struct service_list *services, uint64_t id)
{
	for (size_t i = 0; services && i < services->count && i < PROTECTED_MAX; i++)
		if (services->id[i] == id)
			return true;
	return false;
}

static uint64_t share_of(double whole, uint64_t percent)
{
	return whole > 0 ? (uint64_t)(whole * (double)percent / 100) : 0;
}

/* Whole MiB: a multiple of every page size, so that the kernel keeps it as it is. */
static uint64_t rounded(double bytes)
{
	return (uint64_t)ceil(bytes / MIB) << 20;
}

/* More than its own limit it can never have. */
static uint64_t limit_of(const struct cgroup *cgroup)
{
	uint64_t limit = UINT64_MAX;

	if (cgroup->state[CG_HIGH] == OK)
		limit = cgroup->value[CG_HIGH];
	if (cgroup->state[CG_MAX] == OK)
		limit = MIN(limit, cgroup->value[CG_MAX]);
	return limit;
}

/* What was measured with margin, the row's floor and cap, and the cap of one unit. */
static uint64_t wanted_of(const struct round *round, const struct policy_row *row,
			  const struct workingset_size *size, uint64_t most)
{
	const struct guard_options *options = &round->config->options;
	uint64_t cap = share_of(round->total, options->protect_cap);
	uint64_t bytes = 0;

	if (!isnan(size->bytes))
		bytes = rounded(size->bytes * (1 + (double)options->protect_margin / 100));
	if (row && bytes < row->min_bytes)
		bytes = row->min_bytes;
	if (row && row->max_bytes != 0 && bytes > row->max_bytes)
		bytes = row->max_bytes;
	return MIN(MIN(bytes, cap), most) & ~(uint64_t)0xffff;
}

void choice_measure(const struct round *round, int32_t member, struct protected *entry,
		    const struct policy_row *row)
{
	entry->size = workingset_of(round->evidence, (size_t)member, &entry->working);
	entry->why_not = NULL;
	if (member_grows(round->evidence, (size_t)member)) {
		/* What it has it keeps: a leak is no reason to take away, and none to give. */
		entry->wanted = entry->set;
		entry->why_not = "grows";
		return;
	}
	if (isnan(entry->size.bytes)) {
		entry->why_not = entry->size.how;
		if (entry->wanted != 0)
			return;
	}
	entry->wanted =
		wanted_of(round, row, &entry->size, limit_of(&round->now->cgroups[member]));
}

static int32_t priority_of(const struct protected *entry, const struct policy_row *row,
			   bool service)
{
	if (row)
		return row->priority;
	if (entry->is_asked && !entry->is_given)
		return 0;
	return service ? PRIORITY_SERVICE : PRIORITY_GIVEN;
}

/* Chooses and measures one cgroup; what nobody asks for any more is let go. */
static void choose(const struct round *round, const struct service_list *services,
		   int32_t member)
{
	const struct cgroup *cgroup = &round->now->cgroups[member];
	const struct policy_row *row = choice_row(round, cgroup);
	struct protected *entry = protected_find(round->state, cgroup->id);
	bool asked = entry && entry->is_asked;
	bool service = round->config->options.protect_who == PROTECT_SERVICES &&
		       is_service(services, cgroup->id);

	if (!row && !asked && !service) {
		if (entry)
			entry->is_chosen = false;
		return;
	}
	entry = protected_new(round->state, cgroup);
	if (!entry)
		return;
	entry->is_chosen = true;
	entry->priority = priority_of(entry, row, service);
	choice_measure(round, member, entry, row);
}

/* A row with the name of a process chooses the cgroup that it is in. */
static bool asks_for_names(const struct guard_config *config)
{
	for (uint32_t i = 0; i < config->rows; i++)
		if ((config->row[i].kinds & 1u << POLICY_PROTECT) && config->row[i].comm[0])
			return true;
	return false;
}

static void choose_by_name(const struct round *round, const struct task *task)
{
	const struct cgroup *cgroup;
	struct protected *entry;
	struct policy_subject subject = { .comm = task->name };
	const struct policy_row *row;

	if (task->cgroup < 0)
		return;
	cgroup = &round->now->cgroups[task->cgroup];
	subject.cgroup = cgroup->path;
	row = policy_find(round->config, POLICY_PROTECT, &subject);
	if (!tree_has_min(cgroup) || !counts(round->config, row))
		return;
	entry = protected_new(round->state, cgroup);
	if (!entry || entry->is_chosen)
		return;
	entry->is_chosen = true;
	entry->priority = row->priority;
	choice_measure(round, task->cgroup, entry, row);
}

void choice_of_all(const struct round *round, const struct service_list *services)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		round->state->list[i].is_chosen = false;
	if (!round->config->options.protect_enabled)
		return;
	for (size_t i = 0; i < round->now->cgroup_count; i++)
		if (tree_has_min(&round->now->cgroups[i]))
			choose(round, services, (int32_t)i);
	for (size_t i = 0; i < round->now->task_count && asks_for_names(round->config); i++)
		choose_by_name(round, &round->now->tasks[i]);
}
