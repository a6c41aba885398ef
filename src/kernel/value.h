#pragma once
/*
 * Files that hold one value: sysctls, module parameters, limits of cgroups.
 */
#include "base/root.h"
#include "kernel/field.h"

enum form {
	FORM_U64,    /* digits, or "max" for unlimited */
	FORM_HEX,    /* 0x0007 */
	FORM_FLAG,   /* Y or N, 1 or 0 */
	FORM_CHOICE, /* always [madvise] never */
};

/* Sets state[id], and value[id] where there is one. */
void value_parse_as(struct span text, enum form form, size_t id, struct numbers out);

/* Every row of tunables.def. */
void tunables_read(const struct root *root, struct buffer buffer, struct numbers out);
