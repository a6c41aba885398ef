#include "lab/scenario/plan_text.h"

#include <errno.h>

#include "lab/scenario/condition.h"
#include "lab/scenario/files.h"

#define GUARD_CONF "/etc/refault/guard.conf"
#define SWAP_FILE_PATH "/scratch/swapfile"
/* Longer than any scenario's; the guest reads it whole. */
#define PLAN_BYTES ((size_t)64 * 1024)

static unsigned long long wide(uint64_t number)
{
	return number;
}

/* A feature is asked for once, however many need it. */
struct needs {
	char text[128];
	size_t used;
};

static void need(struct needs *needs, const char *feature, struct text *out)
{
	struct text list = { needs->text, sizeof(needs->text), needs->used, false };

	if (*feature == '\0' || words_have(needs->text, feature))
		return;
	text_add(&list, "%s ", feature);
	needs->used = list.used;
	text_add(out, "need %s\n", feature);
}

static const char *knob_of(const struct setting *setting)
{
	if (setting->section == SECTION_KNOBS)
		return setting->key;
	if (setting->section == SECTION_PHASE && span_starts(span_cstr(setting->key), "knob."))
		return setting->key + strlen("knob.");
	return NULL;
}

/* A disk that is stopped in some phase. */
static bool is_stopped_once(const struct scenario *scenario, const char *serial)
{
	for (size_t i = 0; i < scenario->phases; i++)
		if (words_have(scenario->phase[i].suspend, serial))
			return true;
	return false;
}

static void print_machine_needs(const struct scenario *scenario, struct needs *needs,
				struct text *out)
{
	const struct scenario_machine *machine = &scenario->machine;
	bool can_stop = false;
	static const char *const swaps[] = {
		[SWAP_NONE] = "",
		[SWAP_FILE] = "swap",
		[SWAP_PARTITION] = "swap",
		[SWAP_ZRAM] = "swap zram",
		[SWAP_ZSWAP] = "swap zswap",
	};
	struct span words = span_cstr(swaps[machine->swap]);
	struct span word;
	char feature[16];

	while (span_word(&words, &word))
		if (span_copy(word, feature, sizeof(feature)))
			need(needs, feature, out);
	if (machine->nodes > 1)
		need(needs, "numa", out);
	for (size_t i = 0; i < scenario->phases; i++)
		can_stop |= *scenario->phase[i].suspend != '\0';
	if (machine->disk_delay > 0 || machine->swap_delay > 0 || can_stop)
		need(needs, "dm-delay", out);
}

static void print_needs(const struct scenario *scenario, struct text *out)
{
	const struct settings *settings = &scenario->settings;
	struct needs needs = { 0 };

	print_machine_needs(scenario, &needs, out);
	if (scenario->groups > 0)
		need(&needs, "memcg", out);
	for (size_t i = 0; i < settings->count; i++) {
		const char *name = knob_of(&settings->row[i]);

		if (name)
			need(&needs, knob_find(name)->feature, out);
	}
	for (size_t i = 0; i < scenario->loads; i++)
		if (strcmp(scenario->load[i].kind->name, "hugetlb") == 0)
			need(&needs, "hugetlb", out);
}

static bool has_big(const struct scenario *scenario)
{
	const char *path;

	for (size_t i = 0; settings_name(&scenario->settings, SECTION_FILE, i); i++) {
		path = settings_name(&scenario->settings, SECTION_FILE, i);
		if (strcmp(disk_of(path), "big") == 0)
			return true;
	}
	return false;
}

/* A swap file brings the disk it lies on, with room for the file system around it. */
static uint64_t scratch_bytes(const struct scenario_machine *machine)
{
	uint64_t wanted = machine->scratch;

	if (machine->swap == SWAP_FILE)
		wanted += machine->swap_size + machine->swap_size / 16 + ((uint64_t)32 << 20);
	return wanted;
}

static void print_disk(const struct scenario *scenario, const char *serial, const char *mode,
		       struct text *out)
{
	uint64_t delay_us = scenario->machine.disk_delay;

	if (delay_us > 0 || is_stopped_once(scenario, serial))
		text_add(out, "delay %s %llu\n", serial, wide(delay_us));
	text_add(out, "mount %s /%s %s\n", serial, serial, mode);
}

