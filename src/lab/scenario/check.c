#include "lab/scenario/check.h"

#include <errno.h>

#include "lab/scenario/files.h"

/* Where a key is written; without it where its section begins, or the scenario. */
static struct lab_place place_of(const struct scenario *scenario, enum section section,
				 const char *name, const char *key)
{
	const struct settings *settings = &scenario->settings;
	struct lab_place place = settings->count > 0 ? settings->row[0].place :
						       (struct lab_place){ "scenario", 0 };
	bool found = false;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section != section || strcmp(row->name, name) != 0)
			continue;
		if (strcmp(row->key, key) == 0)
			return row->place;
		if (!found)
			place = row->place;
		found = true;
	}
	return place;
}

static int check_path(const struct scenario *scenario, const struct scenario_group *group,
		      struct lab_error *error)
{
	if (path_is_plain(group->path) && !strchr(group->path, ' ') &&
	    strlen(group->path) < 200)
		return 0;
	return scenario_fail(
		error, place_of(scenario, SECTION_GROUP, group->name, "path"),
		"group.%s.path: '%s': expected a path below the root of all cgroups, "
		"such as system.slice/api.service",
		group->name, SHOWN(group->path));
}

static int check_groups(const struct scenario *scenario, struct lab_error *error)
{
	for (size_t i = 0; i < scenario->groups; i++) {
		int r = check_path(scenario, &scenario->group[i], error);

		for (size_t k = 0; r == 0 && k < i; k++)
			if (strcmp(scenario->group[i].path, scenario->group[k].path) == 0)
				r = scenario_fail(
					error,
					place_of(scenario, SECTION_GROUP,
						 scenario->group[i].name, "path"),
					"group.%s.path: is that of group.%s; expected one "
					"[group] for a path",
					scenario->group[i].name, scenario->group[k].name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A path of a group, or of an ancestor of one. */
static bool path_exists(const struct scenario *scenario, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < scenario->groups; i++) {
		struct span whole = span_cstr(scenario->group[i].path);

		if (length > 0 && span_starts(whole, path) &&
		    (whole.at[length] == '\0' || whole.at[length] == '/'))
			return true;
	}
	return false;
}

static int bad_truth(const struct scenario *scenario, const char *key, const char *value,
		     const char *expected, struct lab_error *error)
{
	return scenario_fail(error, place_of(scenario, SECTION_TRUTH, "", key),
			     "truth.%s: '%s': expected %s", key, SHOWN(value), expected);
}

static bool program_exists(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->loads; i++)
		if (strcmp(scenario->load[i].program, name) == 0)
			return true;
	return false;
}

static bool load_exists(const struct scenario *scenario, const char *name)
{
	return scenario_load_find(scenario, span_cstr(name)) != NULL;
}

static bool victim_exists(const struct scenario *scenario, const char *name)
{
	struct span names = span_cstr(name);
	struct span each;

	while (strcmp(name, "none") != 0 && span_word(&names, &each))
		if (!scenario_load_find(scenario, each))
			return false;
	return true;
}

static bool group_exists(const struct scenario *scenario, const char *name)
{
	return scenario_group_find(scenario, span_cstr(name)) != NULL;
}

static bool domain_exists(const struct scenario *scenario, const char *path)
{
	return strcmp(path, "machine") == 0 || path_exists(scenario, path);
}

static bool onset_exists(const struct scenario *scenario, const char *name)
{
	return strcmp(name, "harm") == 0 || scenario_phase_find(scenario, name);
}

static bool phase_exists(const struct scenario *scenario, const char *name)
{
	return scenario_phase_find(scenario, name) != NULL;
}

/* Keys whose value is the name of something else. */
static const struct reference {
	enum section section;
	const char *key;
	size_t text; /* offset */
	bool (*exists)(const struct scenario *scenario, const char *name);
	const char *expected;
} REFERENCES[] = {
#define REFERENCE(section, key, exists, expected)                               \
	{                                                                       \
		section, #key, offsetof(struct scenario, key), exists, expected \
	}
#define A_LOAD "the name of a [load] of this scenario"
#define A_PATH "the path of a [group] of this scenario, or of an ancestor of one"
	REFERENCE(SECTION_MEASURE, measure.from, phase_exists,
		  "the name of a [phase] of this scenario"),
	REFERENCE(SECTION_MEASURE, measure.service, load_exists, A_LOAD),
	REFERENCE(SECTION_MEASURE, measure.leak, load_exists, A_LOAD),
	REFERENCE(SECTION_MEASURE, measure.prober, load_exists, A_LOAD),
	REFERENCE(SECTION_MEASURE, measure.guard, load_exists, A_LOAD),
	REFERENCE(SECTION_MEASURE, measure.guard_group, group_exists,
		  "the name of a [group] of this scenario"),
	REFERENCE(SECTION_TRUTH, truth.domain, domain_exists, "machine, or " A_PATH),
	REFERENCE(SECTION_TRUTH, truth.sufferer, path_exists, A_PATH),
	REFERENCE(SECTION_TRUTH, truth.culprit, path_exists, A_PATH),
	REFERENCE(SECTION_TRUTH, truth.sufferer_process, program_exists,
		  "the program of a [load] of this scenario"),
	REFERENCE(SECTION_TRUTH, truth.culprit_process, program_exists,
		  "the program of a [load] of this scenario"),
	REFERENCE(SECTION_TRUTH, truth.onset, onset_exists,
		  "harm, or the name of a [phase] of this scenario"),
	REFERENCE(SECTION_TRUTH, truth.expect_kill, load_exists, A_LOAD),
	REFERENCE(SECTION_TRUTH, truth.kill, victim_exists,
		  "none, or names of [load]s of this scenario"),
};

static int check_references(const struct scenario *scenario, struct lab_error *error)
{
	for (size_t i = 0; i < ARRAY_LEN(REFERENCES); i++) {
		const struct reference *row = &REFERENCES[i];
		const char *key = strchr(row->key, '.') + 1;
		const char *value;

		memcpy(&value, (const char *)scenario + row->text, sizeof(value));
		if (*value == '\0' || row->exists(scenario, value))
			continue;
		return scenario_fail(error, place_of(scenario, row->section, "", key),
				     "%s: '%s': expected %s", row->key, SHOWN(value),
				     row->expected);
	}
	return 0;
}

/* Someone who reads the truth must be able to tell what it is about. */
static int check_truth(const struct scenario *scenario, struct lab_error *error)
{
	const struct scenario_truth *truth = &scenario->truth;

	if (*truth->class == '\0' && (*truth->sufferer != '\0' || *truth->culprit != '\0'))
		return bad_truth(scenario, "class", "", "a class beside sufferer and culprit",
				 error);
	return 0;
}

/* Which loads run so far. */
struct running {
	bool is[SETTINGS_MOST];
};

static int change_running(const struct scenario *scenario, const struct scenario_phase *phase,
			  bool start, struct running *running, struct lab_error *error)
{
	const char *key = start ? "start" : "stop";
	struct span names = span_cstr(start ? phase->start : phase->stop);
	struct span name;

	while (span_word(&names, &name)) {
		const struct scenario_load *load = scenario_load_find(scenario, name);
		struct lab_place place = place_of(scenario, SECTION_PHASE, phase->name, key);

		if (!load)
			return scenario_fail(error, place,
					     "phase.%s.%s: '%s': expected names of [load]s "
					     "of this scenario",
					     phase->name, key, lab_show(name).text);
		if (running->is[load - scenario->load] == start)
			return scenario_fail(error, place,
					     "phase.%s.%s: '%s' %s; expected a load that %s",
					     phase->name, key, load->name,
					     start ? "runs already" : "does not run",
					     start ? "does not" : "does");
		running->is[load - scenario->load] = start;
	}
	return 0;
}

static int check_disks(const struct scenario *scenario, const struct scenario_phase *phase,
		       const char *key, struct lab_error *error)
{
	struct span names =
		span_cstr(strcmp(key, "suspend") == 0 ? phase->suspend : phase->resume);
	struct span name;

	while (span_word(&names, &name))
		if (!span_eq(name, "data") && !span_eq(name, "big") &&
		    !span_eq(name, "scratch"))
			return scenario_fail(
				error, place_of(scenario, SECTION_PHASE, phase->name, key),
				"phase.%s.%s: '%s': expected data, big or scratch", phase->name,
				key, lab_show(name).text);
	return 0;
}

static int check_phases(const struct scenario *scenario, struct lab_error *error)
{
	struct running running = { 0 };

	for (size_t i = 0; i < scenario->phases; i++) {
		const struct scenario_phase *phase = &scenario->phase[i];
		int r = change_running(scenario, phase, false, &running, error);

		if (r == 0)
			r = change_running(scenario, phase, true, &running, error);
		if (r == 0)
			r = check_disks(scenario, phase, "suspend", error);
		if (r == 0)
			r = check_disks(scenario, phase, "resume", error);
		if (r < 0)
			return r;
	}
	if (scenario->phases > 0)
		return 0;
	return scenario_fail(error, place_of(scenario, SECTION_SCENARIO, "", ""),
			     "has no [phase NAME]; expected at least one, with a wait");
}

static int check_time(const struct scenario *scenario, struct lab_error *error)
{
	uint64_t sum_us = 0;

	for (size_t i = 0; i < scenario->phases; i++)
		if (scenario->phase[i].wait_us != VALUE_UNSET)
			sum_us += scenario->phase[i].wait_us;
	if (sum_us > 0 && sum_us < scenario->machine.wall_limit)
		return 0;
	return scenario_fail(
		error, place_of(scenario, SECTION_MACHINE, "", "wall_limit"),
		"machine.wall_limit: all phases wait %llu s in all and the limit is %llu s; "
		"expected a wait, and a limit above it",
		(unsigned long long)(sum_us / SECOND_US),
		(unsigned long long)(scenario->machine.wall_limit / SECOND_US));
}

static int check_swap(const struct scenario *scenario, struct lab_error *error)
{
	const struct scenario_machine *machine = &scenario->machine;

	if (machine->swap != SWAP_NONE && machine->swap_size < (1 << 20))
		return scenario_fail(
			error, place_of(scenario, SECTION_MACHINE, "", "swap"),
			"machine.swap_size: expected a size of at least 1M beside this swap");
	if (strcmp(machine->compressor, "-") != 0 &&
	    !name_is_plain(span_cstr(machine->compressor)))
		return scenario_fail(
			error, place_of(scenario, SECTION_MACHINE, "", "compressor"),
			"machine.compressor: '%s': expected a name such as lz4 or zstd, or -",
			SHOWN(machine->compressor));
	if (machine->cpus < machine->nodes)
		return scenario_fail(error, place_of(scenario, SECTION_MACHINE, "", "cpus"),
				     "machine.cpus: %llu; expected one for each of %llu nodes",
				     (unsigned long long)machine->cpus,
				     (unsigned long long)machine->nodes);
	if (strlen(machine->cmdline) >= sizeof(((struct machine *)0)->cmdline))
		return scenario_fail(error, place_of(scenario, SECTION_MACHINE, "", "cmdline"),
				     "machine.cmdline: expected less than %zu bytes",
				     sizeof(((struct machine *)0)->cmdline));
	return 0;
}

int scenario_check(const struct scenario *scenario, struct lab_error *error)
{
	static int (*const checks[])(const struct scenario *, struct lab_error *) = {
		check_groups, check_swap,  check_phases,   check_references,
		check_truth,  check_files, check_programs, check_time,
	};

	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		int r = checks[i](scenario, error);

		if (r < 0)
			return r;
	}
	return 0;
}
