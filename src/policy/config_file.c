#include "policy/config_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>

#include "base/ini.h"
#include "policy/config_check.h"
#include "policy/config_folder.h"
#include "policy/config_value.h"

#define POLICY "policy "

struct reader {
	struct guard_config *config;
	struct config_report *report;
	struct arena arena; /* owned */
};

static const struct option_row *option_find(const struct ini_row *row)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strcmp(OPTION_ROWS[i].section, row->section) == 0 &&
		    strcmp(OPTION_ROWS[i].key, row->key) == 0)
			return &OPTION_ROWS[i];
	return NULL;
}

static bool is_section(const char *name)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strcmp(OPTION_ROWS[i].section, name) == 0)
			return true;
	return false;
}

static void refuse_key(struct reader *reader, const struct ini_row *row, const char *place)
{
	char words[300];
	struct text expected = text_on(words, sizeof(words));
	const char *between = "a key of: ";

	for (size_t i = 0; i < OPTIONS; i++) {
		if (strcmp(OPTION_ROWS[i].section, row->section) != 0)
			continue;
		text_add(&expected, "%s%s", between, OPTION_ROWS[i].key);
		between = ", ";
	}
	config_complain(reader->report, place, span_cstr(row->key), words);
}

/* "KEY = VALUE", for a sentence. */
static void refuse_value(struct reader *reader, const struct ini_row *row, const char *place,
			 const char *expected)
{
	char shown[INI_LINE + INI_VALUE];
	struct text text = text_on(shown, sizeof(shown));

	text_add(&text, "%s = %s", row->key, row->value);
	config_complain(reader->report, place, span_of(shown, text.used), expected);
}

static void take_option(struct reader *reader, const struct ini_row *row, const char *place)
{
	struct config_report *report = reader->report;
	const struct option_row *option = option_find(row);
	char words[300];
	struct text expected = text_on(words, sizeof(words));
	size_t at;

	if (!option) {
		refuse_key(reader, row, place);
		return;
	}
	if (option_parse(option, span_cstr(row->value),
			 option_at(&reader->config->options, option), &expected) < 0) {
		refuse_value(reader, row, place, words);
		return;
	}
	at = (size_t)(option - OPTION_ROWS);
	report->set += report->origin[at][0] == '\0';
	span_copy(span_cstr(place), report->origin[at], CONFIG_ORIGIN);
}

static struct span policy_name(const char *section)
{
	struct span name = span_cstr(section);

	name.at += strlen(POLICY);
	return span_trim(name);
}

/* A row of the administrator's: built-in ones cannot be named. */
static struct policy_row *policy_named(struct guard_config *config, struct span name)
{
	for (uint32_t i = 0; i < config->rows; i++)
		if (!span_eq(name, BUILT_IN_NAME) && span_eq(name, config->row[i].name))
			return &config->row[i];
	return NULL;
}

static void begin_policy(struct reader *reader, struct span name, const char *place)
{
	struct guard_config *config = reader->config;
	struct policy_row *row;

	if (policy_named(config, name))
		return;
	if (span_empty(name) || span_eq(name, BUILT_IN_NAME) ||
	    span_len(name) >= sizeof(row->name)) {
		config_complain(reader->report, place, name,
				"a name of 1 to 31 bytes, which is not " BUILT_IN_NAME);
		return;
	}
	if (config->rows == POLICY_ROWS_MAX) {
		config_complain(reader->report, place, name,
				"not more than 64 policies with those that are built in");
		return;
	}
	row = &config->row[config->rows];
	*row = (struct policy_row){ 0 };
	span_copy(name, row->name, sizeof(row->name));
	span_copy(span_cstr(place), reader->report->policy_origin[config->rows++],
		  CONFIG_ORIGIN);
}

static bool is_policy(const char *section)
{
	return span_starts(span_cstr(section), POLICY);
}

static void take_section(struct reader *reader, const struct ini_section *section,
			 const char *place)
{
	if (is_policy(section->name))
		begin_policy(reader, policy_name(section->name), place);
	else if (!is_section(section->name))
		config_complain(reader->report, place, span_cstr(section->name),
				"a section [guard], [protect], [machine], [limit], [ladder] or "
				"[policy NAME]");
}

static void take_policy(struct reader *reader, const struct ini_row *row, const char *place)
{
	struct policy_row *policy = policy_named(reader->config, policy_name(row->section));
	char words[300];
	struct text expected = text_on(words, sizeof(words));

	if (!policy) /* its section was complained about */
		return;
	if (policy_parse(policy, span_cstr(row->key), span_cstr(row->value), &expected) < 0)
		refuse_value(reader, row, place, words);
}

