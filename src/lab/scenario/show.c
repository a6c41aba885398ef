#include "base/units.h"
#include "lab/scenario/condition.h"
#include "lab/scenario/print.h"

#define WIDTH 88
#define LABEL 12

/* Goes on in a line that has so many columns, and below it after so many blanks. */
static void put_more(const char *text, size_t column, size_t indent, FILE *file)
{
	struct span rest = span_cstr(text);
	struct span word;

	while (span_word(&rest, &word)) {
		size_t length = span_len(word);

		if (column > indent && column + 1 + length > WIDTH) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', file);
			column++;
		}
		fprintf(file, "%.*s", (int)length, word.at);
		column += length;
	}
	fputc('\n', file);
}

/* A paragraph of its own. */
static void put_wrapped(const char *text, size_t indent, FILE *file)
{
	if (*text == '\0')
		return;
	fprintf(file, "%*s", (int)indent, "");
	put_more(text, indent, indent, file);
}

/* The label of the first row of a table, room for it in the others. */
static void put_label(const char *label, size_t row, FILE *file)
{
	fprintf(file, "%s%-*s", row == 0 ? "\n" : "", LABEL, row == 0 ? label : "");
}

struct short_text {
	char text[400];
};

static struct short_text size_text(uint64_t bytes)
{
	struct short_text out;
	struct text text = text_on(out.text, sizeof(out.text));

	text_size(&text, bytes);
	return out;
}

static struct short_text time_text(uint64_t us)
{
	struct short_text out;
	struct text text = text_on(out.text, sizeof(out.text));

	text_us(&text, us);
	return out;
}

static void put_swap(const struct scenario_machine *machine, FILE *file)
{
	static const char *const names[] = { "no swap", "swap file", "swap partition", "zram",
					     "zswap before a partition" };

	fprintf(file, "%s", names[machine->swap]);
	if (machine->swap == SWAP_NONE)
		return;
	fprintf(file, " of %s", size_text(machine->swap_size).text);
	if (strcmp(machine->compressor, "-") != 0)
		fprintf(file, ", %s", machine->compressor);
	if (machine->swap_own)
		fprintf(file, " on a disk of its own");
	if (machine->swap_delay > 0)
		fprintf(file, ", %s slower", time_text(machine->swap_delay).text);
}

static void show_machine(const struct scenario *scenario, FILE *file)
{
	const struct scenario_machine *machine = &scenario->machine;

	fprintf(file, "\n%-*s%s of memory, %llu processor%s", LABEL, "Machine",
		size_text(machine->ram).text, (unsigned long long)machine->cpus,
		machine->cpus == 1 ? "" : "s");
	if (machine->nodes > 1)
		fprintf(file, ", %llu nodes", (unsigned long long)machine->nodes);
	fprintf(file, "\n%*sdisk of %s a second, %llu requests a second", LABEL, "",
		size_text(machine->disk_bps).text, (unsigned long long)machine->disk_iops);
	if (machine->disk_delay > 0)
		fprintf(file, ", %s slower", time_text(machine->disk_delay).text);
	fprintf(file, "\n%*s", LABEL, "");
	put_swap(machine, file);
	fputc('\n', file);
	if (*machine->cmdline != '\0')
		fprintf(file, "%*skernel: %s\n", LABEL, "", machine->cmdline);
	if (*scenario->kernels != '\0')
		fprintf(file, "%*skernels: %s\n", LABEL, "", scenario->kernels);
}

/* "key value, key value" of a section, but of those keys that are in the list. */
static void add_settings(const struct scenario *scenario, enum section section,
			 const char *name, const char *but, struct text *out)
{
	const struct settings *settings = &scenario->settings;
	const char *comma = "";

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section != section || strcmp(row->name, name) != 0 ||
		    words_have(but, row->key))
			continue;
		text_add(out, "%s%s %s", comma, row->key, row->value);
		comma = ", ";
	}
}

