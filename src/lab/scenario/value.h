#pragma once
/*
 * The values of a scenario: which texts are one, and what number each is. Sizes are in bytes,
 * rates in bytes a second, times in microseconds.
 */
#include "base/text.h"
#include "base/units.h"

enum value_type {
	VALUE_TEXT,
	VALUE_NAME,  /* letters, digits, '_', '-' */
	VALUE_NAMES, /* several, with blanks between them */
	VALUE_SIZE,
	VALUE_RATE,
	VALUE_TIME,
	VALUE_COUNT,
	VALUE_PERCENT,
	VALUE_LIMIT, /* a size, or "max" */
	VALUE_NICE,  /* a whole number that may be negative */
	VALUE_WORD,  /* one of `words` */
};

struct value_rule {
	enum value_type type;
	uint64_t least; /* of a number, both inclusive */
	uint64_t most;
	const char *words; /* of VALUE_WORD, with blanks between them */
};

/* The number of a value that was not given. */
#define VALUE_UNSET UINT64_MAX

/*
 * The value as a number: of a word its place among the words, of a text 0. 0, -EBADMSG when it
 * is none, -ERANGE outside the limits.
 */
must_check int value_number(const struct value_rule *rule, struct span text, uint64_t *out);

/* The value as the guest reads it: bytes, microseconds, plain digits. It must be a valid one.
 */
void value_print(const struct value_rule *rule, struct span value, struct text *out);

/* "a size such as 24M, at most 64G", "one of: none file zram". */
void value_expected(const struct value_rule *rule, struct text *out);

bool name_is_plain(struct span name);
