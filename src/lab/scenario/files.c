#include "lab/scenario/files.h"
#include "base/units.h"

#include <errno.h>

#include "lab/scenario/paths.h"

#define BIN "/data/bin/"
/* What probers run when nothing else is said; every machine has it. */
#define TRUE_PROGRAM "true"

static const struct {
	const char *name;
	const char *folder;
} DISKS[] = {
	{ "data", "/data/" },
	{ "big", "/big/" },
	{ "scratch", "/scratch/" },
};

const char *disk_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(DISKS); i++)
		if (span_starts(span_cstr(path), DISKS[i].folder))
			return DISKS[i].name;
	return NULL;
}

static int check_file(const struct scenario *scenario, const char *path,
		      struct lab_error *error)
{
	const struct setting *size =
		settings_find(&scenario->settings, SECTION_FILE, path, "size");
	const struct setting *said =
		settings_find(&scenario->settings, SECTION_FILE, path, "disk");
	const char *disk = disk_of(path);

	if (!disk || strcmp(disk, "scratch") == 0 || !path_is_plain(path + 1) ||
	    strchr(path, ' ') || strlen(path) >= sizeof(((struct disk_file *)0)->path) ||
	    span_starts(span_cstr(path), BIN) || span_starts(span_cstr(path), "/data/code/"))
		return scenario_fail(
			error, size->place,
			"[file %s]: expected a path such as /data/NAME or /big/NAME",
			SHOWN(path));
	if (said && strcmp(said->value, disk) != 0)
		return scenario_fail(
			error, said->place,
			"[file %s] disk: '%s': the path is on the disk '%s'; expected no "
			"disk, or the same",
			SHOWN(path), SHOWN(said->value), disk);
	return 0;
}

static bool is_path_argument(const struct setting *setting)
{
	return setting->section == SECTION_LOAD &&
	       (strcmp(setting->key, "file") == 0 || strcmp(setting->key, "exec") == 0 ||
		strcmp(setting->key, "stuck_on") == 0);
}

/* Values of loads become words of the plan. */
static int check_argument(const struct scenario *scenario, const struct setting *setting,
			  struct lab_error *error)
{
	uint64_t node;

	if (setting->section != SECTION_LOAD)
		return 0;
	if (strchr(setting->value, ' ') || strchr(setting->value, '\t'))
		return scenario_fail(error, setting->place, "%s: '%s': expected one word",
				     KEY_OF(setting), SHOWN(setting->value));
	if (strcmp(setting->key, "node") == 0 &&
	    (span_u64(span_cstr(setting->value), &node) < 0 || node >= scenario->machine.nodes))
		return scenario_fail(
			error, setting->place,
			"%s: '%s': expected a node of the machine, which has %llu, counted "
			"from 0",
			KEY_OF(setting), SHOWN(setting->value),
			(unsigned long long)scenario->machine.nodes);
	return 0;
}

static int check_named(const struct scenario *scenario, const struct setting *setting,
		       struct lab_error *error)
{
	const char *path = setting->value;
	const char *disk = disk_of(path);
	const struct scenario_machine *machine = &scenario->machine;

	if (!is_path_argument(setting) || span_starts(span_cstr(path), BIN))
		return 0;
	if (*path != '/')
		return scenario_fail(error, setting->place,
				     "%s: '%s': expected a path in the guest", KEY_OF(setting),
				     SHOWN(path));
	if (disk && strcmp(disk, "scratch") == 0 && machine->scratch == 0 &&
	    machine->swap != SWAP_FILE)
		return scenario_fail(
			error, setting->place,
			"%s: '%s': the machine has no such disk; expected machine.scratch",
			KEY_OF(setting), SHOWN(path));
	if (disk && strcmp(disk, "scratch") != 0 &&
	    !settings_find(&scenario->settings, SECTION_FILE, path, "size"))
		return scenario_fail(error, setting->place,
				     "%s: '%s': no such file is declared; expected a [file %s]",
				     KEY_OF(setting), SHOWN(path), SHOWN(path));
	return 0;
}

/* A load without its file would do nothing, and nobody would see why. */
static int check_load_file(const struct scenario *scenario, const struct scenario_load *load,
			   struct lab_error *error)
{
	static const char *const needs[] = { "stream", "scan", "filler" };

