#pragma once
/*
 * The subcommands: one row and one file each. Only this floor prints errors and ends the
 * program.
 */
#include <argp.h>
#include <signal.h>

#include "analysis/verdict.h"
#include "base/macro.h"
#include "model/sampler.h"
#include "model/source.h"

/* A new command: its word here, src/cmd/WORD.c, its line in meson.build,
 * man/refault-WORD.1.scd. */
#define COMMANDS(X) \
	X(diagnose) X(watch) X(check) X(capture) X(explain) X(guard) X(protect) X(lab)

struct command {
	const char *name;
	const char *summary;
	const struct argp *argp;
	int (*run)(int argc, char **argv); /* an exit status */
};

#define X(name) extern const struct command cmd_##name;
COMMANDS(X)
#undef X

enum exit_status {
	EXIT_FINE = 0,
	EXIT_FINDINGS = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_MEASURED = 3,
	EXIT_INTERNAL = 4,
};

/* Findings when it is as severe as that. */
int verdict_status(const struct verdict *verdict, enum severity fail_on);

/* refault-scenario(5) for scdoc: only lab*.c know the lab. */
void lab_manual(FILE *file);

/* refault-guard.conf(5) for scdoc, and guard.conf as it is installed. */
void guard_manual(FILE *file);
void guard_sample(FILE *file);

/* One sentence on stderr, behind "refault: ". */
void cmd_error(const char *format, ...) printf_like(1, 2);

/* EXIT_INTERNAL, after a sentence. */
int out_of_memory(void);

/* Options that every command takes which reads the kernel: a child of its argp. */
struct common {
	const char *root;
	const char *from;
	bool json;
	bool no_color;
	uint64_t interval_us;
};
extern const struct argp common_argp;
#define COMMON_DEFAULTS                               \
	{                                             \
		.root = "/", .interval_us = SECOND_US \
	}

/* stdout is a terminal, and nobody wants it plain. */
bool wants_color(const struct common *common);

/* Columns of the terminal on stdout, 80 when it has fewer than least; 0 when it is none. */
size_t terminal_width(size_t least);

/* Between an interval that measures only noise and one in which nobody would wait. */
#define INTERVAL_MIN_US 100000u
#define INTERVAL_MAX_US (3600ull * SECOND_US)

/* Parses a time for an option, or ends the program with a sentence (exit 2). */
uint64_t option_time(struct argp_state *state, const char *option, const char *text,
		     uint64_t min_us, uint64_t max_us);
uint64_t option_count(struct argp_state *state, const char *option, const char *text,
		      uint64_t min, uint64_t max);

/* A source and a sampler on it, or a sentence on stderr and EXIT_NOT_MEASURED. */
struct session {
	struct source source;
	struct sampler sampler;
	uint64_t interval_us;
	uint64_t due_us; /* CLOCK_MONOTONIC; when the next live frame is due */
};
must_check int session_open(const struct common *common, struct session *out);
void session_close(struct session *session);

/*
 * Waits for the next tick on a live source and takes a snapshot into the arena. 0, SESSION_END,
 * or an exit status after one sentence.
 */
#define SESSION_END SOURCE_END
must_check int session_next(struct session *session, enum sampling how, struct arena *arena,
			    struct snapshot **out);

/* The two halves of session_next(), for who has something else to wait for as well. */
enum wait {
	WAIT_TICK,
	WAIT_INPUT,  /* there is something to read */
	WAIT_HANGUP, /* the input is gone */
	WAIT_SIGNAL,
};

/* The first tick is at once. mask: the signals that stay blocked meanwhile, as in ppoll(2). */
#define NO_INPUT (-1)
enum wait session_wait(struct session *session, int input, const sigset_t *mask);

/* 0, SESSION_END or -errno; session_failed() has the sentence and the exit status. */
must_check int session_take(struct session *session, enum sampling how, struct arena *arena,
			    struct snapshot **out);
int session_failed(int r);
