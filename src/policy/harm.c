#include "policy/harm.h"

#include "analysis/domain.h"
#include "analysis/facts.h"

/* Of all growth in the domain: then it is one who fills it, and not many together. */
#define ONE_GROWER 0.6

/* Half of what counts as harm, and thrice the time, are near it. */
#define NEAR 0.5
#define NEAR_TIMES 3.0

/*
 * With cold cache of this share of RAM, or more, it is not a shortage of memory that makes
 * somebody wait: reclaim has enough to take that nobody will miss.
 */
#define COLD_PLENTY 0.10

/*
 * kswapd evicts in batches, 15 to 30 MiB on a machine of 1 GiB: less room than one batch is
 * none. Beyond the distance of the watermarks, so much of RAM.
 */
#define BATCH_SHARE 0.005

/* Of RAM that may be left unused by a kill before harm. */
#define IMMINENT_MOST 0.05

/*
 * At memory.high a stuck task makes 31 page faults a second, for each throttled round one
 * batch; a healthy one that swaps made 4,455.
 */
#define STUCK_FAULTS 300.0

/* A loss that looks like evidence needs so much of the span that it is asked for. */
#define SPAN_SHARE 0.9

/*
 * Between the bounds lies what is lost. In recorded freezes in which a service did 6 to 30 % of
 * its ticks they stood at 0.2 to 0.45 and 0.5 to 1, in healthy runs both below 0.03: half of
 * the time is lost when the upper bound says so, and the lower one says a third of it for sure.
 * Into swap one waits now and then, so there only the lower bound counts.
 */
#define SURE (1.0 / 3)

static double share(uint64_t percent)
{
	return (double)percent / 100;
}

double stalled_of(const struct signals *signals)
{
	double some = signal_of(signals, SIG_MEM_SOME);
	double busy = signal_of(signals, SIG_CPU_USE);

	/*
	 * PSI averages over processors weighted by the time that they are not idle
	 * (kernel/sched/psi.c, collect_percpu_times): x stalled beside `busy` busy ones shows
	 * as x / (x + busy).
	 */
	if (isnan(busy) || isnan(some))
		return some;
	return fmax(some, fmin(1, some * busy / (1 - some)));
}

uint64_t domain_id(const struct evidence *evidence, const struct domain *domain)
{
	return domain->cgroup < 0 ? 0 : evidence->pair.now->cgroups[domain->cgroup].id;
}

const struct domain *domain_find(const struct evidence *evidence, uint64_t id)
{
	for (size_t i = 0; i < evidence->domains; i++)
		if (domain_id(evidence, &evidence->domain[i]) == id)
			return &evidence->domain[i];
	return NULL;
}

const struct domain *domain_like(const struct evidence *evidence, const struct domain *domain,
				 const struct evidence *of)
{
	return domain_find(evidence, domain_id(of, domain));
}

/* File cache that is not in use: not mapped, and not on the active list. */
static double cold_of(const struct evidence *evidence)
{
	double file = signal_of(&evidence->machine, SIG_FILE_LRU);
	double active = file - signal_of(&evidence->machine, SIG_FILE_INACTIVE);
	double mapped = signal_of(&evidence->machine, SIG_MAPPED);

	/* Mapped pages begin on the classic inactive list; MGLRU takes them for young. */
	if (evidence->pair.now->profile.lru == LRU_CLASSIC)
		return fmax(0, file - fmin(file, active + mapped));
	return fmax(0, file - fmax(active, mapped));
}

/* Swap that a batch of reclaim would fill is none. */
static double swap_left(const struct signals *signals)
{
	double left = signal_of(signals, SIG_SWAP_FREE);

	return left > SWAP_USABLE ? left : left <= SWAP_USABLE ? 0 : (double)NAN;
}

static double machine_left(const struct evidence *evidence)
{
	const struct signals *machine = &evidence->machine;
	double above = fmax(0, signal_of(machine, SIG_FREE) - signal_of(machine, SIG_LOW));

	return above + cold_of(evidence) + swap_left(machine);
}

