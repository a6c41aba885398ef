#include "analysis/loss.h"

#include "analysis/facts.h"

/* A mapped set this far below its calm value has been evicted, not unmapped by chance. */
#define COLLAPSE 0.93

/* Reads that could matter: a page in a few milliseconds. */
#define READ_MIN (256.0 * 1024)

/* A cgroup's own reads, or the machine's as an upper bound. */
static double reads_of(const struct evidence *evidence, const struct signals *signals)
{
	double own = signal_of(signals, SIG_READ);

	return isnan(own) ? signal_of(&evidence->machine, SIG_READ) : own;
}

static bool is_collapsed(const struct signals *signals, const struct track *track, double reads)
{
	double mapped = signal_of(signals, SIG_MAPPED);
	double steal = signal_of(signals, SIG_STEAL);

	/* v1 has no pgsteal of a cgroup: there the reads must do. */
	if (signals->why[SIG_STEAL] != WHY_ABSENT && !(steal > 0))
		return false;
	return reads > READ_MIN && mapped < COLLAPSE * track->calm_mapped &&
	       track->calm_mapped - mapped > READ_MIN;
}

static double io_share_of(const struct evidence *evidence, const struct signals *signals,
			  double reads, bool collapsed)
{
	double back = reread_of(signals);

	if (collapsed)
		return 1;
	if (isnan(reads) || isnan(back))
		return (double)NAN;
	if (evidence->pair.now->profile.refaults_understate_reads)
		back *= READ_PER_REFAULT_72;
	return reads > 0 ? fmin(1, back / reads) : 0;
}

static const struct signals *pressure_of(const struct evidence *evidence, size_t member,
					 struct loss *loss)
{
	int32_t at = evidence->pair.now->cgroups[member].pressure;

	if (at >= 0)
		return &evidence->members[at].signals;
	loss->borrowed = true;
	return &evidence->machine;
}

/* A cgroup that re-reads nothing did not lose what the machine's pressure says. */
static bool may_borrow(const struct signals *signals)
{
	return reread_of(signals) > READ_MIN;
}

/*
 * Page faults, readahead and reclaim cost a sufferer CPU time that no PSI holds: a service that
 * lost 94 % of its ticks showed 60 % of stall and 35 % of one CPU in the kernel, 3 % in calm.
 */
static double fault_time(const struct signals *signals, const struct loss *loss)
{
	return loss->io_share > 0.5 ? zero_if_nan(signal_of(signals, SIG_CPU_SYSTEM)) : 0;
}

struct loss loss_of(const struct evidence *evidence, size_t member)
{
	const struct signals *signals = &evidence->members[member].signals;
	struct loss loss = { .lower = (double)NAN, .upper = (double)NAN };
	const struct signals *pressure = pressure_of(evidence, member, &loss);
	double memory = signal_of(pressure, SIG_MEM_SOME);
	double reads = reads_of(evidence, signals);
	double io;

	loss.collapsed = is_collapsed(signals, &evidence->window->track[member], reads);
	loss.io_share = io_share_of(evidence, signals, reads, loss.collapsed);
	if (loss.borrowed && !may_borrow(signals) && !loss.collapsed)
		return loss;
	io = signal_of(pressure, SIG_IO_SOME) * loss.io_share;
	if (isnan(memory) && isnan(io))
		return loss;
	loss.lower = fmin(1, fmax(zero_if_nan(memory), zero_if_nan(io)));
	loss.upper =
		fmin(1, zero_if_nan(memory) + zero_if_nan(io) + fault_time(pressure, &loss));
	return loss;
}
