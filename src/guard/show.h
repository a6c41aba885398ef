#pragma once
/*
 * What the loop last said of itself, for `refault guard status`: as text and as JSON. Pure.
 */
#include "base/json.h"
#include "base/text.h"
#include "guard/shared.h"

/* All that an answer is made of; the front copies it out of the shared memory. */
struct shown {
	const struct shared_status *status;
	const struct guard_config *config;
	const struct guard_record *record; /* the kept ones, oldest first */
	size_t records;
	bool dry;
	bool observe;	 /* it is made to observe: no root, a container */
	uint64_t now_us; /* CLOCK_BOOTTIME */
};

/* Room for the largest answer: 256 members and protected units. */
#define SHOWN_SIZE ((size_t)512 << 10)

void status_text(struct text *text, const struct shown *shown);
void status_json(struct json *json, const struct shown *shown);

/* What is known of one cgroup and why it was not acted on; a path with or without its slash. */
void why_text(struct text *text, const struct shown *shown, const char *path);
void why_json(struct json *json, const struct shown *shown, const char *path);

/* True when the record is about the cgroup: domain, sufferer, culprit or candidate. */
bool record_names(const struct guard_record *record, const char *path);

/* What a unit should have protected, bytes; NAN when its working set was never known. */
double wanted_of(const struct shared_protected *unit);
