#pragma once
/*
 * What the rules about guards share; their tests are in killers_*.c, the rows in
 * rules_killers.c.
 */
#include "audit/audit.h"
#include "audit/guards.h"

/*
 * True when the rule has something to look at: not in a container, and the list of processes
 * is whole or this is a tree in which nothing runs. Else a result was added.
 */
bool killers_can_tell(struct audit *audit, const struct guards *guards);

/* It runs, or in a tree in which nothing runs it would. */
bool killers_has(const struct audit *audit, const struct guards *guards, enum guard_kind kind);

/* SwapTotal in bytes; false, and a result was added, when it is not known. */
bool killers_swap(struct audit *audit, uint64_t *bytes);

/* systemd-oomd runs, and the cgroups are known; else a result was added. */
bool killers_oomd_there(struct audit *audit, struct guards *guards);

/* A cgroup with more than a twentieth of RAM. */
bool killers_is_large(const struct facts *facts, const struct cgroup *cgroup);

/* Version of systemd by the name of its library; 0 unknown. */
unsigned int systemd_version(struct facts *facts);

const char *where_of(struct facts *facts, const struct config_row *row);
const char *bytes_text(struct facts *facts, uint64_t bytes);

void killers_nobody(struct audit *audit);      /* OOMD-001 */
void killers_two(struct audit *audit);	       /* OOMD-007 */
void killers_earlyoom(struct audit *audit);    /* OOMD-006 */
void oomd_is_skipped(struct audit *audit);     /* OOMD-002 */
void oomd_covers_nothing(struct audit *audit); /* OOMD-003 */
void oomd_needs_swap(struct audit *audit);     /* OOMD-004 */
void oomd_limit_is_high(struct audit *audit);  /* OOMD-005 */
void oomd_may_take(struct audit *audit);       /* OOMD-008 */
void roles_disagree(struct audit *audit);      /* CONF-001 */
void guard_is_exposed(struct audit *audit);    /* CONF-009 */
