#pragma once
/*
 * What the loop knows, into the memory that the front reads: records into their ring, the
 * status under its sequence lock. One writer; a reader never holds it up.
 */
#include "guard/shared.h"
#include "policy/engine.h"

/* The record's time of day, when it has none, is that of the snapshot. */
void publish_record(struct shared *shared, const struct guard_record *record, uint64_t wall_us);

struct publication {
	const struct engine *engine; /* after engine_next() */
	const struct snapshot *snapshot;
	const char *other_guard; /* NULL none */
	enum pace pace;
	const struct shared_health *health;
};
void publish_status(struct shared *shared, const struct publication *publication);

/* Only how the loop itself is. */
void publish_health(struct shared *shared, const struct shared_health *health);

/* For the front: false when the loop was writing each time. */
must_check bool status_copy(struct shared *shared, struct shared_status *out);

/* For the front: the record of that number; false when it is not there yet, or no more. */
must_check bool record_copy(struct shared *shared, uint64_t number, struct guard_record *out);

/* For the loop: the list as the front has written it; false when it was writing. */
must_check bool services_copy(struct shared *shared, struct service_list *out);
