#pragma once
/*
 * Renames what names people and their services, the same way in every frame, before it reaches
 * a recorder: cgroups, commands, swap files, the host and its boot id. Numbers stay as they
 * are.
 */
#include "base/mem.h"
#include "base/root.h"
#include "kernel/host.h"

struct redactor {
	struct sink sink;   /* first: the redactor is the sink */
	struct sink *next;  /* borrowed: gets what is renamed */
	struct arena names; /* owned: names in the order they were met */
	const char **name;
	size_t count;
	struct mounts mounts; /* where cgroups are, from the mountinfo that passes by */
	char *out;	      /* the renamed file */
	size_t used;
};

/* 0 or -ENOMEM. */
must_check int redactor_init(struct redactor *redactor, struct sink *next);
void redactor_done(struct redactor *redactor);
