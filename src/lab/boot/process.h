#pragma once
/*
 * Other programs: started from a list of words, never by a shell. Each gets a process group of
 * its own, so that Ctrl-C reaches only us and we end it; and the kernel kills it when we die,
 * however we die, so that no guest is left behind.
 */
#include <sys/types.h>

#include "lab/boot/files.h"

struct program {
	const char *const
		*argv;	      /* ends with NULL; the first is looked for in PATH and in sbin */
	const char *folder;   /* it runs there; NULL: here */
	const char *variable; /* "NAME=VALUE" for its environment; may be NULL */
	int out;	      /* its output and its complaints; 0: nowhere */
	int err;
};

/* Whether there is a program of that name, where program_start() looks. */
bool program_is_there(const char *name);

/* 0 or -errno. What cannot be executed ends with status 127. */
must_check int program_start(const struct program *program, pid_t *out);

/* 0: still runs; 1: it ended, and *status is its exit status, or 128 + its signal. */
must_check int program_poll(pid_t pid, int *status);

/* Kills it, and what it started, and waits for its end. */
void program_kill(pid_t pid);

/* Until it ends: 0, -ENOENT not installed, -ECANCELED stopped (and killed), -EIO it failed. */
must_check int program_run(const struct program *program, stop_flag stop);

/* The same, with what it prints; -EFBIG when that is more than the buffer. */
must_check int program_read(const struct program *program, stop_flag stop, struct buffer buffer,
			    struct span *out);
