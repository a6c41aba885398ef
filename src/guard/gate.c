#include "guard/gate.h"

#include "kernel/keyed.h"
#include "kernel/psi.h"

/* /proc/meminfo has about 1500 bytes. */
#define GATE_BUFFER 8192

void gate_init(struct gate *gate)
{
	*gate = (struct gate){
		.meminfo = SLOT_EMPTY,
		.memory = SLOT_EMPTY,
		.io = SLOT_EMPTY,
		.is_blind = true,
	};
}

void gate_done(struct gate *gate)
{
	slot_close(&gate->meminfo);
	slot_close(&gate->memory);
	slot_close(&gate->io);
	for (size_t i = 0; i < gate->files; i++)
		slot_close(&gate->file[i].slot);
	gate->files = 0;
}

/* What is below the top, and the top itself where it has the file: in a container. */
static bool is_watched(const struct snapshot *snapshot, const struct cgroup *cgroup)
{
	if (cgroup->hierarchy != HIERARCHY_V2 || cgroup->state[CG_EV_HIGH] != OK)
		return false;
	return cgroup->parent < 0 || snapshot->cgroups[cgroup->parent].parent < 0;
}

static bool is_in(const struct snapshot *snapshot, uint64_t id)
{
	const struct cgroup *cgroup = snapshot_cgroup(
		snapshot, &(struct cgroup){ .id = id, .hierarchy = HIERARCHY_V2 });

	return cgroup && is_watched(snapshot, cgroup);
}

static void drop_gone(struct gate *gate, const struct snapshot *snapshot)
{
	size_t kept = 0;

	for (size_t i = 0; i < gate->files; i++) {
		if (!is_in(snapshot, gate->file[i].id)) {
			slot_close(&gate->file[i].slot);
			continue;
		}
		if (kept != i)
			gate->file[kept] = gate->file[i];
		kept++;
	}
	gate->files = kept;
}

static bool is_known(const struct gate *gate, uint64_t id)
{
	for (size_t i = 0; i < gate->files; i++)
		if (gate->file[i].id == id)
			return true;
	return false;
}

/* False when there is no room for it. */
static bool add_file(struct gate *gate, const char *directory, uint64_t id)
{
	struct gate_file *file = &gate->file[gate->files];

	if (gate->files == GATE_FILES || !directory || strlen(directory) >= MOUNT_SIZE)
		return false;
	*file = (struct gate_file){ .id = id, .slot = SLOT_EMPTY };
	memcpy(file->directory, directory, strlen(directory) + 1);
	gate->files++;
	return true;
}

/* Limits of v1 have no events that count for all below. */
static bool has_blind_limits(const struct snapshot *snapshot)
{
	return snapshot->mounts.mode != CGROUPS_V2;
}

void gate_follow(struct gate *gate, const struct sampler *sampler,
		 const struct snapshot *snapshot)
{
	gate->is_blind = has_blind_limits(snapshot) || snapshot->cgroups_cut;
	drop_gone(gate, snapshot);
	for (size_t i = 0; i < snapshot->cgroup_count; i++) {
		const struct cgroup *cgroup = &snapshot->cgroups[i];

		if (!is_watched(snapshot, cgroup) || is_known(gate, cgroup->id))
			continue;
		if (!add_file(gate, sampler_directory(sampler, HIERARCHY_V2, cgroup->id),
			      cgroup->id))
			gate->is_blind = true;
	}
}

static void read_memory(struct gate *gate, const struct root *root, struct buffer buffer,
			struct gate_reading *out)
{
	uint64_t value[MACHINE_FIELDS];
	uint8_t state[MACHINE_FIELDS] = { 0 };
	struct span text;

	if (root_read_kept(root, &gate->meminfo, ROOT_FILE("proc", "meminfo"), buffer, &text) <
	    0)
		return;
	keyed_parse(text, &MEMINFO_KEYS, (struct numbers){ value, state });
	out->has_memory = state[MI_TOTAL] == OK && state[MI_AVAILABLE] == OK;
	out->total = out->has_memory ? value[MI_TOTAL] : 0;
	out->available = out->has_memory ? value[MI_AVAILABLE] : 0;
	if (state[MI_SWAP_TOTAL] != OK || state[MI_SWAP_FREE] != OK)
		return;
	out->swap_total = value[MI_SWAP_TOTAL];
	out->swap_free = value[MI_SWAP_FREE];
}

static bool read_pressure(const struct root *root, int *slot, const char *name,
			  struct buffer buffer, uint64_t *out)
{
	uint64_t value[PSI_ROWS];
	uint8_t state[PSI_ROWS] = { 0 };
	struct span text;

	if (root_read_kept(root, slot, ROOT_FILE("proc/pressure", name), buffer, &text) < 0)
		return false;
	psi_parse(text, 0, (struct numbers){ value, state });
	if (state[PSI_SOME_TOTAL] != OK)
		return false;
	*out = value[PSI_SOME_TOTAL];
	return true;
}

