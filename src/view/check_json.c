#include "audit/rules.h"
#include "base/json.h"
#include "view/check_words.h"

static const char GRADES[] = "ABC";

static void bytes_or_null(struct json *json, const char *name, uint64_t value)
{
	if (value == UINT64_MAX)
		json_null(json, name);
	else
		json_u64(json, name, value);
}

static void text_or_null(struct json *json, const char *name, const char *text)
{
	if (text)
		json_text(json, name, text);
	else
		json_null(json, name);
}

static void put_actors(struct json *json, const struct coverage_row *row)
{
	json_open(json, "actors", '[');
	for (size_t i = 0; i < row->actors; i++) {
		json_open(json, NULL, '{');
		json_text(json, "who", row->actor[i].who);
		text_or_null(json, "at", row->actor[i].at);
		text_or_null(json, "after", row->actor[i].after);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_units(struct json *json, const struct coverage *coverage)
{
	json_open(json, "units", '[');
	for (size_t i = 0; i < coverage->rows; i++) {
		const struct coverage_row *row = &coverage->row[i];

		json_open(json, NULL, '{');
		json_text(json, "unit", row->unit);
		bytes_or_null(json, "used_bytes", row->used);
		json_text(json, "limits", state_name(row->limits));
		bytes_or_null(json, "high_bytes", row->high);
		bytes_or_null(json, "max_bytes", row->max);
		bytes_or_null(json, "min_bytes", row->min);
		bytes_or_null(json, "swap_bytes", row->swap);
		text_or_null(json, "stalls_by", row->shape);
		text_or_null(json, "because", row->shape_why);
		json_bool(json, "nobody_acts", row->nobody);
		put_actors(json, row);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_cites(struct json *json, const struct result *result)
{
	json_open(json, "evidence", '[');
	for (size_t i = 0; i < result->cites; i++) {
		json_open(json, NULL, '{');
		json_text(json, "what", result->cite[i].what);
		json_text(json, "value", result->cite[i].value);
		json_text(json, "where", result->cite[i].where);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static const char *const KINDS[] = {
	[FIX_NONE] = "none",	     [FIX_SYSCTL] = "sysctl", [FIX_TMPFILES] = "tmpfiles",
	[FIX_UNIT] = "unit",	     [FIX_CONF] = "conf",     [FIX_KUBELET] = "kubelet",
	[FIX_SWAPFILE] = "swapfile", [FIX_ENABLE] = "enable", [FIX_PRINT] = "print",
};

static void put_fixes(struct json *json, const struct result *result)
{
	json_open(json, "fix", '[');
	for (size_t i = 0; i < result->fixes; i++) {
		const struct fix_step *step = &result->fix[i];

		json_open(json, NULL, '{');
		json_text(json, "kind", KINDS[step->kind]);
		text_or_null(json, "name", step->name);
		text_or_null(json, "section", step->section);
		text_or_null(json, "key", step->key);
		text_or_null(json, "value", step->value);
		text_or_null(json, "previous", step->previous);
		text_or_null(json, "computed", step->computed);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_result(struct json *json, const struct result *result)
{
	char fingerprint[17];

	snprintf(fingerprint, sizeof(fingerprint), "%016llx",
		 (unsigned long long)result->fingerprint);
	json_open(json, NULL, '{');
	json_text(json, "rule", result->rule->id);
	json_text(json, "title", result->rule->title);
	json_text(json, "state", audit_state_name(result->state));
	json_text(json, "level", level_name(result->level));
	json_span(json, "grade", span_of(&GRADES[result->rule->grade], 1));
	json_text(json, "subject", result->subject);
	json_text(json, "said", result->said);
	text_or_null(json, "needs", *result->need ? result->need : NULL);
	json_text(json, "fingerprint", fingerprint);
	text_or_null(json, "waiver", result->waiver);
	text_or_null(json, "waived_for", result->waived_for);
	put_cites(json, result);
	put_fixes(json, result);
	json_close(json, '}');
}

static void put_host(struct json *json, const struct check_view *view)
{
	const struct host *host = &view->facts->snapshot->host;

	json_open(json, "host", '{');
	json_text(json, "name", host->name);
	json_text(json, "kernel", host->release);
	bytes_or_null(json, "ram_bytes",
		      facts_ram(view->facts) ? facts_ram(view->facts) : UINT64_MAX);
	json_text(json, "cgroups", cgroup_mode_name(view->facts->snapshot->mounts.mode));
	json_bool(json, "container", view->facts->in_container);
	json_bool(json, "image", view->facts->is_foreign);
	json_close(json, '}');
}

/* What the audit has seen: without it, "no finding" says nothing. */
static void put_coverage(struct json *json, const struct check_view *view)
{
	struct audit_counts counts;

	audit_count(view->audit, &counts);
	json_open(json, "coverage", '{');
	json_u64(json, "rules", rule_count());
	json_u64(json, "rules_run", counts.rules_run);
	for (int state = 0; state < AUDIT_STATES; state++)
		json_u64(json, audit_state_name((enum audit_state)state), counts.of[state]);
	json_bool(json, "cut", view->audit->cut || view->coverage->cut);
	json_close(json, '}');
}

static void put_waiver_faults(struct json *json, const struct waivers *waivers)
{
	json_open(json, "waiver_faults", '[');
	for (size_t i = 0; waivers && i < waivers->notes.notes; i++) {
		json_open(json, NULL, '{');
		json_text(json, "file", waivers->notes.note[i].file);
		json_u64(json, "line", waivers->notes.note[i].line);
		json_text(json, "what", waivers->notes.note[i].what);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void check_json(FILE *file, const struct check_view *view)
{
	struct json json = json_on(file, true);

	json_open(&json, NULL, '{');
	json_text(&json, "schema", CHECK_SCHEMA);
	json_text(&json, "version", REFAULT_VERSION);
	json_text(&json, "rules_date", check_rules_date());
	put_host(&json, view);
	put_coverage(&json, view);
	put_units(&json, view->coverage);
	json_open(&json, "results", '[');
	for (size_t i = 0; i < view->audit->results; i++)
		put_result(&json, &view->audit->result[i]);
	json_close(&json, ']');
	put_waiver_faults(&json, view->waivers);
	json_close(&json, '}');
	fputc('\n', file);
}
