#include "analysis/facts.h"

#include "analysis/domain.h"

bool is_machine(const struct domain *domain)
{
	return domain->kind == LIMIT_RAM;
}

/*
 * Reclaim works for the machine, and not just for a limit in it while kswapd turns over now and
 * then. A limit domain is at its limit by definition.
 */
bool is_short(const struct domain *domain)
{
	double global = of(domain, SIG_SCAN_GLOBAL);

	if (!is_machine(domain))
		return true;
	return (global > 0 && global >= 0.1 * of(domain, SIG_SCAN)) ||
	       of(domain, SIG_FREE) < of(domain, SIG_LOW);
}

const struct member *member_at(const struct evidence *evidence, int32_t index)
{
	return index < 0 ? NULL : &evidence->members[index];
}

bool is_hurt(const struct loss *loss)
{
	return loss->lower >= LOSS_HARM ||
	       (loss->lower >= LOSS_NONE && loss->upper >= LOSS_LIKELY);
}

bool somebody_hurts(const struct evidence *evidence, const struct domain *domain)
{
	const struct member *sufferer = member_at(evidence, domain->sufferer);

	return sufferer && is_hurt(&sufferer->loss);
}

/* Somebody reads code back whose mapped set has shrunk. */
bool has_collapsed(const struct evidence *evidence, const struct domain *domain)
{
	for (size_t i = 0; i < evidence->member_count; i++)
		if (evidence->members[i].loss.collapsed &&
		    is_hurt(&evidence->members[i].loss) && domain_has(evidence, domain, i))
			return true;
	return false;
}

/* Bytes per second that were evicted and read back. */
double reread(const struct evidence *evidence, const struct domain *domain)
{
	double back = of(domain, SIG_REFAULT_FILE);
	double stolen = of(domain, is_machine(domain) ? SIG_STEAL_FILE : SIG_STEAL);

	if (!evidence->pair.now->profile.refaults_undercounted || isnan(stolen))
		return back;
	/* MGLRU of 6.1: what was stolen and read in the same time is the better guess. */
	return fmax(back, fmin(stolen, reads(evidence, domain)));
}

double reads(const struct evidence *evidence, const struct domain *domain)
{
	double own = of(domain, SIG_READ);

	return isnan(own) ? signal_of(&evidence->machine, SIG_READ) : own;
}

bool is_rereading(const struct evidence *evidence, const struct domain *domain)
{
	double back = reread(evidence, domain);
	double share = back / fmax(reads(evidence, domain), 1);
	double turn = back / fmax(of(domain, SIG_FILE_LRU), MIB);

	if (evidence->pair.now->profile.refaults_understate_reads)
		share *= READ_PER_REFAULT_72;
	return back >= REREAD_MIN && share >= REREAD_SHARE && turn >= TURN_MIN;
}

/* Three seconds: two points make a line of anything. */
bool has_slope(const struct evidence *evidence)
{
	return evidence->window->frames >= 3 && evidence->pair.seconds >= 2.5;
}

bool is_growing(const struct evidence *evidence, const struct domain *domain)
{
	const struct member *culprit = member_at(evidence, domain->culprit);

	return culprit && culprit->growth.rate >= GROWTH_MIN &&
	       culprit->growth.level >= fmin(LEVEL_MIN, LEVEL_SHARE * domain->limit) &&
	       culprit->growth.rising >= RISING_MIN &&
	       culprit->growth.recent >= RECENT_SHARE * culprit->growth.rate &&
	       !(culprit->growth.long_rate < LONG_SHARE * culprit->growth.rate);
}

/*
 * A file larger than memory read in a circle: it refaults all the time and nobody else waits.
 * The domain is not filled by what cannot leave, and nobody grows.
 */
bool is_loop_scan(const struct evidence *evidence, const struct domain *domain)
{
	return is_rereading(evidence, domain) && !has_collapsed(evidence, domain) &&
	       !is_growing(evidence, domain) && of(domain, SIG_HARD) < 0.5 * domain->limit &&
	       !(domain->kind == LIMIT_HIGH);
}

/*
 * With swap to go to, anonymous memory takes part in the circle: while it is still on its way
 * out file pages come back first, and are not the matter.
 */
bool swap_prevails(const struct domain *domain)
{
	double anon = of(domain, SIG_REFAULT_ANON);
	double file = of(domain, SIG_REFAULT_FILE);

	return anon > file || (of(domain, SIG_SWAP_FREE) > SWAP_USABLE &&
			       anon >= REREAD_MIN / 2 && anon >= 0.25 * file);
}

/* The limit that never ends in a kill is the one that is met. */
bool is_at_high(const struct domain *domain)
{
	return domain->kind == LIMIT_HIGH && of(domain, SIG_EV_HIGH) > 0 &&
	       !(of(domain, SIG_EV_MAX) > 0) && !(of(domain, SIG_EV_OOM) > 0);
}