static bool count_events(struct span text, uint64_t *out)
{
	static const int fields[] = { CG_EV_HIGH, CG_EV_MAX, CG_EV_OOM };
	uint64_t value[CGROUP_FIELDS];
	uint8_t state[CGROUP_FIELDS] = { 0 };

	keyed_parse(text, &CGROUP_EVENTS_KEYS, (struct numbers){ value, state });
	*out = 0;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (state[fields[i]] == OK)
			*out += value[fields[i]];
	return state[CG_EV_HIGH] == OK;
}

/* One that is gone is dropped with the next full sample. */
static void read_events(struct gate *gate, const struct root *root, struct buffer buffer)
{
	for (size_t i = 0; i < gate->files; i++) {
		struct gate_file *file = &gate->file[i];
		struct span text;
		uint64_t events;

		if (root_read_kept(root, &file->slot,
				   ROOT_FILE(file->directory, "memory.events"), buffer,
				   &text) < 0 ||
		    !count_events(text, &events))
			continue;
		if (file->is_known && events > file->events)
			gate->events += events - file->events;
		file->events = events;
		file->is_known = true;
	}
}

void gate_read(struct gate *gate, const struct root *root, uint64_t at_us,
	       struct gate_reading *out)
{
	char text[GATE_BUFFER];
	struct buffer buffer = { text, sizeof(text) };

	*out = (struct gate_reading){ .at_us = at_us };
	read_memory(gate, root, buffer, out);
	out->has_pressure =
		read_pressure(root, &gate->memory, "memory", buffer, &out->stalled_us);
	out->has_io_pressure =
		read_pressure(root, &gate->io, "io", buffer, &out->io_stalled_us);
	read_events(gate, root, buffer);
	out->events = gate->events;
}

/* So much of RAM being available is ample; below it a look costs less than being late. */
#define LOW_PERCENT 15
#define WATCH_PERCENT (2ull * LOW_PERCENT)

/* A full sample must have come before this is reached: harm began near 4 %. */
#define REACH_PERCENT 10

/* Looks as often as allowed begin when this will be reached within ALARM_US. */
#define ALARM_PERCENT 5
#define ALARM_US (3 * SECOND_US)

/* Of the time in which somebody waits. */
#define STALL_PERCENT 1
#define ALARM_STALL_PERCENT 10
#define IO_STALL_PERCENT 50

/* Swap that is written out in passing is no news. */
#define SWAP_STEP ((uint64_t)1 << 20)

static uint64_t grown(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static bool is_below(const struct gate_reading *now, uint64_t percent)
{
	return now->available < now->total / 100 * percent;
}

/* At the speed since the last look. */
static bool reaches(const struct gate_reading *before, const struct gate_reading *now,
		    uint64_t percent, uint64_t within_us)
{
	uint64_t fallen = grown(now->available, before->available);
	uint64_t left = grown(now->total / 100 * percent, now->available);

	return before->has_memory && fallen > 0 &&
	       (double)fallen / (double)(now->at_us - before->at_us) * (double)within_us >=
		       (double)left;
}

static bool stalls(const struct gate_reading *before, const struct gate_reading *now,
		   uint64_t percent)
{
	return before->has_pressure && now->has_pressure &&
	       grown(before->stalled_us, now->stalled_us) * 100 >
		       (now->at_us - before->at_us) * percent;
}

static bool waits_for_disk(const struct gate_reading *before, const struct gate_reading *now)
{
	return before->has_io_pressure && now->has_io_pressure &&
	       is_below(now, WATCH_PERCENT) &&
	       grown(before->io_stalled_us, now->io_stalled_us) * 100 >
		       (now->at_us - before->at_us) * IO_STALL_PERCENT;
}

static bool is_alarm(const struct gate_reading *before, const struct gate_reading *now)
{
	if (stalls(before, now, ALARM_STALL_PERCENT))
		return true;
	if (!now->has_memory)
		return false;
	return is_below(now, ALARM_PERCENT) ||
	       (is_below(now, LOW_PERCENT) && stalls(before, now, STALL_PERCENT)) ||
	       reaches(before, now, ALARM_PERCENT, ALARM_US);
}

enum gate_state gate_judge(const struct gate_reading *before, const struct gate_reading *now,
			   uint64_t horizon_us)
{
	if (before->at_us == 0 || now->at_us <= before->at_us)
		return GATE_QUIET; /* nothing to compare with: the full sample comes in time */
	if (is_alarm(before, now))
		return GATE_ALARM;
	if (stalls(before, now, STALL_PERCENT) || now->events != before->events)
		return GATE_STIR;
	if (!now->has_memory)
		return GATE_QUIET;
	if (is_below(now, LOW_PERCENT) || waits_for_disk(before, now) ||
	    reaches(before, now, REACH_PERCENT, horizon_us) ||
	    grown(now->swap_free, before->swap_free) > SWAP_STEP)
		return GATE_STIR;
	return GATE_QUIET;
}