/* One row of a table: a head and its settings. */
static void put_row(const char *head, const struct scenario *scenario, enum section section,
		    const char *name, FILE *file)
{
	static const char *const shown_otherwise[SECTIONS] = {
		[SECTION_FILE] = "disk",
		[SECTION_GROUP] = "path",
		[SECTION_LOAD] = "kind group",
		[SECTION_MEASURE] = "from",
	};
	const char *but = shown_otherwise[section] ? shown_otherwise[section] : "";
	char line[4096];
	struct text text = text_on(line, sizeof(line));

	text_add(&text, "%s ", head);
	add_settings(scenario, section, name, but, &text);
	/* A head that promises more, and nothing follows. */
	if (text.used >= 2 && strcmp(line + text.used - 2, ", ") == 0)
		line[text.used - 2] = '\0';
	put_more(line, LABEL, LABEL + 2, file);
}

static void show_once(const struct scenario *scenario, enum section section, const char *label,
		      FILE *file)
{
	if (!settings_name(&scenario->settings, section, 0))
		return;
	put_label(label, 0, file);
	put_row("", scenario, section, "", file);
}

static void show_named(const struct scenario *scenario, enum section section, const char *label,
		       FILE *file)
{
	for (size_t i = 0; settings_name(&scenario->settings, section, i); i++) {
		const char *name = settings_name(&scenario->settings, section, i);

		put_label(label, i, file);
		put_row(name, scenario, section, name, file);
	}
}

static void show_groups(const struct scenario *scenario, FILE *file)
{
	for (size_t i = 0; i < scenario->groups; i++) {
		const struct scenario_group *group = &scenario->group[i];

		put_label("Groups", i, file);
		put_row(group->path, scenario, SECTION_GROUP, group->name, file);
	}
}

static void show_loads(const struct scenario *scenario, FILE *file)
{
	for (size_t i = 0; i < scenario->loads; i++) {
		const struct scenario_load *load = &scenario->load[i];
		char head[512];

		snprintf(head, sizeof(head), "%s: %s in %s,", load->name, load->kind->name,
			 load->group->path);
		put_label("Loads", i, file);
		put_row(head, scenario, SECTION_LOAD, load->name, file);
	}
}

static void put_until(const struct scenario_phase *phase, FILE *file)
{
	const struct scenario_condition *until = &phase->until;
	const struct condition_row *row;

	if (until->subject == CONDITIONS)
		return;
	row = &CONDITION_ROWS[until->subject];
	fprintf(file, "; until %s", row->word);
	if (*until->argument != '\0')
		fprintf(file, " %s", until->argument);
	if (row->unit == UNIT_SIZE)
		fprintf(file, " %c %s", until->comparison, size_text(until->number).text);
	else if (row->unit == UNIT_COUNT)
		fprintf(file, " %c %llu", until->comparison, (unsigned long long)until->number);
	fprintf(file, ", at most %s", time_text(phase->limit_us).text);
}

static void put_changes(const struct scenario *scenario, const struct scenario_phase *phase,
			FILE *file)
{
	const struct settings *settings = &scenario->settings;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section == SECTION_PHASE && strcmp(row->name, phase->name) == 0 &&
		    strchr(row->key, '.'))
			fprintf(file, "; %s %s", row->key, row->value);
	}
}

static void show_phases(const struct scenario *scenario, FILE *file)
{
	for (size_t i = 0; i < scenario->phases; i++) {
		const struct scenario_phase *phase = &scenario->phase[i];

		put_label("Course", i, file);
		fprintf(file, "%s%s", phase->name,
			strcmp(phase->name, scenario->measure.from) == 0 ?
				" (counts from here)" :
				"");
		put_changes(scenario, phase, file);
		if (*phase->stop != '\0')
			fprintf(file, "; stop %s", phase->stop);
		if (*phase->start != '\0')
			fprintf(file, "; start %s", phase->start);
		put_until(phase, file);
		if (phase->wait_us != VALUE_UNSET)
			fprintf(file, "; wait %s", time_text(phase->wait_us).text);
		fputc('\n', file);
	}
}

static void put_if(const char *what, const char *value, FILE *file)
{
	if (*value != '\0')
		fprintf(file, "%*s%s %s\n", LABEL, "", what, value);
}

static void show_truth(const struct scenario *scenario, FILE *file)
{
	const struct scenario_truth *truth = &scenario->truth;

	if (*truth->class == '\0')
		return;
	fprintf(file, "\n%-*s%s in %s, within %s of %s\n", LABEL, "Truth", truth->class,
		truth->domain, time_text(truth->deadline_us).text, truth->onset);
	put_if("suffers:", truth->sufferer, file);
	put_if("causes: ", truth->culprit, file);
	put_if("suffering program:", truth->sufferer_process, file);
	put_if("causing program:  ", truth->culprit_process, file);
	put_if("killed by the kernel:", truth->expect_kill, file);
}

