#include "view/words.h"

void words_cgroup(struct text *text, const struct snapshot *now, int32_t index)
{
	const char *path = index < 0 ? "" : now->cgroups[index].path;

	if (!path[0])
		text_add(text, "%s", now->mounts.mode == CGROUPS_NONE ? "the machine" : "/");
	else
		text_name(text, span_cstr(path));
}

void words_signal(struct text *text, const struct signals *signals, enum signal signal)
{
	double value = signals->value[signal];

	if (signals->why[signal] != WHY_KNOWN) {
		text_add(text, "unknown (%s)", why_name(signals->why[signal]));
		return;
	}
	switch (signal_row(signal)->unit) {
	case BYTES_AT:
		text_bytes(text, value);
		break;
	case BYTES_S:
		text_bytes(text, value);
		text_add(text, "/s");
		break;
	case PER_S:
		text_count(text, value);
		text_add(text, "/s");
		break;
	case SHARE_OF:
		text_share(text, value);
		break;
	}
}

void words_loss(struct text *text, const struct loss *loss)
{
	double lower = loss->lower * 100;
	double upper = loss->upper * 100;

	if (isnan(lower))
		text_add(text, "loses an unknown share of its time");
	else if (upper - lower < 1)
		text_add(text, "loses %.0f %% of its time", lower);
	else
		text_add(text, "loses %.0f to %.0f %% of its time", lower, upper);
	if (loss->borrowed)
		text_add(text, " (by the machine's pressure)");
}

/* A page now and then is read back on any machine. */
#define WORTH_A_WORD (64.0 * 1024)

bool words_reread(struct text *text, const struct signals *signals)
{
	double back = reread_of(signals);

	if (!(back >= WORTH_A_WORD))
		return false;
	text_add(text, ", re-reads ");
	text_bytes(text, back);
	text_add(text, "/s");
	return true;
}

void words_domain(struct text *text, const struct evidence *evidence,
		  const struct domain *domain)
{
	static const char *const names[] = {
		[LIMIT_RAM] = "RAM",
		[LIMIT_HIGH] = "memory.high",
		[LIMIT_MAX] = "memory.max",
	};

	if (domain->cgroup < 0) {
		text_add(text, "the machine");
		return;
	}
	words_cgroup(text, evidence->pair.now, domain->cgroup);
	text_add(text, " (%s", names[domain->kind]);
	if (!isnan(domain->limit)) {
		text_add(text, " ");
		text_bytes(text, domain->limit);
	}
	text_add(text, ")");
}

static void words_span(struct text *text, double low, double high)
{
	if (high > 1.2 * low && high - low >= 1) {
		text_time(text, low);
		text_add(text, " to ");
	}
	text_time(text, high);
}

void words_forecast(struct text *text, const struct forecast *forecast)
{
	static const char *const names[] = {
		[NEXT_NOTHING] = "nothing grows: it stays as it is",
		[NEXT_OOM] = "kernel OOM kill in ",
		[NEXT_SWAP_FULL] = "swap is full in ",
		[NEXT_FREEZE] = "no memory left in ",
		[NEXT_NEVER] = "nothing ends this: memory.high never calls the OOM killer",
		[NEXT_UNKNOWN] = "unknown",
	};

	text_add(text, "%s", names[forecast->next]);
	if (isnan(forecast->high_s))
		return;
	words_span(text, forecast->low_s, forecast->high_s);
	text_add(text, " at this rate");
}

static void words_swap(struct text *text, const struct snapshot *now)
{
	if (now->state[MI_SWAP_TOTAL] != OK) {
		text_add(text, "swap unknown");
	} else if (now->value[MI_SWAP_TOTAL] == 0) {
		text_add(text, "no swap");
	} else {
		text_add(text, "swap ");
		text_bytes(text, (double)now->value[MI_SWAP_TOTAL]);
	}
}

void words_machine(struct text *text, const struct evidence *evidence)
{
	const struct snapshot *now = evidence->pair.now;
	const char *release = now->host.release;

	/* "(none)" is what the kernel calls itself until somebody names it. */
	text_name(text, span_cstr(now->host.name[0] && strcmp(now->host.name, "(none)") != 0 ?
					  now->host.name :
					  "machine"));
	text_add(text, " · Linux ");
	text_name(text, span_cstr(release[0] ? release : "unknown"));
	text_add(text, " · ");
	words_signal(text, &evidence->machine, SIG_TOTAL);
	text_add(text, " RAM · ");
	words_swap(text, now);
	text_add(text, " · %s · %s", cgroup_mode_name(now->mounts.mode),
		 lru_name(now->profile.lru));
	if (now->host.container[0]) {
		text_add(text, " · in a container (");
		text_name(text, span_cstr(now->host.container));
		text_add(text, ")");
	}
	if (evidence->pair.seconds > 0)
		text_add(text, " · %.1f s sampled", evidence->pair.seconds);
	else
		text_add(text, " · one sample");
}
