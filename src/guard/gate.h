#pragma once
/*
 * What is looked at while all is calm: so few files, kept open, that a look costs next to
 * nothing. It says when a full sample is due before its time.
 */
#include "model/sampler.h"

struct gate_reading {
	uint64_t at_us; /* 0: there was none */
	bool has_memory;
	bool has_pressure;
	bool has_io_pressure;
	uint64_t total; /* bytes */
	uint64_t available;
	uint64_t swap_total;
	uint64_t swap_free;
	uint64_t stalled_us; /* memory some, and io some, of the machine */
	uint64_t io_stalled_us;
	uint64_t events; /* high, max and oom of all cgroups, since the gate was opened */
};

enum gate_state {
	GATE_QUIET,
	GATE_STIR,  /* worth a full sample each second */
	GATE_ALARM, /* harm may be near: as often as allowed */
};

/* Pure. horizon is the time until the next full sample comes by itself. */
enum gate_state gate_judge(const struct gate_reading *before, const struct gate_reading *now,
			   uint64_t horizon_us);

/* memory.events of a cgroup below the top counts for all below it. */
#define GATE_FILES 64
struct gate_file {
	uint64_t id;
	int slot; /* owned */
	uint64_t events;
	bool is_known; /* events is a baseline */
	char directory[MOUNT_SIZE];
};

struct gate {
	int meminfo; /* owned slots */
	int memory;
	int io;
	struct gate_file file[GATE_FILES];
	size_t files;
	bool is_blind; /* some limit may be met without that it is seen here */
	uint64_t events;
};
void gate_init(struct gate *gate);
void gate_done(struct gate *gate);

/* The cgroups below the top are those of the snapshot, which the sampler has just taken. */
void gate_follow(struct gate *gate, const struct sampler *sampler,
		 const struct snapshot *snapshot);

void gate_read(struct gate *gate, const struct root *root, uint64_t at_us,
	       struct gate_reading *out);
