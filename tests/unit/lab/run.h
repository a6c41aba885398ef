#pragma once
/*
 * Run directories made by hand, around a recording of a real machine: the leak of
 * tests/fixtures/rec, 16 frames, a second apart. Times below are the guest's, as in it.
 */
#include "lab/figures/series.h"

#include "test.h"

/* The first frame, and the time of one so many seconds after it. */
#define FIRST_US ((uint64_t)26159215)
#define AFTER(seconds) (FIRST_US + (uint64_t)((seconds)*1e6))

/* A service, a leak beside it, and a prober, measured from phase "leak" on. */
extern const char SCENARIO[];
extern const char RUN[];

/* A new run directory with these files; run.ini, scenario.ini and the frames are there. */
const char *run_new(const struct file *files);
#define RUN_OF(...) run_new((const struct file[]){ __VA_ARGS__, { 0 } })

/*
 * The same with frames of its own: what /proc/vmstat says in each, a second apart, from 10 s
 * on.
 */
const char *run_of_vmstat(const char *const *vmstat, const struct file *files);

/* Opens it; whatever is wrong fails the test. */
void series_of(const char *directory, struct series *out);

/* The sentence that it is refused with. */
const char *refused(const char *directory);

/* Lines of slots: a new text that lives until the program ends. */
struct ticks {
	char text[1 << 16];
	size_t used;
};
void ticks_begin(struct ticks *ticks);
void tick(struct ticks *ticks, const char *kind, uint64_t due_us, uint64_t begun_us,
	  uint64_t done_us);
void tick_of(struct ticks *ticks, const char *kind, const struct slot *slot);

/* cmocka's own compares floats. */
void near_expect(const double pair[2], double within, const char *file, int line);
#define assert_near(got, wanted, within)                                                    \
	near_expect((const double[2]){ (double)(got), (double)(wanted) }, within, __FILE__, \
		    __LINE__)
