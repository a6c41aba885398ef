#include "guest/kinds.h"

#include <errno.h>

const struct load_kind KIND_ROWS[KINDS] = {
#define LOAD(name, help) { #name, help },
#include "guest/loads.def"
};

const struct arg ARG_ROWS[ARGS] = {
#define ARG(load, key, type, value, help) { KIND_##load, TYPE_##type, #key, value, help },
#include "guest/loads.def"
};

enum kind_id kind_find(struct span name)
{
	for (enum kind_id id = 0; id < KINDS; id++)
		if (span_eq(name, KIND_ROWS[id].name))
			return id;
	return KINDS;
}

enum arg_id arg_find(enum kind_id kind, struct span key)
{
	for (enum arg_id id = 0; id < ARGS; id++)
		if (ARG_ROWS[id].kind == kind && span_eq(key, ARG_ROWS[id].key))
			return id;
	return ARGS;
}

struct suffix {
	const char *name;
	uint64_t factor;
};

static const struct suffix BYTES[] = {
	{ "", 1 },
	{ "K", (uint64_t)1 << 10 },
	{ "M", (uint64_t)1 << 20 },
	{ "G", (uint64_t)1 << 30 },
	{ "T", (uint64_t)1 << 40 },
	{ NULL },
};
static const struct suffix TIMES[] = {
	{ "", 1 }, { "us", 1 }, { "ms", 1000 }, { "s", SECOND_US }, { "m", 60 * SECOND_US },
	{ NULL },
};
static const struct suffix PLAIN[] = { { "", 1 }, { NULL } };
static const struct suffix PERCENTS[] = { { "", 1 }, { "%", 1 }, { NULL } };

static const char *const YESNO_WORDS[] = { "no", "yes", NULL };
static const char *const ACCESS_WORDS[] = { "random", "sequential", "read", NULL };
static const char *const ORDER_WORDS[] = { "random", "sequential", NULL };

/* How a type is written: a number with a suffix, one of some words, or neither. */
static const struct {
	const struct suffix *suffixes;
	const char *const *words;
	uint64_t most;
	const char *help;
} TYPES[ARG_TYPES] = {
	[TYPE_SIZE] = { .suffixes = BYTES, .most = INT64_MAX, .help = "a size such as 24M" },
	[TYPE_RATE] = { .suffixes = BYTES,
			.most = INT64_MAX,
			.help = "bytes a second such as 1M" },
	[TYPE_TIME] = { .suffixes = TIMES,
			.most = INT64_MAX,
			.help = "a time such as 100ms or 2s" },
	[TYPE_COUNT] = { .suffixes = PLAIN, .most = INT64_MAX, .help = "a whole number" },
	[TYPE_PERCENT] = { .suffixes = PERCENTS, .most = 100, .help = "0 to 100" },
	[TYPE_TEXT] = { .help = "one word" },
	[TYPE_YESNO] = { .words = YESNO_WORDS, .help = "yes or no" },
	[TYPE_ACCESS] = { .words = ACCESS_WORDS, .help = "random, sequential or read" },
	[TYPE_ORDER] = { .words = ORDER_WORDS, .help = "random or sequential" },
};

const char *arg_type_help(enum arg_type type)
{
	return TYPES[type].help;
}

static int word_parse(const char *const *words, struct span text, uint64_t *out)
{
	for (size_t i = 0; words[i]; i++) {
		if (!span_eq(text, words[i]))
			continue;
		*out = i;
		return 0;
	}
	return -EBADMSG;
}

static struct span number_of(struct span text)
{
	const char *end = text.at;

	while (end < text.end && (*end == '.' || (*end >= '0' && *end <= '9')))
		end++;
	return (struct span){ text.at, end };
}

static int scaled(struct span number, uint64_t factor, uint64_t *out)
{
	uint64_t thousandths;
	uint64_t product;
	int r;

	if (factor == 1)
		return span_u64(number, out);
	r = span_fixed(number, 3, &thousandths);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(thousandths, factor, &product))
		return -ERANGE;
	*out = product / 1000;
	return 0;
}

static int number_parse(const struct suffix *suffixes, struct span text, uint64_t *out)
{
	struct span number = number_of(text);
	struct span rest = { number.end, text.end };

	for (size_t i = 0; suffixes[i].name; i++)
		if (span_eq(rest, suffixes[i].name))
			return scaled(number, suffixes[i].factor, out);
	return -EBADMSG;
}

int arg_parse(enum arg_type type, struct span text, uint64_t *out)
{
	uint64_t number = 0;
	int r = 0;

	if (TYPES[type].words)
		r = word_parse(TYPES[type].words, text, &number);
	else if (TYPES[type].suffixes)
		r = number_parse(TYPES[type].suffixes, text, &number);
	if (r == 0 && TYPES[type].suffixes && number > TYPES[type].most)
		r = -ERANGE;
	if (r == 0)
		*out = number;
	return r;
}

void args_init(enum kind_id kind, struct args *out)
{
	*out = (struct args){ 0 };
	for (enum arg_id id = 0; id < ARGS; id++) {
		if (ARG_ROWS[id].kind != kind)
			continue;
		out->text[id] = span_cstr(ARG_ROWS[id].value);
		/* A default that cannot be read is a wrong row; a test reads them all. */
		if (arg_parse(ARG_ROWS[id].type, out->text[id], &out->number[id]) < 0)
			out->number[id] = 0;
	}
}

int args_add(enum kind_id kind, struct span word, struct args *args)
{
	struct span key;
	struct span value;
	enum arg_id id;

	if (!span_split(word, '=', &key, &value))
		return -EBADMSG;
	id = arg_find(kind, key);
	if (id == ARGS)
		return -ENOENT;
	args->text[id] = value;
	return arg_parse(ARG_ROWS[id].type, value, &args->number[id]);
}
