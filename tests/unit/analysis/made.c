#include "test.h"

#include "analysis/gather.h"
#include "made.h"

#define SNAPSHOTS 96

static struct snapshot snapshots[SNAPSHOTS];
static struct zones zones[SNAPSHOTS];
static struct devices devices[SNAPSHOTS];
static struct cgroup cgroups[SNAPSHOTS][MADE_CGROUPS];
static struct task tasks[SNAPSHOTS][MADE_TASKS];
static size_t made;

/* A test makes a few, and those of tests before it are not looked at any more. */
static size_t next_slot(void)
{
	return made++ % SNAPSHOTS;
}

struct snapshot *snapshot_new(void)
{
	size_t slot = next_slot();

	zones[slot] = (struct zones){ .nodes = 1 };
	devices[slot] = (struct devices){ 0 };
	snapshots[slot] = (struct snapshot){
		.host = {
			.at_us = 100u * SECOND_US,
			.page_bytes = PAGE,
			.cpus = 2,
			.has_time = true,
			.name = "made",
			.release = "6.12.0",
			.boot_id = "first",
		},
		.mounts.mode = CGROUPS_V2,
		.profile.reclaim_counts = RECLAIM_GLOBAL,
		.zones = &zones[slot],
		.zones_state = OK,
		.devices = &devices[slot],
		.cgroups = cgroups[slot],
		.cgroups_state = OK,
		.tasks = tasks[slot],
		.tasks_state = OK,
	};
	return &snapshots[slot];
}

struct snapshot *later(const struct snapshot *before, double seconds)
{
	size_t slot = next_slot();
	struct snapshot *now = &snapshots[slot];

	*now = *before;
	zones[slot] = *before->zones;
	devices[slot] = *before->devices;
	memcpy(cgroups[slot], before->cgroups, sizeof(cgroups[slot]));
	memcpy(tasks[slot], before->tasks, sizeof(tasks[slot]));
	now->zones = &zones[slot];
	now->devices = &devices[slot];
	now->cgroups = cgroups[slot];
	now->tasks = tasks[slot];
	now->host.at_us += (uint64_t)(seconds * SECOND_US);
	return now;
}

void machine(struct snapshot *snapshot, enum machine_field field, uint64_t value)
{
	number_set((struct numbers){ snapshot->value, snapshot->state }, (size_t)field, value);
}

void machine_more(struct snapshot *snapshot, enum machine_field field, uint64_t growth)
{
	machine(snapshot, field, snapshot->value[field] + growth);
}

void machine_is(struct snapshot *snapshot, enum machine_field field, enum state state)
{
	snapshot->state[field] = (uint8_t)state;
}

static int add(struct snapshot *snapshot, enum hierarchy hierarchy, const char *path,
	       uint64_t id, int parent)
{
	int index = (int)snapshot->cgroup_count++;
	struct cgroup *cgroup = &snapshot->cgroups[index];

	assert_true(index < MADE_CGROUPS);
	assert_true(index == 0 || cgroup[-1].hierarchy < hierarchy || cgroup[-1].id < id);
	*cgroup = (struct cgroup){
		.id = id,
		.hierarchy = hierarchy,
		.path = path,
		.parent = parent,
		.local_events = true,
		.pressure = hierarchy == HIERARCHY_V2 ? index : -1,
		.owner = UID_UNKNOWN,
	};
	if (parent >= 0)
		snapshot->cgroups[parent].has_children = true;
	return index;
}

int cgroup(struct snapshot *snapshot, const char *path, uint64_t id, int parent)
{
	return add(snapshot, HIERARCHY_V2, path, id, parent);
}

int cgroup_v1(struct snapshot *snapshot, const char *path, uint64_t id, int parent)
{
	return add(snapshot, HIERARCHY_V1_MEMORY, path, id, parent);
}

void own(struct snapshot *snapshot, int cgroup, enum cgroup_field field, uint64_t value)
{
	struct cgroup *of = &snapshot->cgroups[cgroup];

	number_set((struct numbers){ of->value, of->state }, (size_t)field, value);
}

void own_more(struct snapshot *snapshot, int cgroup, enum cgroup_field field, uint64_t growth)
{
	own(snapshot, cgroup, field, snapshot->cgroups[cgroup].value[field] + growth);
}

void own_is(struct snapshot *snapshot, int cgroup, enum cgroup_field field, enum state state)
{
	snapshot->cgroups[cgroup].state[field] = (uint8_t)state;
}

struct task *process(struct snapshot *snapshot, uint32_t pid, const char *name, int cgroup)
{
	struct task *task = &snapshot->tasks[snapshot->task_count++];
	bool is_v1 = cgroup >= 0 && snapshot->cgroups[cgroup].hierarchy == HIERARCHY_V1_MEMORY;