static void print_disks(const struct scenario *scenario, struct text *out)
{
	print_disk(scenario, "data", "ro", out);
	if (has_big(scenario))
		print_disk(scenario, "big", "ro", out);
	if (scratch_bytes(&scenario->machine) > 0)
		print_disk(scenario, "scratch", "rw", out);
}

static void print_swap(const struct scenario_machine *machine, struct text *out)
{
	if (machine->swap_delay > 0 &&
	    (machine->swap == SWAP_PARTITION || machine->swap == SWAP_ZSWAP))
		text_add(out, "delay swap %llu\n", wide(machine->swap_delay));
	switch ((enum swap_kind)machine->swap) {
	case SWAP_NONE:
		break;
	case SWAP_FILE:
		text_add(out, "swap file " SWAP_FILE_PATH " %llu\n", wide(machine->swap_size));
		break;
	case SWAP_PARTITION:
		text_add(out, "swap disk swap\n");
		break;
	case SWAP_ZRAM:
		text_add(out, "swap zram %llu %s\n", wide(machine->swap_size),
			 machine->compressor);
		break;
	case SWAP_ZSWAP:
		text_add(out, "swap zswap swap %s %llu\n", machine->compressor,
			 wide(machine->zswap_percent));
		break;
	}
}

static void print_knob(const struct scenario *scenario, const struct knob *knob,
		       const char *value, struct text *out)
{
	struct span text = span_cstr(value);

	if (knob->path) {
		text_add(out, "write %s ", knob->path);
		value_print(&knob->rule, text, out);
		text_add(out, "\n");
		return;
	}
	for (uint64_t node = 0; node < scenario->machine.nodes; node++) {
		text_add(out, "renice kswapd%llu ", wide(node));
		value_print(&knob->rule, text, out);
		text_add(out, "\n");
	}
}

static void print_knobs(const struct scenario *scenario, enum section section, const char *name,
			struct text *out)
{
	const struct settings *settings = &scenario->settings;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->row[i];
		const char *knob = knob_of(setting);

		if (knob && setting->section == section && strcmp(setting->name, name) == 0)
			print_knob(scenario, knob_find(knob), setting->value, out);
	}
}

static void print_set(const struct scenario_group *group, const char *file, const char *value,
		      struct text *out)
{
	text_add(out, "set %s %s ", group->path, file);
	value_print(&key_find(SECTION_GROUP, "", file)->rule, span_cstr(value), out);
	text_add(out, "\n");
}

static void print_sets(const struct settings *settings, const struct scenario_group *group,
		       struct text *out)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section == SECTION_GROUP && strcmp(row->name, group->name) == 0 &&
		    strcmp(row->key, "path") != 0)
			print_set(group, row->key, row->value, out);
	}
}

/* "policy-api" stands for "policy api": the name of a section here has no blanks. */
static void print_config_head(const char *name, struct text *out)
{
	struct span rest = span_cstr(name);
	struct span word;

	text_add(out, "append " GUARD_CONF " [");
	if (span_cut(&rest, '-', &word))
		text_add(out, "%.*s%s", (int)span_len(word), word.at,
			 span_empty(rest) ? "" : " ");
	text_add(out, "%.*s]\n", (int)span_len(rest), rest.at);
}

static void print_config(const struct settings *settings, const char *name, struct text *out)
{
	print_config_head(name, out);
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section == SECTION_CONFIG && strcmp(row->name, name) == 0)
			text_add(out, "append " GUARD_CONF " %s = %s\n", row->key, row->value);
	}
}

static void print_configs(const struct settings *settings, struct text *out)
{
	for (size_t i = 0; settings_name(settings, SECTION_CONFIG, i); i++)
		print_config(settings, settings_name(settings, SECTION_CONFIG, i), out);
}

/* Limits come when all groups are there, group by group: the order of the overrides is none. */
static void print_groups(const struct scenario *scenario, struct text *out)
{
	for (size_t i = 0; i < scenario->groups; i++)
		text_add(out, "group %s\n", scenario->group[i].path);
	for (size_t i = 0; i < scenario->groups; i++)
		print_sets(&scenario->settings, &scenario->group[i], out);
}

/* Keys of a load that are columns of the plan's line. */
static bool is_column(const char *key)
{
	return strcmp(key, "kind") == 0 || strcmp(key, "group") == 0 ||
	       strcmp(key, "program") == 0;
}

static void print_load(const struct scenario *scenario, const struct scenario_load *load,
		       struct text *out)
{
	const struct settings *settings = &scenario->settings;

