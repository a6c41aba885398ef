#include "analysis/signals.h"

#include "analysis/zram.h"

#define NONE (-1)

enum how {
	RATE,
	SHARE,
	LEVEL,
	CALC
};
enum scale {
	ONE,
	PAGE,
	KB,
	USEC
};

static const struct {
	struct signal_row row;
	enum how how;
	int machine;
	int cgroup;
	enum scale scale;
} ROWS[] = {
#define X(id, name, unit, how, machine, cgroup, scale, formula) \
	[SIG_##id] = { { name, unit, formula }, how, machine, cgroup, scale },
#include "analysis/signals.def"
#undef X
};

const struct signal_row *signal_row(enum signal signal)
{
	return &ROWS[signal].row;
}

double reread_of(const struct signals *signals)
{
	double file = signals->value[SIG_REFAULT_FILE];
	double anon = signals->value[SIG_REFAULT_ANON];

	if (isnan(file))
		return anon;
	return isnan(anon) ? file : file + anon;
}

struct pair pair_of(const struct snapshot *before, const struct snapshot *now)
{
	struct pair pair = { .before = before, .now = now, .seconds = (double)NAN };

	if (before && before->host.has_time && now->host.has_time &&
	    now->host.at_us > before->host.at_us)
		pair.seconds = (double)(now->host.at_us - before->host.at_us) / SECOND_US;
	return pair;
}

/* The slots of one thing in both snapshots; before is all ABSENT for a new one. */
struct slots {
	const uint64_t *before;
	const uint8_t *before_state;
	const uint64_t *now;
	const uint8_t *now_state;
	double seconds;
	double page;
	const struct snapshot *snapshot;
};

static void put(struct signals *out, enum signal signal, struct number number)
{
	out->value[signal] = number.value;
	out->why[signal] = (uint8_t)number.why;
}

static struct number get(const struct signals *signals, enum signal signal)
{
	return (struct number){ signals->value[signal], signals->why[signal] };
}

static struct number rate(const struct slots *slots, int field, double scale)
{
	return number_rate(reading_of(slots->before, slots->before_state, (size_t)field),
			   reading_of(slots->now, slots->now_state, (size_t)field),
			   slots->seconds, scale);
}

static struct number level(const struct slots *slots, int field, double scale)
{
	return number_level(reading_of(slots->now, slots->now_state, (size_t)field), scale);
}

/* The sum of those that the kernel has; unknown when it has none of them. */
static struct number any_of(struct number (*one_of)(const struct slots *, int, double),
			    const struct slots *slots, const int *fields, double scale)
{
	struct number sum = number_unknown(WHY_ABSENT);

	for (; *fields != NONE; fields++) {
		struct number one = one_of(slots, *fields, scale);

		if (one.why == WHY_ABSENT)
			continue;
		sum = sum.why == WHY_ABSENT ? one : number_sum(sum, one);
	}
	return sum;
}

#define ANY(one_of, slots, scale, ...) \
	any_of(one_of, slots, (const int[]){ __VA_ARGS__, NONE }, scale)

static double scale_of(enum scale scale, const struct slots *slots, bool is_cgroup)
{
	switch (scale) {
	case PAGE:
		return slots->page;
	case KB:
		return is_cgroup ? 1 : 1024; /* pgpgin counts KiB, io.stat bytes */
	case USEC:
		return 1.0 / SECOND_US;
	case ONE:
		break;
	}
	return 1;
}

static void fill_rows(const struct slots *slots, bool is_cgroup, struct signals *out)
{
	for (enum signal i = 0; i < SIGNALS; i++) {
		int field = is_cgroup ? ROWS[i].cgroup : ROWS[i].machine;
		double scale = scale_of(ROWS[i].scale, slots, is_cgroup);

		if (field == NONE)
			put(out, i, number_unknown(WHY_NOT_APPLICABLE));
		else if (ROWS[i].how == LEVEL)
			put(out, i, level(slots, field, scale));
		else
			put(out, i, rate(slots, field, scale));
	}
}

static struct number difference(struct number left, struct number right)
{
	if (right.why != WHY_KNOWN)
		return right;
	if (left.why == WHY_KNOWN)
		left.value = MAX(left.value - right.value, 0);
	return left;
}

/* The sum over the zones that have it. */
static struct number watermark(const struct slots *slots, enum zone_field field)
{
	const struct zones *zones = slots->snapshot->zones;
	size_t seen = 0;
	double sum = 0;

	if (slots->snapshot->zones_state != OK)
		return number_level((struct reading){ 0, slots->snapshot->zones_state }, 1);
	for (size_t i = 0; i < zones->zones; i++) {
		if (zones->zone[i].state[field] != OK)
			continue;
		sum += (double)zones->zone[i].value[field] * slots->page;
		seen++;
	}
	return seen > 0 ? number_known(sum) : number_unknown(WHY_ABSENT);
}

static struct number scan_global(const struct slots *slots)
{
	/* Where direct reclaim counts limits too, only kswapd is surely the machine's. */
	if (slots->snapshot->profile.reclaim_counts == RECLAIM_ALL)
		return rate(slots, VM_PGSCAN_KSWAPD, slots->page);
	return ANY(rate, slots, slots->page, VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT,
		   VM_PGSCAN_KHUGEPAGED);
}

static struct number swap_free(const struct slots *slots)
{
	const struct devices *devices = slots->snapshot->devices;
	struct number free = level(slots, MI_SWAP_FREE, 1);

	for (size_t i = 0; i < devices->zrams && free.why == WHY_KNOWN; i++)
		free.value = fmax(free.value - zram_excess(devices, &devices->zram[i]), 0);
	return free;
}

/* More available than there is: a balloon or an imitation (lxcfs) is being resized. */
static struct number part_of(struct number part, struct number whole)
{
	if (part.why == WHY_KNOWN && whole.why == WHY_KNOWN && part.value > whole.value)
		return number_unknown(WHY_GARBLED);
	return part;
}

static struct number hugetlb_idle(const struct slots *slots)
{
	struct number pages =
		difference(level(slots, MI_HUGE_FREE, 1), level(slots, MI_HUGE_RSVD, 1));
	struct number size = level(slots, MI_HUGE_SIZE, 1);

	if (pages.why != WHY_KNOWN || size.why != WHY_KNOWN)
		return number_unknown(WHY_ABSENT);
	return number_known(pages.value * size.value);
}

/* Lists, not AnonPages: locked anonymous memory is unevictable and would be counted twice. */
static struct number hard_of(struct number lists, const struct signals *signals)
{
	struct number sum = number_sum(lists, get(signals, SIG_UNEVICTABLE));

	if (signals->why[SIG_KERNEL] == WHY_KNOWN)
		sum = number_sum(sum, get(signals, SIG_KERNEL));
	return sum;
}

/* Before 5.8 pages were counted by who reclaims them, and not by their kind. */
static struct number reclaim_of(const struct slots *slots, enum machine_field anon,
				enum machine_field file, enum machine_field kswapd,
				enum machine_field direct)
{
	struct number sum = ANY(rate, slots, slots->page, anon, file);

	return sum.why == WHY_ABSENT ? ANY(rate, slots, slots->page, kswapd, direct) : sum;
}

static void calc_machine(const struct slots *s, struct signals *out)
{
	double page = s->page;
	struct number dirty = number_sum(level(s, MI_DIRTY, 1), level(s, MI_WRITEBACK, 1));
	struct number limit = number_sum(level(s, VM_DIRTY_THRESHOLD, page / 2),
					 level(s, VM_DIRTY_BG_THRESHOLD, page / 2));

	put(out, SIG_SWAP_IN, ANY(rate, s, page, VM_PSWPIN, VM_ZSWPIN));
	put(out, SIG_SWAP_OUT, ANY(rate, s, page, VM_PSWPOUT, VM_ZSWPOUT));
	put(out, SIG_SCAN,
	    reclaim_of(s, VM_PGSCAN_ANON, VM_PGSCAN_FILE, VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT));
	put(out, SIG_STEAL,
	    reclaim_of(s, VM_PGSTEAL_ANON, VM_PGSTEAL_FILE, VM_PGSTEAL_KSWAPD,
		       VM_PGSTEAL_DIRECT));
	put(out, SIG_SCAN_GLOBAL, scan_global(s));
	put(out, SIG_ALLOCSTALL,
	    ANY(rate, s, 1, VM_ALLOCSTALL_DMA, VM_ALLOCSTALL_DMA32, VM_ALLOCSTALL_NORMAL,
		VM_ALLOCSTALL_HIGH, VM_ALLOCSTALL_MOVABLE, VM_ALLOCSTALL_DEVICE,
		VM_ALLOCSTALL));
	put(out, SIG_LOW, watermark(s, ZONE_LOW));
	put(out, SIG_HIGH, watermark(s, ZONE_HIGH));
	put(out, SIG_USAGE, difference(level(s, MI_TOTAL, 1), level(s, MI_FREE, 1)));
	put(out, SIG_FILE_LRU,
	    number_sum(level(s, MI_ACTIVE_FILE, 1), level(s, MI_INACTIVE_FILE, 1)));
	put(out, SIG_KERNEL,
	    ANY(level, s, 1, MI_SLAB_UNRECLAIMABLE, MI_SLAB_RECLAIMABLE, MI_KERNEL_STACK,
		MI_PAGE_TABLES, MI_SEC_PAGE_TABLES, MI_PERCPU));
	put(out, SIG_SWAP_USED,
	    difference(level(s, MI_SWAP_TOTAL, 1), level(s, MI_SWAP_FREE, 1)));
	put(out, SIG_SWAP_FREE, part_of(swap_free(s), level(s, MI_SWAP_TOTAL, 1)));
	put(out, SIG_AVAILABLE, part_of(get(out, SIG_AVAILABLE), get(out, SIG_TOTAL)));
	put(out, SIG_FREE, part_of(get(out, SIG_FREE), get(out, SIG_TOTAL)));
	put(out, SIG_DIRTY, dirty);
	put(out, SIG_DIRTY_LIMIT, limit);
	put(out, SIG_HUGETLB_IDLE, hugetlb_idle(s));
	put(out, SIG_ZRAM_USED, zram_used(s->snapshot->devices));
	put(out, SIG_ZRAM_FILL, zram_fill(s->snapshot->devices));
}

/*
 * A v1 cgroup does not count its reads. What was charged to it is a far closer guess than what
 * the whole machine reads, but a large folio is charged as one (mm/memcontrol-v1.c): what came
 * back was read in any case.
 */
static struct number cgroup_reads(const struct slots *slots, struct number own,
				  struct number machine)
{
	struct number charged = rate(slots, CG_PGPGIN, slots->page);
	struct number back = number_sum(rate(slots, CG_REFAULT_FILE, slots->page),
					rate(slots, CG_REFAULT_ANON, slots->page));

	if (own.why == WHY_KNOWN || charged.why != WHY_KNOWN)
		return own;
	if (back.why == WHY_KNOWN)
		charged.value = fmax(charged.value, back.value);
	if (machine.why == WHY_KNOWN)
		charged.value = fmin(charged.value, machine.value);
	return charged;
}

static struct number cgroup_swap_used(const struct slots *slots)
{
	struct number used = level(slots, CG_SWAP_CURRENT, 1);

	return used.why == WHY_ABSENT ? level(slots, CG_SWAP_V1, 1) : used;
}

static struct number cgroup_swap_in(const struct slots *slots)
{
	struct number in = ANY(rate, slots, slots->page, CG_PSWPIN, CG_ZSWPIN);

	if (slots->now_state[CG_PSWPIN] == OK)
		return in;
	/* No pswpin in memory.stat (before 6.18): what was swapped in had been evicted. */
	return rate(slots, CG_REFAULT_ANON, slots->page);
}

static struct number cgroup_swap_out(const struct slots *slots, struct number in)
{
	int field = slots->now_state[CG_SWAP_CURRENT] == OK ? CG_SWAP_CURRENT : CG_SWAP_V1;
	struct number used = cgroup_swap_used(slots);
	double change;

	if (slots->now_state[CG_PSWPOUT] == OK)
		return ANY(rate, slots, slots->page, CG_PSWPOUT, CG_ZSWPOUT);
	if (used.why != WHY_KNOWN)
		return used;
	if (slots->before_state[field] != OK)
		return number_unknown(WHY_BASELINE);
	change = ((double)slots->now[field] - (double)slots->before[field]) / slots->seconds;
	return in.why == WHY_KNOWN ? number_known(MAX(change + in.value, 0)) : in;
}

/* What its own limit leaves: v2 limits swap, v1 memory and swap together. NAN: no limit. */
static double swap_left(const struct cgroup *cgroup)
{
	const uint64_t *value = cgroup->value;

	if (cgroup->state[CG_SWAP_MAX] == OK && cgroup->state[CG_SWAP_CURRENT] == OK)
		return (double)value[CG_SWAP_MAX] - (double)value[CG_SWAP_CURRENT];
	if (cgroup->state[CG_MEMSW_MAX] == OK && cgroup->state[CG_CURRENT] == OK &&
	    cgroup->state[CG_SWAP_V1] == OK)
		return (double)value[CG_MEMSW_MAX] - (double)value[CG_CURRENT] -
		       (double)value[CG_SWAP_V1];
	return (double)NAN;
}

/* Swap that the cgroup may still use: the least of what is free and what each limit leaves. */
static struct number cgroup_swap_free(const struct slots *slots, size_t index,
				      struct number machine)
{
	const struct snapshot *now = slots->snapshot;

	for (int32_t at = (int32_t)index; at >= 0 && machine.why == WHY_KNOWN;
	     at = now->cgroups[at].parent)
		machine.value = fmax(fmin(machine.value, swap_left(&now->cgroups[at])), 0);
	return machine;
}

static struct number cgroup_kernel(const struct slots *slots)
{
	struct number kernel = level(slots, CG_KERNEL, 1);

	if (kernel.why != WHY_ABSENT)
		return kernel;
	return ANY(level, slots, 1, CG_KERNEL_STACK, CG_PAGETABLES, CG_PERCPU,
		   CG_SLAB_UNRECLAIMABLE, CG_SLAB_RECLAIMABLE, CG_SOCK);
}

static void calc_cgroup(const struct slots *s, size_t index, const struct signals *machine,
			struct signals *out)
{
	struct number in = cgroup_swap_in(s);
	struct number max = rate(s, CG_EV_MAX, 1);

	put(out, SIG_READ, cgroup_reads(s, get(out, SIG_READ), get(machine, SIG_READ)));
	put(out, SIG_SWAP_IN, in);
	put(out, SIG_SWAP_OUT, cgroup_swap_out(s, in));
	put(out, SIG_SCAN, rate(s, CG_PGSCAN, s->page));
	put(out, SIG_STEAL, rate(s, CG_PGSTEAL, s->page));
	put(out, SIG_EV_MAX, max.why == WHY_ABSENT ? rate(s, CG_FAILCNT, 1) : max);
	put(out, SIG_USAGE, level(s, CG_CURRENT, 1));
	put(out, SIG_FILE_LRU,
	    number_sum(level(s, CG_ACTIVE_FILE, 1), level(s, CG_INACTIVE_FILE, 1)));
	put(out, SIG_KERNEL, cgroup_kernel(s));
	put(out, SIG_SWAP_USED, cgroup_swap_used(s));
	put(out, SIG_SWAP_FREE, cgroup_swap_free(s, index, get(machine, SIG_SWAP_FREE)));
	put(out, SIG_DIRTY,
	    number_sum(level(s, CG_FILE_DIRTY, 1), level(s, CG_FILE_WRITEBACK, 1)));
}

/* What both have in common, from signals that are filled already. */
static void calc_common(struct number anon_lists, struct signals *out)
{
	struct number grown = number_sum(get(out, SIG_ANON), get(out, SIG_SHMEM));

	if (out->why[SIG_SWAP_USED] == WHY_KNOWN)
		grown = number_sum(grown, get(out, SIG_SWAP_USED));
	put(out, SIG_GROWN, grown);
	put(out, SIG_HARD, hard_of(anon_lists, out));
}

/* All states ABSENT: a thing that was not there before. */
static const uint64_t NO_VALUES[MAX((int)MACHINE_FIELDS, (int)CGROUP_FIELDS)];
static const uint8_t NO_STATES[MAX((int)MACHINE_FIELDS, (int)CGROUP_FIELDS)];

static struct slots slots_of(const struct pair *pair)
{
	return (struct slots){
		.before = NO_VALUES,
		.before_state = NO_STATES,
		.seconds = pair->seconds,
		.page = (double)pair->now->host.page_bytes,
		.snapshot = pair->now,
	};
}

void signals_machine(const struct pair *pair, struct signals *out)
{
	struct slots slots = slots_of(pair);

	slots.now = pair->now->value;
	slots.now_state = pair->now->state;
	if (pair->before) {
		slots.before = pair->before->value;
		slots.before_state = pair->before->state;
	}
	fill_rows(&slots, false, out);
	calc_machine(&slots, out);
	calc_common(number_sum(level(&slots, VM_ACTIVE_ANON, slots.page),
			       level(&slots, VM_INACTIVE_ANON, slots.page)),
		    out);
}

void signals_cgroup(const struct pair *pair, size_t index, const struct signals *machine,
		    struct signals *out)
{
	const struct cgroup *now = &pair->now->cgroups[index];
	const struct cgroup *before = pair->before ? snapshot_cgroup(pair->before, now) : NULL;
	struct slots slots = slots_of(pair);

	slots.now = now->value;
	slots.now_state = now->state;
	if (before) {
		slots.before = before->value;
		slots.before_state = before->state;
	}
	fill_rows(&slots, true, out);
	calc_cgroup(&slots, index, machine, out);
	calc_common(number_sum(level(&slots, CG_ACTIVE_ANON, 1),
			       level(&slots, CG_INACTIVE_ANON, 1)),
		    out);
}