/* What this arm has and the first one has otherwise, or not. */
static void show_differences(const struct scenario *arm, const struct scenario *first,
			     FILE *file)
{
	for (size_t i = 0; i < arm->settings.count; i++) {
		const struct setting *row = &arm->settings.row[i];
		const struct setting *other =
			settings_find(&first->settings, row->section, row->name, row->key);

		if (row->section == SECTION_SCENARIO || row->section == SECTION_ANCHORS ||
		    (other && strcmp(other->value, row->value) == 0))
			continue;
		fprintf(file, "%*s%s = %s\n", LABEL + 2, "", KEY_OF(row), row->value);
	}
	for (size_t i = 0; i < first->settings.count; i++) {
		const struct setting *row = &first->settings.row[i];

		if (row->section != SECTION_SCENARIO && row->section != SECTION_ANCHORS &&
		    !settings_find(&arm->settings, row->section, row->name, row->key))
			fprintf(file, "%*s%s is not set\n", LABEL + 2, "", KEY_OF(row));
	}
}

static void show_anchors(const struct scenario *arm, FILE *file)
{
	char line[2048];
	struct text text = text_on(line, sizeof(line));

	if (arm->anchors == 0)
		return;
	text_add(&text, "published:");
	for (size_t i = 0; i < arm->anchors; i++)
		text_add(&text, "%s %s %s", i > 0 ? "," : "", arm->anchor[i].figure,
			 arm->anchor[i].text);
	if (strcmp(arm->anchor_source, arm->source) != 0)
		text_add(&text, " (%s)", arm->anchor_source);
	put_wrapped(line, LABEL + 2, file);
}

static void show_arms(const struct scenario_set *set, FILE *file)
{
	const struct scenario *base = scenario_set_base(set);

	for (size_t i = 0; i < set->arms; i++) {
		const struct scenario *arm = &set->arm[i];

		put_label("Arms", i, file);
		fprintf(file, "%s%s%s%s\n", arm->arm,
			arm == base && set->arms > 1 ? " (the one above)" : "",
			*arm->arm_title != '\0' ? ": " : "", arm->arm_title);
		if (arm != base)
			show_differences(arm, base, file);
		show_anchors(arm, file);
	}
}

static void show_shapes(const struct scenario_set *set, FILE *file)
{
	for (size_t i = 0; i < set->shapes; i++) {
		put_label("Must hold", i, file);
		fprintf(file, "%s: %s\n", set->shape[i].name, set->shape[i].text);
	}
}

void scenario_show(const struct scenario_set *set, FILE *file)
{
	const struct scenario *base = scenario_set_base(set);

	fprintf(file, "%s%s%s: %s\n", set->name, *base->id != '\0' ? ", " : "", base->id,
		base->title);
	put_wrapped(base->about, LABEL, file);
	put_if("source:", base->source, file);
	put_if("tags:", base->tags, file);
	show_machine(base, file);
	show_once(base, SECTION_KNOBS, "Knobs", file);
	show_named(base, SECTION_FILE, "Files", file);
	show_named(base, SECTION_PROGRAM, "Programs", file);
	show_groups(base, file);
	show_loads(base, file);
	show_phases(base, file);
	show_once(base, SECTION_MEASURE, "Measured", file);
	show_truth(base, file);
	if (set->arms > 1 || base->anchors > 0)
		show_arms(set, file);
	show_shapes(set, file);
}

void scenario_list(const struct shipped *shipped, FILE *file)
{
	int width = 8;

	for (size_t i = 0; i < shipped->rows; i++)
		width = MAX(width, (int)strlen(shipped->row[i].name));
	for (size_t i = 0; i < shipped->rows; i++) {
		const struct shipped_row *row = &shipped->row[i];

		fprintf(file, "%-*s  %-4s %s", width, row->name, row->id, row->title);
		if (*row->tags != '\0')
			fprintf(file, " [%s]", row->tags);
		if (*row->source != '\0')
			fprintf(file, " (%s)", row->source);
		fputc('\n', file);
	}
}