static void take_row(struct reader *reader, const char *path, const struct ini_row *row)
{
	const struct place place = place_of(path, row->line);

	if (is_policy(row->section))
		take_policy(reader, row, place.text);
	else if (is_section(row->section))
		take_option(reader, row, place.text);
}

static void take_section_of(struct reader *reader, const char *path,
			    const struct ini_section *section)
{
	const struct place place = place_of(path, section->line);

	take_section(reader, section, place.text);
}

/* In the order of the lines, as whoever reads the complaints will go through the file. */
static void take_ini(struct reader *reader, const char *path, const struct ini *ini)
{
	size_t at = 0;

	reader->report->files++;
	for (size_t i = 0; i < ini->rows; i++) {
		while (at < ini->sections && ini->section[at].line < ini->row[i].line)
			take_section_of(reader, path, &ini->section[at++]);
		take_row(reader, path, &ini->row[i]);
	}
	while (at < ini->sections)
		take_section_of(reader, path, &ini->section[at++]);
}

static void complain(void *whom, const char *sentence)
{
	const struct reader *reader = whom;

	config_error(reader->report, sentence);
}

/* Keys of a file are looked at once all of its lines are right. */
static int take_text(void *whom, const char *path, struct span bytes)
{
	struct reader *reader = whom;
	const struct place place = place_of(path, 0);
	char slashed[CONFIG_ORIGIN];
	char sentence[600];
	struct text name = text_on(slashed, sizeof(slashed));
	struct text words = text_on(sentence, sizeof(sentence));
	const struct ini_file file = { .text = bytes,
				       .name = slashed,
				       .may_be_empty = true,
				       .is_utf8 = true,
				       .complain = complain,
				       .whom = reader };
	struct ini ini;
	int r;

	text_add(&name, "/%s", path);
	arena_reset(&reader->arena);
	r = ini_parse(&file, &reader->arena, &ini, &words);
	if (r == 0)
		take_ini(reader, path, &ini);
	else if (r != -EINVAL && r != -ENOMEM)
		config_complain(reader->report, place.text, span_cstr(strerror(-r)),
				"a file that libeconf can read");
	return r == -ENOMEM ? r : 0;
}

static void swap_rows(struct guard_config *config, struct config_report *report, uint32_t at)
{
	const struct policy_row row = config->row[at];
	char origin[CONFIG_ORIGIN];

	config->row[at] = config->row[at - 1];
	config->row[at - 1] = row;
	memcpy(origin, report->policy_origin[at], sizeof(origin));
	memcpy(report->policy_origin[at], report->policy_origin[at - 1], sizeof(origin));
	memcpy(report->policy_origin[at - 1], origin, sizeof(origin));
}

/* The highest first; those of one priority stay in the order of the files. */
static void sort_policies(struct guard_config *config, struct config_report *report)
{
	for (uint32_t i = 1; i < config->rows; i++)
		for (uint32_t j = i;
		     j > 0 && config->row[j].priority > config->row[j - 1].priority; j--)
			swap_rows(config, report, j);
}

static int finish(struct reader *reader, int r)
{
	arena_done(&reader->arena);
	if (r < 0)
		return r;
	sort_policies(reader->config, reader->report);
	config_check(reader->config, reader->report);
	return reader->report->errors > 0 ? -EBADMSG : 0;
}

static int begin(struct reader *reader, struct guard_config *out, struct config_report *report)
{
	assert(OPTIONS <= CONFIG_OPTIONS);
	config_defaults(out);
	*report = (struct config_report){ 0 };
	*reader = (struct reader){ .config = out, .report = report };
	return arena_init(&reader->arena, (size_t)4 << 20);
}

int config_parse(const char *name, struct span file, struct guard_config *out,
		 struct config_report *report)
{
	struct reader reader;
	int r = begin(&reader, out, report);

	if (r < 0)
		return r;
	return finish(&reader, take_text(&reader, name, file));
}

int config_read(const char *root, struct guard_config *out, struct config_report *report)
{
	static struct config_folder folder;
	struct reader reader;
	auto_fd fd = -1;
	int r = begin(&reader, out, report);

	if (r < 0)
		return r;
	fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		config_complain(report, root, span_cstr(strerror(errno)), "a folder");
		return finish(&reader, 0);
	}
	folder = (struct config_folder){
		.root = fd, .report = report, .take = take_text, .whom = &reader
	};
	return finish(&reader, config_folder_read(&folder));
}
