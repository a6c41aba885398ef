#pragma once
/*
 * Writes JSON to a stream as it comes, one value after the other. No reader, no tree, no
 * allocation. Foreign bytes that are not UTF-8 are written as U+FFFD.
 */
#include "base/span.h"

#define JSON_DEPTH 16

struct json {
	FILE *file; /* borrowed */
	int depth;
	bool filled[JSON_DEPTH]; /* this level has a member already */
	bool pretty;
};

struct json json_on(FILE *file, bool pretty);

/* name is NULL for the members of an array and for the top. */
void json_open(struct json *json, const char *name, char bracket);
void json_close(struct json *json, char bracket);
void json_span(struct json *json, const char *name, struct span text);
void json_text(struct json *json, const char *name, const char *text);
void json_u64(struct json *json, const char *name, uint64_t value);
void json_double(struct json *json, const char *name, double value); /* null unless finite */
void json_bool(struct json *json, const char *name, bool value);
void json_null(struct json *json, const char *name);
