#pragma once
/*
 * What the guard decided, or why it did not act: plain data of fixed size, which goes to the
 * journal, to JSON lines and to `refault guard status --why`.
 */
#include "analysis/class.h"
#include "base/macro.h"

/* Ids never change meaning. */
enum record_kind {
#define RECORD(id, word, message_id, level, help) RECORD_##id,
#include "policy/records.def"
	RECORD_KINDS,
};

struct record_row {
	const char *word;
	const char *message_id; /* of the journal: 32 hex digits, for ever */
	int level;		/* of syslog */
	const char *help;
};
const struct record_row *record_row(enum record_kind kind);

/* Why nothing is done, or not more. */
enum because {
#define BECAUSE(id, words) BECAUSE_##id,
#include "policy/records.def"
	BECAUSES,
};
const char *because_words(enum because because);

#define RECORD_PATH 200
#define RECORD_CANDIDATES 4

struct record_candidate {
	char path[RECORD_PATH];
	uint32_t pid; /* 0: the whole cgroup */
	char comm[64];
	double gain;
	double growth;
	double score;
	uint32_t exempt; /* enum exempt */
};

struct guard_record {
	uint64_t id;	/* of the decision: actions, effects and tapes of one have the same */
	uint64_t at_us; /* CLOCK_BOOTTIME */
	uint64_t wall_us;
	enum record_kind kind;
	enum because because;
	bool dry;      /* it was only said, not done */
	int32_t error; /* errno of an action that failed; 0 */
	enum verdict_class class;
	uint32_t limit; /* enum limit_kind of the domain */
	uint64_t domain_id;
	char domain[RECORD_PATH];   /* "machine" or a path */
	char sufferer[RECORD_PATH]; /* "" none */
	double loss;		    /* lower bound, 0 to 1; NAN unknown */
	double loss_upper;
	char culprit[RECORD_PATH];
	double growth;	  /* of the culprit, bytes per second */
	double available; /* MemAvailable, bytes */
	double free;
	double reread;	   /* in the domain, bytes per second */
	double psi_memory; /* some, of the sufferer */
	double psi_io;
	double left_s; /* until it is full; NAN unknown */
	struct record_candidate candidate[RECORD_CANDIDATES]; /* the victim first */
	uint32_t candidates;
	uint64_t value_from; /* of a file that was written */
	uint64_t value_to;
	double freed;	  /* bytes, of an effect */
	double effect_us; /* from the action to the effect; NAN none yet */
	char text[160];	  /* what else there is to say; made by the guard */
};

/* One of which nothing else is known. */
struct guard_record record_blank(enum record_kind kind);
