#include "view/explain.h"

#include "analysis/capability.h"
#include "analysis/signals.h"
#include "analysis/verdict.h"
#include "view/explain_rules.h"

static const char *unit_name(enum unit unit)
{
	static const char *const names[] = {
		[COUNT] = "count",
		[PAGES] = "pages (shown as bytes)",
		[BYTES] = "bytes",
		[KIB] = "KiB",
		[US] = "microseconds",
		[MS] = "milliseconds",
		[CENTI] = "hundredths of a percent",
		[TICKS] = "hundredths of a second",
		[FLAG] = "yes or no",
		[CHOICE] = "one of the kernel's words",
	};

	return names[unit];
}

static const char *kind_name(enum kind kind)
{
	static const char *const names[] = { "level", "counter", "setting" };

	return names[kind];
}

static const char *signal_unit_name(enum signal_unit unit)
{
	static const char *const names[] = {
		[BYTES_S] = "bytes per second",
		[PER_S] = "per second",
		[SHARE_OF] = "share, 0 to 1",
		[BYTES_AT] = "bytes",
	};

	return names[unit];
}

/* "vmstat.pgfault", "cgroup.memory.stat.anon", "cgroup.memory.max", "zone.low" */
bool explain_field_name(enum scope scope, size_t field, char *buffer, size_t size)
{
	const struct catalogue *catalogue = catalogue_of(scope);
	const struct field *row = &catalogue->fields[field];
	const char *file = row->file;
	bool is_machine = scope == SCOPE_MACHINE;
	const char *key = row->key;
	int n;

	if (!file[0] && !key[0])
		file = row->key1; /* only in v1 */
	if (strncmp(file, "proc/sys/", 9) == 0)
		file += 9;
	n = snprintf(buffer, size, "%s%s%s%s%s", is_machine ? "" : catalogue->name,
		     is_machine ? "" : ".", file, file[0] && key[0] ? "." : "",
		     key[0] || file[0] ? key : row->key1);
	if (row->file[0] && !key[0] && row->key1[0] && strcmp(row->file, "memory.stat") == 0)
		n = snprintf(buffer, size, "%s.%s.%s", catalogue->name, row->file, row->key1);
	return n < (int)size;
}

static void explain_class(FILE *file, enum verdict_class class)
{
	const struct class_row *row = class_row(class);

	fprintf(file, "%s: verdict, severity %s\n  %s.\n  %s\n", row->name,
		severity_name(row->severity), row->title, row->meaning);
	fprintf(file, "  now:      %s\n  for good: %s\n  changes when %s\n", row->now,
		row->good, row->flips);
}

static void explain_signal(FILE *file, enum signal signal)
{
	const struct signal_row *row = signal_row(signal);

	fprintf(file, "%s: signal, %s\n  %s\n", row->name, signal_unit_name(row->unit),
		row->formula);
}

static void explain_field(FILE *file, enum scope scope, size_t id, const char *name)
{
	const struct field *row = &catalogue_of(scope)->fields[id];
	const char *since = field_since(row);

	fprintf(file, "%s: %s of a %s, %s\n  %s\n", name, kind_name(row->kind),
		catalogue_of(scope)->name, unit_name(row->unit), row->help);
	if (scope == SCOPE_CGROUP && row->key1[0])
		fprintf(file, "  in cgroup v1: %s\n", row->key1);
	fprintf(file, "  since Linux: %s\n", since ? since : "4.19 or before");
}

static void explain_capability(FILE *file, enum capability capability)
{
	const struct capability_row *row = capability_row(capability);

	fprintf(file, "%s: capability\n  %s. Without it, %s.\n  To have it: %s\n", row->name,
		row->missing, row->costs, row->gain);
}

/* Whole, or what stands behind a dot: "pgfault" and "memory.stat.pgfault". */
static bool is_named(const char *full, const char *name)
{
	size_t length = strlen(full);
	size_t tail = strlen(name);

	if (tail > length || strcmp(full + length - tail, name) != 0)
		return false;
	return tail == length || full[length - tail - 1] == '.';
}

static bool explain_fields(FILE *file, const char *name)
{
	bool found = false;

	for (enum scope scope = 0; scope < SCOPES; scope++)
		for (size_t i = 0; i < catalogue_of(scope)->count; i++) {
			char full[160];

			if (!explain_field_name(scope, i, full, sizeof(full)) ||
			    !is_named(full, name))
				continue;
			explain_field(file, scope, i, full);
			found = true;
		}
	return found;
}

