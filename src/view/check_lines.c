#include "audit/rules.h"
#include "view/check_words.h"

/* Foreign bytes are shown before; what is left that XML or a label takes for its own is masked.
 */
static void put_masked(FILE *file, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			fputc(*text, file);
		}
	}
}

static void put_case(FILE *file, const struct result *result)
{
	char name[700];
	char said[1400];
	struct text text = text_on(name, sizeof(name));

	check_subject(&text, result);
	text = text_on(said, sizeof(said));
	text_name(&text, span_cstr(result->said));
	fprintf(file, "    <testcase classname=\"%s\" name=\"", result->rule->id);
	put_masked(file, name);
	fputs("\">", file);
	if (result_fires(result)) {
		fprintf(file, "<failure type=\"%s\" message=\"", level_name(result->level));
		put_masked(file, said);
		fputs("\"/>", file);
	} else if (result->state == AUDIT_UNKNOWN) {
		fputs("<error message=\"", file);
		put_masked(file, said);
		fputs("\"/>", file);
	} else if (result->state == AUDIT_SKIP || result->state == AUDIT_WAIVED) {
		fputs("<skipped message=\"", file);
		put_masked(file, said);
		fputs("\"/>", file);
	}
	fputs("</testcase>\n", file);
}

void check_junit(FILE *file, const struct check_view *view)
{
	struct audit_counts counts;

	audit_count(view->audit, &counts);
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"  <testsuite name=\"refault check\" tests=\"%zu\" failures=\"%zu\" "
		"errors=\"%zu\" "
		"skipped=\"%zu\">\n",
		view->audit->results, counts.of[AUDIT_FAIL] + counts.of[AUDIT_WARN],
		counts.of[AUDIT_UNKNOWN], counts.of[AUDIT_SKIP] + counts.of[AUDIT_WAIVED]);
	for (size_t i = 0; i < view->audit->results; i++)
		put_case(file, &view->audit->result[i]);
	fputs("  </testsuite>\n</testsuites>\n", file);
}

/* The worst state that a rule's results have, as people would sort them. */
static enum audit_state state_of(const struct check_view *view, const struct rule *rule,
				 enum level *level)
{
	enum audit_state state = AUDIT_STATES;

	*level = rule->level;
	for (size_t i = 0; i < view->audit->results; i++) {
		const struct result *result = &view->audit->result[i];

		if (result->rule != rule)
			continue;
		if (state == AUDIT_STATES) {
			state = result->state; /* they are sorted: the first is the worst */
			*level = result->level;
		}
	}
	return state;
}

void check_prom(FILE *file, const struct check_view *view)
{
	const struct rule *rule;

	fputs("# HELP refault_rule_status State of a rule of refault check, 1 for the one it "
	      "is in.\n"
	      "# TYPE refault_rule_status gauge\n",
	      file);
	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++) {
		enum level level;
		enum audit_state state = state_of(view, rule, &level);

		if (state != AUDIT_STATES)
			fprintf(file,
				"refault_rule_status{rule=\"%s\",severity=\"%s\",state=\"%s\"} "
				"1\n",
				rule->id, level_name(level), audit_state_name(state));
	}
	fputs("# HELP refault_findings Findings of refault check by severity.\n"
	      "# TYPE refault_findings gauge\n",
	      file);
	for (int level = LEVEL_INFO; level <= LEVEL_CRIT; level++) {
		size_t count = 0;

		for (size_t i = 0; i < view->audit->results; i++)
			count += result_fires(&view->audit->result[i]) &&
				 view->audit->result[i].level == (enum level)level;
		fprintf(file, "refault_findings{severity=\"%s\"} %zu\n",
			level_name((enum level)level), count);
	}
	fprintf(file,
		"# HELP refault_rules_info Version of the rules.\n# TYPE refault_rules_info "
		"gauge\n"
		"refault_rules_info{version=\"%s\",date=\"%s\"} 1\n",
		REFAULT_VERSION, check_rules_date());
}

static void add_worst(struct text *text, const struct result *worst)
{
	text_add(text, "%s ", worst->rule->id);
	check_subject(text, worst);
	text_add(text, ": %s", worst->rule->title);
}

void check_nagios(FILE *file, const struct check_view *view)
{
	static const char *const words[] = { "OK", "WARNING", "CRITICAL" };
	struct audit_counts counts;
	const struct result *worst;
	size_t findings = check_findings(view, view->fail_on, &worst);
	size_t word = !worst ? 0 : worst->level >= LEVEL_HIGH ? 2 : 1;
	char line[900];
	struct text text = text_on(line, sizeof(line));

	audit_count(view->audit, &counts);
	if (worst)
		add_worst(&text, worst);
	else
		text_add(&text, "nothing at or above %s", level_name(view->fail_on));
	for (char *c = line; *c; c++)
		if (*c == '|')
			*c = '/'; /* what is behind it is read as numbers */
	fprintf(file, "MEMORY %s - %zu findings, %s | findings=%zu unknown=%zu passed=%zu\n",
		!worst && counts.of[AUDIT_UNKNOWN] ? "UNKNOWN" : words[word], findings, line,
		findings, counts.of[AUDIT_UNKNOWN], counts.of[AUDIT_PASS]);
}

#define NPD_MESSAGE 80

void check_npd(FILE *file, const struct check_view *view)
{
	const struct result *worst;
	size_t findings = check_findings(view, view->fail_on, &worst);
	char line[NPD_MESSAGE + 1];
	struct text text = text_on(line, sizeof(line));

	if (worst)
		text_add(&text, "%zu findings, %s: %s", findings, worst->rule->id,
			 worst->rule->title);
	else
		text_add(&text, "no finding at or above %s", level_name(view->fail_on));
	fprintf(file, "%s\n", line);
}
