#include "policy/protect.h"

#include <errno.h>

#include "analysis/facts.h"
#include "policy/protect_choice.h"
#include "policy/protect_tree.h"

/* Less than this more is not worth a write. */
#define RAISE 1.05
/* It is lowered when less than this part of it is needed, and has been for so long. */
#define LOWER 0.75
#define LOWER_AFTER_US (300u * SECOND_US)
#define SHORT_PAUSE_US (2u * SECOND_US)
/* Too little does not help: with two thirds of the hot set a freeze was only shorter. */
#define WORTH 0.5
static bool is_supported(const struct snapshot *now)
{
	for (size_t i = 0; i < now->cgroup_count; i++)
		if (tree_has_min(&now->cgroups[i]))
			return true;
	return false;
}

/* Every cgroup above a chosen one is in the list, or the chosen one is left out. */
static bool has_ancestors(const struct round *round, const struct protected *entry)
{
	int32_t at = tree_index(round->now, entry->id);

	for (at = round->now->cgroups[at].parent; at >= 0;
	     at = round->now->cgroups[at].parent) {
		struct protected *above;

		if (!tree_has_min(&round->now->cgroups[at]))
			return round->now->cgroups[at].parent < 0;
		above = protected_new(round->state, &round->now->cgroups[at]);
		if (!above)
			return false;
		above->is_ancestor = true;
	}
	return true;
}

static void find_ancestors(const struct round *round)
{
	struct protection *state = round->state;

	for (size_t i = 0; i < PROTECTED_MAX; i++)
		state->list[i].is_ancestor = false;
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		struct protected *entry = &state->list[i];

		if (!entry->is_chosen || has_ancestors(round, entry))
			continue;
		entry->is_chosen = false;
		entry->why_not = "a cgroup above it cannot be protected";
	}
}

/* What it has stays unless clearly more is needed, or clearly less for a long time. */
static uint64_t steady(const struct round *round, struct protected *entry)
{
	double set = (double)entry->set;
	double wanted = (double)entry->wanted;

	if (entry->set == 0 || wanted >= LOWER * set)
		entry->raised_at_us = round->at_us;
	if (entry->set == 0 || wanted > RAISE * set)
		return entry->wanted;
	if (wanted < LOWER * set && round->at_us - entry->raised_at_us >= LOWER_AFTER_US)
		return entry->wanted;
	return entry->set;
}

static bool comes_before(const struct protected *a, const struct protected *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->wanted < b->wanted; /* small ones cost the others little */
}

/* By priority, and the small first. Returns how many. */
static size_t order_of(const struct protection *state, uint16_t order[PROTECTED_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		size_t at = count;

		if (!state->list[i].is_chosen)
			continue;
		for (; at > 0 && comes_before(&state->list[i], &state->list[order[at - 1]]);
		     at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
		count++;
	}
	return count;
}

static void share_out(const struct round *round, struct tree *tree)
{
	uint16_t order[PROTECTED_MAX];
	size_t count = order_of(round->state, order);

	for (size_t i = 0; i < count; i++) {
		struct protected *entry = &round->state->list[order[i]];
		uint64_t asked = steady(round, entry);
		const char *why_not = NULL;
		uint64_t room = tree_room(tree, order[i], asked, &why_not);

		if (why_not)
			entry->why_not = why_not;
		if ((double)room >= WORTH * (double)asked)
			tree_give(tree, order[i], room);
	}
}

/* What is not protected any more, and holds nothing of ours. */
static void let_go(struct protection *state)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		struct protected *entry = &state->list[i];

		if (entry->id != 0 && !entry->is_chosen && !entry->is_ancestor &&
		    !entry->is_asked && entry->set == 0)
			*entry = (struct protected){ 0 };
	}
}

static void look_back(const struct round *round)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		struct protected *entry = &round->state->list[i];

		if (entry->id == 0)
			continue;
		entry->effective =
			protect_effective(round->now, tree_index(round->now, entry->id));
		if (entry->error != 0)
			entry->why_not = "memory.min could not be written";
	}
}

/* All but the choice: who gets what, and which files do not hold it yet. */
static size_t distribute(const struct round *round, struct min_write out[PROTECT_WRITES])
{
	struct tree tree;
	bool cut;
	size_t count;

	find_ancestors(round);
	tree_init(&tree, round->state, round->now);
	tree_limit(&tree, round->config->options.protect_share);
	share_out(round, &tree);
	count = tree_writes(&tree, out, &cut);
	if (cut)
		round->state->next_us = round->at_us;
	look_back(round);
	let_go(round->state);
	return count;
}