bool explain_name(FILE *file, const char *name)
{
	bool found = false;

	for (enum verdict_class i = 0; i < CLASSES; i++)
		if (strcmp(name, class_row(i)->name) == 0) {
			explain_class(file, i);
			found = true;
		}
	for (enum signal i = 0; i < SIGNALS; i++)
		if (strcmp(name, signal_row(i)->name) == 0) {
			explain_signal(file, i);
			found = true;
		}
	for (enum capability i = 0; i < CAPABILITIES; i++)
		if (strcmp(name, capability_row(i)->name) == 0) {
			explain_capability(file, i);
			found = true;
		}
	found |= explain_rule(file, name);
	return (*name && explain_fields(file, name)) || found;
}

void explain_list(FILE *file)
{
	for (enum verdict_class i = 0; i < CLASSES; i++)
		fprintf(file, "%s\tverdict\n", class_row(i)->name);
	for (enum signal i = 0; i < SIGNALS; i++)
		fprintf(file, "%s\tsignal\n", signal_row(i)->name);
	for (enum capability i = 0; i < CAPABILITIES; i++)
		fprintf(file, "%s\tcapability\n", capability_row(i)->name);
	explain_rules_list(file);
	for (enum scope scope = 0; scope < SCOPES; scope++)
		for (size_t i = 0; i < catalogue_of(scope)->count; i++) {
			char full[160];

			if (explain_field_name(scope, i, full, sizeof(full)))
				fprintf(file, "%s\tfield\n", full);
		}
}

void explain_plain(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\[]<>", *text))
			fputc('\\', file);
		fputc(*text, file);
	}
}

static void put_entry(FILE *file, const char *name, const char *text)
{
	fputc('*', file);
	explain_plain(file, name);
	fputs("*\n\t", file);
	explain_plain(file, text);
	fputc('\n', file);
}

static void manual_verdicts(FILE *file)
{
	fputs("refault-verdicts(7)\n\n# NAME\n\nrefault-verdicts - what refault says, and when "
	      "it "
	      "says it\n\n# CLASSES\n\nCauses come before symptoms: the first of the most "
	      "severe "
	      "that holds is the headline. Names never change.\n\n",
	      file);
	for (enum verdict_class i = 0; i < CLASSES; i++) {
		const struct class_row *row = class_row(i);

		put_entry(file, row->name, row->title);
		fputs("\n\t", file);
		explain_plain(file, row->meaning);
		fprintf(file, " Severity: %s.\n\n\tNow: ", severity_name(row->severity));
		explain_plain(file, row->now);
		fputs(". For good: ", file);
		explain_plain(file, row->good);
		fputs(". It changes when ", file);
		explain_plain(file, row->flips);
		fputs(".\n\n", file);
	}
	fputs("# CAPABILITIES\n\nWhat may be missing, and what is lost without it.\n\n", file);
	for (enum capability i = 0; i < CAPABILITIES; i++) {
		const struct capability_row *row = capability_row(i);

		put_entry(file, row->name, row->missing);
		fprintf(file, "\n\tWithout it, %s. To have it: ", row->costs);
		explain_plain(file, row->gain);
		fputs(".\n\n", file);
	}
	fputs("# SEE ALSO\n\n*refault*(1), *refault-fields*(7)\n", file);
}

static void manual_fields(FILE *file)
{
	fputs("refault-fields(7)\n\n# NAME\n\nrefault-fields - the numbers that refault reads "
	      "and "
	      "derives\n\n# SIGNALS\n\n",
	      file);
	for (enum signal i = 0; i < SIGNALS; i++) {
		put_entry(file, signal_row(i)->name, signal_row(i)->formula);
		fprintf(file, "\n\tUnit: %s.\n\n", signal_unit_name(signal_row(i)->unit));
	}
	for (enum scope scope = 0; scope < SCOPES; scope++) {
		fprintf(file, "# FIELDS OF A %s\n\n", catalogue_of(scope)->name);
		for (size_t i = 0; i < catalogue_of(scope)->count; i++) {
			const struct field *row = &catalogue_of(scope)->fields[i];
			const char *since = field_since(row);
			char full[160];

			if (!explain_field_name(scope, i, full, sizeof(full)))
				continue;
			put_entry(file, full, row->help);
			fprintf(file, "\n\t%s, %s", kind_name(row->kind), unit_name(row->unit));
			fprintf(file, "%s%s.\n\n", since ? "; since Linux " : "",
				since ? since : "");
		}
	}
	fputs("# SEE ALSO\n\n*refault*(1), *refault-verdicts*(7)\n", file);
}

bool explain_manual(FILE *file, const char *topic)
{
	if (strcmp(topic, "verdicts") == 0)
		manual_verdicts(file);
	else if (strcmp(topic, "fields") == 0)
		manual_fields(file);
	else if (strcmp(topic, "rules") == 0)
		explain_rules_manual(file);
	else
		return false;
	return true;
}
