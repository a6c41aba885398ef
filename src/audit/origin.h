#pragma once
/*
 * Where a kernel setting comes from: its running value, what sets it at the next boot (file and
 * line), and whether the two agree.
 */
#include "audit/facts.h"

struct origin {
	const char *path;	      /* "proc/sys/vm/swappiness", "sys/kernel/mm/…" */
	struct fact running;	      /* choices as their chosen word */
	const struct config_row *row; /* of sysctl.d, tmpfiles.d, tuned or the command line */
	const char
		*owner;	  /* "sysctl.d", "tmpfiles.d", "tuned", "command line"; "" for nobody */
	const char *next; /* value after the next boot; NULL: the kernel's default, unknown */
	bool survives;	  /* running and next agree, or nothing sets it and nobody changed it */
	bool contested;	  /* two owners set it differently */
};
struct origin origin_of(struct facts *facts, const char *path);

/* "etc/sysctl.d/99-a.conf:3" or "" */
const char *origin_where(struct facts *facts, const struct origin *origin);
