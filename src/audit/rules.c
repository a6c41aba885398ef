#include "audit/rules.h"

#include <strings.h>

static const struct rules *const TOPICS[] = {
#define X(topic) &rules_##topic,
	RULE_TOPICS(X)
#undef X
};

const struct rule *rule_at(size_t index)
{
	for (size_t i = 0; i < ARRAY_LEN(TOPICS); i++) {
		if (index < TOPICS[i]->count)
			return &TOPICS[i]->rule[index];
		index -= TOPICS[i]->count;
	}
	return NULL;
}

size_t rule_count(void)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(TOPICS); i++)
		count += TOPICS[i]->count;
	return count;
}

const struct rule *rule_named(const char *id)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		if (strcasecmp(rule->id, id) == 0)
			return rule;
	return NULL;
}
