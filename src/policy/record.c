#include "policy/record.h"

#include <math.h>

const char *because_words(enum because because)
{
	static const char *const words[] = {
#define BECAUSE(id, text) [BECAUSE_##id] = (text),
#include "policy/records.def"
	};

	return (size_t)because < BECAUSES ? words[because] : "";
}

const struct record_row *record_row(enum record_kind kind)
{
	static const struct record_row rows[] = {
#define RECORD(id, text, message, syslog_level, helps) \
	[RECORD_##id] = {                              \
		.word = (text),                        \
		.message_id = (message),               \
		.level = (syslog_level),               \
		.help = (helps),                       \
	},
#include "policy/records.def"
	};
	static const struct record_row unknown = { "", "", 7, "" };

	return (size_t)kind < RECORD_KINDS ? &rows[kind] : &unknown;
}

struct guard_record record_blank(enum record_kind kind)
{
	return (struct guard_record){
		.kind = kind,
		.class = CLASS_UNKNOWN,
		.loss = (double)NAN,
		.loss_upper = (double)NAN,
		.growth = (double)NAN,
		.available = (double)NAN,
		.free = (double)NAN,
		.reread = (double)NAN,
		.psi_memory = (double)NAN,
		.psi_io = (double)NAN,
		.left_s = (double)NAN,
		.freed = (double)NAN,
		.effect_us = (double)NAN,
	};
}
