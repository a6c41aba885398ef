#pragma once
/*
 * All rules. A new topic: its word here, src/audit/rules_WORD.c with `const struct rules
 * rules_WORD`, its line in meson.build.
 */
#include "audit/rule.h"

#define RULE_TOPICS(X) \
	X(swap)        \
	X(zram)        \
	X(reclaim)     \
	X(pages) X(limits) X(killers) X(kubernetes) X(settings) X(protect) X(promises)

#define X(topic) extern const struct rules rules_##topic;
RULE_TOPICS(X)
#undef X

/* Row number index over all tables, sorted by topic as above; NULL behind the last. */
const struct rule *rule_at(size_t index);
size_t rule_count(void);

/* NULL for none; case does not matter. */
const struct rule *rule_named(const char *id);
