#pragma once
/*
 * What `refault protect --now` has found and set, as lines "ID PATH FOUND SET" of
 * /run/refault/protect.state: so that it can be taken back.
 */
#include "base/text.h"
#include "policy/protect.h"

struct saved {
	uint64_t id;
	char path[256];
	uint64_t found; /* UINT64_MAX is "max" */
	uint64_t set;
};

/* Lines that are not as they should be are skipped. Returns how many were good, at most max. */
size_t saved_parse(struct span text, struct saved *out, size_t max);
void saved_print(struct text *text, const struct saved *saved);

/*
 * A name of a unit as systemd makes them: what can be shown between quotes to be copied into a
 * shell. Whoever has a part of the tree calls a folder there as he likes.
 */
bool unit_is_plain(const char *name);
