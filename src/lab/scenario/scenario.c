#include "lab/scenario/scenario.h"

#include <assert.h>
#include <errno.h>

#include "lab/scenario/check.h"
#include "lab/scenario/condition.h"
#include "lab/scenario/number.h"

/* Where the value of a key goes: to a number or to a text of the struct. */
struct place_row {
	enum section section;
	const char *key;
	size_t number; /* offset + 1; 0 none */
	size_t text;
};
#define NUMBER(section, key, field)                                              \
	{                                                                        \
		SECTION_##section, #key, offsetof(struct scenario, field) + 1, 0 \
	}
#define TEXT(section, key, field)                                                \
	{                                                                        \
		SECTION_##section, #key, 0, offsetof(struct scenario, field) + 1 \
	}

static const struct place_row PLACES[] = {
	TEXT(SCENARIO, title, title),
	TEXT(SCENARIO, about, about),
	TEXT(SCENARIO, source, source),
	TEXT(SCENARIO, id, id),
	TEXT(SCENARIO, tags, tags),
	TEXT(SCENARIO, kernels, kernels),
	TEXT(SCENARIO, name, name),
	TEXT(SCENARIO, arm, arm),
	TEXT(SCENARIO, arm_title, arm_title),
	NUMBER(SCENARIO, base, base),
	NUMBER(MACHINE, ram, machine.ram),
	NUMBER(MACHINE, cpus, machine.cpus),
	NUMBER(MACHINE, nodes, machine.nodes),
	NUMBER(MACHINE, disk_bps, machine.disk_bps),
	NUMBER(MACHINE, disk_iops, machine.disk_iops),
	NUMBER(MACHINE, disk_delay, machine.disk_delay),
	NUMBER(MACHINE, swap, machine.swap),
	NUMBER(MACHINE, swap_size, machine.swap_size),
	NUMBER(MACHINE, swap_disk, machine.swap_own),
	NUMBER(MACHINE, swap_delay, machine.swap_delay),
	TEXT(MACHINE, compressor, machine.compressor),
	NUMBER(MACHINE, zswap_percent, machine.zswap_percent),
	TEXT(MACHINE, cmdline, machine.cmdline),
	NUMBER(MACHINE, wall_limit, machine.wall_limit),
	TEXT(MACHINE, root, machine.root),
	NUMBER(MACHINE, scratch, machine.scratch),
	NUMBER(OBSERVE, interval, interval_us),
	TEXT(MEASURE, from, measure.from),
	TEXT(MEASURE, service, measure.service),
	TEXT(MEASURE, leak, measure.leak),
	TEXT(MEASURE, prober, measure.prober),
	TEXT(MEASURE, guard, measure.guard),
	TEXT(MEASURE, guard_group, measure.guard_group),
	TEXT(MEASURE, figures, measure.figures),
	TEXT(TRUTH, class, truth.class),
	TEXT(TRUTH, domain, truth.domain),
	TEXT(TRUTH, sufferer, truth.sufferer),
	TEXT(TRUTH, culprit, truth.culprit),
	TEXT(TRUTH, sufferer_process, truth.sufferer_process),
	TEXT(TRUTH, culprit_process, truth.culprit_process),
	TEXT(TRUTH, onset, truth.onset),
	NUMBER(TRUTH, deadline, truth.deadline_us),
	TEXT(TRUTH, expect_kill, truth.expect_kill),
	TEXT(TRUTH, kill, truth.kill),
};
#undef NUMBER
#undef TEXT

const struct scenario_load *scenario_load_find(const struct scenario *scenario,
					       struct span name)
{
	for (size_t i = 0; i < scenario->loads; i++)
		if (span_eq(name, scenario->load[i].name))
			return &scenario->load[i];
	return NULL;
}

const struct scenario_group *scenario_group_find(const struct scenario *scenario,
						 struct span name)
{
	for (size_t i = 0; i < scenario->groups; i++)
		if (span_eq(name, scenario->group[i].name))
			return &scenario->group[i];
	return NULL;
}

const struct scenario_phase *scenario_phase_find(const struct scenario *scenario,
						 const char *name)
{
	for (size_t i = 0; i < scenario->phases; i++)
		if (strcmp(scenario->phase[i].name, name) == 0)
			return &scenario->phase[i];
	return NULL;
}

bool words_have(const char *list, const char *word)
{
	struct span rest = span_cstr(list);
	struct span each;

	while (span_word(&rest, &each))
		if (span_eq(each, word))
			return true;
	return false;
}

/* The text of a key in a section with that name; "" when it is not given. */
static const char *text_of(const struct scenario *scenario, enum section section,
			   const char *name, const char *key)
{
	const struct key_row *row = key_find(section, "", key);
	const char *value;

	assert(row);
	value = key_value(&scenario->settings, row, name);
	return value ? value : "";
}

static uint64_t number_of(const struct scenario *scenario, enum section section,
			  const char *name, const char *key)
{
	const char *value = text_of(scenario, section, name, key);
	const struct key_row *row = key_find(section, "", key);
	uint64_t number = VALUE_UNSET;

	/* It was checked: what is not a number here is not there. */
	if (*value == '\0' || value_number(&row->rule, span_cstr(value), &number) < 0)
		return VALUE_UNSET;
	return number;
}

static void fill_places(struct scenario *scenario)
{
	char *base = (char *)scenario;

	for (size_t i = 0; i < ARRAY_LEN(PLACES); i++) {
		const struct place_row *place = &PLACES[i];

		if (place->number > 0) {
			uint64_t number = number_of(scenario, place->section, "", place->key);

			memcpy(base + place->number - 1, &number, sizeof(number));
		} else {
			const char *text = text_of(scenario, place->section, "", place->key);

			memcpy(base + place->text - 1, &text, sizeof(text));
		}
	}
}

