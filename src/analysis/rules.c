#include "analysis/rules.h"

#include "analysis/facts.h"

static bool high_throttle(const struct evidence *evidence, const struct domain *domain)
{
	bool back = is_rereading(evidence, domain) || has_collapsed(evidence, domain);

	if (!is_at_high(domain))
		return false;
	return back ? somebody_hurts(evidence, domain) : domain->loss >= LOSS_THROTTLE;
}

static bool max_loop(const struct evidence *evidence, const struct domain *domain)
{
	return of(domain, SIG_EV_MAX) >= 1 && !(of(domain, SIG_OOM_KILL) > 0) &&
	       somebody_hurts(evidence, domain) && is_rereading(evidence, domain) &&
	       !is_growing(evidence, domain) && !swap_prevails(domain) &&
	       !is_loop_scan(evidence, domain);
}

static bool zram_full(const struct evidence *evidence, const struct domain *domain)
{
	(void)evidence;
	return of(domain, SIG_ZRAM_FILL) >= 0.9 && is_short(domain);
}

static bool hugetlb(const struct evidence *evidence, const struct domain *domain)
{
	(void)evidence;
	return of(domain, SIG_HUGETLB) >= 0.2 * domain->limit &&
	       of(domain, SIG_HUGETLB_IDLE) >= 0.5 * of(domain, SIG_HUGETLB) &&
	       is_short(domain);
}

static bool locked(const struct evidence *evidence, const struct domain *domain)
{
	(void)evidence;
	return of(domain, SIG_UNEVICTABLE) >= 0.5 * domain->limit;
}

struct node_room {
	double free;
	double low;
	double high;
};

static struct node_room room_of(const struct snapshot *now, uint32_t node)
{
	const struct zones *zones = now->zones;
	const double page = (double)now->host.page_bytes;
	struct node_room room = { 0 };

	for (size_t i = 0; i < zones->zones; i++) {
		const struct zone *zone = &zones->zone[i];

		if (zone->node != node)
			continue;
		room.free += (double)zone->value[ZONE_FREE] * page;
		room.low += (double)zone->value[ZONE_LOW] * page;
		room.high += (double)zone->value[ZONE_HIGH] * page;
	}
	return room;
}

/* kswapd refills to high before a sample sees less than low: near it is short enough. */
static bool numa(const struct evidence *evidence, const struct domain *domain)
{
	const struct zones *zones = evidence->pair.now->zones;
	bool full = false;
	bool roomy = false;

	for (size_t i = 0; i < zones->nodes; i++) {
		struct node_room room = room_of(evidence->pair.now, zones->node[i].id);

		full |= room.low > 0 && room.free < 1.5 * room.high;
		roomy |= room.free > 4 * room.high && room.free > 0.05 * domain->limit;
	}
	return full && roomy && is_short(domain);
}

static bool kernel_leak(const struct evidence *evidence, const struct domain *domain)
{
	/* A build or a walk over files grows it too, and far from the end of a large machine.
	 */
	if (!(of(domain, SIG_AVAILABLE) / evidence->kernel_rate < TOTALS_HORIZON_S))
		return false;
	return has_slope(evidence) && evidence->kernel_rate >= 2 * GROWTH_MIN &&
	       evidence->kernel_rate >= fmax(evidence->grown_rate, 0);
}

static bool shmem_growth(const struct evidence *evidence, const struct domain *domain)
{
	return has_slope(evidence) &&
	       of(domain, SIG_AVAILABLE) / evidence->shmem_rate < TOTALS_HORIZON_S &&
	       evidence->shmem_rate >= GROWTH_MIN &&
	       evidence->shmem_rate >= 0.5 * evidence->grown_rate;
}

static bool compaction(const struct evidence *evidence, const struct domain *domain)
{
	(void)evidence;
	return of(domain, SIG_COMPACT_STALL) >= 1 &&
	       of(domain, SIG_FREE) > 2 * of(domain, SIG_HIGH) &&
	       of(domain, SIG_THP_FALLBACK) > 0 && of(domain, SIG_MEM_SOME) >= LOSS_NONE;
}

static bool file_refault(const struct evidence *evidence, const struct domain *domain)
{
	if (!is_short(domain) || swap_prevails(domain) || is_loop_scan(evidence, domain))
		return false;
	return !is_at_high(domain) && somebody_hurts(evidence, domain) &&
	       (is_rereading(evidence, domain) || has_collapsed(evidence, domain));
}

