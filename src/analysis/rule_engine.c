#include "analysis/facts.h"
#include "analysis/rules.h"

static bool is_in_scope(const struct rule *rule, const struct domain *domain)
{
	static const enum rule_scope scopes[] = {
		[LIMIT_RAM] = ON_MACHINE,
		[LIMIT_HIGH] = ON_HIGH,
		[LIMIT_MAX] = ON_MAX,
	};

	return rule->scope & scopes[domain->kind];
}

/* Nothing comes back and no limit is met: whoever waits, it is not for memory. */
static bool is_calm(const struct domain *domain)
{
	return of(domain, SIG_REFAULT_FILE) < REREAD_MIN &&
	       of(domain, SIG_REFAULT_ANON) < REREAD_MIN && !(of(domain, SIG_EV_HIGH) > 0);
}

static bool lacks_signal(const struct rule *rule, const struct domain *domain, enum signal *out)
{
	for (size_t i = 0; rule->needs[i] != SIGNALS; i++) {
		*out = rule->needs[i];
		if (domain->signals->why[rule->needs[i]] != WHY_KNOWN)
			return true;
	}
	return false;
}

static bool lacks(const struct rule *rule, const struct evidence *evidence,
		  const struct domain *domain, struct untold *untold)
{
	*untold = (struct untold){ rule->class, { SIG_MEM_SOME, domain->cgroup } };
	if (lacks_signal(rule, domain, &untold->cite.signal))
		return true;
	untold->cite.signal = rule->wants & WANTS_SLOPE ? SIG_GROWN : SIG_MEM_SOME;
	if (rule->wants & WANTS_SLOPE && isnan(evidence->pair.seconds))
		return true;
	return rule->wants & WANTS_LOSS && isnan(domain->loss) && !is_calm(domain);
}

/* Harm in a domain that is short raises what would else be a remark. */
static enum severity severity_of(const struct rule *rule, const struct evidence *evidence,
				 const struct domain *domain)
{
	enum severity least = class_row(rule->class)->severity;

	if (least >= SEV_NOTE && rule->class != CLASS_ANON_GROWTH &&
	    rule->class != CLASS_COLD_SWAP && is_short(domain) &&
	    somebody_hurts(evidence, domain))
		return SEV_HARM;
	return least;
}

enum outcome rule_ask(const struct rule *rule, const struct evidence *evidence,
		      const struct domain *domain, struct finding *out, struct untold *untold)
{
	if (!is_in_scope(rule, domain) || (rule->wants & WANTS_WHOLE && evidence->is_part))
		return RULE_NO;
	if (lacks(rule, evidence, domain, untold))
		return RULE_UNKNOWN;
	if (!rule->test(evidence, domain))
		return RULE_NO;
	*out = (struct finding){
		.class = rule->class,
		.severity = severity_of(rule, evidence, domain),
		.domain = domain,
	};
	for (size_t i = 0; rule->cites[i] != SIGNALS && out->cites < CITES_MAX; i++)
		out->cite[out->cites++] = (struct cite){ rule->cites[i], domain->cgroup };
	return RULE_HIT;
}