static size_t count_of(const struct settings *settings, enum section section)
{
	size_t count = 0;

	while (settings_name(settings, section, count))
		count++;
	return count;
}

static int fill_groups(struct scenario *scenario)
{
	scenario->groups = count_of(&scenario->settings, SECTION_GROUP);
	scenario->group = arena_alloc(scenario->settings.arena,
				      scenario->groups * sizeof(*scenario->group));
	for (size_t i = 0; scenario->group && i < scenario->groups; i++) {
		const char *name = settings_name(&scenario->settings, SECTION_GROUP, i);

		scenario->group[i] = (struct scenario_group){
			.name = name,
			.path = text_of(scenario, SECTION_GROUP, name, "path"),
		};
	}
	return scenario->group ? 0 : -ENOMEM;
}

static int fill_load(const struct scenario *scenario, const char *name,
		     struct scenario_load *out, struct lab_error *error)
{
	const struct setting *group =
		settings_find(&scenario->settings, SECTION_LOAD, name, "group");
	const char *program = text_of(scenario, SECTION_LOAD, name, "program");

	*out = (struct scenario_load){
		.name = name,
		.program = *program != '\0' ? program : name,
		.kind = load_kind_find(text_of(scenario, SECTION_LOAD, name, "kind")),
		.group = scenario_group_find(scenario, span_cstr(group->value)),
	};
	if (!out->group)
		return scenario_fail(
			error, group->place,
			"%s: '%s': expected the name of a [group] of this scenario",
			KEY_OF(group), SHOWN(group->value));
	return 0;
}

static int fill_loads(struct scenario *scenario, struct lab_error *error)
{
	const struct settings *settings = &scenario->settings;
	size_t count = count_of(settings, SECTION_LOAD);

	scenario->load = arena_alloc(settings->arena, count * sizeof(*scenario->load));
	if (!scenario->load)
		return -ENOMEM;
	for (; scenario->loads < count; scenario->loads++) {
		int r = fill_load(scenario,
				  settings_name(settings, SECTION_LOAD, scenario->loads),
				  &scenario->load[scenario->loads], error);

		if (r < 0)
			return r;
	}
	return 0;
}

static int fill_phase(const struct scenario *scenario, const char *name,
		      struct scenario_phase *out, struct lab_error *error)
{
	const struct setting *until =
		settings_find(&scenario->settings, SECTION_PHASE, name, "until");

	*out = (struct scenario_phase){
		.name = name,
		.start = text_of(scenario, SECTION_PHASE, name, "start"),
		.stop = text_of(scenario, SECTION_PHASE, name, "stop"),
		.suspend = text_of(scenario, SECTION_PHASE, name, "suspend"),
		.resume = text_of(scenario, SECTION_PHASE, name, "resume"),
		.limit_us = number_of(scenario, SECTION_PHASE, name, "limit"),
		.wait_us = number_of(scenario, SECTION_PHASE, name, "wait"),
		.until = { .subject = CONDITIONS },
	};
	return until ? condition_parse(scenario, until, &out->until, error) : 0;
}

static int fill_phases(struct scenario *scenario, struct lab_error *error)
{
	const struct settings *settings = &scenario->settings;
	size_t count = count_of(settings, SECTION_PHASE);

	scenario->phase = arena_alloc(settings->arena, count * sizeof(*scenario->phase));
	if (!scenario->phase)
		return -ENOMEM;
	for (; scenario->phases < count; scenario->phases++) {
		int r = fill_phase(scenario,
				   settings_name(settings, SECTION_PHASE, scenario->phases),
				   &scenario->phase[scenario->phases], error);

		if (r < 0)
			return r;
	}
	return 0;
}

static int fill_anchors(struct scenario *scenario, struct lab_error *error)
{
	const struct settings *settings = &scenario->settings;
	const struct setting *source = settings_find(settings, SECTION_ANCHORS, "", "source");

	scenario->anchor_source = source ? source->value : scenario->source;
	scenario->anchor =
		arena_alloc(settings->arena, settings->count * sizeof(*scenario->anchor));
	for (size_t i = 0; scenario->anchor && i < settings->count; i++) {
		const struct setting *setting = &settings->row[i];
		struct scenario_anchor *anchor = &scenario->anchor[scenario->anchors];
		int r;

		if (setting->section != SECTION_ANCHORS || setting == source)
			continue;
		*anchor = (struct scenario_anchor){ setting->key, setting->value, 0, 0 };
		r = anchor_parse(setting, &anchor->low, &anchor->high, error);
		if (r < 0)
			return r;
		scenario->anchors++;
	}
	return scenario->anchor ? 0 : -ENOMEM;
}

/* The measured part: a phase of that name, or the last one. */
static void fill_from(struct scenario *scenario)
{
	if (*scenario->measure.from != '\0' || scenario->phases == 0)
		return;
	scenario->measure.from = scenario_phase_find(scenario, "measure") ?
					 "measure" :
					 scenario->phase[scenario->phases - 1].name;
}

static int fill_all(struct scenario *scenario, struct lab_error *error)
{
	int r;

	fill_places(scenario);
	r = fill_groups(scenario);
	if (r < 0)
		return r;
	r = fill_loads(scenario, error);
	if (r < 0)
		return r;
	r = fill_phases(scenario, error);
	if (r < 0)
		return r;
	fill_from(scenario);
	return fill_anchors(scenario, error);
}

int scenario_resolve(const struct settings *settings, struct scenario *out,
		     struct lab_error *error)
{
	int r = settings_check(settings, error);

	if (r < 0)
		return r;
	*out = (struct scenario){ .settings = *settings };
	r = fill_all(out, error);
	if (r < 0)
		return r;
	return scenario_check(out, error);
}