	for (size_t i = 0; i < ARRAY_LEN(needs); i++)
		if (strcmp(load->kind->name, needs[i]) == 0 &&
		    !settings_find(&scenario->settings, SECTION_LOAD, load->name, "file"))
			return scenario_fail(error,
					     settings_find(&scenario->settings, SECTION_LOAD,
							   load->name, "kind")
						     ->place,
					     "[load %s] has no file; expected 'file = PATH'",
					     load->name);
	return 0;
}

int check_files(const struct scenario *scenario, struct lab_error *error)
{
	const struct settings *settings = &scenario->settings;
	size_t files = 0;
	int r = 0;

	for (; r == 0 && settings_name(settings, SECTION_FILE, files); files++)
		r = check_file(scenario, settings_name(settings, SECTION_FILE, files), error);
	if (r == 0 && files > MACHINE_FILES)
		r = scenario_fail(error, settings->row[0].place, "expected at most %d [file]s",
				  MACHINE_FILES);
	for (size_t i = 0; r == 0 && i < settings->count; i++) {
		r = check_argument(scenario, &settings->row[i], error);
		if (r == 0)
			r = check_named(scenario, &settings->row[i], error);
	}
	for (size_t i = 0; r == 0 && i < scenario->loads; i++)
		r = check_load_file(scenario, &scenario->load[i], error);
	return r;
}

/* Runs what is on the disk, instead of a copy of refault-guest. */
static bool is_foreign(const struct scenario_load *load)
{
	return strcmp(load->kind->name, "program") == 0;
}

/* What the load runs beside its own code, as a name below /data/bin; "" nothing. */
static const char *exec_of(const struct scenario *scenario, const struct scenario_load *load)
{
	const struct key_row *row = key_find(SECTION_LOAD, load->kind->name, "exec");
	const char *path = row ? key_value(&scenario->settings, row, load->name) : NULL;

	return path && span_starts(span_cstr(path), BIN) ? path + strlen(BIN) : "";
}

/* The loop of the guard, which refault starts: it lies beside it. */
#define GUARD_PROGRAM "refault-guard"

static bool is_own(const struct scenario *scenario, const char *name)
{
	const struct setting *own =
		settings_find(&scenario->settings, SECTION_PROGRAM, name, "own");

	return own && strcmp(own->value, "yes") == 0;
}

static bool is_declared(const struct scenario *scenario, const char *name)
{
	return is_own(scenario, name) ||
	       settings_find(&scenario->settings, SECTION_PROGRAM, name, "host") ||
	       settings_find(&scenario->settings, SECTION_PROGRAM, name, "package");
}

static int check_exec(const struct scenario *scenario, const struct scenario_load *load,
		      struct lab_error *error)
{
	const struct setting *kind =
		settings_find(&scenario->settings, SECTION_LOAD, load->name, "kind");
	const char *name = exec_of(scenario, load);

	if (is_foreign(load) && *name == '\0')
		return scenario_fail(error, kind->place,
				     "load.%s.exec: expected 'exec = " BIN
				     "NAME' and a [program NAME]",
				     load->name);
	if (*name == '\0' || is_declared(scenario, name) || strcmp(name, TRUE_PROGRAM) == 0)
		return 0;
	return scenario_fail(
		error, kind->place,
		"load.%s.exec: no program '%s' is declared; expected a [program NAME] of "
		"that name",
		load->name, SHOWN(name));
}

static struct disk_program *program_add(struct machine *machine, const char *name)
{
	struct disk_program *program;

	for (size_t i = 0; i < machine->programs; i++)
		if (strcmp(machine->program[i].name, name) == 0)
			return &machine->program[i];
	if (machine->programs == MACHINE_PROGRAMS)
		return NULL;
	program = &machine->program[machine->programs++];
	*program = (struct disk_program){ 0 };
	span_copy(span_cstr(name), program->name, sizeof(program->name));
	return program;
}

static uint64_t code_of(const struct scenario *scenario, const struct scenario_load *load)
{
	const struct key_row *row = key_find(SECTION_LOAD, load->kind->name, "code");
	const char *value = row ? key_value(&scenario->settings, row, load->name) : NULL;
	uint64_t bytes;

	return value && size_parse(span_cstr(value), &bytes) == 0 ? bytes : 0;
}

/* What is not built is named all the same: that it is missing is said when the disk is made. */
static void own_fill(struct disk_program *program)
{
	if (own_path(program->name, program->host, sizeof(program->host)) < 0)
		span_copy(span_cstr(program->name), program->host, sizeof(program->host));
}

/* A program of this build; the guard is two. False: too many. */
static bool own_add(struct machine *machine, struct disk_program *program)
{
	struct disk_program *guard = program_add(machine, GUARD_PROGRAM);

	own_fill(program);
	if (guard)
		own_fill(guard);
	return guard != NULL;
}

