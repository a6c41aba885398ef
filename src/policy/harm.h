#pragma once
/*
 * Whether there is something to do about one domain, and if not, why not. Pure.
 */
#include "policy/plan.h"

/* What one look at a domain says. */
struct harm {
	bool act;	      /* something must be done: because says why */
	bool early;	      /* somebody begins to suffer: protection may help */
	bool near;	      /* not far from it: worth a record and a close look */
	enum because because; /* why, or why not */
	int32_t sufferer;     /* index of the member that loses most beside the culprit; -1 */
	int32_t culprit;      /* index of the member that grows; -1 nobody */
	double loss;	      /* of the sufferer, lower and upper bound; NAN unknown */
	double loss_upper;
	double rate;	 /* growth of the culprit, bytes per second; 0 nobody grows */
	double rate_all; /* of all in the domain that grow */
	double left;	 /* bytes until only hot pages are left to evict; NAN unknown */
	double left_s;	 /* the same in seconds at this rate; NAN unknown */
};

/* domain is one of input->longer. */
struct harm harm_of(const struct plan_input *input, const struct domain *domain);

/* The kernfs id of its cgroup; 0 of the machine. */
uint64_t domain_id(const struct evidence *evidence, const struct domain *domain);

/* NULL where that place is not at its limit. */
const struct domain *domain_find(const struct evidence *evidence, uint64_t id);

/* The same place in the other evidence; NULL where it is not at its limit. */
const struct domain *domain_like(const struct evidence *evidence, const struct domain *domain,
				 const struct evidence *of);

/* Stalled task time per second: some of PSI, which other busy processors of a cgroup dilute. */
double stalled_of(const struct signals *signals);

/* Does the member lose that share of its time, by both bounds? */
bool harm_is_lost(const struct evidence *evidence, int32_t member, double most);