static double batch_of(const struct evidence *evidence)
{
	const struct signals *machine = &evidence->machine;

	return signal_of(machine, SIG_HIGH) - signal_of(machine, SIG_LOW) +
	       BATCH_SHARE * signal_of(machine, SIG_TOTAL);
}

/* Grows now and did so over the last seconds, and never was larger. */
static bool is_leak(const struct plan_input *input, const struct domain *longer)
{
	return is_growing(input->longer, longer) &&
	       !input->longer->members[longer->culprit].growth.below_peak;
}

/* Who is stuck at memory.high does not grow any more: there it is who holds most. */
static int32_t largest_in(const struct evidence *evidence, const struct domain *domain)
{
	int32_t largest = -1;
	double most = 0;

	for (size_t i = 0; i < evidence->member_count; i++) {
		double level = evidence->members[i].growth.level;

		if (!(level > most) || !domain_has(evidence, domain, i))
			continue;
		most = level;
		largest = (int32_t)i;
	}
	return largest;
}

static void find_culprit(const struct plan_input *input, const struct domain *longer,
			 const struct domain *recent, struct harm *harm)
{
	harm->culprit = is_growing(input->longer, longer) ? longer->culprit : -1;
	if (harm->culprit < 0) {
		if (longer->kind == LIMIT_HIGH)
			harm->culprit = largest_in(input->longer, longer);
		return;
	}
	harm->rate = input->longer->members[harm->culprit].growth.rate;
	harm->rate_all = longer->grow_rate;
	/* What the last second says is nearer to what comes next. */
	if (recent && recent->culprit == harm->culprit) {
		harm->rate =
			fmax(harm->rate, input->recent->members[harm->culprit].growth.rate);
		harm->rate_all = fmax(harm->rate_all, recent->grow_rate);
	}
}

/* Whose last process was killed a moment ago has still lost time. */
static bool is_empty(const struct snapshot *now, size_t member)
{
	return now->tasks_state == OK && now->cgroups[member].tasks == 0;
}

static void find_sufferer(const struct evidence *evidence, const struct domain *domain,
			  struct harm *harm)
{
	harm->sufferer = -1;
	harm->loss = harm->loss_upper = (double)NAN;
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct loss *loss = &evidence->members[i].loss;

		if ((int32_t)i == harm->culprit || isnan(loss->lower) ||
		    loss->lower <= zero_if_nan(harm->loss) || is_empty(evidence->pair.now, i) ||
		    !domain_has(evidence, domain, i))
			continue;
		harm->sufferer = (int32_t)i;
		harm->loss = loss->lower;
		harm->loss_upper = loss->upper;
	}
}

/* Whether the evidence reaches back that far: a loss of a moment is none of a second. */
static bool reaches(const struct evidence *evidence, uint64_t span_us)
{
	return evidence->pair.seconds * SECOND_US >= SPAN_SHARE * (double)span_us;
}

static const struct loss *loss_at(const struct evidence *evidence, int32_t member)
{
	static const struct loss nothing = { .lower = (double)NAN, .upper = (double)NAN };

	return member < 0 ? &nothing : &evidence->members[member].loss;
}

bool harm_is_lost(const struct evidence *evidence, int32_t member, double most)
{
	const struct loss *loss = loss_at(evidence, member);

	return loss->lower >= most || (loss->upper >= most && loss->lower >= SURE * most);
}

static bool is_surely_lost(const struct evidence *evidence, int32_t member, double most)
{
	return loss_at(evidence, member)->lower >= most;
}

static void yes(struct harm *harm, enum because because)
{
	harm->act = true;
	harm->because = because;
}

/*
 * What one grows in the time allowed; not less than a batch, and of a fast one not more than
 * IMMINENT_MOST: a burst of 170 MiB/s would be killed with a third of RAM unused.
 */