	text_add(out, "load %s %s %s %s", load->name, load->group->path, load->program,
		 load->kind->name);
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section != SECTION_LOAD || strcmp(row->name, load->name) != 0 ||
		    is_column(row->key))
			continue;
		text_add(out, " %s=", row->key);
		value_print(&key_find(SECTION_LOAD, load->kind->name, row->key)->rule,
			    span_cstr(row->value), out);
	}
	text_add(out, "\n");
}

static void print_until(const struct scenario_phase *phase, struct text *out)
{
	const struct scenario_condition *until = &phase->until;

	if (until->subject == CONDITIONS)
		return;
	text_add(out, "until %s", CONDITION_ROWS[until->subject].word);
	if (*until->argument != '\0')
		text_add(out, " %s", until->argument);
	if (until->comparison != '\0')
		text_add(out, " %c %llu", until->comparison, wide(until->number));
	text_add(out, " limit %llu\n", wide(phase->limit_us));
}

static void print_words(const char *verb, const char *list, struct text *out)
{
	struct span words = span_cstr(list);
	struct span word;

	while (span_word(&words, &word))
		text_add(out, "%s %.*s\n", verb, (int)span_len(word), word.at);
}

static void print_changes(const struct scenario *scenario, const char *phase, struct text *out)
{
	const struct settings *settings = &scenario->settings;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];
		struct span group;
		struct span file;

		if (row->section != SECTION_PHASE || strcmp(row->name, phase) != 0 ||
		    !span_starts(span_cstr(row->key), "set.") ||
		    !span_split(span_cstr(row->key + strlen("set.")), '.', &group, &file))
			continue;
		print_set(scenario_group_find(scenario, group), file.at, row->value, out);
	}
}

static void print_phase(const struct scenario *scenario, const struct scenario_phase *phase,
			struct text *out)
{
	text_add(out, "phase %s\n", phase->name);
	print_knobs(scenario, SECTION_PHASE, phase->name, out);
	print_changes(scenario, phase->name, out);
	print_words("resume", phase->resume, out);
	print_words("suspend", phase->suspend, out);
	print_words("stop", phase->stop, out);
	print_words("start", phase->start, out);
	print_until(phase, out);
	if (phase->wait_us != VALUE_UNSET)
		text_add(out, "wait %llu\n", wide(phase->wait_us));
}

void plan_print(const struct scenario *scenario, uint64_t seed, struct text *out)
{
	text_add(out, "seed %llu\n", wide(seed));
	print_needs(scenario, out);
	print_disks(scenario, out);
	print_swap(&scenario->machine, out);
	print_knobs(scenario, SECTION_KNOBS, "", out);
	print_groups(scenario, out);
	print_configs(&scenario->settings, out);
	for (size_t i = 0; i < scenario->loads; i++)
		print_load(scenario, &scenario->load[i], out);
	text_add(out, "observe %llu\n", wide(scenario->interval_us));
	for (size_t i = 0; i < scenario->phases; i++)
		print_phase(scenario, &scenario->phase[i], out);
	text_add(out, "end\n");
}

int scenario_machine(const struct scenario *scenario, uint64_t seed, struct machine *out)
{
	const struct scenario_machine *machine = &scenario->machine;
	struct text plan;
	char *buffer = malloc(PLAN_BYTES);

	if (!buffer)
		return -ENOMEM;
	plan = text_on(buffer, PLAN_BYTES);
	plan_print(scenario, seed, &plan);
	if (plan.cut) {
		free(buffer);
		return -E2BIG;
	}
	*out = (struct machine){
		.ram_bytes = machine->ram,
		.cpus = (unsigned int)machine->cpus,
		.nodes = (unsigned int)machine->nodes,
		.disk_bps = machine->disk_bps,
		.disk_iops = machine->disk_iops,
		.swap = (enum swap_kind)machine->swap,
		.swap_bytes = machine->swap_size,
		.swap_own_disk = machine->swap_own == 1,
		.scratch_bytes = scratch_bytes(machine),
		.wall_limit_us = machine->wall_limit,
		.plan = buffer,
	};
	span_copy(span_cstr(machine->cmdline), out->cmdline, sizeof(out->cmdline));
	span_copy(span_cstr(machine->root), out->root, sizeof(out->root));
	files_fill(scenario, out);
	return 0;
}
