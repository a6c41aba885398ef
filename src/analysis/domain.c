#include "analysis/domain.h"

#include <errno.h>

#include "base/sort.h"

bool domain_has(const struct evidence *evidence, const struct domain *domain, size_t member)
{
	if (!evidence->members[member].leaf)
		return false;
	return domain->cgroup < 0 ||
	       cgroup_is_within(evidence->pair.now, (int32_t)member, domain->cgroup);
}

/* Which domain each cgroup is; the machine is 0 and is no cgroup's. */
struct places {
	uint32_t *of; /* by index of the cgroup; 0 it is none */
	size_t count;
};

/* The domains that the member is in, from its own cgroup up to the machine. False at the end.
 */
static bool next_around(const struct evidence *evidence, const struct places *places,
			int32_t *at, struct domain **out)
{
	while (*at >= 0) {
		uint32_t place = places->of[*at];

		*at = evidence->pair.now->cgroups[*at].parent;
		if (place == 0)
			continue;
		*out = &evidence->domain[place];
		return true;
	}
	*out = &evidence->domain[0];
	return (*at)-- == -1;
}

static void is_culprit(const struct evidence *evidence, size_t member, struct domain *domain)
{
	double rate = evidence->members[member].growth.rate;

	if (isnan(rate))
		return;
	domain->grow_rate = zero_if_nan(domain->grow_rate) + fmax(rate, 0);
	if (rate > 0 &&
	    (domain->culprit < 0 || rate > evidence->members[domain->culprit].growth.rate))
		domain->culprit = (int32_t)member;
}

static void is_sufferer(const struct evidence *evidence, size_t member, struct domain *domain)
{
	double lower = evidence->members[member].loss.lower;

	if (isnan(lower))
		return;
	if (!(lower <= domain->loss)) {
		domain->loss = lower;
		domain->sufferer = (int32_t)member;
	}
	if ((int32_t)member != domain->culprit && !(lower <= domain->bystander_loss)) {
		domain->bystander_loss = lower;
		domain->bystander = (int32_t)member;
	}
}

/* Each member once with all that is around it: there may be as many domains as members. */
static void for_members(const struct evidence *evidence, const struct places *places,
			void (*is)(const struct evidence *evidence, size_t member,
				   struct domain *domain))
{
	for (size_t i = 0; i < evidence->member_count; i++) {
		int32_t at = (int32_t)i;
		struct domain *domain;

		if (!evidence->members[i].leaf)
			continue;
		while (next_around(evidence, places, &at, &domain))
			is(evidence, i, domain);
	}
}

/* Usage this near a limit is at it: charges come in batches of 64 pages a CPU. */
#define AT_LIMIT 0.97

static bool is_at(double usage, double limit)
{
	return usage >= AT_LIMIT * limit;
}

static void domain_add(struct evidence *out, enum limit_kind kind, int32_t cgroup, double limit)
{
	struct domain *domain;

	domain = &out->domain[out->domains++];
	*domain = (struct domain){
		.kind = kind,
		.cgroup = cgroup,
		.limit = limit,
		.signals = cgroup < 0 ? &out->machine : &out->members[cgroup].signals,
		.sufferer = -1,
		.bystander = -1,
		.culprit = -1,
		.loss = (double)NAN,
		.bystander_loss = (double)NAN,
		.grow_rate = (double)NAN,
	};
}

/* A limit is hit: usage stands at it, or the events that only the limit makes move. */
static bool is_hit(const struct signals *signals, enum signal limit, enum signal events,
		   bool has_own)
{
	/* Lifted a moment ago: its events moved in the window all the same. */
	if (signals->why[limit] == WHY_UNLIMITED)
		return false;
	return is_at(signal_of(signals, SIG_USAGE), signal_of(signals, limit)) ||
	       (has_own && signal_of(signals, events) > 0);
}

static void domain_of_cgroup(struct evidence *out, size_t index)
{
	const struct signals *signals = &out->members[index].signals;
	bool has_own = out->pair.now->cgroups[index].local_events;

	if (is_hit(signals, SIG_LIMIT_HIGH, SIG_EV_HIGH, has_own))
		domain_add(out, LIMIT_HIGH, (int32_t)index, signal_of(signals, SIG_LIMIT_HIGH));
	else if (is_hit(signals, SIG_LIMIT_MAX, SIG_EV_MAX, has_own))
		domain_add(out, LIMIT_MAX, (int32_t)index, signal_of(signals, SIG_LIMIT_MAX));
}

static void find_places(const struct evidence *evidence, struct places *places)
{
	memset(places->of, 0, places->count * sizeof(*places->of));
	for (size_t i = 1; i < evidence->domains; i++)
		places->of[evidence->domain[i].cgroup] = (uint32_t)i;
}

/* Who loses most first: a loss is 0 to 1, or unknown. */
static uint64_t order_of(const struct domain *domain)
{
	return (uint64_t)((1 - zero_if_nan(domain->loss)) * (double)UINT32_MAX);
}

/* What somebody can make of cgroups that were given to him is bounded; what is root's is not.
 */
static void leave_out(struct evidence *out, struct sort_key *keys)
{
	size_t kept = 1;
	uint64_t part = 0;
	size_t places = 0;

	for (size_t i = 1; i < out->domains; i++)
		keys[i - 1] = (struct sort_key){
			.major = cgroup_part(out->pair.now, out->domain[i].cgroup),
			.minor = order_of(&out->domain[i]),
			.index = (uint32_t)i,
		};
	sort_keys(keys, out->domains - 1);
	for (size_t i = 0; i + 1 < out->domains; i++) {
		places = keys[i].major == part ? places + 1 : 1;
		part = keys[i].major;
		if (part != 0 && places > DOMAINS_OF_PART)
			out->domain[keys[i].index].cgroup = -1;
	}
	for (size_t i = 1; i < out->domains; i++)
		if (out->domain[i].cgroup >= 0)
			out->domain[kept++] = out->domain[i];
	out->domains_left_out = out->domains - kept;
	out->domains = kept;
}

int domains_of(struct evidence *out, struct arena *arena)
{
	struct places places = { .count = out->member_count };
	struct sort_key *keys;

	out->domain = arena_raw(arena, (out->member_count + 1) * sizeof(*out->domain));
	places.of = arena_raw(arena, out->member_count * sizeof(*places.of));
	keys = arena_raw(arena, out->member_count * sizeof(*keys));
	if (!out->domain || !places.of || !keys)
		return -ENOMEM;
	domain_add(out, LIMIT_RAM, -1, signal_of(&out->machine, SIG_TOTAL));
	for (size_t i = 0; i < out->member_count; i++)
		domain_of_cgroup(out, i);
	find_places(out, &places);
	for_members(out, &places, is_culprit);
	for_members(out, &places, is_sufferer);
	leave_out(out, keys);
	return 0;
}