static double imminent_room(const struct evidence *evidence, double grown)
{
	double most = IMMINENT_MOST * signal_of(&evidence->machine, SIG_TOTAL);

	return fmax(fmin(grown, most), batch_of(evidence));
}

/* One who grows fills the rest within the time allowed, and reclaim has come to its end. */
static bool is_imminent(const struct plan_input *input, const struct domain *longer,
			const struct harm *harm)
{
	double time = (double)input->config->options.imminent_us / SECOND_US;
	const struct signals *machine = &input->recent->machine;

	if (time <= 0 || harm->culprit < 0 || !has_slope(input->longer) ||
	    !is_leak(input, longer))
		return false;
	if (harm->rate < ONE_GROWER * harm->rate_all)
		return false;
	return harm->left <= imminent_room(input->recent, harm->rate * time) &&
	       (is_short(&input->recent->domain[0]) ||
		signal_of(machine, SIG_FREE) <= signal_of(machine, SIG_HIGH));
}

/* Whose cause is in memory that a kill would give back. */
static bool is_of_processes(enum verdict_class class)
{
	return class == CLASS_FILE_REFAULT || class == CLASS_SWAP_THRASH ||
	       class == CLASS_ZRAM_FULL || class == CLASS_DIRECT_RECLAIM;
}

/* Where nobody grows the largest may have to go: not for a moment of trouble. */
static bool has_cause(const struct plan_input *input, const struct harm *harm, double most)
{
	return harm->culprit >= 0 ||
	       (is_of_processes(input->verdict->class) &&
		harm_is_lost(input->longer, harm->sufferer, most) &&
		reaches(input->longer, input->config->options.limit_for_us));
}

/* With swap to go to. */
static void judge_swapping(const struct plan_input *input, struct harm *harm, double most)
{
	uint64_t span_us = input->config->options.limit_for_us;

	if (is_surely_lost(input->longer, harm->sufferer, most) &&
	    reaches(input->longer, span_us) && has_cause(input, harm, most))
		yes(harm, BECAUSE_HARM);
	else if (is_surely_lost(input->recent, harm->sufferer, most))
		harm->because = BECAUSE_SWAP_LEFT;
	else if (loss_at(input->recent, harm->culprit)->lower >= LOSS_HARM)
		harm->because = BECAUSE_ONLY_CULPRIT;
	else
		harm->because = harm->loss >= LOSS_NONE ? BECAUSE_LITTLE : BECAUSE_CALM;
}

/* Without: what is evicted is files. */
static void judge_rereading(const struct plan_input *input, struct harm *harm, double most)
{
	const struct signals *machine = &input->recent->machine;
	bool is_tight = !(harm->left > COLD_PLENTY * signal_of(machine, SIG_TOTAL));
	bool is_whole = reaches(input->recent, input->config->options.machine_for_us);
	bool harms = harm_is_lost(input->recent, harm->sufferer, most);
	bool harms_itself = harm_is_lost(input->recent, harm->culprit, most);

	if (!is_tight)
		harm->because = harms ? BECAUSE_COLD_LEFT : BECAUSE_CALM;
	else if (harms && !has_cause(input, harm, most))
		harm->because = BECAUSE_NO_GROWER;
	else if (harms && is_whole)
		yes(harm, BECAUSE_HARM);
	else if (harms_itself && is_whole)
		yes(harm, BECAUSE_SELF);
	else if (harms || harms_itself)
		harm->because = BECAUSE_NOT_LONG;
	else
		harm->because = harm->loss >= LOSS_NONE ? BECAUSE_LITTLE : BECAUSE_CALM;
}

static void judge_machine(const struct plan_input *input, const struct domain *longer,
			  struct harm *harm)
{
	double most = share(input->config->options.machine_loss);

