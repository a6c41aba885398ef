#pragma once
/*
 * What the rules look at: one snapshot of the kernel's numbers, and files that are read when
 * somebody asks (each of them once). All of it by way of one root, so a captured tree, a
 * container's or another machine's root and this machine are the same.
 */
#include "audit/roles.h"
#include "config/config.h"
#include "config/fstab.h"
#include "config/unit.h"
#include "model/snapshot.h"

#define FACTS_ARENA ((size_t)512 << 20)

/* A working set that was measured (by the guard or refault protect), for PROT-001. */
struct measured {
	const char *cgroup; /* path without leading slash */
	uint64_t bytes;
};

/* What is read when it is asked for first; each is NULL until then, and never NULL after. */
struct lazy {
	struct config *sysctl;
	struct config *tmpfiles;
	struct config *cmdline;
	struct config *cmdline_next;
	struct config *tuned;
	struct fs_table *fstab;
	struct fs_table *mounts;
	struct unit_names *units;
	struct roles *roles;
	struct unit_kept *unit; /* a list */
	struct text_kept *text; /* a list */
};

struct facts {
	const struct root *root;
	bool is_live;	 /* procfs and sysfs are this machine's */
	bool is_foreign; /* a tree in which nothing runs: a chroot, an image; no proc/vmstat */
	bool in_container; /* what is the host's can't be set from here */
	bool is_root;	   /* we may read all of it */
	uint64_t today;	   /* days since 1970 of whoever asks; an argument, not a clock */
	struct reader reader;
	const struct snapshot *snapshot; /* never NULL; of a foreign tree all is ABSENT */
	const struct measured *measured;
	size_t measures;
	const char *forced_roles; /* "postgres,jvm"; NULL */
	struct lazy lazy;
};

/*
 * Starts with root and snapshot given; arena and buffer stay the caller's. -ENOMEM is told by
 * facts_failed() at the end, so that rules need not.
 */
void facts_init(struct facts *facts, const struct root *root, const struct snapshot *snapshot,
		struct reader reader);
bool facts_failed(const struct facts *facts);

/* One file's text, trimmed, read once; state OK, or why not. text is "" unless OK. */
struct fact {
	enum state state;
	const char *path; /* as asked */
	const char *text;
	uint64_t number; /* with fact_number() and fact_choice() */
};
struct fact fact_text(struct facts *facts, const char *path);

/* GARBLED when it is not one number. */
struct fact fact_number(struct facts *facts, const char *path);

/* The word in brackets of "always [madvise] never" as text; the only word where none has some.
 */
struct fact fact_choice(struct facts *facts, const char *path);

/* Formatted path; lives as long as the facts. */
const char *facts_format(struct facts *facts, const char *format, ...) printf_like(2, 3);

/* A number of the snapshot: MI_TOTAL, TUN_SWAPPINESS … as a fact whose path is its file. */
struct fact fact_field(struct facts *facts, size_t machine_field);

/* Names of all entries of a folder, sorted; count 0 and a state where it can't be listed. */
struct names {
	enum state state;
	const char **name;
	size_t count;
};
struct names facts_names(struct facts *facts, const char *path);

/* Where a link leads, as it is written; "" for none. */
const char *facts_link(struct facts *facts, const char *path);
bool facts_exists(struct facts *facts, const char *path);

const struct config *facts_sysctl(struct facts *facts);
const struct config *facts_tmpfiles(struct facts *facts);
const struct config *facts_cmdline(struct facts *facts);
const struct config *facts_cmdline_next(struct facts *facts);
const struct config *facts_tuned(struct facts *facts);
const struct fs_table *facts_fstab(struct facts *facts);
const struct fs_table *facts_mounts(struct facts *facts);
const struct unit_names *facts_units(struct facts *facts);
const struct unit_file *facts_unit(struct facts *facts, const char *name);
const struct roles *facts_roles(struct facts *facts);

/* MemTotal in bytes; 0 where it is not known. */
uint64_t facts_ram(const struct facts *facts);

/* The cgroup of that path in the hierarchy that has memory; NULL. */
const struct cgroup *facts_cgroup(const struct facts *facts, const char *path);

/*
 * The least memory.max of a cgroup and those above it: UINT64_MAX where there is none, 0 where
 * it can't be told (index below 0, or denied).
 */
uint64_t facts_limit(const struct facts *facts, int32_t cgroup);

/* A process of that name runs; NULL where processes are not known or none has it. */
const struct task *facts_task(const struct facts *facts, const char *comm);
