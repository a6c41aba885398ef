#include "analysis/forecast.h"

#include "analysis/facts.h"

/* Growth of the domain: its members', or for the machine what all of it grows. NAN unknown. */
static double grow_rate(const struct verdict *verdict)
{
	const struct domain *domain = verdict->domain;
	double rate = domain->grow_rate;

	if (domain->cgroup < 0)
		rate = fmax(rate, verdict->evidence->grown_rate);
	if (verdict->class == CLASS_KERNEL_LEAK)
		rate = fmax(rate, verdict->evidence->kernel_rate);
	return rate;
}

static double positive(double value)
{
	return value > 0 ? value : 0;
}

/*
 * What is left before the end: surely what is available, at most all file cache as well, since
 * the OOM killer waits until that is gone.
 */
static void forecast_machine(const struct verdict *verdict, double rate, struct forecast *out)
{
	const struct signals *machine = &verdict->evidence->machine;
	double swap = signal_of(machine, SIG_SWAP_FREE);
	double available = signal_of(machine, SIG_AVAILABLE);
	double cache = positive(signal_of(machine, SIG_FREE) - signal_of(machine, SIG_LOW)) +
		       positive(signal_of(machine, SIG_FILE_LRU));

	if (isnan(swap) || isnan(available)) {
		out->next = NEXT_UNKNOWN;
		return;
	}
	out->low_s = available / rate;
	out->high_s = fmax(available, cache) / rate;
	if (swap > 0) {
		out->next = NEXT_SWAP_FULL;
		out->low_s = swap / rate;
		out->high_s = (swap + fmax(available, cache)) / rate;
	} else {
		out->next = verdict->severity >= SEV_HARM ? NEXT_OOM : NEXT_FREEZE;
	}
}

static void forecast_limit(const struct verdict *verdict, double rate, struct forecast *out)
{
	const struct domain *domain = verdict->domain;
	double hard = signal_of(domain->signals, SIG_HARD);
	double room = positive(domain->limit - hard);
	double swap = signal_of(domain->signals, SIG_SWAP_FREE);

	if (isnan(swap) || isnan(domain->limit) || isnan(hard)) {
		out->next = NEXT_UNKNOWN;
		return;
	}
	if (!(swap > 0) && domain->kind == LIMIT_HIGH) {
		out->next = NEXT_NEVER;
		return;
	}
	out->next = swap > 0 ? NEXT_SWAP_FULL : NEXT_OOM;
	out->low_s = (swap > 0 ? swap : room) / rate;
	out->high_s = (swap + room) / rate;
}

void forecast_of(struct verdict *out)
{
	double rate = grow_rate(out);

	out->forecast = (struct forecast){ NEXT_NOTHING, (double)NAN, (double)NAN };
	if (out->class == CLASS_HIGH_THROTTLE)
		out->forecast.next = NEXT_NEVER;
	else if (out->class == CLASS_UNKNOWN || isnan(rate))
		out->forecast.next = NEXT_UNKNOWN;
	else if (rate < GROWTH_NOISE)
		out->forecast.next = NEXT_NOTHING;
	else if (out->domain->cgroup < 0)
		forecast_machine(out, rate, &out->forecast);
	else
		forecast_limit(out, rate, &out->forecast);
}