	if (is_imminent(input, longer, harm))
		yes(harm, BECAUSE_IMMINENT);
	else if (!is_short(&input->recent->domain[0]))
		harm->because = BECAUSE_CALM;
	else if (!(swap_left(&input->recent->machine) <= 0))
		judge_swapping(input, harm, most);
	else
		judge_rereading(input, harm, most);
}

/* Somebody in it waits at memory.high and does nothing else; nothing will ever end it. */
static bool is_stuck(const struct evidence *evidence, const struct domain *domain, double most)
{
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct signals *signals = &evidence->members[i].signals;

		if (domain_has(evidence, domain, i) && stalled_of(signals) >= most &&
		    signal_of(signals, SIG_FAULT) < STUCK_FAULTS)
			return true;
	}
	return false;
}

static void judge_limit(const struct plan_input *input, const struct domain *longer,
			struct harm *harm)
{
	const struct guard_options *options = &input->config->options;
	double most = share(options->limit_loss);
	bool has_swap = !(swap_left(longer->signals) <= 0);
	bool lost = harm_is_lost(input->longer, harm->sufferer, most) &&
		    harm_is_lost(input->recent, harm->sufferer, most);
	bool lost_itself = harm_is_lost(input->longer, harm->culprit, most);
	bool at_high = is_at_high(longer);

	if (longer->kind == LIMIT_HIGH && !at_high)
		harm->because = BECAUSE_CALM;
	else if (longer->kind == LIMIT_MAX && options->at_max == LIMIT_REPORT)
		harm->because = harm->loss >= LOSS_HARM ? BECAUSE_AT_MAX : BECAUSE_CALM;
	else if (!reaches(input->longer, options->limit_for_us))
		harm->because = BECAUSE_NOT_LONG;
	else if (lost)
		yes(harm, BECAUSE_HARM);
	else if (at_high && !has_swap && is_stuck(input->longer, longer, most))
		yes(harm, BECAUSE_NO_WORK);
	else if (at_high && !has_swap && lost_itself)
		yes(harm, BECAUSE_SELF);
	else if (loss_at(input->longer, harm->culprit)->lower >= LOSS_HARM)
		harm->because = BECAUSE_ONLY_CULPRIT;
	else
		harm->because = harm->loss >= LOSS_NONE ? BECAUSE_LITTLE : BECAUSE_CALM;
}

static bool begins_to_suffer(const struct evidence *evidence, const struct harm *harm)
{
	const struct loss *loss;

	if (harm->sufferer < 0)
		return false;
	loss = &evidence->members[harm->sufferer].loss;
	return is_hurt(loss) || (loss->collapsed && loss->lower >= LOSS_NONE / 2);
}

struct harm harm_of(const struct plan_input *input, const struct domain *domain)
{
	const struct domain *recent = domain_like(input->recent, domain, input->longer);
	const struct guard_options *options = &input->config->options;
	bool is_ram = is_machine(domain);
	bool can_be_short;
	struct harm harm = { .left = (double)NAN, .left_s = (double)NAN };
	double most = share(is_ram ? options->machine_loss : options->limit_loss);

	find_culprit(input, domain, recent, &harm);
	find_sufferer(input->recent, recent ? recent : domain, &harm);
	if (is_ram)
		harm.left = machine_left(input->recent);
	if (harm.rate > 0)
		harm.left_s = harm.left / harm.rate;
	if (is_ram)
		judge_machine(input, domain, &harm);
	else
		judge_limit(input, domain, &harm);
	/* Who suffers at the limit of a cgroup does not suffer from the machine. */
	can_be_short = !is_ram || is_short(&input->recent->domain[0]);
	harm.early = can_be_short && begins_to_suffer(input->recent, &harm);
	if (harm.because == BECAUSE_CALM &&
	    harm.left_s * SECOND_US <= NEAR_TIMES * (double)options->imminent_us)
		harm.because = BECAUSE_SOON;
	harm.near = harm.act || harm.because == BECAUSE_SOON ||
		    (harm.loss >= NEAR * most && can_be_short);
	return harm;
}
