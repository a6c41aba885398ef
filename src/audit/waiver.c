#include "audit/waiver.h"

#include <errno.h>
#include <fnmatch.h>

#define WAIVERS_MAX 1024

static bool is_leap(uint64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static uint64_t days_of_month(uint64_t year, uint64_t month)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year) ? 1u : 0u);
}

static uint64_t days_before(uint64_t year, uint64_t month)
{
	uint64_t days = 0;

	for (uint64_t y = 1970; y < year; y++)
		days += is_leap(y) ? 366 : 365;
	for (uint64_t m = 1; m < month; m++)
		days += days_of_month(year, m);
	return days;
}

int day_parse(struct span text, uint64_t *days)
{
	struct span part[3];
	uint64_t year;
	uint64_t month;
	uint64_t day;

	if (span_len(text) != 10 || text.at[4] != '-' || text.at[7] != '-')
		return -EBADMSG;
	part[0] = span_of(text.at, 4);
	part[1] = span_of(text.at + 5, 2);
	part[2] = span_of(text.at + 8, 2);
	if (span_u64(part[0], &year) < 0 || span_u64(part[1], &month) < 0 ||
	    span_u64(part[2], &day) < 0)
		return -EBADMSG;
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > days_of_month(year, month))
		return -EBADMSG;
	*days = days_before(year, month) + day - 1;
	return 0;
}

struct parse {
	struct facts *facts;
	struct waivers *out;
};

static int note(const struct parse *parse, const struct config_row *row, const char *what)
{
	const struct config_note note = { row->file, row->line, EBADMSG, what };

	return config_note(&parse->facts->reader, &parse->out->notes, &note);
}

static bool take_key(struct waiver *waiver, const struct config_row *row, bool *bad_day)
{
	if (strcmp(row->key, "rule") == 0)
		waiver->rule = row->value;
	else if (strcmp(row->key, "scope") == 0)
		waiver->scope = row->value;
	else if (strcmp(row->key, "reason") == 0)
		waiver->reason = row->value;
	else if (strcmp(row->key, "owner") == 0)
		waiver->owner = row->value;
	else if (strcmp(row->key, "expires") == 0)
		*bad_day = day_parse(span_cstr(row->value), &waiver->expires) < 0;
	else
		return false;
	return true;
}

/* What is missing in it; NULL for nothing. */
static const char *fault_of(const struct waiver *waiver, bool bad_day)
{
	if (!waiver->rule || !*waiver->rule)
		return "has no rule=: this waiver holds for nothing";
	if (!waiver->reason || !*waiver->reason)
		return "has no reason=: this waiver holds for nothing";
	if (bad_day || waiver->expires == 0)
		return "has no expires=YYYY-MM-DD: this waiver holds for nothing";
	return NULL;
}

/* The rows of one section, from first to before end. */
static int take_section(const struct parse *parse, const struct config *rows, size_t first,
			size_t end)
{
	const struct config_row *head = &rows->row[first];
	struct waiver waiver = {
		.file = head->file, .line = head->line, .scope = "*", .owner = ""
	};
	bool bad_day = false;
	const char *fault;

	if (strncmp(head->section, "waiver", 6) != 0)
		return note(parse, head, "is in no section [waiver NAME]");
	for (size_t i = first; i < end; i++)
		if (!take_key(&waiver, &rows->row[i], &bad_day) &&
		    note(parse, &rows->row[i],
			 "is none of rule, scope, reason, owner and expires") < 0)
			return -ENOMEM;
	fault = fault_of(&waiver, bad_day);
	if (fault)
		return note(parse, head, fault);
	waiver.is_expired = waiver.expires < parse->facts->today;
	if (parse->out->count == WAIVERS_MAX)
		return note(parse, head, "is one waiver too many");
	parse->out->waiver[parse->out->count++] = waiver;
	return waiver.is_expired ? note(parse, head, "has expired: this waiver holds no more") :
				   0;
}

static int take_file(const struct parse *parse, const char *path)
{
	struct config rows = { 0 };
	struct span text;
	size_t first = 0;
	int r = config_text(&parse->facts->reader, path, &parse->out->notes, &text);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = conf_parse(&parse->facts->reader, path, text, &rows);
	for (size_t i = 1; i <= rows.rows && r == 0; i++) {
		if (i < rows.rows && strcmp(rows.row[i].section, rows.row[first].section) == 0)
			continue;
		r = take_section(parse, &rows, first, i);
		first = i;
	}
	for (size_t i = 0; i < rows.notes && r == 0; i++)
		r = config_note(&parse->facts->reader, &parse->out->notes, &rows.note[i]);
	return r;
}

int waivers_read(struct facts *facts, struct waivers *out)
{
	static const char *const folders[] = { "etc/refault/waivers.d", NULL };
	const struct parse parse = { facts, out };
	struct config_files files = { 0 };
	int r;

	*out = (struct waivers){ .waiver = arena_raw(facts->reader.arena,
						     WAIVERS_MAX * sizeof(*out->waiver)) };
	if (!out->waiver)
		return -ENOMEM;
	r = config_files(&facts->reader, folders, ".conf", &out->notes, &files);
	for (size_t i = 0; i < files.count && r == 0; i++)
		r = take_file(&parse, files.path[i]);
	return r;
}

static const struct waiver *waiver_of(const struct waivers *waivers,
				      const struct result *result)
{
	for (size_t i = 0; i < waivers->count; i++) {
		const struct waiver *waiver = &waivers->waiver[i];

		if (!waiver->is_expired &&
		    fnmatch(waiver->rule, result->rule->id, FNM_CASEFOLD) == 0 &&
		    fnmatch(waiver->scope, result->subject, 0) == 0)
			return waiver;
	}
	return NULL;
}

size_t waivers_apply(struct audit *audit, const struct waivers *waivers)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->results; i++) {
		struct result *result = &audit->result[i];
		const struct waiver *waiver =
			result_fires(result) ? waiver_of(waivers, result) : NULL;

		if (!waiver)
			continue;
		result->state = AUDIT_WAIVED;
		result->waived_for = waiver->reason;
		result->waiver =
			facts_format(audit->facts, "%s:%u", waiver->file, waiver->line);
		count++;
	}
	return count;
}