static struct round round_of(struct protection *state, const struct guard_config *config,
			     const struct evidence *evidence)
{
	struct round round = {
		.state = state,
		.config = config,
		.evidence = evidence,
		.now = evidence->pair.now,
		.at_us = evidence->pair.now->host.at_us,
		.total = signal_of(&evidence->machine, SIG_TOTAL),
	};

	state->is_supported = is_supported(round.now);
	state->bound =
		round.total > 0 ?
			(uint64_t)(round.total * (double)config->options.protect_share / 100) :
			0;
	return round;
}

/* While memory is short what comes back tells most, and is soon gone. */
static uint64_t pause_of(const struct round *round)
{
	const struct evidence *evidence = round->evidence;
	uint64_t pause = round->config->options.protect_interval_us;

	if (evidence->domains > 0 && is_short(&evidence->domain[0]))
		pause = MIN(pause, SHORT_PAUSE_US);
	return pause;
}

size_t protect_next(struct protection *state, const struct guard_config *config,
		    const struct service_list *services, const struct evidence *evidence,
		    struct min_write out[PROTECT_WRITES])
{
	struct round round;
	uint64_t at_us = evidence->pair.now->host.at_us;

	if (at_us < state->next_us || evidence->pair.now->cgroups_state != OK)
		return 0;
	round = round_of(state, config, evidence);
	if (!state->is_supported)
		return 0;
	state->next_us = at_us + pause_of(&round);
	choice_forget(&round);
	choice_of_all(&round, services);
	return distribute(&round, out);
}

bool protect_has_place(const struct protection *state, const struct snapshot *now,
		       int32_t member)
{
	size_t given = 0;
	size_t depth = 0;

	if (cgroup_part(now, member) == 0)
		return true;
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		if (state->list[i].id == now->cgroups[member].id)
			return true;
		given += state->list[i].id != 0 && state->list[i].is_given;
	}
	for (; member >= 0; member = now->cgroups[member].parent)
		depth++;
	return given < PROTECTED_GIVEN && depth <= PROTECTED_DEPTH;
}

size_t protect_member(struct protection *state, const struct guard_config *config,
		      const struct evidence *evidence, int32_t member,
		      struct min_write out[PROTECT_WRITES])
{
	struct round round = round_of(state, config, evidence);
	const struct cgroup *cgroup = &round.now->cgroups[member];
	struct protected *entry;

	if (round.now->cgroups_state != OK || !tree_has_min(cgroup) ||
	    !config->options.protect_enabled)
		return 0;
	choice_forget(&round);
	entry = protected_new(state, cgroup);
	if (!entry)
		return 0;
	entry->is_asked = true;
	entry->is_given = cgroup_part(round.now, member) != 0;
	if (entry->is_given && !entry->is_chosen)
		entry->priority = PRIORITY_GIVEN;
	entry->is_chosen = true;
	choice_measure(&round, member, entry, choice_row(&round, cgroup));
	return distribute(&round, out);
}

/* The deepest first, so that what is above holds as long as there is something in it. */
size_t protect_restore(struct protection *state, const struct snapshot *now,
		       struct min_write out[PROTECT_WRITES])
{
	struct tree tree;
	size_t count = 0;

	tree_init(&tree, state, now);
	for (size_t i = 0; i < tree.places && count < PROTECT_WRITES; i++) {
		struct protected *entry = &state->list[tree.order[i]];
		int32_t index = tree.place[tree.order[i]].index;
		const struct cgroup *cgroup = &now->cgroups[index];

		if (entry->set == 0)
			continue;
		if (cgroup->state[CG_MIN] != OK || cgroup->value[CG_MIN] != entry->set) {
			entry->set = 0; /* somebody else's by now */
			continue;
		}
		out[count++] = (struct min_write){
			.member = index,
			.id = entry->id,
			.from = entry->set,
			.to = entry->found,
		};
	}
	return count;
}

void protect_done(struct protection *state, const struct min_write *write, int r)
{
	struct protected *entry = protected_find(state, write->id);

	if (!entry)
		return;
	if (r == -ECANCELED) {
		entry->said = write->to;
		return;
	}
	entry->error = r;
	if (write->to == entry->found)
		entry->set = 0; /* also when it failed: the file is not looked after any more */
	else if (r == 0)
		entry->set = write->to;
}
