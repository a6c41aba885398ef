#include "lab/scenario/value.h"

#include <errno.h>

#include "base/units.h"

/* Names are file names, words of the plan and parts of full keys. */
bool name_is_plain(struct span name)
{
	for (const char *at = name.at; at < name.end; at++) {
		bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');

		if (!letter && !(*at >= '0' && *at <= '9') && *at != '_' && *at != '-')
			return false;
	}
	return !span_empty(name) && span_len(name) < 32;
}

static int limit_parse(struct span text, uint64_t *out)
{
	if (!span_eq(text, "max"))
		return size_parse(text, out);
	*out = UINT64_MAX - 1;
	return 0;
}

static int percent_parse(struct span text, uint64_t *out)
{
	if (!span_empty(text) && text.end[-1] == '%')
		text.end--;
	return span_u64(span_trim(text), out);
}

/* Moved up, so that the limits of the rule work for it as well. */
#define NICE_ZERO 20

static int nice_parse(struct span text, uint64_t *out)
{
	int64_t nice;
	int r = span_i64(text, &nice);

	if (r < 0)
		return r;
	if (nice < -NICE_ZERO || nice >= NICE_ZERO)
		return -ERANGE;
	*out = (uint64_t)(nice + NICE_ZERO);
	return 0;
}

static int word_find(const char *words, struct span word, uint64_t *out)
{
	struct span rest = span_cstr(words);
	struct span each;

	for (uint64_t i = 0; span_word(&rest, &each); i++) {
		if (span_len(each) != span_len(word) ||
		    memcmp(each.at, word.at, span_len(word)) != 0)
			continue;
		*out = i;
		return 0;
	}
	return -EBADMSG;
}

static int names_check(struct span names)
{
	struct span name;

	while (span_word(&names, &name))
		if (!name_is_plain(name))
			return -EBADMSG;
	return 0;
}

static int raw_number(const struct value_rule *rule, struct span text, uint64_t *out)
{
	switch (rule->type) {
	case VALUE_TEXT:
		*out = 0;
		return 0;
	case VALUE_NAME:
		*out = 0;
		return name_is_plain(text) ? 0 : -EBADMSG;
	case VALUE_NAMES:
		*out = 0;
		return names_check(text);
	case VALUE_SIZE:
	case VALUE_RATE:
		return size_parse(text, out);
	case VALUE_LIMIT:
		return limit_parse(text, out);
	case VALUE_TIME:
		return time_parse(text, 0, UINT64_MAX, out);
	case VALUE_COUNT:
		return span_u64(text, out);
	case VALUE_PERCENT:
		return percent_parse(text, out);
	case VALUE_NICE:
		return nice_parse(text, out);
	case VALUE_WORD:
		return word_find(rule->words, text, out);
	}
	return -EBADMSG;
}

static bool has_limits(enum value_type type)
{
	return type != VALUE_TEXT && type != VALUE_NAME && type != VALUE_NAMES &&
	       type != VALUE_WORD && type != VALUE_LIMIT;
}

int value_number(const struct value_rule *rule, struct span text, uint64_t *out)
{
	uint64_t number;
	int r = raw_number(rule, text, &number);

	if (r < 0)
		return r;
	if (has_limits(rule->type) && (number < rule->least || number > rule->most))
		return -ERANGE;
	*out = number;
	return 0;
}

static bool is_text(const struct value_rule *rule)
{
	return rule->type <= VALUE_NAMES || rule->type == VALUE_WORD;
}

void value_print(const struct value_rule *rule, struct span value, struct text *out)
{
	uint64_t number = 0;

	if (is_text(rule) || span_eq(value, "max") || value_number(rule, value, &number) < 0)
		text_put(out, value.at, span_len(value));
	else if (rule->type == VALUE_NICE)
		text_add(out, "%lld", (long long)number - NICE_ZERO);
	else
		text_add(out, "%llu", (unsigned long long)number);
}

static const struct {
	const char *what;
	void (*print)(struct text *out, uint64_t number);
} KINDS[] = {
	[VALUE_TEXT] = { "a text" },
	[VALUE_NAME] = { "a name of letters, digits, '_' and '-'" },
	[VALUE_NAMES] = { "names of letters, digits, '_' and '-', with blanks between them" },
	[VALUE_SIZE] = { "a size such as 24M", text_size },
	[VALUE_RATE] = { "bytes a second such as 1M or 0.25M", text_size },
	[VALUE_TIME] = { "a time such as 100ms or 6s", text_us },
	[VALUE_COUNT] = { "a whole number" },
	[VALUE_PERCENT] = { "a percentage such as 50" },
	[VALUE_LIMIT] = { "a size such as 110M, or max" },
	[VALUE_NICE] = { "a whole number from -20 to 19" },
	[VALUE_WORD] = { "one of: " },
};

static void limit_print(const struct value_rule *rule, struct text *out, uint64_t number)
{
	if (KINDS[rule->type].print)
		KINDS[rule->type].print(out, number);
	else
		text_add(out, "%llu", (unsigned long long)number);
}

void value_expected(const struct value_rule *rule, struct text *out)
{
	text_add(out, "%s", KINDS[rule->type].what);
	if (rule->type == VALUE_WORD)
		text_add(out, "%s", rule->words);
	if (!has_limits(rule->type) || rule->type == VALUE_NICE)
		return;
	if (rule->least > 0) {
		text_add(out, ", at least ");
		limit_print(rule, out, rule->least);
	}
	if (rule->most < UINT64_MAX) {
		text_add(out, ", at most ");
		limit_print(rule, out, rule->most);
	}
}
