#include "analysis/verdict.h"

#include "analysis/rules.h"

static const struct class_row CLASS_ROWS[] = {
#define X(id, name, severity, word, title, meaning, now, good, flips)                          \
	[CLASS_##id] = { name, SEV_##severity, word, title, meaning, now, good, flips },
#include "analysis/classes.def"
#undef X
	[CLASS_HEALTHY] = { "healthy", SEV_NONE, "OK", "No memory pressure",
			    "None of the classes holds, and nobody loses time to memory.",
			    "nothing", "nothing", "any other class begins to hold" },
	[CLASS_UNKNOWN] = { "unknown", SEV_WARN, "UNKNOWN",
			    "It cannot be told whether memory hurts a service",
			    "Something stalls and no cause fits, or what would tell cannot be read. "
			    "What is missing is listed.",
			    "make readable what is missing", "make readable what is missing",
			    "the missing counters are there" },
};

const struct class_row *class_row(enum class class)
{
	return &CLASS_ROWS[class];
}

enum class class_find(struct span name)
{
	enum class class = 0;

	while (class < CLASSES && !span_eq(name, CLASS_ROWS[class].name))
		class++;
	return class;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = { "none", "info", "note", "warning", "harm" };

	return names[severity];
}

const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = { "low", "medium", "high" };

	return names[confidence];
}

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

	if (at == FINDINGS_MAX)
		return;
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
			enum outcome outcome = rule_ask(&RULES[i], evidence, &evidence->domain[j],
							&finding, &untold);

			if (outcome == RULE_HIT)
				keep_finding(out, &finding);
			else if (outcome == RULE_UNKNOWN)
				keep_untold(out, &untold);
		}
}

/* A stall that no rule explains: from here on it must not be called healthy. */
#define STALL_UNKNOWN 0.20
#define STALL_HEALTHY 0.02

/* Next to nothing comes back and no allocation waited: nobody is hurt, pressure known or not. */
#define QUIET_BYTES (64.0 * 1024)

static bool is_quiet(const struct signals *machine)
{
	return signal_of(machine, SIG_REFAULT_FILE) < QUIET_BYTES &&
	       signal_of(machine, SIG_SWAP_IN) < QUIET_BYTES &&
	       signal_of(machine, SIG_ALLOCSTALL) <= 0;
}

static double worst_stall(const struct evidence *evidence)
{
	double worst = signal_of(&evidence->machine, SIG_MEM_SOME);

	for (size_t i = 0; i < evidence->member_count; i++)
		worst = fmax(worst, evidence->members[i].loss.lower);
	return worst;
}

/* Somebody reads back what was evicted, and whether he waits for it can't be told. */
static bool has_hidden_stall(const struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct member *member = &evidence->members[i];

		if (member->leaf && isnan(member->loss.lower) &&
		    signal_of(&member->signals, SIG_REFAULT_FILE) >= 1024 * 1024)
			return true;
	}
	return false;
}

static enum class class_without_finding(const struct evidence *evidence)
{
	double stall = worst_stall(evidence);

	if (stall >= STALL_UNKNOWN || has_hidden_stall(evidence))
		return CLASS_UNKNOWN;
	if (isnan(stall) && !is_quiet(&evidence->machine))
		return CLASS_UNKNOWN;
	return CLASS_HEALTHY;
}

static void choose_headline(const struct evidence *evidence, struct verdict *out)
{
	enum class other = class_without_finding(evidence);

	out->domain = &evidence->domain[0];
	out->class = other;
	if (out->findings > 0) {
		out->class = out->finding[0].class;
		out->domain = out->finding[0].domain;
		out->severity = out->finding[0].severity;
		/* Pressure that can't be told outweighs a mere remark. */
		if (other == CLASS_UNKNOWN && has_hidden_stall(evidence) &&
		    out->severity < SEV_WARN) {
			out->class = other;
			out->domain = &evidence->domain[0];
		}
	}
	if (out->class >= CLASS_HEALTHY)
		out->severity = class_row(out->class)->severity;
}

static double loss_key(const struct member *member)
{
	return member->loss.lower >= STALL_HEALTHY ? member->loss.lower : (double)NAN;
}

static double kernel_key(const struct member *member)
{
	return member->growth.kernel_rate > 0 ? member->growth.kernel_rate : (double)NAN;
}

static double shmem_key(const struct member *member)
{
	return member->growth.shmem_rate > 0 ? member->growth.shmem_rate : (double)NAN;
}

static double locked_key(const struct member *member)
{
	double locked = signal_of(&member->signals, SIG_UNEVICTABLE);

	return locked > 0 ? locked : (double)NAN;
}

/* Growth first; where nothing grows any more (stuck at memory.high), size. */
static double growth_key(const struct member *member)
{
	return member->growth.rate > 0 ? member->growth.rate : (double)NAN;
}

static double size_key(const struct member *member)
{
	return member->growth.level > 0 ? member->growth.level : (double)NAN;
}

static size_t rank(const struct verdict *verdict, double (*key)(const struct member *),
		   struct party *out)
{
	const struct evidence *evidence = verdict->evidence;
	double keys[PARTIES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < evidence->member_count; i++) {
		double value = key(&evidence->members[i]);
		size_t at;

		if (isnan(value) || !domain_has(evidence, verdict->domain, i))
			continue;
		for (at = MIN(count, (size_t)PARTIES_MAX); at > 0 && keys[at - 1] < value; at--)
			if (at < PARTIES_MAX) {
				keys[at] = keys[at - 1];
				out[at] = out[at - 1];
			}
		if (at == PARTIES_MAX)
			continue;
		keys[at] = value;
		out[at] = (struct party){ .member = (int32_t)i };
		count = MIN(count + 1, (size_t)PARTIES_MAX);
	}
	return count;
}

