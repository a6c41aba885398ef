#include "audit/rules.h"
#include "base/json.h"
#include "view/check_words.h"

/* SARIF 2.1.0, OASIS standard of 2020-03-27. */
#define SARIF_SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

static const char *sarif_level(const struct result *result)
{
	if (!result_fires(result) && result->state != AUDIT_WAIVED)
		return "none";
	if (result->level >= LEVEL_HIGH)
		return "error";
	return result->level >= LEVEL_MED ? "warning" : "note";
}

static const char *sarif_kind(const struct result *result)
{
	static const char *const kinds[AUDIT_STATES] = {
		[AUDIT_PASS] = "pass",		[AUDIT_NOTE] = "informational",
		[AUDIT_WARN] = "fail",		[AUDIT_FAIL] = "fail",
		[AUDIT_SKIP] = "notApplicable", [AUDIT_UNKNOWN] = "open",
		[AUDIT_WAIVED] = "fail",
	};

	return kinds[result->state];
}

static void put_message(struct json *json, const char *name, const char *text)
{
	json_open(json, name, '{');
	json_text(json, "text", text);
	json_close(json, '}');
}

static void put_rules(struct json *json)
{
	const struct rule *rule;

	json_open(json, "rules", '[');
	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++) {
		json_open(json, NULL, '{');
		json_text(json, "id", rule->id);
		put_message(json, "shortDescription", rule->title);
		put_message(json, "fullDescription", rule->why);
		put_message(json, "help", rule->fix);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static size_t index_of(const struct rule *rule)
{
	size_t i = 0;

	while (rule_at(i) && rule_at(i) != rule)
		i++;
	return i;
}

/* The first file that the result leans on, with its line where it has one. */
static void put_location(struct json *json, const struct result *result)
{
	const char *where = result->cites ? result->cite[0].where : "";
	struct span file = span_cstr(where);
	struct span line;
	uint64_t number = 0;

	if (!*where || strchr(where, ' '))
		return;
	if (!span_rsplit(file, ':', &file, &line) || span_u64(line, &number) < 0)
		file = span_cstr(where);
	json_open(json, "locations", '[');
	json_open(json, NULL, '{');
	json_open(json, "physicalLocation", '{');
	json_open(json, "artifactLocation", '{');
	json_span(json, "uri", file);
	json_close(json, '}');
	if (number > 0) {
		json_open(json, "region", '{');
		json_u64(json, "startLine", number);
		json_close(json, '}');
	}
	json_close(json, '}');
	json_close(json, '}');
	json_close(json, ']');
}

static void put_waiver(struct json *json, const struct result *result)
{
	if (result->state != AUDIT_WAIVED)
		return;
	json_open(json, "suppressions", '[');
	json_open(json, NULL, '{');
	json_text(json, "kind", "external");
	json_text(json, "justification", result->waived_for ? result->waived_for : "");
	json_close(json, '}');
	json_close(json, ']');
}

static void put_result(struct json *json, const struct result *result)
{
	char fingerprint[17];
	char said[1400];
	struct text text = text_on(said, sizeof(said));

	check_subject(&text, result);
	text_add(&text, ": ");
	text_name(&text, span_cstr(result->said));
	snprintf(fingerprint, sizeof(fingerprint), "%016llx",
		 (unsigned long long)result->fingerprint);
	json_open(json, NULL, '{');
	json_text(json, "ruleId", result->rule->id);
	json_u64(json, "ruleIndex", index_of(result->rule));
	json_text(json, "kind", sarif_kind(result));
	json_text(json, "level", sarif_level(result));
	put_message(json, "message", said);
	json_open(json, "partialFingerprints", '{');
	json_text(json, "refault/1", fingerprint);
	json_close(json, '}');
	put_location(json, result);
	put_waiver(json, result);
	json_close(json, '}');
}

void check_sarif(FILE *file, const struct check_view *view)
{
	struct json json = json_on(file, true);

	json_open(&json, NULL, '{');
	json_text(&json, "$schema", SARIF_SCHEMA);
	json_text(&json, "version", "2.1.0");
	json_open(&json, "runs", '[');
	json_open(&json, NULL, '{');
	json_open(&json, "tool", '{');
	json_open(&json, "driver", '{');
	json_text(&json, "name", "refault");
	json_text(&json, "version", REFAULT_VERSION);
	put_rules(&json);
	json_close(&json, '}');
	json_close(&json, '}');
	json_open(&json, "results", '[');
	for (size_t i = 0; i < view->audit->results; i++)
		put_result(&json, &view->audit->result[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	json_close(&json, ']');
	json_close(&json, '}');
	fputc('\n', file);
}
