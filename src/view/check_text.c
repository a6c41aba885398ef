#include "base/units.h"
#include "view/check_words.h"

struct sheet {
	FILE *file;
	const struct check_view *view;
	size_t width;
};

static const char *tint(const struct sheet *sheet, const struct result *result)
{
	if (!sheet->view->color)
		return "";
	if (!result_fires(result))
		return "\033[1m";
	return result->level >= LEVEL_HIGH ? "\033[1;31m" : "\033[1;33m";
}

/* Words up to the width, the lines after the first below each other. */
static void fill(const struct sheet *sheet, size_t indent, size_t used, const char *words)
{
	struct span rest = span_cstr(words);
	struct span word;
	size_t column = used;

	while (span_word(&rest, &word)) {
		char one[512];
		size_t width;

		span_copy(word, one, sizeof(one));
		width = text_width(one);
		if (column > indent && column + 1 + width > sheet->width) {
			fprintf(sheet->file, "\n%*s", (int)indent, "");
			column = indent;
		}
		fprintf(sheet->file, "%s%s", column > indent ? " " : "", one);
		column += width + (column > indent);
	}
	fputc('\n', sheet->file);
}

#define INDENT 12

static void labelled(const struct sheet *sheet, const char *label, const char *words)
{
	fprintf(sheet->file, "  %-*s", INDENT - 2, label);
	fill(sheet, INDENT, INDENT, words);
}

static void print_machine(const struct sheet *sheet)
{
	const struct snapshot *now = sheet->view->facts->snapshot;
	char line[512];
	struct text text = text_on(line, sizeof(line));

	if (now->host.name[0] && strcmp(now->host.name, "(none)") != 0)
		text_name(&text, span_cstr(now->host.name));
	else
		text_add(&text, "a machine without a name");
	if (now->host.release[0]) {
		text_add(&text, " · Linux ");
		text_name(&text, span_cstr(now->host.release));
	}
	if (facts_ram(sheet->view->facts)) {
		text_add(&text, " · ");
		text_bytes(&text, (double)facts_ram(sheet->view->facts));
		text_add(&text, " RAM");
	}
	if (now->devices->swap_state == OK)
		text_add(&text, now->devices->swaps ? " · swap" : " · no swap");
	if (!sheet->view->facts->is_foreign)
		text_add(&text, " · %s", cgroup_mode_name(now->mounts.mode));
	if (sheet->view->facts->in_container)
		text_add(&text, " · inside a container");
	fill(sheet, 0, 0, line);
}

static void add_bytes(struct text *text, uint64_t bytes)
{
	if (bytes == UINT64_MAX)
		text_add(text, "none");
	else
		text_bytes(text, (double)bytes);
}

/* "524 MiB in use, memory.high none, memory.max 600 MiB, swap 0 B" */
static void add_limits(struct text *text, const struct coverage_row *row)
{
	if (row->used != UINT64_MAX) {
		text_bytes(text, (double)row->used);
		text_add(text, " in use");
	} else {
		text_add(text, "use unknown");
	}
	if (row->limits != OK) {
		text_add(text, ", limits unknown (%s)", state_name(row->limits));
		return;
	}
	if (row->high != UINT64_MAX) {
		text_add(text, ", memory.high ");
		add_bytes(text, row->high);
	}
	if (row->max != UINT64_MAX) {
		text_add(text, ", memory.max ");
		add_bytes(text, row->max);
	}
	if (row->min > 0) {
		text_add(text, ", memory.min ");
		add_bytes(text, row->min);
	}
	text_add(text, row->swap == 0 ? ", no swap" : row->swap == UINT64_MAX ? "" : ", swap ");
	if (row->swap != 0 && row->swap != UINT64_MAX)
		add_bytes(text, row->swap);
}

static void print_actors(const struct sheet *sheet, const struct coverage_row *row)
{
	for (size_t i = 0; i < row->actors; i++) {
		const struct coverage_actor *actor = &row->actor[i];
		char line[1024];
		struct text text = text_on(line, sizeof(line));

		text_add(&text, "%s", actor->who);
		if (actor->at && *actor->at)
			text_add(&text, ": %s", actor->at);
		if (actor->after && *actor->after)
			text_add(&text, "; %s", actor->after);
		labelled(sheet, i == 0 ? "acts" : "", line);
	}
}

static void print_row(const struct sheet *sheet, const struct coverage_row *row)
{
	char line[1024];
	struct text text = text_on(line, sizeof(line));

	if (*row->unit)
		text_name(&text, span_cstr(row->unit));
	else
		text_add(&text, "the machine");
	text_add(&text, row->nobody ? ": nobody would act in time" : "");
	fill(sheet, 0, 0, line);
	text = text_on(line, sizeof(line));
	add_limits(&text, row);
	labelled(sheet, "has", line);
	if (row->shape && *row->shape) {
		text = text_on(line, sizeof(line));
		text_add(&text, "%s", row->shape);
		if (row->shape_why && *row->shape_why)
			text_add(&text, ": %s", row->shape_why);
		labelled(sheet, "stalls by", line);
	}
	print_actors(sheet, row);
}

