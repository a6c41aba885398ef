#pragma once
/*
 * What loads are made of: code that can be evicted, files that are used, memory that is filled.
 */
#include "guest/load.h"

#define PAGE ((size_t)4096)
#define MIB ((size_t)1 << 20)
#define HUGE_PAGE (2 * MIB)

/* xorshift64*: good enough to be incompressible and to shuffle with. */
struct random {
	uint64_t state;
};
struct random random_init(uint64_t seed);
uint64_t random_next(struct random *random);

/* The numbers 0 to count-1, shuffled or in order. */
uint32_t *order_new(struct load *load, size_t count, bool is_shuffled);

/* One function for each page of the file /data/code/PROGRAM. */
struct code {
	const unsigned char *map;
	size_t pages;
	uint32_t *order;
};
void code_init(struct load *load, uint64_t bytes, struct code *out);
void code_run(const struct code *code);

struct work_file {
	enum access_word access;
	int fd;
	size_t pages;
	const unsigned char *map;
	uint32_t *order;
};

/* An empty path is a file without pages: using it does nothing. */
void work_file_open(struct load *load, struct span path, uint64_t access,
		    struct work_file *out);
void work_file_use(const struct work_file *file);

/* Reserved, not allocated: memory comes with the first touch. */
unsigned char *anon_reserve(struct load *load, size_t bytes);

/* For growth without an end: where the kernel gives less, bytes says how much. */
unsigned char *anon_reserve_most(struct load *load, size_t *bytes);

/*
 * Touches every page. Of so many percent of the pages every byte, which then do not compress;
 * of the others one word, the rest stays zero.
 */
void anon_fill(struct random *random, unsigned char *at, size_t bytes, uint64_t percent);

/* Gives it back: the next touch takes fresh memory. */
void anon_drop(struct load *load, unsigned char *at, size_t bytes);

/* All of MemAvailable but so much. */
uint64_t available_but(const struct load *load, uint64_t leave_bytes);

void burn_us(uint64_t us);

/* Major faults of this thread. */
uint64_t thread_faults(void);

/* How long a step of so many bytes may take at that rate; 0 for no limit. */
static inline uint64_t pace_us(uint64_t bytes, uint64_t rate)
{
	return rate == 0 ? 0 : bytes * SECOND_US / rate;
}

/* A job in fixed slots: waits for the next one, then does it, for ever. */
_Noreturn void ticks_run(struct load *load, uint64_t period_us,
			 void (*job)(struct load *load, void *data), void *data);