static double task_level(const struct task *task)
{
	if (task->state[TASK_RSS_ANON] != OK)
		return (double)NAN;
	return (double)task->value[TASK_RSS_ANON] +
	       (task->state[TASK_SWAP] == OK ? (double)task->value[TASK_SWAP] : 0);
}

static bool is_in(const struct snapshot *now, const struct task *task, int32_t member)
{
	if (member < 0)
		return true;
	return now->cgroups[member].hierarchy == HIERARCHY_V2 ? task->cgroup == member :
								 task->cgroup_memory == member;
}

/* The process of the cgroup that grows most; when none grows, the largest. */
static void find_task(const struct evidence *evidence, struct party *party)
{
	const struct snapshot *now = evidence->pair.now;
	double best_rate = 0;
	double best_level = 0;

	for (size_t i = 0; i < now->task_count; i++) {
		const struct task *task = &now->tasks[i];
		const struct task *before =
			evidence->pair.before ? snapshot_task(evidence->pair.before, task) : NULL;
		double level = task_level(task);
		double rate = before ? (level - task_level(before)) / evidence->pair.seconds : 0;

		if (!is_in(now, task, party->member) || isnan(level))
			continue;
		rate = isnan(rate) ? 0 : rate;
		if (rate > best_rate || (best_rate <= 0 && level > best_level)) {
			best_rate = rate;
			best_level = level;
			party->task = task;
		}
	}
	party->task_rate = best_rate;
	party->task_level = best_level;
}

/* A machine without cgroups, or with everything in the top one: processes are all there is. */
static void find_culprits_without_cgroups(struct verdict *out)
{
	struct party party = { .member = -1 };

	find_task(out->evidence, &party);
	if (!party.task || out->domain->cgroup >= 0)
		return;
	out->culprit[0] = party;
	out->culprits = 1;
}

/* What makes a culprit differs where it is not anonymous memory that is the matter. */
static double (*culprit_key(enum class class))(const struct member *)
{
	if (class == CLASS_KERNEL_LEAK)
		return kernel_key;
	if (class == CLASS_SHMEM_GROWTH)
		return shmem_key;
	return class == CLASS_LOCKED ? locked_key : growth_key;
}

static void find_parties(struct verdict *out)
{
	out->sufferers = rank(out, loss_key, out->sufferer);
	if (out->class == CLASS_UNKNOWN)
		return; /* nobody is accused on no evidence */
	out->culprits = rank(out, culprit_key(out->class), out->culprit);
	if (out->culprits == 0 && out->severity >= SEV_WARN)
		out->culprits = MIN(rank(out, size_key, out->culprit), (size_t)1);
	if (out->culprits == 0 && out->severity >= SEV_NOTE)
		find_culprits_without_cgroups(out);
	for (size_t i = 0; i < out->sufferers; i++)
		find_task(out->evidence, &out->sufferer[i]);
	for (size_t i = 0; i < out->culprits; i++)
		find_task(out->evidence, &out->culprit[i]);
}

/* Growth of the domain: its members', or for the machine what all of it grows. */
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
	double swap = positive(signal_of(machine, SIG_SWAP_FREE));
	double available = positive(signal_of(machine, SIG_AVAILABLE));
	double cache = positive(signal_of(machine, SIG_FREE) - signal_of(machine, SIG_LOW)) +
		       positive(signal_of(machine, SIG_FILE_LRU));

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
	double room = positive(domain->limit - signal_of(domain->signals, SIG_HARD));
	double swap = positive(signal_of(domain->signals, SIG_SWAP_FREE));

	out->next = swap > 0 ? NEXT_SWAP_FULL : NEXT_OOM;
	out->low_s = (swap > 0 ? swap : room) / rate;
	out->high_s = (swap + room) / rate;
}

static void forecast_of(struct verdict *out)
{
	double rate = grow_rate(out);

	out->forecast = (struct forecast){ NEXT_NOTHING, (double)NAN, (double)NAN };
	if (out->class == CLASS_UNKNOWN)
		out->forecast.next = NEXT_UNKNOWN;
	else if (out->class == CLASS_HIGH_THROTTLE)
		out->forecast.next = NEXT_NEVER;
	else if (!(rate >= 48 * 1024))
		out->forecast.next = NEXT_NOTHING;
	else if (out->domain->cgroup < 0)
		forecast_machine(out, rate, &out->forecast);
	else
		forecast_limit(out, rate, &out->forecast);
}

/* Shorter than this, statistics of cgroups may be older than the window (flushed each 2 s). */
#define SURE_SECONDS 3.0

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
	} else if (evidence->window->gap_s > 0.6 * evidence->pair.seconds) {
		out->confidence = CONFIDENCE_LOW;
		out->confidence_why = "most of the time passed between two samples";
	} else if (out->class == CLASS_UNKNOWN) {
		out->confidence = CONFIDENCE_LOW;
		out->confidence_why = "what would tell cannot be read";
	} else if (sufferer && sufferer->loss.borrowed) {
		out->confidence_why = "the machine's pressure stands in for the cgroup's";
	} else if (out->severity == SEV_HARM && sufferer && sufferer->loss.lower < 0.2) {
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
		enum class class = out->finding[i].class;

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
	find_parties(out);
	forecast_of(out);
	confidence_of(out);
}
