#pragma once
/*
 * What rules about one kernel setting share: whose it is, who sets it, and how it is set.
 */
#include "audit/audit.h"

/* False, and a result says so, where the setting is the host's: inside a container. */
bool knob_is_ours(struct audit *audit);

/* Cites the running value, and the file and line that sets it at boot where there is one. */
void knob_cite(struct audit *audit, struct result *result, const char *path);

/* The step that sets it, by sysctl.d for proc/sys/, by tmpfiles.d for sys/. */
void knob_fix(struct audit *audit, struct result *result, const char *path, const char *value,
	      const char *computed);

/* Bytes. */
#define MIB ((uint64_t)1 << 20)

/* A database runs here, which waits for nobody; its name, or NULL. */
const char *knob_database(struct facts *facts);
