#pragma once
/*
 * What several rules ask about a domain, and the thresholds they share.
 */
#include "analysis/evidence.h"

#define MIB (1024.0 * 1024)

/*
 * Thresholds. Each is proven by the scenarios named in docs/VERDICTS.md.
 */

/* A tenth of the time: people notice, and no healthy run came near it. */
#define LOSS_HARM 0.10
/* With the upper bound there, a lower bound above LOSS_NONE is harm as well. */
#define LOSS_LIKELY 0.20
/* At memory.high a batch job may be throttled a little on purpose. */
#define LOSS_THROTTLE 0.20
/* A bystander that loses less than this is not hurt. */
#define LOSS_NONE 0.05
/* Re-reads slower than this cost no disk any time. */
#define REREAD_MIN (1 * MIB)
/* Half of what is read had been in memory: streaming of new data has next to none. */
#define REREAD_SHARE 0.5
/* The whole file cache re-read every 20 s: cold starts end sooner. */
#define TURN_MIN 0.05
/* Less swap than this is none: a batch of reclaim fills it. */
#define SWAP_USABLE (16 * MIB)
/* From 7.2 about 12.5 KiB were read for each counted refault of 4 KiB. */
#define READ_PER_REFAULT_72 3.0
/* Below this, growth is noise of page batches (64 pages a CPU) and statistics flushes. */
#define GROWTH_NOISE (48.0 * 1024)
/* Growth that fills a gibibyte in three hours. */
#define GROWTH_MIN (96.0 * 1024)
/*
 * Kernel memory and tmpfs grow for many reasons: only what ends within an hour is worth a word.
 */
#define TOTALS_HORIZON_S 3600.0
/* What is smaller than this (of the limit, or at all) fills nothing that matters. */
#define LEVEL_SHARE 0.02
#define LEVEL_MIN (32 * MIB)
/* A leak rises with every sample but for one that a flush of the statistics delays. */
#define RISING_MIN 0.75
/* What grew and has stopped is no growth. */
#define RECENT_SHARE 0.25
/* Growth of seconds that minutes do not confirm is a wave. */
#define LONG_SHARE 0.2
/* Nobody plans further than a day ahead on a slope of seconds. */
#define HORIZON_S (24 * 3600.0)

static inline double of(const struct domain *domain, enum signal signal)
{
	return signal_of(domain->signals, signal);
}

bool is_machine(const struct domain *domain);
bool is_hurt(const struct loss *loss);
bool somebody_hurts(const struct evidence *evidence, const struct domain *domain);
bool is_short(const struct domain *domain);
bool is_at_high(const struct domain *domain);
bool is_rereading(const struct evidence *evidence, const struct domain *domain);
bool is_growing(const struct evidence *evidence, const struct domain *domain);
bool is_loop_scan(const struct evidence *evidence, const struct domain *domain);
bool has_collapsed(const struct evidence *evidence, const struct domain *domain);
bool has_slope(const struct evidence *evidence);
bool swap_prevails(const struct domain *domain);

/* The member at that index; NULL for -1. */
const struct member *member_at(const struct evidence *evidence, int32_t index);

/* Bytes per second that were evicted and read back; that were read at all. NAN unknown. */
double reread(const struct evidence *evidence, const struct domain *domain);
double reads(const struct evidence *evidence, const struct domain *domain);
