#include "policy/protect_tree.h"

#define NOBODY (-1)

int32_t tree_index(const struct snapshot *now, uint64_t id)
{
	size_t first = 0;
	size_t end = now->cgroup_count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;
		const struct cgroup *cgroup = &now->cgroups[middle];

		if (cgroup->hierarchy == HIERARCHY_V2 && cgroup->id == id)
			return (int32_t)middle;
		if (cgroup->hierarchy < HIERARCHY_V2 ||
		    (cgroup->hierarchy == HIERARCHY_V2 && cgroup->id < id))
			first = middle + 1;
		else
			end = middle;
	}
	return -1;
}

bool tree_has_min(const struct cgroup *cgroup)
{
	return cgroup->hierarchy == HIERARCHY_V2 && cgroup->parent >= 0 &&
	       (cgroup->state[CG_MIN] == OK || cgroup->state[CG_MIN] == UNLIMITED);
}

static int32_t place_of(const struct tree *tree, uint64_t id)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (id != 0 && tree->state->list[i].id == id)
			return (int32_t)i;
	return NOBODY;
}

/* What a protection can take: no more than there is to protect, where it is without bounds. */
static uint64_t cost_of(const struct cgroup *cgroup, uint64_t value)
{
	uint64_t current = cgroup->state[CG_CURRENT] == OK ? cgroup->value[CG_CURRENT] : 0;

	return value == UINT64_MAX ? current : value;
}

/*
 * What others have set takes that much, but in a part of the tree that was given to a user he
 * can write what he likes: it reaches as far as what root has set above it, which counts.
 */
static uint64_t claim_of(const struct snapshot *now, int32_t index, uint64_t value)
{
	return cgroup_part(now, index) == 0 ? cost_of(&now->cgroups[index], value) : 0;
}

static int32_t depth_of(const struct snapshot *now, int32_t index)
{
	int32_t depth = 0;

	for (; index >= 0; index = now->cgroups[index].parent)
		depth++;
	return depth;
}

static void put_place(struct tree *tree, size_t i)
{
	const struct protected *entry = &tree->state->list[i];
	struct place *place = &tree->place[i];
	const struct cgroup *cgroup;

	*place = (struct place){ .index = -1, .parent = NOBODY };
	if (entry->id == 0)
		return;
	place->index = tree_index(tree->now, entry->id);
	if (place->index < 0)
		return;
	cgroup = &tree->now->cgroups[place->index];
	place->depth = depth_of(tree->now, place->index);
	place->found = claim_of(tree->now, place->index, entry->found);
	if (cgroup->parent >= 0)
		place->parent = place_of(tree, tree->now->cgroups[cgroup->parent].id);
}

/* What it takes of the cgroup above it. */
static uint64_t need_of(const struct place *place)
{
	return MAX(place->found, MAX(place->target, place->below));
}

/* By how much what it takes rises when that much is its target. */
static uint64_t more_of(const struct place *place, uint64_t target)
{
	return MAX(target, need_of(place)) - need_of(place);
}

/* By how much all above it rises, and in the end the use of RAM; put: and it does. */
static uint64_t rise(struct tree *tree, int32_t at, uint64_t more, bool put)
{
	for (; at >= 0; at = tree->place[at].parent) {
		struct place place = tree->place[at];

		place.below += more;
		more = need_of(&place) - need_of(&tree->place[at]);
		if (put)
			tree->place[at] = place;
	}
	return more;
}

/* Values of others count where they are: in an ancestor of ours, or below the top. */
static void count_others(struct tree *tree)
{
	const struct snapshot *now = tree->now;

	for (size_t i = 0; i < now->cgroup_count; i++) {
		const struct cgroup *cgroup = &now->cgroups[i];
		uint64_t value = cgroup->value[CG_MIN];
		int32_t above;

		if (value == 0 || !tree_has_min(cgroup) || place_of(tree, cgroup->id) >= 0)
			continue;
		above = place_of(tree, now->cgroups[cgroup->parent].id);
		if (above >= 0)
			tree->place[above].below += claim_of(now, (int32_t)i, value);
		else if (now->cgroups[cgroup->parent].parent < 0)
			tree->used += claim_of(now, (int32_t)i, value);
	}
}

static void put_in_order(struct tree *tree)
{
	tree->places = 0;
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		size_t at = tree->places;

		if (tree->place[i].index < 0)
			continue;
		for (; at > 0 && tree->place[tree->order[at - 1]].depth < tree->place[i].depth;
		     at--)
			tree->order[at] = tree->order[at - 1];
		tree->order[at] = (uint16_t)i;
		tree->places++;
	}
}

void tree_init(struct tree *tree, struct protection *state, const struct snapshot *now)
{
	tree->state = state;
	tree->now = now;
	tree->used = 0;
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		put_place(tree, i);
	put_in_order(tree);
	count_others(tree);
	for (size_t i = 0; i < tree->places; i++) {
		const struct place *place = &tree->place[tree->order[i]];

		if (place->parent >= 0)
			tree->place[place->parent].below += need_of(place);
		else
			tree->used += need_of(place);
	}
}

