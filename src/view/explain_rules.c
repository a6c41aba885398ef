#include "view/explain_rules.h"

#include "audit/rules.h"

static const char *grade_words(enum grade grade)
{
	static const char *const words[] = {
		"a document or the source, read for this rule",
		"a measurement",
		"convention, or one vendor's opinion",
	};

	return words[grade];
}

bool explain_rule(FILE *file, const char *id)
{
	const struct rule *rule = rule_named(id);

	if (!rule)
		return false;
	fprintf(file, "%s: rule, severity %s\n  %s.\n  %s\n", rule->id, level_name(rule->level),
		rule->title, rule->why);
	if (rule->unless)
		fprintf(file, "  unless:   %s\n", rule->unless);
	fprintf(file, "  fix:      %s\n  revert:   %s\n", rule->fix, rule->revert);
	fprintf(file, "  reads:    %s\n  concerns: %s\n", rule->reads, rule->scope);
	fprintf(file, "  evidence: %s\n  sources:  %s (read %s)\n", grade_words(rule->grade),
		rule->source, rule->checked);
	return true;
}

void explain_rules_list(FILE *file)
{
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		fprintf(file, "%s\trule\n", rule->id);
}

static void put_part(FILE *file, const char *label, const char *text)
{
	fprintf(file, "\n\t%s: ", label);
	explain_plain(file, text);
	fputc('\n', file);
}

static void put_rule(FILE *file, const struct rule *rule)
{
	fprintf(file, "*%s*\n\t", rule->id);
	explain_plain(file, rule->title);
	fprintf(file, ". Severity: %s. Evidence: %s.\n\n\t", level_name(rule->level),
		grade_words(rule->grade));
	explain_plain(file, rule->why);
	fputc('\n', file);
	if (rule->unless)
		put_part(file, "Not", rule->unless);
	put_part(file, "Fix", rule->fix);
	put_part(file, "Revert", rule->revert);
	put_part(file, "Reads", rule->reads);
	put_part(file, "Sources", rule->source);
	fprintf(file, "\n\tRead: %s.\n\n", rule->checked);
}

void explain_rules_manual(FILE *file)
{
	const struct rule *rule;

	fputs("refault-rules(7)\n\n# NAME\n\nrefault-rules - what refault check looks for, "
	      "why, and "
	      "from which source\n\n# RULES\n\nNames never change. Severities: critical (known "
	      "shape "
	      "of a hang), high (likely outage or stall), medium (measurable latency or a "
	      "missing safety "
	      "net), low (hygiene), info. What rests on convention alone is never above "
	      "low.\n\n",
	      file);
	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		put_rule(file, rule);
	fputs("# SEE ALSO\n\n*refault-check*(1), *refault*(1)\n", file);
}
