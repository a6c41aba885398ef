#include "analysis/domain.h"

#include <errno.h>

bool domain_has(const struct evidence *evidence, const struct domain *domain, size_t member)
{
	if (!evidence->members[member].leaf)
		return false;
	return domain->cgroup < 0 ||
	       cgroup_is_within(evidence->pair.now, (int32_t)member, domain->cgroup);
}

static void find_culprit(const struct evidence *evidence, struct domain *domain)
{
	double most = 0;

	domain->culprit = -1;
	domain->grow_rate = (double)NAN;
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct growth *growth = &evidence->members[i].growth;

		if (!domain_has(evidence, domain, i) || isnan(growth->rate))
			continue;
		domain->grow_rate = zero_if_nan(domain->grow_rate) + fmax(growth->rate, 0);
		if (growth->rate > most) {
			most = growth->rate;
			domain->culprit = (int32_t)i;
		}
	}
}

static void find_sufferers(const struct evidence *evidence, struct domain *domain)
{
	domain->sufferer = domain->bystander = -1;
	domain->loss = domain->bystander_loss = (double)NAN;
	for (size_t i = 0; i < evidence->member_count; i++) {
		double lower = evidence->members[i].loss.lower;

		if (!domain_has(evidence, domain, i) || isnan(lower))
			continue;
		if (!(lower <= domain->loss)) {
			domain->loss = lower;
			domain->sufferer = (int32_t)i;
		}
		if ((int32_t)i != domain->culprit && !(lower <= domain->bystander_loss)) {
			domain->bystander_loss = lower;
			domain->bystander = (int32_t)i;
		}
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
	};
	find_culprit(out, domain);
	find_sufferers(out, domain);
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

int domains_of(struct evidence *out, struct arena *arena)
{
	out->domain = arena_raw(arena, (out->member_count + 1) * sizeof(*out->domain));
	if (!out->domain)
		return -ENOMEM;
	domain_add(out, LIMIT_RAM, -1, signal_of(&out->machine, SIG_TOTAL));
	for (size_t i = 0; i < out->member_count; i++)
		domain_of_cgroup(out, i);
	return 0;
}