void tree_limit(struct tree *tree, uint64_t percent)
{
	static const enum cgroup_field limits[] = { CG_HIGH, CG_MAX };

	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		struct place *place = &tree->place[i];
		const struct cgroup *cgroup;

		if (place->index < 0)
			continue;
		cgroup = &tree->now->cgroups[place->index];
		place->limit = UINT64_MAX;
		for (size_t k = 0; k < ARRAY_LEN(limits); k++)
			if (cgroup->state[limits[k]] == OK)
				place->limit = MIN(place->limit, cgroup->value[limits[k]]);
		place->is_limited = place->limit != UINT64_MAX;
		if (place->is_limited)
			place->limit = place->limit / 100 * percent;
	}
}

/* What may still be given in all that is above it. */
static uint64_t room_in_limits(const struct tree *tree, size_t at)
{
	uint64_t room = UINT64_MAX;

	for (int32_t above = tree->place[at].parent; above >= 0;
	     above = tree->place[above].parent) {
		const struct place *place = &tree->place[above];

		if (place->is_limited)
			room = MIN(room, place->limit - MIN(place->given, place->limit));
	}
	return room;
}

static uint64_t used_with(struct tree *tree, size_t at, uint64_t target)
{
	const struct place *place = &tree->place[at];

	return tree->used + rise(tree, place->parent, more_of(place, target), false);
}

uint64_t tree_room(struct tree *tree, size_t at, uint64_t asked, const char **why_not)
{
	uint64_t room = room_in_limits(tree, at);
	uint64_t bytes = asked;
	uint64_t used;

	if (bytes > room) {
		bytes = room;
		*why_not = "over the share of the limit above it";
	}
	used = used_with(tree, at, bytes);
	if (used <= tree->state->bound)
		return bytes;
	*why_not = "over the share of RAM";
	bytes -= MIN(used - tree->state->bound, bytes);
	return used_with(tree, at, bytes) <= tree->state->bound ? bytes : 0;
}

void tree_give(struct tree *tree, size_t at, uint64_t bytes)
{
	struct place *place = &tree->place[at];
	uint64_t more = more_of(place, bytes);

	place->target = bytes;
	tree->used += rise(tree, place->parent, more, true);
	for (int32_t above = place->parent; above >= 0; above = tree->place[above].parent)
		tree->place[above].given += bytes;
}

uint64_t tree_value(const struct tree *tree, size_t at)
{
	const struct protected *entry = &tree->state->list[at];
	const struct place *place = &tree->place[at];

	if (entry->found == UINT64_MAX)
		return UINT64_MAX;
	if (entry->is_ancestor && place->given > 0)
		return MAX(entry->found, need_of(place));
	return MAX(entry->found, place->target);
}

/* Only ours is lowered, and a dry run says nothing twice. */
static bool is_due(const struct tree *tree, size_t at, bool up, struct min_write *out)
{
	const struct protected *entry = &tree->state->list[at];
	const struct cgroup *cgroup = &tree->now->cgroups[tree->place[at].index];
	uint64_t from = cgroup->value[CG_MIN];
	uint64_t to = tree_value(tree, at);

	if (!tree_has_min(cgroup) || to == from || (to > from) != up ||
	    (!up && entry->set == 0) || (entry->said != 0 && to == entry->said))
		return false;
	*out = (struct min_write){
		.member = tree->place[at].index,
		.id = entry->id,
		.from = from,
		.to = to,
	};
	return true;
}

size_t tree_writes(const struct tree *tree, struct min_write out[PROTECT_WRITES], bool *cut)
{
	size_t count = 0;

	*cut = false;
	for (size_t i = 0; i < 2 * tree->places; i++) {
		bool up = i < tree->places;
		size_t at = tree->order[up ? tree->places - 1 - i : i - tree->places];
		struct min_write write;

		if (!is_due(tree, at, up, &write))
			continue;
		if (count == PROTECT_WRITES) {
			*cut = true;
			break;
		}
		out[count++] = write;
	}
	return count;
}

/* As far as it is used: what nobody has cannot be protected. */
static double protected_in(const struct cgroup *cgroup)
{
	if (!tree_has_min(cgroup) || cgroup->state[CG_CURRENT] != OK)
		return 0;
	return (double)MIN(cgroup->value[CG_MIN], cgroup->value[CG_CURRENT]);
}

static double protected_beside(const struct snapshot *now, int32_t parent)
{
	double sum = 0;

	for (size_t i = 0; i < now->cgroup_count; i++)
		if (now->cgroups[i].parent == parent)
			sum += protected_in(&now->cgroups[i]);
	return sum;
}

/* Where all in the cgroup above want more than that has, each gets its part. */
static double effective_below(const struct snapshot *now, const struct cgroup *cgroup,
			      double above)
{
	double all = protected_beside(now, cgroup->parent);

	if (!tree_has_min(cgroup))
		return 0;
	if (all > above)
		return protected_in(cgroup) * above / all;
	return fmin((double)cost_of(cgroup, cgroup->value[CG_MIN]), above);
}

/* A tree deeper than that is nobody's. */
#define DEPTH_MAX 64

uint64_t protect_effective(const struct snapshot *now, int32_t index)
{
	int32_t chain[DEPTH_MAX];
	size_t depth = 0;
	double effective = HUGE_VAL;

	for (; index >= 0 && now->cgroups[index].parent >= 0;
	     index = now->cgroups[index].parent) {
		if (depth == DEPTH_MAX)
			return 0;
		chain[depth++] = index;
	}
	for (size_t i = depth; i-- > 0;)
		effective = effective_below(now, &now->cgroups[chain[i]], effective);
	return isfinite(effective) ? (uint64_t)effective : 0;
}