static void print_coverage(const struct sheet *sheet)
{
	const struct coverage *coverage = sheet->view->coverage;

	if (coverage->rows == 0)
		return;
	fputs("\nWHO CAN STALL, AND WHO WOULD ACT\n\n", sheet->file);
	for (size_t i = 0; i < coverage->rows; i++)
		print_row(sheet, &coverage->row[i]);
	if (coverage->cut)
		fputs("and more, which are left out here\n", sheet->file);
}

static void print_evidence(const struct sheet *sheet, const struct result *result)
{
	for (size_t i = 0; i < result->cites; i++) {
		const struct audit_cite *cite = &result->cite[i];
		char line[1024];
		struct text text = text_on(line, sizeof(line));

		text_name(&text, span_cstr(cite->what));
		text_add(&text, " ");
		text_name(&text, span_cstr(cite->value));
		if (*cite->where) {
			text_add(&text, " (");
			check_where(&text, cite->where);
			text_add(&text, ")");
		}
		labelled(sheet, i == 0 ? "evidence" : "", line);
	}
}

static void print_fix(const struct sheet *sheet, const struct result *result)
{
	for (size_t i = 0; i < result->fixes; i++) {
		char line[1200];
		struct text text = text_on(line, sizeof(line));

		check_step(&text, &result->fix[i]);
		if (result->fix[i].computed) {
			text_add(&text, " (");
			text_name(&text, span_cstr(result->fix[i].computed));
			text_add(&text, ")");
		}
		labelled(sheet, i == 0 ? "set" : "", line);
	}
}

static void print_result(const struct sheet *sheet, const struct result *result)
{
	const char *off = sheet->view->color ? "\033[0m" : "";
	char line[1400];
	struct text text = text_on(line, sizeof(line));
	const char *word = result_fires(result) ? level_name(result->level) :
						  audit_state_name(result->state);

	fprintf(sheet->file, "%s%-9s%s ", tint(sheet, result), word, off);
	text_add(&text, "%s ", result->rule->id);
	if (*result->subject) {
		text_name(&text, span_cstr(result->subject));
		text_add(&text, ": ");
	}
	text_name(&text, span_cstr(result->said));
	fill(sheet, 10, 10, line);
	print_evidence(sheet, result);
	print_fix(sheet, result);
	if (result->state == AUDIT_UNKNOWN && *result->need)
		labelled(sheet, "needs", result->need);
	if (result->state == AUDIT_WAIVED)
		labelled(sheet, "waived", result->waived_for);
}

static bool is_shown(const struct sheet *sheet, const struct result *result)
{
	switch (result->state) {
	case AUDIT_FAIL:
	case AUDIT_WARN:
		return result->level >= sheet->view->least;
	case AUDIT_UNKNOWN:
	case AUDIT_NOTE:
	case AUDIT_WAIVED:
		return true;
	case AUDIT_PASS:
	case AUDIT_SKIP:
	case AUDIT_STATES:
		return sheet->view->all;
	}
	return false;
}

static void print_results(const struct sheet *sheet)
{
	const struct audit *audit = sheet->view->audit;
	bool any = false;

	for (size_t i = 0; i < audit->results; i++) {
		if (!is_shown(sheet, &audit->result[i]))
			continue;
		if (!any)
			fputs("\nFINDINGS\n\n", sheet->file);
		any = true;
		print_result(sheet, &audit->result[i]);
	}
	if (audit->cut)
		fputs("and more of the same, which are left out here\n", sheet->file);
}

static void print_counts(const struct sheet *sheet)
{
	struct audit_counts counts;
	const struct result *worst;
	size_t hidden = check_findings(sheet->view, LEVEL_INFO, &worst) -
			check_findings(sheet->view, sheet->view->least, &worst);
	bool fires;

	audit_count(sheet->view->audit, &counts);
	fires = counts.of[AUDIT_FAIL] + counts.of[AUDIT_WARN] > 0;
	fprintf(sheet->file,
		"\n%zu rules: %zu findings, %zu unknown, %zu passed, %zu do not apply, %zu "
		"waived",
		counts.rules_run, counts.of[AUDIT_FAIL] + counts.of[AUDIT_WARN],
		counts.of[AUDIT_UNKNOWN], counts.of[AUDIT_PASS], counts.of[AUDIT_SKIP],
		counts.of[AUDIT_WAIVED]);
	if (hidden)
		fprintf(sheet->file, "; %zu below %s are not shown", hidden,
			level_name(sheet->view->least));
	fputs("\n", sheet->file);
	if (fires)
		fputs("refault explain RULE says why\n"
		      "refault check --fix --dry-run shows what would be written\n",
		      sheet->file);
}

static void print_waiver_faults(const struct sheet *sheet)
{
	const struct waivers *waivers = sheet->view->waivers;

	for (size_t i = 0; waivers && i < waivers->notes.notes; i++) {
		const struct config_note *note = &waivers->notes.note[i];
		char line[600];
		struct text text = text_on(line, sizeof(line));

		check_where(&text, note->file);
		text_add(&text, note->line ? ":%u: " : ": ", note->line);
		text_name(&text, span_cstr(note->what));
		fprintf(sheet->file, "waivers   %s\n", line);
	}
}

void check_text(FILE *file, const struct check_view *view)
{
	const struct sheet sheet = { file, view,
				     view->width ? MIN(view->width, (size_t)120) : 80 };

	print_machine(&sheet);
	print_coverage(&sheet);
	print_results(&sheet);
	print_waiver_faults(&sheet);
	print_counts(&sheet);
}
