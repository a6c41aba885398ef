#pragma once
/*
 * Everything that pid 1 knows. There is one, and two threads look at it: the main thread
 * changes it, the observer reads the loads and the phase.
 */
#include "guest/child.h"
#include "guest/observer.h"
#include "guest/stream.h"

struct guest {
	struct stream stream;
	struct child child[CHILDREN];
	size_t children; /* grows only; what is below it is complete */
	uint64_t seed;
	char phase[64];
	bool is_over; /* "end", or a step that went wrong */
	uint64_t calibration_mib_s;
	struct observer observer;
};

/* "KIND TEXT" on the results disk and the console. */
void guest_mark(struct guest *guest, const char *kind, const char *format, ...)
	printf_like(3, 4);

/* NULL when there is none of that name. */
struct child *guest_child(struct guest *guest, struct span name);

/* Notices the loads that have ended, and reaps whatever else ends with them. */
void guest_reap(struct guest *guest);

/* Sleeps, and reaps meanwhile. */
void guest_sleep_until(struct guest *guest, uint64_t at_us);

/* Carries out the plan; what goes wrong is a mark. */
void guest_run(struct guest *guest, struct span plan);

/* "NAME state due done late longest_us size_bytes extra" for each load. */
void guest_print_loads(const struct guest *guest, uint64_t now_us, struct text *text);

/* What is written at the end: slots, the kernel's log, what the guest was, and "done". */
void guest_hand_over(struct guest *guest);
