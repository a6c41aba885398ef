#pragma once
/*
 * What roles.c and roles_java.c share: a JVM says on its command line what it is.
 */
#include "audit/facts.h"

/* The number behind a mark; 0 for none. */
unsigned int role_version_behind(const char *text, const char *mark);

/* NULL when there is no more room. */
struct role_found *role_add(struct roles *out, struct role_found found);

/* found has its words. A JVM is one role, and what runs in it another of the same process. */
void role_add_java(const struct facts *facts, struct roles *out, struct role_found found);
