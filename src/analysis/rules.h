#pragma once
/*
 * The rules: one row a class, with the signals it needs and a predicate. The engine decides
 * "unknown", so no rule can forget it.
 */
#include "analysis/verdict.h"

enum outcome {
	RULE_NO,
	RULE_HIT,
	RULE_UNKNOWN,
};

/* Which domains a rule looks at. */
enum rule_scope {
	ON_MACHINE = 1,
	ON_HIGH = 2,
	ON_MAX = 4,
	ON_ALL = 7,
};

/* What a rule needs besides signals of its domain. */
enum rule_wants {
	WANTS_LOSS = 1,	 /* lost time of a member */
	WANTS_SLOPE = 2, /* growth, so two samples in time */
	WANTS_WHOLE = 4, /* the whole machine: its totals tell nothing about a part of it */
};

struct rule {
	enum verdict_class class;
	unsigned int scope;   /* enum rule_scope, several */
	unsigned int wants;   /* enum rule_wants, several */
	enum signal needs[6]; /* ends with SIGNALS */
	bool (*test)(const struct evidence *evidence, const struct domain *domain);
	enum signal cites[6]; /* shown as evidence; ends with SIGNALS */
};

extern const struct rule RULES[];
extern const size_t RULE_COUNT;

/* Fills out when it is a hit, and untold when it is unknown. */
enum outcome rule_ask(const struct rule *rule, const struct evidence *evidence,
		      const struct domain *domain, struct finding *out, struct untold *untold);
