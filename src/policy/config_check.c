#include "policy/config_check.h"

#define BIT(kind) (1u << (kind))
#define SPARES (BIT(POLICY_PROTECT) | BIT(POLICY_NEVER))
#define GIVES_UP (BIT(POLICY_PREFER) | BIT(POLICY_EXPENDABLE))

static bool is_matcher(const struct policy_row *row)
{
	return row->unit[0] || row->cgroup[0] || row->comm[0] || row->exe[0] || row->has_uid;
}

static void check_policy(const struct policy_row *row, const char *origin,
			 struct config_report *report)
{
	const struct span name = span_cstr(row->name);

	if (!is_matcher(row))
		config_complain(report, origin, name,
				"at least one of unit, cgroup, comm, exe and uid");
	if (row->kinds == 0)
		config_complain(report, origin, name,
				"kinds or hook, which say what is to hold for it");
	if ((row->kinds & SPARES) && (row->kinds & GIVES_UP))
		config_complain(report, origin, name,
				"kinds that agree: protect and never spare, prefer and "
				"expendable give up");
	if ((row->kinds & BIT(POLICY_HOOK)) && !row->argv[0])
		config_complain(report, origin, name, "hook = PROGRAM for kinds = hook");
	if (row->max_bytes > 0 && row->min_bytes > row->max_bytes)
		config_complain(report, origin, name, "a min that is not above max");
}

/* What can be chosen by anybody: a process names itself. */
static bool is_by_name_only(const struct policy_row *row)
{
	return row->comm[0] && !row->unit[0] && !row->cgroup[0] && !row->exe[0] &&
	       !row->has_uid;
}

static void warn_matchers(const struct policy_row *row, const char *origin,
			  struct config_report *report)
{
	const bool is_protect = row->kinds & BIT(POLICY_PROTECT);

	if (row->exe[0])
		config_warn(report,
			    "%s: %s: the guard reads no process's program, which can hang: "
			    "a row with exe never holds",
			    origin, row->name);
	if (is_protect && row->has_uid)
		config_warn(report,
			    "%s: %s: working sets are of cgroups, which have no uid: it is "
			    "the last to be ended, and no memory is kept for it",
			    origin, row->name);
	if ((row->kinds & SPARES) && is_by_name_only(row))
		config_warn(report,
			    "%s: %s: anybody can give a process that name and be spared: "
			    "unit, cgroup or uid say whose it is",
			    origin, row->name);
}

static void warn_policy(const struct guard_options *options, const struct policy_row *row,
			const char *origin, struct config_report *report)
{
	const bool is_protect = row->kinds & BIT(POLICY_PROTECT);

	if (!is_protect && (row->min_bytes > 0 || row->max_bytes > 0))
		config_warn(report, "%s: %s: min and max say nothing without kinds = protect",
			    origin, row->name);
	if (!options->kill && (row->kinds & GIVES_UP))
		config_warn(report, "%s: %s: ladder.kill = no, so nobody is given up", origin,
			    row->name);
	if (options->hook_us == 0 && (row->kinds & BIT(POLICY_HOOK)))
		config_warn(report, "%s: %s: ladder.hook = 0, so no hook has time to run",
			    origin, row->name);
}

static void warn_options(const struct guard_options *options, struct config_report *report)
{
	const bool has_step = options->kill || options->protect_enabled ||
			      options->protect_on_harm || options->relax || options->freeze;

	if (options->mode == MODE_ACT && !has_step)
		config_warn(report,
			    "mode = act, and every step is switched off: nothing is ever done");
	if (options->protect_share > 80)
		config_warn(report, "protect.share above 80 %%: so much memory.min can itself "
				    "make the kernel run out of memory");
	if (options->protect_cap > options->protect_share)
		config_warn(report,
			    "protect.cap is above protect.share, which holds for all of them");
	if (options->interval_us > options->machine_for_us)
		config_warn(report, "guard.interval is longer than machine.for: a loss of that "
				    "length is not seen");
	if (options->interval_us > options->calm_interval_us)
		config_warn(report, "guard.interval is longer than guard.calm-interval: it "
				    "looks less often when memory is short");
	if (options->first_answer == ANSWER_PAUSE && options->imminent_us == 0)
		config_warn(report, "machine.first-answer = pause, and machine.imminent = 0: "
				    "nothing is ever imminent");
}

void config_check(struct guard_config *config, struct config_report *report)
{
	warn_options(&config->options, report);
	for (uint32_t i = 0; i < config->rows; i++) {
		struct policy_row *row = &config->row[i];
		const char *origin = report->policy_origin[i];

		if (row->argv[0])
			row->kinds |= BIT(POLICY_HOOK);
		check_policy(row, origin, report);
		warn_policy(&config->options, row, origin, report);
		warn_matchers(row, origin, report);
	}
}
