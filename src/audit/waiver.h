#pragma once
/*
 * Waivers: somebody's reason why a result is accepted, until a day.
 * the .conf files of etc/refault/waivers.d.
 */
#include "audit/audit.h"

struct waiver {
	const char *file;
	unsigned int line;
	const char *rule;  /* id or glob */
	const char *scope; /* glob of subjects; "*" */
	const char *reason;
	const char *owner; /* "" */
	uint64_t expires;  /* days since 1970 */
	bool is_expired;
};

struct waivers {
	struct waiver *waiver;
	size_t count;
	struct config notes; /* what is wrong in which file and line */
};

/* Files of etc/refault/waivers.d of the facts' root. 0 or -ENOMEM. */
must_check int waivers_read(struct facts *facts, struct waivers *out);

/* FAIL and WARN that a waiver names become WAIVED. Returns how many. */
size_t waivers_apply(struct audit *audit, const struct waivers *waivers);

/* "2026-12-31" to days since 1970. 0 or -EBADMSG. */
must_check int day_parse(struct span text, uint64_t *days);
