#pragma once
/*
 * Snapshots that are made by hand, so that a test says only what it is about. All numbers of a
 * new one are ABSENT. What is made lives until the program ends.
 */
#include "analysis/verdict.h"

#define PAGE 4096u
#define KIB_BYTES ((uint64_t)1 << 10)
#define MIB_BYTES ((uint64_t)1 << 20)
#define GIB_BYTES ((uint64_t)1 << 30)

/* Pages, as the kernel counts them. */
#define PAGES_OF(bytes) ((uint64_t)(bytes) / PAGE)

#define MADE_CGROUPS 12
#define MADE_TASKS 16

/* On cgroup2, 100 s after boot, of one node without zones. */
struct snapshot *snapshot_new(void);

/* The same some seconds later: a test then changes what is to differ. */
struct snapshot *later(const struct snapshot *before, double seconds);

void machine(struct snapshot *snapshot, enum machine_field field, uint64_t value);
void machine_more(struct snapshot *snapshot, enum machine_field field, uint64_t growth);
void machine_is(struct snapshot *snapshot, enum machine_field field, enum state state);

/* The top has the path "" and the parent -1. Ids rise. Returns the index. */
int cgroup(struct snapshot *snapshot, const char *path, uint64_t id, int parent);
int cgroup_v1(struct snapshot *snapshot, const char *path, uint64_t id, int parent);
void own(struct snapshot *snapshot, int cgroup, enum cgroup_field field, uint64_t value);
void own_more(struct snapshot *snapshot, int cgroup, enum cgroup_field field, uint64_t growth);
void own_is(struct snapshot *snapshot, int cgroup, enum cgroup_field field, enum state state);

/* A process in that cgroup; pids rise. Its memory is unknown. */
struct task *process(struct snapshot *snapshot, uint32_t pid, const char *name, int cgroup);
void task_has(struct task *task, enum task_field field, uint64_t value);

/* Watermarks in bytes. */
void zone(struct snapshot *snapshot, uint32_t node, uint64_t free, uint64_t low, uint64_t high);
void swap_area(struct snapshot *snapshot, const char *name, uint64_t size, uint64_t used);
void zram(struct snapshot *snapshot, const char *name, uint64_t data, uint64_t used,
	  uint64_t limit);

/* An empty window that reaches back so far; the one before is gone. */
struct window *window_new(double span_s);

/* Each snapshot is pushed into a new window of a minute, and what comes out is judged. */
const struct evidence *evidence_of_all(const struct snapshot *const *snapshots, size_t count);
#define EVIDENCE(...)                                                             \
	evidence_of_all((const struct snapshot *const[]){ __VA_ARGS__ },          \
			sizeof((const struct snapshot *const[]){ __VA_ARGS__ }) / \
				sizeof(const struct snapshot *))

/* Signals of the machine, or of that cgroup. */
const struct signals *machine_signals(const struct snapshot *before,
				      const struct snapshot *now);
const struct signals *own_signals(const struct snapshot *before, const struct snapshot *now,
				  int cgroup);

/* A value within a millionth; and an unknown one with its reason. */
void expect_near(double got, double wanted, const char *file, int line);
void expect_unknown(const struct signals *signals, enum signal signal, enum why why,
		    const char *file, int line);
#define assert_near(got, wanted) expect_near(got, wanted, __FILE__, __LINE__)
#define assert_signal(signals, signal, wanted) \
	expect_near(signal_of(signals, signal), wanted, __FILE__, __LINE__)
#define assert_unknown(signals, signal, why) \
	expect_unknown(signals, signal, why, __FILE__, __LINE__)
