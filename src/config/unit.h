#pragma once
/*
 * Units of systemd as they are on disk: fragment, drop-ins, masks. systemd.unit(5) of 257.
 */
#include "config/config.h"

enum unit_standing {
	UNIT_ABSENT,
	UNIT_PRESENT,
	UNIT_MASKED, /* linked to /dev/null, or empty in etc/ */
};

struct unit_file {
	const char *name;
	enum unit_standing standing;
	const char *fragment; /* path of its file; "" for a unit that only has drop-ins */
	struct config config; /* fragment, then drop-ins in order */
};

/*
 * One unit by its name ("nginx.service", "system.slice", an instance "a@b.service" by way of
 * its template); drop-ins of NAME.d, of its dashed prefixes ("a-.service.d") and of its type
 * ("service.d") are in it. 0 or -ENOMEM.
 */
must_check int unit_read(const struct reader *reader, const char *name, struct unit_file *out);

/* A link in a .wants or .requires folder of what is started at boot points to it. */
bool unit_is_enabled(const struct reader *reader, const struct unit_file *unit);

/* The names of all units on disk, sorted; in the arena. 0 or -ENOMEM. */
struct unit_names {
	const char **name;
	size_t count;
};
must_check int unit_list(const struct reader *reader, struct unit_names *out);

/* The row that counts; an empty value resets a setting to its default, so it is no row. */
const struct config_row *unit_find(const struct unit_file *unit, const char *section,
				   const char *key);

/*
 * "50M", "1G", "10%", "infinity" of MemoryMax= and its kin. 0, -EBADMSG; *bytes is UINT64_MAX
 * for infinity. of: what percents are of.
 */
must_check int unit_bytes(const char *value, uint64_t of, uint64_t *bytes);
