#pragma once
/*
 * The guard's records as people and programs read them: one line, one JSON object, one entry of
 * the journal. Pure: live, replay and status print the same.
 */
#include <sys/uio.h>

#include "base/json.h"
#include "base/text.h"
#include "policy/record.h"

/* What was seen, what it means, what was done; names are escaped. Without a time. */
void record_line(struct text *text, const struct guard_record *record);

/* One object with all that the record has; name is NULL at the top and in an array. */
void record_json(struct json *json, const char *name, const struct guard_record *record);

/* "KEY=value", each: MESSAGE, MESSAGE_ID, PRIORITY, and REFAULT_ with the keys of the JSON. */
#define RECORD_FIELDS 40
#define RECORD_JOURNAL_SIZE ((size_t)16 << 10)
size_t record_journal(struct text *text, const struct guard_record *record,
		      struct iovec out[RECORD_FIELDS]);

void candidate_json(struct json *json, const struct record_candidate *candidate);

/* "leak.service (python3, 1234)": a victim that may be a whole cgroup. */
void candidate_name(struct text *text, const struct record_candidate *candidate);

/* A cgroup's path with a slash before it, made harmless. */
void path_name(struct text *text, const char *path);