/*
 * Pages come straight back. They need not be written again: a clean page keeps its place in
 * swap, so it is the eviction that shows the circle, not the write.
 */
static bool swap_thrash(const struct evidence *evidence, const struct domain *domain)
{
	double back = of(domain, SIG_REFAULT_ANON);
	double steal = of(domain, SIG_STEAL);

	if (isnan(steal))
		steal = signal_of(&evidence->machine, SIG_STEAL);
	return is_short(domain) && reread_of(domain->signals) >= REREAD_MIN &&
	       steal >= 0.3 * back && somebody_hurts(evidence, domain) && swap_prevails(domain);
}

static bool direct_reclaim(const struct evidence *evidence, const struct domain *domain)
{
	double direct = of(domain, SIG_STEAL_DIRECT);

	return of(domain, SIG_ALLOCSTALL) >= 10 &&
	       direct >= 0.1 * (direct + of(domain, SIG_STEAL_KSWAPD)) &&
	       of(domain, SIG_MEM_SOME) >= LOSS_NONE && !is_rereading(evidence, domain) &&
	       !has_collapsed(evidence, domain);
}

static bool cold_swap(const struct evidence *evidence, const struct domain *domain)
{
	double out = of(domain, SIG_SWAP_OUT);

	(void)evidence;
	return out >= MIB / 4 && of(domain, SIG_SWAP_IN) <= 0.05 * out &&
	       !(domain->bystander_loss >= LOSS_NONE);
}

static bool anon_growth(const struct evidence *evidence, const struct domain *domain)
{
	const struct member *culprit = member_at(evidence, domain->culprit);
	double room = is_machine(domain) ? of(domain, SIG_AVAILABLE) :
					   domain->limit - of(domain, SIG_HARD);

	/* An unknown room may be a small one. */
	return is_growing(evidence, domain) && !culprit->growth.below_peak &&
	       !(room / culprit->growth.rate >= HORIZON_S);
}

static bool dirty_throttle(const struct evidence *evidence, const struct domain *domain)
{
	return of(domain, SIG_DIRTY) >= 0.9 * of(domain, SIG_DIRTY_LIMIT) &&
	       of(domain, SIG_IO_SOME) >= LOSS_HARM && !is_rereading(evidence, domain);
}

static bool is_starved(const struct signals *signals)
{
	return (signal_of(signals, SIG_CPU_THROTTLED) >= 0.2 ||
		signal_of(signals, SIG_CPU_SOME) >= 0.5) &&
	       signal_of(signals, SIG_IO_SOME) < LOSS_NONE;
}

/* The quota makes memory pressure rise as well (a throttled task holds what others wait for).
 */
static bool cpu_starved(const struct evidence *evidence, const struct domain *domain)
{
	if (of(domain, SIG_SCAN) > 0 || of(domain, SIG_SWAP_IN) > 0)
		return false;
	for (size_t i = 0; i < evidence->member_count; i++)
		if (evidence->members[i].leaf && is_starved(&evidence->members[i].signals))
			return true;
	return is_starved(domain->signals);
}

static bool first_read(const struct evidence *evidence, const struct domain *domain)
{
	double all = reads(evidence, domain);

	if (!(of(domain, SIG_IO_SOME) >= LOSS_HARM))
		return false;
	return is_loop_scan(evidence, domain) ||
	       (all >= 2 * MIB && reread(evidence, domain) <= 0.1 * all &&
		!has_collapsed(evidence, domain) && !(of(domain, SIG_SWAP_IN) > 0.1 * all));
}

#define NEEDS(...)                   \
	{                            \
		__VA_ARGS__, SIGNALS \
	}
#define CITES(...)                   \
	{                            \
		__VA_ARGS__, SIGNALS \
	}