static void host_fill(const struct scenario *scenario, struct disk_program *program)
{
	const struct setting *host =
		settings_find(&scenario->settings, SECTION_PROGRAM, program->name, "host");
	const struct setting *package =
		settings_find(&scenario->settings, SECTION_PROGRAM, program->name, "package");

	if (host)
		span_copy(span_cstr(host->value), program->host, sizeof(program->host));
	else if (!package)
		span_copy(span_cstr("/bin/" TRUE_PROGRAM), program->host,
			  sizeof(program->host));
	if (package)
		span_copy(span_cstr(package->value), program->package,
			  sizeof(program->package));
}

static bool is_started(const struct scenario *scenario, const struct scenario_load *load)
{
	for (size_t i = 0; i < scenario->phases; i++)
		if (words_have(scenario->phase[i].start, load->name))
			return true;
	return false;
}

/* Of foreign programs those that this arm starts: others need not be had. False: too many. */
static bool programs_fill(const struct scenario *scenario, struct machine *machine)
{
	machine->programs = 0;
	for (size_t i = 0; i < scenario->loads; i++) {
		const struct scenario_load *load = &scenario->load[i];
		struct disk_program *program;

		if (is_foreign(load))
			continue;
		program = program_add(machine, load->program);
		if (!program)
			return false;
		program->code_bytes = MAX(program->code_bytes, code_of(scenario, load));
	}
	for (size_t i = 0; i < scenario->loads; i++) {
		const struct scenario_load *load = &scenario->load[i];
		const char *name = is_started(scenario, load) ? exec_of(scenario, load) : "";
		struct disk_program *program = *name ? program_add(machine, name) : NULL;

		if (*name && !program)
			return false;
		if (program && is_own(scenario, name)) {
			if (!own_add(machine, program))
				return false;
		} else if (program) {
			host_fill(scenario, program);
		}
	}
	return true;
}

static int check_program(const struct scenario *scenario, const char *name,
			 struct lab_error *error)
{
	const struct setting *host =
		settings_find(&scenario->settings, SECTION_PROGRAM, name, "host");

	if (host && (*host->value != '/' ||
		     strlen(host->value) >= sizeof(((struct disk_program *)0)->host)))
		return scenario_fail(error, host->place,
				     "[program %s] host: '%s': expected a path on this machine",
				     name, SHOWN(host->value));
	for (size_t i = 0; i < scenario->loads; i++)
		if (!is_foreign(&scenario->load[i]) &&
		    strcmp(scenario->load[i].program, name) == 0)
			return scenario_fail(
				error,
				settings_find(&scenario->settings, SECTION_LOAD,
					      scenario->load[i].name, "kind")
					->place,
				"load.%s.program: '%s' is a [program] of this machine; "
				"expected another name",
				scenario->load[i].name, name);
	return 0;
}

int check_programs(const struct scenario *scenario, struct lab_error *error)
{
	const struct settings *settings = &scenario->settings;
	struct machine *machine;
	int r = 0;

	for (size_t i = 0; r == 0 && settings_name(settings, SECTION_PROGRAM, i); i++)
		r = check_program(scenario, settings_name(settings, SECTION_PROGRAM, i), error);
	for (size_t i = 0; r == 0 && i < scenario->loads; i++)
		r = check_exec(scenario, &scenario->load[i], error);
	if (r < 0)
		return r;
	machine = arena_alloc(settings->arena, sizeof(*machine));
	if (!machine)
		return -ENOMEM;
	if (!programs_fill(scenario, machine))
		return scenario_fail(error, settings->row[0].place,
				     "expected at most %d programs", MACHINE_PROGRAMS);
	return 0;
}

void files_fill(const struct scenario *scenario, struct machine *out)
{
	const char *path;

	out->files = 0;
	for (size_t i = 0; out->files < MACHINE_FILES; i++) {
		struct disk_file *file = &out->file[out->files];
		const struct setting *size;

		path = settings_name(&scenario->settings, SECTION_FILE, i);
		if (!path)
			break;
		size = settings_find(&scenario->settings, SECTION_FILE, path, "size");
		*file = (struct disk_file){ 0 };
		span_copy(span_cstr(path), file->path, sizeof(file->path));
		if (size_parse(span_cstr(size->value), &file->bytes) == 0)
			out->files++;
	}
	programs_fill(scenario, out);
}
