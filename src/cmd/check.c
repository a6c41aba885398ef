#include "cmd/check.h"

#include <fnmatch.h>
#include <time.h>

#include "audit/rules.h"
#include "model/recorder.h"

enum {
	OPTION_SKIP = 0x200,
	OPTION_ROLE,
	OPTION_SAVE,
	OPTION_LIST,
	OPTION_STRICT,
	OPTION_FIX,
	OPTION_REVERT,
	OPTION_DRY_RUN,
	OPTION_FAIL_ON,
	OPTION_FORMAT, /* and one more for each format */
};

static const struct argp_option OPTIONS[] = {
	{ "skip", OPTION_SKIP, "RULE", 0, "Leave out a rule; may be a glob, and be repeated",
	  1 },
	{ "severity", 's', "LEVEL", 0,
	  "Show findings from LEVEL on: info, low, medium, high, critical (default low)", 1 },
	{ "fail-on", OPTION_FAIL_ON, "LEVEL", 0,
	  "Exit with 1 for findings from LEVEL on (default medium)", 1 },
	{ "role", OPTION_ROLE, "ROLE[,ROLE]", 0,
	  "What the machine is for, instead of what runs on it", 1 },
	{ "all", 'a', NULL, 0, "Show what passed and what does not apply, too", 1 },
	{ "save", OPTION_SAVE, "PATH", 0,
	  "Keep what was read in PATH, as refault capture does; --from PATH audits it again",
	  1 },
	{ "list", OPTION_LIST, NULL, 0, "List all rules, one a line", 1 },
	{ "strict", OPTION_STRICT, NULL, 0, "Exit with 3 when something could not be told", 1 },
	{ "fix", OPTION_FIX, NULL, 0,
	  "Show what would be written and write it; with --dry-run only show it", 2 },
	{ "revert", OPTION_REVERT, NULL, 0, "Take back all that --fix wrote", 2 },
	{ "dry-run", OPTION_DRY_RUN, NULL, 0, "With --fix and --revert: only show", 2 },
	{ "sarif", OPTION_FORMAT + 2, NULL, 0, "Print SARIF 2.1.0", 3 },
	{ "junit", OPTION_FORMAT + 3, NULL, 0, "Print JUnit XML", 3 },
	{ "prom", OPTION_FORMAT + 4, NULL, 0, "Print metrics for a textfile collector", 3 },
	{ "nagios", OPTION_FORMAT + 5, NULL, 0,
	  "Print one line, and exit as a Nagios plugin does", 3 },
	{ "npd", OPTION_FORMAT + 6, NULL, 0,
	  "Print one line, and exit as a plugin of node-problem-detector does", 3 },
	{ 0 },
};

static enum level level_option(struct argp_state *state, const char *option, const char *text)
{
	for (int level = LEVEL_INFO; level <= LEVEL_CRIT; level++)
		if (strcmp(text, level_name((enum level)level)) == 0)
			return (enum level)level;
	argp_error(state, "--%s: '%.64s' is none of info, low, medium, high and critical",
		   option, text);
	return LEVEL_INFO;
}

static void keep_pattern(struct argp_state *state, const char **list, size_t *count,
			 const char *text)
{
	if (*count == ARRAY_LEN(((struct check_options *)NULL)->pattern))
		argp_error(state, "more than %zu rules", *count);
	list[(*count)++] = text;
}

static bool is_role(struct span name)
{
	for (int role = 0; role < ROLE_COUNT; role++)
		if (span_eq(name, role_name((enum role)role)))
			return true;
	return false;
}

static const char *roles_option(struct argp_state *state, const char *text)
{
	struct span rest = span_cstr(text);
	struct span name;

	while (span_cut(&rest, ',', &name))
		if (!is_role(name))
			argp_error(state, "--role: '%.*s' is no role; see refault-check(1)",
				   (int)MIN(span_len(name), (size_t)64), name.at);
	return text;
}

static error_t parse_format(int key, struct check_options *options)
{
	if (key < OPTION_FORMAT || key >= OPTION_FORMAT + CHECK_FORMATS)
		return ARGP_ERR_UNKNOWN;
	options->format = &CHECK_FORMAT[key - OPTION_FORMAT];
	return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct check_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case OPTION_SKIP:
		keep_pattern(state, options->skip, &options->skips, argument);
		return 0;
	case 's':
		options->least = level_option(state, "severity", argument);
		return 0;
	case OPTION_FAIL_ON:
		options->fail_on = level_option(state, "fail-on", argument);
		return 0;
	case OPTION_ROLE:
		options->roles = roles_option(state, argument);
		return 0;
	case OPTION_SAVE:
		options->save = argument;
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case OPTION_LIST:
		options->list = true;
		return 0;
	case OPTION_STRICT:
		options->strict = true;
		return 0;
	case OPTION_FIX:
		options->fix = true;
		return 0;
	case OPTION_REVERT:
		options->revert = true;
		return 0;
	case OPTION_DRY_RUN:
		options->dry_run = true;
		return 0;
	case ARGP_KEY_ARG:
		keep_pattern(state, options->pattern, &options->patterns, argument);
		return 0;
	default:
		return parse_format(key, options);
	}
}

static const struct argp_child CHILDREN[] = { { &common_argp, 0, NULL, 0 }, { 0 } };
static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "[RULE|GLOB…]\ndiff A.json B.json",
	.doc = "Say whether this machine will freeze when memory runs short, who would act, "
	       "and "
	       "what exactly to set.",
	.children = CHILDREN,
};

static bool matches(const char *const *pattern, size_t count, const char *id)
{
	for (size_t i = 0; i < count; i++)
		if (fnmatch(pattern[i], id, FNM_CASEFOLD) == 0)
			return true;
	return false;
}

