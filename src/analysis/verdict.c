#include "analysis/verdict.h"

#include "analysis/facts.h"
#include "analysis/forecast.h"
#include "analysis/parties.h"
#include "analysis/rules.h"

static void keep_untold(struct verdict *out, const struct untold *untold)
{
	/* A class once: what is missing for the machine is missing for its cgroups. */
	for (size_t i = 0; i < out->untolds; i++)
		if (out->untold[i].class == untold->class)
			return;
	if (out->untolds < UNTOLD_MAX)
		out->untold[out->untolds++] = *untold;
}

/* Behind what is as severe: rules come in the order of causes before symptoms. */
static void keep_finding(struct verdict *out, const struct finding *finding)
{
	size_t at = out->findings;

	/* The least severe gives way: a hundred remarks do not hide harm. */
	if (at == FINDINGS_MAX) {
		if (out->finding[at - 1].severity >= finding->severity)
			return;
		at = --out->findings;
	}
	while (at > 0 && out->finding[at - 1].severity < finding->severity) {
		out->finding[at] = out->finding[at - 1];
		at--;
	}
	out->finding[at] = *finding;
	out->findings++;
}

static void ask_all(const struct evidence *evidence, struct verdict *out)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		for (size_t j = 0; j < evidence->domains; j++) {
			struct finding finding;
			struct untold untold;
			enum outcome outcome = rule_ask(
				&RULES[i], evidence, &evidence->domain[j], &finding, &untold);

			if (outcome == RULE_HIT)
				keep_finding(out, &finding);
			else if (outcome == RULE_UNKNOWN)
				keep_untold(out, &untold);
		}
}

/* A service that loses 10 % is hurt; the machine's own pressure has kswapd in it as well. */
#define STALL_SCALE 2

/* A stall that no rule explains: from here on it must not be called healthy. */
#define STALL_UNKNOWN (STALL_SCALE * LOSS_HARM)

/* Next to nothing comes back and no allocation waited: nobody is hurt, pressure known or not.
 */
#define QUIET_BYTES (64.0 * 1024)

static bool is_quiet(const struct signals *machine)
{
	return signal_of(machine, SIG_REFAULT_FILE) < QUIET_BYTES &&
	       signal_of(machine, SIG_SWAP_IN) < QUIET_BYTES &&
	       signal_of(machine, SIG_ALLOCSTALL) <= 0;
}

/* Of a part of the machine only its members count. */
static double worst_stall(const struct evidence *evidence)
{
	double worst =
		evidence->is_part ? (double)NAN : signal_of(&evidence->machine, SIG_MEM_SOME);

	for (size_t i = 0; i < evidence->member_count; i++)
		if (evidence->members[i].leaf)
			worst = fmax(worst, STALL_SCALE * evidence->members[i].loss.lower);
	return worst;
}

static bool reads_back(const struct member *member)
{
	return reread_of(&member->signals) >= REREAD_MIN;
}

static bool is_hidden(const struct loss *loss)
{
	return isnan(loss->lower);
}

/* Somebody reads back what was evicted, and his lost time is so. */
static bool somebody(const struct evidence *evidence, bool (*is)(const struct loss *loss))
{
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct member *member = &evidence->members[i];

		if (member->leaf && reads_back(member) && is(&member->loss))
			return true;
	}
	return false;
}

static enum verdict_class class_without_finding(const struct evidence *evidence)
{
	double stall = worst_stall(evidence);

	if (stall >= STALL_UNKNOWN || somebody(evidence, is_hidden) ||
	    somebody(evidence, is_hurt))
		return CLASS_UNKNOWN;
	if (isnan(stall) && !is_quiet(&evidence->machine))
		return CLASS_UNKNOWN;
	return CLASS_HEALTHY;
}

static void choose_headline(const struct evidence *evidence, struct verdict *out)
{
	enum verdict_class other = class_without_finding(evidence);

	out->domain = &evidence->domain[0];
	out->class = other;
	if (out->findings > 0) {
		out->class = out->finding[0].class;
		out->domain = out->finding[0].domain;
		out->severity = out->finding[0].severity;
		/* Pressure that can't be told outweighs a mere remark. */
		if (other == CLASS_UNKNOWN && somebody(evidence, is_hidden) &&
		    out->severity < SEV_WARN) {
			out->class = other;
			out->domain = &evidence->domain[0];
		}
	}
	if (out->class >= CLASS_HEALTHY)
		out->severity = class_row(out->class)->severity;
}

const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = { "low", "medium", "high" };

	return names[confidence];
}

/* Shorter than this, statistics of cgroups may be older than the window (flushed each 2 s). */
#define SURE_SECONDS 3.0

/* What happened in one gap is seen as its mean only. */
#define GAP_SHARE 0.6

/* Below twice the threshold the next window may say otherwise. */
#define LOSS_SURE (2 * LOSS_HARM)

static void confidence_of(struct verdict *out)
{
	const struct evidence *evidence = out->evidence;
	const struct member *sufferer =
		out->sufferers > 0 ? &evidence->members[out->sufferer[0].member] : NULL;

	out->confidence = CONFIDENCE_MEDIUM;
	out->confidence_why = "some classes could not be told";
	if (!(evidence->pair.seconds >= SURE_SECONDS)) {
		out->confidence = CONFIDENCE_LOW;
		out->confidence_why = "less than three seconds were sampled";
	} else if (evidence->window->gap_s > GAP_SHARE * evidence->pair.seconds) {
		out->confidence = CONFIDENCE_LOW;
		out->confidence_why = "most of the time passed between two samples";
	} else if (out->class == CLASS_UNKNOWN) {
		out->confidence = CONFIDENCE_LOW;
		out->confidence_why = "what would tell cannot be read";
	} else if (sufferer && sufferer->loss.borrowed) {
		out->confidence_why = "the machine's pressure stands in for the cgroup's";
	} else if (out->severity == SEV_HARM && sufferer && sufferer->loss.lower < LOSS_SURE) {
		out->confidence_why = "the lost time is near the threshold";
	} else if (out->untolds == 0 || out->severity == SEV_HARM) {
		out->confidence = CONFIDENCE_HIGH;
		out->confidence_why = "the evidence is complete and well above its thresholds";
	}
}

/* Growth that a harm or a swap-out already tells of is not told again. */
static void fold_growth(struct verdict *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->findings; i++) {
		enum verdict_class class = out->finding[i].class;

		if (i > 0 && (class == CLASS_ANON_GROWTH || class == CLASS_SHMEM_GROWTH ||
			      class == CLASS_FIRST_READ || class == CLASS_CPU_STARVED))
			continue;
		out->finding[kept++] = out->finding[i];
	}
	out->findings = kept;
}

void verdict_of(const struct evidence *evidence, struct verdict *out)
{
	*out = (struct verdict){ .evidence = evidence };
	ask_all(evidence, out);
	choose_headline(evidence, out);
	fold_growth(out);
	parties_of(out);
	forecast_of(out);
	confidence_of(out);
}
