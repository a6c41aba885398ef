#include "lab/scenario/condition.h"
#include "lab/scenario/print.h"

/* scdoc reads underscores and asterisks as emphasis. */
static void put_plain(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\[]<>#~|", *text))
			fputc('\\', file);
		fputc(*text, file);
	}
}

static void put_entry(FILE *file, const char *name, const struct value_rule *rule,
		      const char *value, const char *help)
{
	char expected[400];
	struct text text = text_on(expected, sizeof(expected));

	fputc('*', file);
	put_plain(file, name);
	fputs("*\n\t", file);
	put_plain(file, help);
	if (*help != '\0' && help[strlen(help) - 1] != '.')
		fputc('.', file);
	if (rule && rule->type != VALUE_TEXT) {
		value_expected(rule, &text);
		fputs("\n\t", file);
		expected[0] =
			(char)(expected[0] - 'a' + 'A'); /* they all begin with a letter */
		put_plain(file, expected);
		fputc('.', file);
	}
	if (!value)
		fputs("\n\tIt must be given.", file);
	else if (*value != '\0') {
		fputs("\n\tDefault: ", file);
		put_plain(file, value);
		fputc('.', file);
	}
	fputs("\n\n", file);
}

static void put_section(FILE *file, enum section section)
{
	const struct section_row *row = &SECTION_ROWS[section];

	fprintf(file, "## [%s%s]\n\n", row->word,
		!row->named		? "" :
		section == SECTION_FILE ? " PATH" :
					  " NAME");
	put_plain(file, row->help);
	fputs("\n\n", file);
	for (size_t i = 0; i < KEY_ROW_COUNT; i++) {
		const struct key_row *key = &KEY_ROWS[i];

		if (key->section == section && *key->kind == '\0')
			put_entry(file, key->key, &key->rule, key->value, key->help);
	}
	if (section == SECTION_KNOBS)
		for (size_t i = 0; i < KNOB_COUNT; i++)
			put_entry(file, KNOBS[i].name, &KNOBS[i].rule, "", KNOBS[i].help);
	if (section == SECTION_PHASE) {
		put_entry(file, "set.GROUP.FILE", NULL, "", "A file of a group, written.");
		put_entry(file, "knob.NAME", NULL, "", "A knob, turned.");
	}
	if (section == SECTION_CONFIG)
		put_entry(file, "KEY", NULL, "",
			  "A line of that section, as it is written there.");
}

static void put_load(FILE *file, const struct load_kind *kind)
{
	fprintf(file, "## %s\n\n", kind->name);
	put_plain(file, kind->help);
	fputs(".\n\n", file);
	for (size_t i = 0; i < KEY_ROW_COUNT; i++) {
		const struct key_row *key = &KEY_ROWS[i];

		if (key->section == SECTION_LOAD && strcmp(key->kind, kind->name) == 0)
			put_entry(file, key->key, &key->rule, key->value, key->help);
	}
}

/* The text that belongs to no row. */
static const char HEAD[] =
	"refault-scenario(5)\n\n# NAME\n\n"
	"refault-scenario - an experiment for refault lab\n\n"
	"# DESCRIPTION\n\n"
	"A scenario says which virtual machine is booted, what runs in it and when, what is "
	"measured, and what a verdict about it must say.\n"
	"*refault lab run* takes the name of a shipped one, or a file: a name with a slash, or "
	"one that ends in _.ini_.\n\n"
	"# FORMAT\n\n"
	"A comment has a line of its own, which begins with *\\#*.\n"
	"A section begins with *\\[SECTION\\]*, or *\\[SECTION NAME\\]* with one blank in it; "
	"it "
	"is written once and is not empty.\n"
	"A key is written once in its section, as *KEY = VALUE* from the start of a line.\n"
	"A value may go on in the lines below, when each of them begins with a blank and has "
	"no "
	"*=*.\n"
	"An empty value is the same as no key; it takes away what a scenario behind this one "
	"says.\n"
	"A name has letters, digits, *\\_* and *-*.\n\n"
	"Sizes are written as _24M_, _0.25M_ or _4096_, with K, M, G and T as powers of 1024.\n"
	"Times are _100ms_, _6s_ or _2m_.\n\n"
	"A full key is what arms, the matrix, *\\[quick\\]* and *--set* change: _machine.ram_, "
	"_knob.swappiness_, _group.NAME.memory.min_, _load.NAME.rate_, _phase.NAME.wait_, "
	"_truth.class_, _anchors.FIGURE_.\n"
	"Later ones win: *like*, the file, the arm, the matrix, *\\[quick\\]*, *--set*.\n\n"
	"# SECTIONS\n\n";

static const char NUMBERS[] = "Published numbers are _28_, _6.7_, _2G_, _40ms_, a range such "
			      "as _5-7_, _\\< 5_, _\\> 5_ "
			      "or _none_.\n\n";

void scenario_manual(FILE *file)
{
	fputs(HEAD, file);
	for (enum section i = 0; i < SECTIONS; i++)
		put_section(file, i);
	fputs(NUMBERS, file);
	fputs("# CONDITIONS\n\nWhat *until* waits for. GROUP and LOAD are names of this "
	      "scenario.\n\n",
	      file);
	for (size_t i = 0; i < CONDITIONS; i++)
		put_entry(file, CONDITION_ROWS[i].example, NULL, "", CONDITION_ROWS[i].help);
	fputs("# LOADS\n\nThe kinds of load, and what each of them takes.\n\n", file);
	for (size_t i = 0; i < LOAD_KIND_COUNT; i++)
		put_load(file, &LOAD_KINDS[i]);
	fputs("# SEE ALSO\n\n*refault*(1)\n", file);
}
