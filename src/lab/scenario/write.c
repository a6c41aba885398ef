#include "lab/scenario/print.h"

static void write_section(const struct settings *settings, enum section section,
			  const char *name, FILE *file)
{
	const struct section_row *row = &SECTION_ROWS[section];

	fprintf(file, "\n[%s%s%s]\n", row->word, row->named ? " " : "", name);
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->row[i];

		if (setting->section == section && strcmp(setting->name, name) == 0)
			fprintf(file, "%s = %s\n", setting->key, setting->value);
	}
}

void scenario_write(const struct scenario *scenario, FILE *file)
{
	fprintf(file, "# One arm of a scenario: refault lab run FILE\n");
	for (enum section section = 0; section < SECTIONS; section++) {
		const struct settings *settings = &scenario->settings;

		for (size_t i = 0; settings_name(settings, section, i); i++)
			write_section(settings, section, settings_name(settings, section, i),
				      file);
	}
}
