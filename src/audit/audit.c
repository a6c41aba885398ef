#include "audit/audit.h"

#include <stdarg.h>
#include <stdlib.h>

#include "audit/rules.h"

static const char *const STATE_NAMES[AUDIT_STATES] = {
	[AUDIT_PASS] = "pass",	   [AUDIT_NOTE] = "note", [AUDIT_WARN] = "warn",
	[AUDIT_FAIL] = "fail",	   [AUDIT_SKIP] = "skip", [AUDIT_UNKNOWN] = "unknown",
	[AUDIT_WAIVED] = "waived",
};

const char *audit_state_name(enum audit_state state)
{
	return STATE_NAMES[state];
}

const char *level_name(enum level level)
{
	static const char *const names[] = { "info", "low", "medium", "high", "critical" };

	return names[level];
}

bool audit_init(struct audit *audit, struct facts *facts)
{
	*audit = (struct audit){ .facts = facts };
	audit->result =
		arena_raw(facts->reader.arena, (AUDIT_RESULTS + 1) * sizeof(*audit->result));
	return audit->result != NULL;
}

/* FNV-1a over rule and subject, with a byte between them that is in neither. */
static uint64_t fingerprint_of(const char *id, const char *subject)
{
	uint64_t hash = 14695981039346656037u;

	for (; *id; id++)
		hash = (hash ^ (unsigned char)*id) * 1099511628211u;
	hash *= 1099511628211u;
	for (; *subject; subject++)
		hash = (hash ^ (unsigned char)*subject) * 1099511628211u;
	return hash;
}

static enum level capped(const struct rule *rule, enum level level)
{
	return rule->grade == GRADE_C ? MIN(level, LEVEL_LOW) : level;
}

/* The last place is for what has no room. */
static struct result *next_result(struct audit *audit)
{
	if (audit->results == AUDIT_RESULTS || audit->of_rule == AUDIT_PER_RULE) {
		audit->cut = true;
		return &audit->result[AUDIT_RESULTS];
	}
	audit->of_rule++;
	return &audit->result[audit->results++];
}

static struct result *add(struct audit *audit, enum audit_state state, const char *subject,
			  const char *said)
{
	struct result *result = next_result(audit);

	*result = (struct result){
		.rule = audit->rule,
		.state = state,
		.level = capped(audit->rule, audit->rule->level),
		.subject = facts_format(audit->facts, "%s", subject),
		.said = said,
		.need = "",
		.fingerprint = fingerprint_of(audit->rule->id, subject),
	};
	return result;
}

static const char *said(struct audit *audit, const char *format, va_list list)
	printf_like(2, 0);
static const char *said(struct audit *audit, const char *format, va_list list)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, list);
	return facts_format(audit->facts, "%s", text);
}

#define ADDS(name, state)                                                     \
	struct result *audit_##name(struct audit *audit, const char *subject, \
				    const char *format, ...)                  \
	{                                                                     \
		va_list list;                                                 \
		const char *sentence;                                         \
                                                                              \
		va_start(list, format);                                       \
		sentence = said(audit, format, list);                         \
		va_end(list);                                                 \
		return add(audit, state, subject, sentence);                  \
	}

ADDS(fail, AUDIT_FAIL)
ADDS(warn, AUDIT_WARN)
ADDS(note, AUDIT_NOTE)
ADDS(pass, AUDIT_PASS)

struct result *audit_skip(struct audit *audit, const char *format, ...)
{
	va_list list;
	const char *sentence;

	va_start(list, format);
	sentence = said(audit, format, list);
	va_end(list);
	return add(audit, AUDIT_SKIP, "", sentence);
}

struct result *audit_unknown(struct audit *audit, const char *subject, const char *need,
			     const char *format, ...)
{
	va_list list;
	const char *sentence;
	struct result *result;

	va_start(list, format);
	sentence = said(audit, format, list);
	va_end(list);
	result = add(audit, AUDIT_UNKNOWN, subject, sentence);
	result->need = facts_format(audit->facts, "%s", need);
	return result;
}

bool audit_has(struct audit *audit, const struct fact *fact, const char *absent)
{
	if (fact->state == OK || fact->state == UNLIMITED)
		return true;
	if (fact->state == ABSENT && audit->facts->is_foreign)
		audit_unknown(audit, "", "a look at the running machine",
			      "%s is not in this tree", fact->path);
	else if (fact->state == ABSENT)
		audit_skip(audit, "%s", absent);
	else if (fact->state == DISABLED)
		audit_skip(audit, "%s is switched off", fact->path);
	else if (fact->state == DENIED)
		audit_unknown(audit, "", "root", "%s may not be read", fact->path);
	else
		audit_unknown(audit, "", "a kernel whose file has the documented form",
			      "%s is not in the form that the kernel documents", fact->path);
	return false;
}

void result_cite(struct audit *audit, struct result *result, const char *what,
		 const char *where, const char *format, ...)
{
	char text[512];
	va_list list;

	if (result->cites == AUDIT_CITES)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	result->cite[result->cites++] = (struct audit_cite){
		facts_format(audit->facts, "%s", what),
		facts_format(audit->facts, "%s", text),
		facts_format(audit->facts, "%s", where),
	};
}

void result_cite_fact(struct result *result, const char *what, const struct fact *fact)
{
	if (result->cites < AUDIT_CITES)
		result->cite[result->cites++] = (struct audit_cite){
			what, fact->state == OK ? fact->text : state_name(fact->state),
			fact->path
		};
}

void result_fix(struct result *result, struct fix_step step)
{
	if (result->fixes < AUDIT_FIXES)
		result->fix[result->fixes++] = step;
}

void result_level(struct result *result, enum level level)
{
	result->level = capped(result->rule, level);
}

void audit_rule(struct audit *audit, const struct rule *rule)
{
	size_t before = audit->results;

	audit->rule = rule;
	audit->of_rule = 0;
	rule->test(audit);
	if (audit->results == before)
		audit_pass(audit, "", "nothing to object to");
}

bool result_fires(const struct result *result)
{
	return result->state == AUDIT_FAIL || result->state == AUDIT_WARN;
}

/* What people have to read first comes first. */
static const int STATE_ORDER[AUDIT_STATES] = {
	[AUDIT_FAIL] = 0,   [AUDIT_WARN] = 1, [AUDIT_UNKNOWN] = 2, [AUDIT_NOTE] = 3,
	[AUDIT_WAIVED] = 4, [AUDIT_SKIP] = 5, [AUDIT_PASS] = 6,
};

static int by_weight(const void *one, const void *other)
{
	const struct result *left = one;
	const struct result *right = other;
	bool fires = result_fires(left);
	int order;

	if (fires != result_fires(right))
		return fires ? -1 : 1;
	if (fires && left->level != right->level)
		return left->level > right->level ? -1 : 1;
	if (left->state != right->state)
		return STATE_ORDER[left->state] - STATE_ORDER[right->state];
	order = strcmp(left->rule->id, right->rule->id);
	return order ? order : strcmp(left->subject, right->subject);
}

void audit_sort(struct audit *audit)
{
	qsort(audit->result, audit->results, sizeof(*audit->result), by_weight);
}

void audit_count(const struct audit *audit, struct audit_counts *out)
{
	*out = (struct audit_counts){ 0 };
	for (size_t i = 0; i < audit->results; i++)
		out->of[audit->result[i].state]++;
	for (size_t i = 0; rule_at(i); i++)
		for (size_t j = 0; j < audit->results; j++)
			if (audit->result[j].rule == rule_at(i)) {
				out->rules_run++;
				break;
			}
}