static bool is_wanted(const struct check_options *options, const struct rule *rule)
{
	if (matches(options->skip, options->skips, rule->id))
		return false;
	return options->patterns == 0 || matches(options->pattern, options->patterns, rule->id);
}

/* A name that fits no rule is a mistake of whoever typed it. */
static int check_patterns(const char *const *pattern, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct rule *rule;
		bool fits = false;

		for (size_t j = 0; (rule = rule_at(j)) != NULL && !fits; j++)
			fits = matches(&pattern[i], 1, rule->id);
		if (!fits) {
			cmd_error("'%.64s' fits no rule; see refault check --list", pattern[i]);
			return EXIT_USAGE;
		}
	}
	return EXIT_FINE;
}

static int list_rules(void)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		printf("%s\t%s\t%s\n", rule->id, level_name(rule->level), rule->title);
	return EXIT_FINE;
}

static int look(struct check_run *run)
{
	int r;

	if (arena_init(&run->samples, SNAPSHOT_ARENA) < 0 ||
	    arena_init(&run->arena, FACTS_ARENA) < 0)
		return out_of_memory();
	r = session_next(&run->session, SAMPLE_ALL, &run->samples, &run->snapshot);
	if (r != 0)
		return r == SESSION_END ? EXIT_NOT_MEASURED : r;
	return EXIT_FINE;
}

static int gather(struct check_run *run)
{
	struct reader reader = { .arena = &run->arena,
				 .buffer = { arena_raw(&run->arena, CONFIG_BYTES + 1),
					     CONFIG_BYTES + 1 } };

	if (!reader.buffer.at)
		return out_of_memory();
	facts_init(&run->facts, &run->session.source.root, run->snapshot, reader);
	run->facts.is_root = geteuid() == 0;
	run->facts.today = (uint64_t)time(NULL) / 86400;
	run->facts.forced_roles = run->options.roles;
	check_measured(run);
	if (!audit_init(&run->audit, &run->facts) ||
	    waivers_read(&run->facts, &run->waivers) < 0)
		return out_of_memory();
	return EXIT_FINE;
}

static int judge(struct check_run *run)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		if (is_wanted(&run->options, rule))
			audit_rule(&run->audit, rule);
	coverage_find(&run->facts, &run->coverage);
	waivers_apply(&run->audit, &run->waivers);
	audit_sort(&run->audit);
	return facts_failed(&run->facts) ? out_of_memory() : EXIT_FINE;
}

static int show(const struct check_run *run)
{
	const struct check_options *options = &run->options;
	const struct check_view view = {
		.audit = &run->audit,
		.coverage = &run->coverage,
		.facts = &run->facts,
		.waivers = &run->waivers,
		.least = options->least,
		.fail_on = options->fail_on,
		.all = options->all,
		.color = wants_color(&options->common),
		.width = terminal_width(40),
	};
	bool failed = false;
	bool unknown = false;

	options->format->print(stdout, &view);
	for (size_t i = 0; i < run->audit.results; i++) {
		const struct result *result = &run->audit.result[i];

		failed |= result_fires(result) && result->level >= options->fail_on;
		unknown |= result->state == AUDIT_UNKNOWN;
	}
	if (options->format->status)
		return options->format->status(&view, unknown);
	if (options->strict && unknown)
		return EXIT_NOT_MEASURED;
	return failed ? EXIT_FINDINGS : EXIT_FINE;
}

static int audit_all(struct check_run *run)
{
	int status = look(run);

	if (status == EXIT_FINE)
		status = gather(run);
	return status == EXIT_FINE ? judge(run) : status;
}

/* The same with a copy of all that is read. */
static int audit_saved(struct check_run *run)
{
	struct recorder recorder;
	const char *path = run->options.save;
	int r = recorder_open(path, &recorder);
	int status;

	if (r == 0) {
		recorder_next_frame(&recorder);
		run->session.source.root.tee = &recorder.sink;
		status = audit_all(run);
		run->session.source.root.tee = NULL;
		r = recorder_close(&recorder);
		if (r == 0)
			return status;
	}
	cmd_error("%s: cannot be written: %s", path, strerror(-r));
	return EXIT_NOT_MEASURED;
}

static int check(struct check_run *run)
{
	int status = run->options.save ? audit_saved(run) : audit_all(run);

	if (status != EXIT_FINE)
		return status;
	return run->options.fix ? check_fix(run) : show(run);
}

static int run(int argc, char **argv)
{
	static struct check_run run;
	struct check_options *options = &run.options;
	int status;

	if (argc > 1 && strcmp(argv[1], "diff") == 0)
		return check_diff(argc - 1, argv + 1);
	*options = (struct check_options){ .common = COMMON_DEFAULTS,
					   .format = &CHECK_FORMAT[0],
					   .least = LEVEL_LOW,
					   .fail_on = LEVEL_MED };
	argp_parse(&ARGP, argc, argv, 0, NULL, options);
	if (options->common.json)
		options->format = &CHECK_FORMAT[1];
	if (options->list)
		return list_rules();
	status = check_patterns(options->pattern, options->patterns);
	if (status == EXIT_FINE)
		status = check_patterns(options->skip, options->skips);
	if (status != EXIT_FINE)
		return status;
	if (options->revert)
		return check_revert(options);
	status = session_open(&options->common, &run.session);
	if (status != EXIT_FINE)
		return status;
	status = check(&run);
	arena_done(&run.arena);
	arena_done(&run.samples);
	session_close(&run.session);
	return status;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "will this machine freeze, who would act, and what to set",
	.argp = &ARGP,
	.run = run,
};
