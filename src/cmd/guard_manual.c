#include "cmd/guard_front.h"
#include "policy/config_file.h"

/* scdoc reads underscores and asterisks as emphasis. */
static void put_plain(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\[]<>#~|", *text))
			fputc('\\', file);
		fputc(*text, file);
	}
}

static void put_value(FILE *file, const struct option_row *row, uint64_t value)
{
	char shown[64];
	struct text text = text_on(shown, sizeof(shown));

	config_value(row, value, &text);
	put_plain(file, shown);
}

static void put_range(FILE *file, const struct option_row *row)
{
	struct span rest = span_cstr(row->words);
	struct span word;
	const char *between = "One of ";

	if (row->type == OPTION_BOOL) {
		fputs("_yes_ or _no_", file);
		return;
	}
	if (row->type != OPTION_WORD) {
		put_value(file, row, row->least);
		fputs(" to ", file);
		put_value(file, row, row->most);
		return;
	}
	for (; span_word(&rest, &word); between = ", ")
		fprintf(file, "%s_%.*s_", between, (int)span_len(word), word.at);
}

static void put_option(FILE *file, const struct option_row *row)
{
	fprintf(file, "*%s*\n\t", row->key);
	put_plain(file, row->help);
	fputs(".\n\t", file);
	put_range(file, row);
	fputs("; default ", file);
	put_value(file, row, row->value);
	fputs(".\n\n", file);
}

static const struct {
	const char *name;
	const char *help;
} SECTIONS[] = {
	{ "guard", "How the daemon works." },
	{ "protect", "What is kept in memory before anything happens." },
	{ "machine", "When something is done because the machine runs out of memory." },
	{ "limit", "When something is done because a cgroup is at a limit of its own." },
	{ "ladder", "Which steps may be taken, and how long each of them has." },
};

/* Every option, also one of a section that has no text here. */
static void put_options(FILE *file)
{
	const char *section = "";

	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i];

		if (strcmp(section, row->section) != 0) {
			fprintf(file, "# SECTION %s\n\n", row->section);
			for (size_t at = 0; at < ARRAY_LEN(SECTIONS); at++)
				if (strcmp(SECTIONS[at].name, row->section) == 0)
					fprintf(file, "%s\n\n", SECTIONS[at].help);
		}
		section = row->section;
		put_option(file, row);
	}
}

static void put_policy(FILE *file)
{
	for (size_t i = 0; i < POLICY_KEYS; i++)
		fprintf(file, "*%s* = _%s_\n\t%s\n\n", POLICY_KEY_ROWS[i].key,
			POLICY_KEY_ROWS[i].form, POLICY_KEY_ROWS[i].help);
}

static void put_built_in(FILE *file)
{
	static struct guard_config config;

	config_defaults(&config);
	fputs("# BUILT IN\n\nWith *who* = _essential_ or _services_ these are protected, at "
	      "priority -100. They are named by their whole paths, so that nobody who was "
	      "given "
	      "a part of the tree can take their place; a unit that was put into another slice "
	      "needs a policy of its own.\n\n",
	      file);
	for (uint32_t i = 0; i < config.rows; i++) {
		fputs("- ", file);
		put_plain(file, config.row[i].cgroup);
		fputc('\n', file);
	}
	fputc('\n', file);
}

static const char HEAD[] =
	"refault-guard.conf(5)\n\n"
	"# NAME\n\n"
	"refault-guard.conf - what the guard may do, when, and to whom\n\n"
	"# SYNOPSIS\n\n"
	"_/etc/refault/guard.conf_++\n"
	"_/etc/refault/guard.conf.d/\\*.conf_\n\n"
	"# DESCRIPTION\n\n"
	"As installed, _/usr/lib/refault/guard.conf_ holds, and the guard observes: it says "
	"what "
	"it would do, and touches nothing. *mode* = _act_ makes it act. That file has every "
	"option with its default, as a comment, and is an example to copy.\n\n"
	"*refault guard --check-config* says what is wrong, all of it, with file and line. "
	"*refault guard --print-config* shows every value with the place that it comes from. "
	"After a change *SIGHUP*, or *systemctl reload refault-guard*, makes the guard that "
	"runs read it again; while it is wrong the old one stays.\n\n"
	"# FILES AND THEIR ORDER\n\n"
	"There are three folders: _/etc/refault_ for the administrator, _/run/refault_ until "
	"the next boot, _/usr/lib/refault_ for whoever makes packages.\n\n"
	"_guard.conf_ is taken from the first of them that has it; the others are not read. An "
	"empty one, or a link to _/dev/null_, hides those behind it.\n\n"
	"_guard.conf.d/NAME.conf_ are drop-ins. Each _NAME_ is taken from the first folder "
	"that "
	"has it. They are read after _guard.conf_, in the order of their names whatever their "
	"folder, and what is read later wins, key by key. A policy of the same name in several "
	"files is one policy.\n\n"
	"# FORMAT\n\n"
	"A comment has a line of its own, which begins with *\\#*. A section begins with "
	"*\\[SECTION\\]* or *\\[policy NAME\\]*, and is written once in a file. A key is "
	"written "
	"once in its section, as *KEY = VALUE* from the start of a line; lines that begin with "
	"a blank and have no *=* go on with the value. A value does not begin with a quote. "
	"Files are in UTF-8, at most 256 KiB.\n\n"
	"Times are _500ms_, _5s_, _2m_ or _1h_, and seconds without a suffix. Sizes are _64M_ "
	"or _4096_, with K, M, G and T as powers of 1024. Shares are _50%_ or _50_.\n\n";

