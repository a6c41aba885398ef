#include "guard/publish.h"

#include "analysis/capability.h"
#include "policy/harm.h"

#define TRIES 100

static void text_set(char *to, size_t size, const char *from)
{
	span_copy(span_cstr(from ? from : ""), to, size);
}

static struct guard_record *place_of(struct shared *shared, uint64_t number)
{
	return &shared->record[number % RECORDS_KEPT];
}

void publish_record(struct shared *shared, const struct guard_record *record, uint64_t wall_us)
{
	uint64_t number = atomic_load(&shared->records);
	struct guard_record *place = place_of(shared, number);

	*place = *record;
	if (place->wall_us == 0)
		place->wall_us = wall_us;
	atomic_store(&shared->records, number + 1);
}

/* The place of the next record may be written to while it is copied: it counts as gone. */
bool record_copy(struct shared *shared, uint64_t number, struct guard_record *out)
{
	uint64_t count = atomic_load(&shared->records);

	if (number >= count || count - number >= RECORDS_KEPT)
		return false;
	*out = *place_of(shared, number);
	atomic_thread_fence(memory_order_acquire);
	return atomic_load(&shared->records) - number < RECORDS_KEPT;
}

static void write_begin(_Atomic uint64_t *sequence)
{
	atomic_store(sequence, atomic_load(sequence) + 1);
	atomic_thread_fence(memory_order_release);
}

static void write_end(_Atomic uint64_t *sequence)
{
	atomic_store(sequence, atomic_load(sequence) + 1);
}

static bool copy_locked(_Atomic uint64_t *sequence, const void *from, void *to, size_t size)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = atomic_load(sequence);

		if (before % 2 == 1)
			continue;
		memcpy(to, from, size);
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load(sequence) == before)
			return true;
	}
	return false;
}

bool status_copy(struct shared *shared, struct shared_status *out)
{
	return copy_locked(&shared->status_sequence, &shared->status, out, sizeof(*out));
}

bool services_copy(struct shared *shared, struct service_list *out)
{
	struct service_list list;

	if (!copy_locked(&shared->services_sequence, &shared->services, &list, sizeof(list)))
		return false; /* half of a new list is none */
	list.count = MIN(list.count, PROTECTED_MAX);
	*out = list;
	return true;
}

static double level_of(const struct snapshot *snapshot, int field)
{
	return snapshot->state[field] == OK ? (double)snapshot->value[field] : (double)NAN;
}

static double cgroup_number(const struct cgroup *cgroup, int field)
{
	return cgroup->state[field] == OK ? (double)cgroup->value[field] : (double)NAN;
}

static void put_head(struct shared_status *status, const struct publication *publication)
{
	const struct snapshot *snapshot = publication->snapshot;
	const struct verdict *verdict = &publication->engine->verdict;

	status->at_us = snapshot->host.at_us;
	status->wall_us = snapshot->host.wall_us;
	status->class = verdict->class;
	status->severity = verdict->severity;
	status->total = level_of(snapshot, MI_TOTAL);
	status->free = level_of(snapshot, MI_FREE);
	status->available = level_of(snapshot, MI_AVAILABLE);
	status->swap_free = level_of(snapshot, MI_SWAP_FREE);
	status->pace = publication->pace;
	status->in_container = snapshot->host.container[0] != '\0';
	text_set(status->other_guard, sizeof(status->other_guard), publication->other_guard);
	for (size_t i = 0; i < CAPABILITIES; i++)
		status->capability[i] = (uint8_t)capability_state((enum capability)i,
								  &publication->engine->longer);
}

static const struct candidate *candidate_of(const struct plan *plan, int32_t member)
{
	for (size_t i = 0; i < PLAN_DOMAINS; i++) {
		const struct ranking *ranking = &plan->domain[i].ranking;

		if (!plan->domain[i].used)
			continue;
		for (size_t j = 0; j < ranking->count; j++)
			if (ranking->list[j].member == member)
				return &ranking->list[j];
	}
	return NULL;
}

static void put_member(struct shared_status *status, const struct engine *engine, size_t index)
{
	const struct evidence *evidence = &engine->longer;
	const struct member *member = &evidence->members[index];
	const struct cgroup *cgroup = &evidence->pair.now->cgroups[index];
	const struct candidate *candidate = candidate_of(&engine->plan, (int32_t)index);
	struct shared_member *out = &status->member[status->members++];

	*out = (struct shared_member){
		.id = cgroup->id,
		.loss = member->loss.lower,
		.loss_upper = member->loss.upper,
		.growth = member->growth.rate,
		.level = member->growth.level,
		.current = cgroup_number(cgroup, CG_CURRENT),
		.min = cgroup_number(cgroup, CG_MIN),
		.exempt = candidate ? candidate->exempt : EXEMPT_NOT,
		.rank = candidate ? candidate->rank : 0,
		.score = candidate ? candidate->score : (double)NAN,
	};
	text_set(out->path, sizeof(out->path), cgroup->path);
}

