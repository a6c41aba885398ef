#include "policy/config_value.h"

#include <errno.h>

#include "base/units.h"

static int parse_bool(struct span text, uint64_t *out)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };

	for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
		if (!span_eq(text, yes[i]) && !span_eq(text, no[i]))
			continue;
		*out = span_eq(text, yes[i]);
		return 0;
	}
	return -EINVAL;
}

static int parse_word(const struct option_row *row, struct span text, uint64_t *out)
{
	for (uint64_t i = 0; i <= row->most; i++) {
		struct span word = option_word(row, i);

		if (span_len(word) != span_len(text) ||
		    memcmp(word.at, text.at, span_len(text)) != 0)
			continue;
		*out = i;
		return 0;
	}
	return -EINVAL;
}

static int parse_percent(struct span text, uint64_t *out)
{
	if (!span_empty(text) && text.end[-1] == '%')
		text.end--;
	return span_u64(span_trim(text), out);
}

static int parse_value(const struct option_row *row, struct span text, uint64_t *out)
{
	switch (row->type) {
	case OPTION_BOOL:
		return parse_bool(text, out);
	case OPTION_PERCENT:
		return parse_percent(text, out);
	case OPTION_TIME:
		return time_parse(text, row->least, row->most, out);
	case OPTION_SIZE:
		return size_parse(text, out);
	case OPTION_COUNT:
		return span_u64(text, out);
	case OPTION_WORD:
		return parse_word(row, text, out);
	}
	return -EINVAL;
}

void config_value(const struct option_row *row, uint64_t value, struct text *out)
{
	struct span word;

	switch (row->type) {
	case OPTION_BOOL:
		text_add(out, "%s", value ? "yes" : "no");
		break;
	case OPTION_PERCENT:
		text_add(out, "%ju%%", (uintmax_t)value);
		break;
	case OPTION_TIME:
		text_us(out, value);
		break;
	case OPTION_SIZE:
		text_size(out, value);
		break;
	case OPTION_COUNT:
		text_add(out, "%ju", (uintmax_t)value);
		break;
	case OPTION_WORD:
		word = option_word(row, value);
		text_put(out, word.at, span_len(word));
		break;
	}
}

static void expect(const struct option_row *row, struct text *out)
{
	if (row->type == OPTION_BOOL) {
		text_add(out, "yes or no");
		return;
	}
	if (row->type == OPTION_WORD) {
		text_add(out, "one of: %s", row->words);
		return;
	}
	config_value(row, row->least, out);
	text_add(out, " to ");
	config_value(row, row->most, out);
}

int option_parse(const struct option_row *row, struct span text, uint64_t *out,
		 struct text *expected)
{
	uint64_t value;

	if (parse_value(row, text, &value) == 0 && value >= row->least && value <= row->most) {
		*out = value;
		return 0;
	}
	expect(row, expected);
	return -EINVAL;
}
