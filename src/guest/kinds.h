#pragma once
/*
 * The kinds of loads and their arguments: the rows of loads.def, and how their values are read.
 * Host and guest share this, so what a scenario may say is what a load understands.
 */
#include "base/span.h"

enum arg_type {
	TYPE_SIZE,
	TYPE_RATE,
	TYPE_TIME,
	TYPE_COUNT,
	TYPE_PERCENT,
	TYPE_TEXT,
	TYPE_YESNO,
	TYPE_ACCESS,
	TYPE_ORDER,
	ARG_TYPES,
};

enum access_word {
	ACCESS_RANDOM,
	ACCESS_SEQUENTIAL,
	ACCESS_READ
};
enum order_word {
	ORDER_RANDOM,
	ORDER_SEQUENTIAL
};

enum kind_id {
#define LOAD(name, ...) KIND_##name,
#include "guest/loads.def"
	KINDS,
};

enum arg_id {
#define ARG(load, key, ...) ARG_##load##_##key,
#include "guest/loads.def"
	ARGS,
};

struct load_kind {
	const char *name;
	const char *help;
};

struct arg {
	enum kind_id kind;
	enum arg_type type;
	const char *key;
	const char *value; /* default, as people write it */
	const char *help;
};

extern const struct load_kind KIND_ROWS[KINDS];
extern const struct arg ARG_ROWS[ARGS];

/* The row; KINDS or ARGS when there is none. */
enum kind_id kind_find(struct span name);
enum arg_id arg_find(enum kind_id kind, struct span key);

/*
 * One value as a number: bytes, bytes a second, microseconds, or which of the words. A plain
 * number has these units, so "1048576" and "1M" are the same size; TEXT is 0. 0, -EBADMSG, or
 * -ERANGE.
 */
must_check int arg_parse(enum arg_type type, struct span text, uint64_t *out);

/* "a size such as 24M": for messages. */
const char *arg_type_help(enum arg_type type);

/* All arguments of one load; those of other kinds are zero. */
struct args {
	uint64_t number[ARGS];
	struct span text[ARGS]; /* as it was given; borrowed */
};

void args_init(enum kind_id kind, struct args *out);

/* One KEY=VALUE. 0, -ENOENT for a key the kind does not have, or as arg_parse(). */
must_check int args_add(enum kind_id kind, struct span word, struct args *args);