/* Who loses time or grows is shown before the others, where there is not room for all. */
static bool is_notable(const struct member *member)
{
	return member->loss.lower > 0 || member->growth.rate > 0;
}

static void put_members(struct shared_status *status, const struct engine *engine)
{
	const struct evidence *evidence = &engine->longer;

	status->members = 0;
	for (int notable = 1; notable >= 0; notable--)
		for (size_t i = 0; i < evidence->member_count; i++) {
			const struct member *member = &evidence->members[i];

			if (status->members == MEMBERS_SHOWN)
				return;
			if (member->leaf && is_notable(member) == (notable == 1))
				put_member(status, engine, i);
		}
}

static void put_candidates(struct shared_domain *out, const struct domain_state *state,
			   const struct snapshot *snapshot)
{
	const struct ranking *ranking = &state->ranking;

	out->candidates = (uint32_t)MIN(ranking->count, RECORD_CANDIDATES);
	for (size_t i = 0; i < out->candidates; i++) {
		const struct candidate *from = &ranking->list[i];
		struct record_candidate *to = &out->candidate[i];

		*to = candidate_kept(from);
		if (from->member >= 0 && (size_t)from->member < snapshot->cgroup_count)
			text_set(to->path, sizeof(to->path),
				 snapshot->cgroups[from->member].path);
	}
}

static const char *path_at(const struct evidence *evidence, int32_t member)
{
	return member < 0 ? "" : evidence->pair.now->cgroups[member].path;
}

static void put_domain(struct shared_domain *out, const struct engine *engine,
		       const struct domain_state *state)
{
	const struct evidence *evidence = &engine->longer;
	const struct verdict *verdict = &engine->verdict;
	const struct domain *domain = domain_find(evidence, state->id);

	*out = (struct shared_domain){
		.id = state->id,
		.kind = state->kind,
		.rung = state->rung,
		.because = state->because,
		.loss = domain ? domain->loss : (double)NAN,
		.growth = domain ? domain->grow_rate : (double)NAN,
		.left_s = domain && domain == verdict->domain ? verdict->forecast.low_s :
								(double)NAN,
		.kills = (uint32_t)state->kills,
		.storm = state->storm,
	};
	text_set(out->path, sizeof(out->path), state->path);
	text_set(out->sufferer, sizeof(out->sufferer),
		 domain ? path_at(evidence, domain->sufferer) : "");
	text_set(out->culprit, sizeof(out->culprit),
		 domain ? path_at(evidence, domain->culprit) : "");
	put_candidates(out, state, evidence->pair.now);
}

static void put_domains(struct shared_status *status, const struct engine *engine)
{
	status->domains = 0;
	for (size_t i = 0; i < PLAN_DOMAINS; i++)
		if (engine->plan.domain[i].used)
			put_domain(&status->domain[status->domains++], engine,
				   &engine->plan.domain[i]);
}

static void put_protected(struct shared_status *status, const struct protection *protection)
{
	status->protected_count = 0;
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		const struct protected *from = &protection->list[i];
		struct shared_protected *to = &status->protected[status->protected_count];

		if (from->id == 0)
			continue;
		status->protected_count++;
		*to = (struct shared_protected){
			.is_ancestor = from->is_ancestor,
			.found = from->found,
			.set = from->set,
			.wanted = from->wanted,
			.working = from->size.bytes,
			.effective = from->effective,
			.anon = from->size.anon,
			.hot_file = from->size.hot_file,
			.kernel = from->size.kernel,
		};
		text_set(to->path, sizeof(to->path), from->path);
		text_set(to->why_not, sizeof(to->why_not), from->why_not);
	}
}

void publish_status(struct shared *shared, const struct publication *publication)
{
	struct shared_status *status = &shared->status;

	write_begin(&shared->status_sequence);
	put_head(status, publication);
	put_domains(status, publication->engine);
	put_members(status, publication->engine);
	put_protected(status, &publication->engine->plan.protection);
	status->health = *publication->health;
	write_end(&shared->status_sequence);
}

void publish_health(struct shared *shared, const struct shared_health *health)
{
	write_begin(&shared->status_sequence);
	shared->status.health = *health;
	write_end(&shared->status_sequence);
}