	assert_true(snapshot->task_count <= MADE_TASKS);
	*task = (struct task){
		.pid = pid,
		.uid = UID_UNKNOWN,
		.start_ticks = 1000 + pid,
		.cgroup = is_v1 ? -1 : cgroup,
		.cgroup_memory = is_v1 ? cgroup : -1,
	};
	span_copy(span_cstr(name), task->name, sizeof(task->name));
	if (cgroup >= 0)
		snapshot->cgroups[cgroup].tasks++;
	return task;
}

void task_has(struct task *task, enum task_field field, uint64_t value)
{
	number_set((struct numbers){ task->value, task->state }, field, value);
}

void zone(struct snapshot *snapshot, uint32_t node, uint64_t free, uint64_t low, uint64_t high)
{
	struct zone *zone = &snapshot->zones->zone[snapshot->zones->zones++];
	struct numbers numbers = { zone->value, zone->state };

	*zone = (struct zone){ .node = node };
	snapshot->zones->node[node].id = node;
	snapshot->zones->nodes = MAX(snapshot->zones->nodes, (size_t)node + 1);
	number_set(numbers, ZONE_FREE, PAGES_OF(free));
	number_set(numbers, ZONE_LOW, PAGES_OF(low));
	number_set(numbers, ZONE_HIGH, PAGES_OF(high));
}

void swap_area(struct snapshot *snapshot, const char *name, uint64_t size, uint64_t used)
{
	struct swap_area *swap = &snapshot->devices->swap[snapshot->devices->swaps++];
	struct numbers numbers = { swap->value, swap->state };

	*swap = (struct swap_area){ 0 };
	span_copy(span_cstr(name), swap->name, sizeof(swap->name));
	number_set(numbers, SWAP_SIZE, size);
	number_set(numbers, SWAP_USED, used);
}

void zram(struct snapshot *snapshot, const char *name, uint64_t data, uint64_t used,
	  uint64_t limit)
{
	struct zram *zram = &snapshot->devices->zram[snapshot->devices->zrams++];
	struct numbers numbers = { zram->value, zram->state };

	*zram = (struct zram){ 0 };
	span_copy(span_cstr(name), zram->name, sizeof(zram->name));
	number_set(numbers, ZRAM_ORIG, data);
	number_set(numbers, ZRAM_USED, used);
	number_set(numbers, ZRAM_LIMIT, limit);
}

static struct window window;

static void window_end(void)
{
	window_done(&window);
}

struct window *window_new(double span_s)
{
	static bool is_used;

	if (is_used)
		window_done(&window);
	else
		assert_int_equal(atexit(window_end), 0);
	is_used = true;
	assert_int_equal(window_init(&window, (uint64_t)(span_s * SECOND_US)), 0);
	return &window;
}

static struct arena arena;

static void arena_end(void)
{
	arena_done(&arena);
}

static struct arena *arena_new(void)
{
	if (arena.base) {
		arena_reset(&arena);
		return &arena;
	}
	assert_int_equal(arena_init(&arena, (size_t)64 << 20), 0);
	assert_int_equal(atexit(arena_end), 0);
	return &arena;
}

const struct evidence *evidence_of_all(const struct snapshot *const *all, size_t count)
{
	static struct evidence evidence;
	struct window *filled = window_new(60);

	for (size_t i = 0; i < count; i++)
		assert_int_equal(window_push(filled, all[i]), 0);
	assert_int_equal(evidence_of(filled, NULL, arena_new(), &evidence), 0);
	return &evidence;
}

const struct signals *machine_signals(const struct snapshot *before, const struct snapshot *now)
{
	static struct signals signals;
	struct pair pair = pair_of(before, now);

	signals_machine(&pair, &signals);
	return &signals;
}

const struct signals *own_signals(const struct snapshot *before, const struct snapshot *now,
				  int cgroup)
{
	static struct signals signals;
	struct pair pair = pair_of(before, now);

	signals_cgroup(&pair, (size_t)cgroup, machine_signals(before, now), &signals);
	return &signals;
}

void expect_near(double got, double wanted, const char *file, int line)
{
	if (fabs(got - wanted) <= 1e-6 * fmax(1, fabs(wanted)))
		return;
	print_error("%g is not %g\n", got, wanted);
	_fail(file, line);
}

void expect_unknown(const struct signals *signals, enum signal signal, enum why why,
		    const char *file, int line)
{
	if (isnan(signals->value[signal]) && signals->why[signal] == why)
		return;
	print_error("%s is %g (%s), not unknown (%s)\n", signal_row(signal)->name,
		    signals->value[signal], why_name(signals->why[signal]), why_name(why));
	_fail(file, line);
}