/* clang-format off */
const struct rule RULES[] = {
	{ CLASS_HIGH_THROTTLE, ON_HIGH, WANTS_LOSS, NEEDS(SIG_EV_HIGH), high_throttle,
	  CITES(SIG_EV_HIGH, SIG_USAGE, SIG_LIMIT_HIGH, SIG_MEM_FULL, SIG_IO_FULL) },
	{ CLASS_MAX_LOOP, ON_MAX, WANTS_LOSS, NEEDS(SIG_EV_MAX, SIG_REFAULT_FILE), max_loop,
	  CITES(SIG_EV_MAX, SIG_USAGE, SIG_LIMIT_MAX, SIG_REFAULT_FILE, SIG_MEM_FULL) },
	{ CLASS_ZRAM_FULL, ON_MACHINE, 0, NEEDS(SIG_ZRAM_USED), zram_full,
	  CITES(SIG_ZRAM_FILL, SIG_ZRAM_USED, SIG_SWAP_FREE, SIG_AVAILABLE) },
	{ CLASS_HUGETLB, ON_MACHINE, 0, NEEDS(SIG_HUGETLB, SIG_TOTAL), hugetlb,
	  CITES(SIG_HUGETLB, SIG_HUGETLB_IDLE, SIG_AVAILABLE) },
	{ CLASS_LOCKED, ON_ALL, 0, NEEDS(SIG_UNEVICTABLE), locked,
	  CITES(SIG_UNEVICTABLE, SIG_USAGE, SIG_AVAILABLE) },
	{ CLASS_NUMA, ON_MACHINE, 0, NEEDS(SIG_LOW, SIG_SCAN_GLOBAL), numa,
	  CITES(SIG_FREE, SIG_LOW, SIG_SCAN_GLOBAL, SIG_ALLOCSTALL) },
	{ CLASS_KERNEL_LEAK, ON_MACHINE, WANTS_SLOPE | WANTS_WHOLE, NEEDS(SIG_KERNEL, SIG_AVAILABLE), kernel_leak,
	  CITES(SIG_KERNEL, SIG_AVAILABLE) },
	{ CLASS_SHMEM_GROWTH, ON_MACHINE, WANTS_SLOPE | WANTS_WHOLE, NEEDS(SIG_SHMEM, SIG_AVAILABLE), shmem_growth,
	  CITES(SIG_SHMEM, SIG_AVAILABLE, SIG_SWAP_FREE) },
	{ CLASS_COMPACTION, ON_MACHINE, 0, NEEDS(SIG_COMPACT_STALL, SIG_MEM_SOME), compaction,
	  CITES(SIG_COMPACT_STALL, SIG_COMPACT_FAIL, SIG_THP_FALLBACK, SIG_MEM_SOME, SIG_FREE) },
	{ CLASS_FILE_REFAULT, ON_ALL, WANTS_LOSS, NEEDS(SIG_REFAULT_FILE), file_refault,
	  CITES(SIG_REFAULT_FILE, SIG_READ, SIG_IO_FULL, SIG_MEM_FULL, SIG_AVAILABLE) },
	{ CLASS_SWAP_THRASH, ON_ALL, WANTS_LOSS, NEEDS(SIG_REFAULT_ANON), swap_thrash,
	  CITES(SIG_REFAULT_ANON, SIG_SWAP_IN, SIG_SWAP_OUT, SIG_MEM_FULL, SIG_SWAP_FREE) },
	{ CLASS_DIRECT_RECLAIM, ON_MACHINE, 0, NEEDS(SIG_ALLOCSTALL, SIG_MEM_SOME), direct_reclaim,
	  CITES(SIG_ALLOCSTALL, SIG_STEAL_DIRECT, SIG_STEAL_KSWAPD, SIG_MEM_SOME) },
	{ CLASS_COLD_SWAP, ON_ALL, 0, NEEDS(SIG_SWAP_OUT, SIG_SWAP_IN), cold_swap,
	  CITES(SIG_SWAP_OUT, SIG_SWAP_IN, SIG_SWAP_FREE, SIG_REFAULT_ANON) },
	{ CLASS_ANON_GROWTH, ON_ALL, WANTS_SLOPE, NEEDS(SIG_ANON), anon_growth,
	  CITES(SIG_GROWN, SIG_AVAILABLE, SIG_SWAP_FREE) },
	{ CLASS_DIRTY_THROTTLE, ON_MACHINE, 0, NEEDS(SIG_DIRTY, SIG_IO_SOME), dirty_throttle,
	  CITES(SIG_DIRTY, SIG_DIRTY_LIMIT, SIG_WRITE, SIG_IO_SOME) },
	{ CLASS_CPU_STARVED, ON_MACHINE, 0, NEEDS(SIG_CPU_SOME), cpu_starved,
	  CITES(SIG_CPU_SOME, SIG_MEM_SOME, SIG_IO_SOME) },
	{ CLASS_FIRST_READ, ON_ALL, 0, NEEDS(SIG_REFAULT_FILE), first_read,
	  CITES(SIG_READ, SIG_REFAULT_FILE, SIG_IO_SOME) },
};
/* clang-format on */
const size_t RULE_COUNT = ARRAY_LEN(RULES);