static const char POLICY[] =
	"# SECTION policy NAME\n\n"
	"Who is treated in another way than all the rest: one section for each, with a name of "
	"at most 31 bytes. All matchers that are given must match, and at least one must be "
	"given. Patterns are as in *fnmatch*(3).\n\n";

static const char KINDS[] =
	"The kinds are:\n\n"
	"*protect*\n\tIts measured working set is kept under memory.min, and it is the last to "
	"be ended.\n\n"
	"*prefer*\n\tIt is ended before others.\n\n"
	"*expendable*\n\tIt is ended first, also when it does not grow.\n\n"
	"*never*\n\tIt is never ended.\n\n"
	"*unit-as-one*\n\tAll of the cgroup is ended, or nothing of it.\n\n"
	"*hook*\n\t*hook* is run before it is ended. It need not be said: giving *hook* is "
	"enough.\n\n"
	"What a row says of a cgroup holds for those below it too, except for memory.min, "
	"which "
	"the kernel hands down.\n\n"
	"Of the rows that have a kind and match, the one with the highest *priority* holds, "
	"and "
	"of those the first that was read. Where one row spares (*protect*, *never*) and "
	"another "
	"gives up (*prefer*, *expendable*) the higher priority holds, and between equals the "
	"row that spares.\n\n"
	"A name is a claim: every process chooses its own *comm*, and whoever was given a part "
	"of the cgroup tree chooses the names of folders there, also one that looks like a "
	"unit "
	"of the system. Who is to be spared is best named by *cgroup* with its whole path.\n\n";

static const char TAIL[] =
	"# EXAMPLES\n\n"
	"Act, keep every service that listens in memory, and kill nobody:\n\n"
	"```\n"
	"[guard]\n"
	"mode = act\n"
	"[protect]\n"
	"who = services\n"
	"[ladder]\n"
	"kill = no\n"
	"```\n\n"
	"The database is kept, batch jobs go first and as a whole:\n\n"
	"```\n"
	"[policy database]\n"
	"cgroup = system.slice/postgresql@*.service\n"
	"kinds = protect never\n"
	"min = 256M\n\n"
	"[policy batch]\n"
	"cgroup = batch.slice/*\n"
	"kinds = expendable unit-as-one\n"
	"```\n\n"
	"A program writes its state before it is ended:\n\n"
	"```\n"
	"[policy editor]\n"
	"unit = app-editor-*.scope\n"
	"hook = /usr/libexec/save-state --reason \"short of memory\"\n"
	"```\n\n"
	"# SEE ALSO\n\n"
	"*refault*(1), *refault-guard*(1), *fnmatch*(3), *systemd.resource-control*(5)\n";

void guard_manual(FILE *file)
{
	fputs(HEAD, file);
	put_options(file);
	fputs(POLICY, file);
	put_policy(file);
	fputs(KINDS, file);
	put_built_in(file);
	fputs(TAIL, file);
}

/* A file to begin with: every option with its default, as a comment; only the mode is set. */
void guard_sample(FILE *file)
{
	const char *section = "";

	fputs("# refault guard as it comes: it observes, and says what it would do.\n"
	      "# Copy this to /etc/refault/guard.conf, or put what differs into a file in\n"
	      "# /etc/refault/guard.conf.d/. See refault-guard.conf(5).\n",
	      file);
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i];
		char value[64];
		struct text text = text_on(value, sizeof(value));

		if (strcmp(section, row->section) != 0)
			fprintf(file, "\n[%s]\n", row->section);
		section = row->section;
		config_value(row, row->value, &text);
		fprintf(file, "# %s\n%s%s = %s\n", row->help, i == 0 ? "" : "#", row->key,
			value);
	}
}
