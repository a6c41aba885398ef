#include "view/check.h"

#include "audit/rules.h"
#include "view/check_words.h"

void check_where(struct text *text, const char *where)
{
	static const char *const roots[] = { "etc/", "proc/", "sys/", "usr/",
					     "run/", "var/",  "boot/" };

	for (size_t i = 0; i < ARRAY_LEN(roots); i++)
		if (strncmp(where, roots[i], strlen(roots[i])) == 0)
			text_add(text, "/");
	text_name(text, span_cstr(where));
}

static void add_name(struct text *text, const char *name)
{
	text_name(text, span_cstr(name ? name : ""));
}

static void add_setting(struct text *text, const char *key, const char *value)
{
	add_name(text, key);
	text_add(text, "=");
	add_name(text, value);
}

void check_step(struct text *text, const struct fix_step *step)
{
	switch (step->kind) {
	case FIX_SYSCTL:
		text_add(text, "sysctl.d: ");
		for (const char *c = step->key; *c; c++)
			text_add(text, "%c", *c == '/' ? '.' : *c);
		text_add(text, " = ");
		add_name(text, step->value);
		return;
	case FIX_TMPFILES:
		text_add(text, "tmpfiles.d: w /");
		add_name(text, step->key);
		text_add(text, " - - - - ");
		add_name(text, step->value);
		return;
	case FIX_UNIT:
	case FIX_CONF:
		add_name(text, step->name);
		text_add(text, ": [");
		add_name(text, step->section);
		text_add(text, "] ");
		add_setting(text, step->key, step->value);
		return;
	case FIX_KUBELET:
		text_add(text, "kubelet: ");
		add_name(text, step->key);
		text_add(text, ": ");
		add_name(text, step->value);
		return;
	case FIX_SWAPFILE:
		text_add(text, "swap file /");
		add_name(text, step->name);
		return;
	case FIX_ENABLE:
		text_add(text, "systemctl enable --now ");
		add_name(text, step->name);
		return;
	case FIX_PRINT:
	case FIX_NONE:
		add_name(text, step->value);
		return;
	}
}

void check_subject(struct text *text, const struct result *result)
{
	if (*result->subject)
		text_name(text, span_cstr(result->subject));
	else
		text_add(text, "the machine");
}

size_t check_findings(const struct check_view *view, enum level least,
		      const struct result **worst)
{
	size_t count = 0;

	*worst = NULL;
	for (size_t i = 0; i < view->audit->results; i++) {
		const struct result *result = &view->audit->result[i];

		if (!result_fires(result) || result->level < least)
			continue;
		if (!*worst || result->level > (*worst)->level)
			*worst = result;
		count++;
	}
	return count;
}

const char *check_rules_date(void)
{
	const char *date = "";
	const struct rule *rule;

	for (size_t i = 0; (rule = rule_at(i)) != NULL; i++)
		if (strcmp(rule->checked, date) > 0)
			date = rule->checked;
	return date;
}

/* 0 fine, 1 warning, 2 critical, 3 unknown: the contract of monitoring plugins. */
static int nagios_status(const struct check_view *view, bool unknown)
{
	const struct result *worst;

	if (check_findings(view, view->fail_on, &worst) > 0)
		return worst->level >= LEVEL_HIGH ? 2 : 1;
	return unknown ? 3 : 0;
}

/* 0 fine, 1 not, 2 unknown: custom plugins of node-problem-detector. */
static int npd_status(const struct check_view *view, bool unknown)
{
	const struct result *worst;

	if (check_findings(view, view->fail_on, &worst) > 0)
		return 1;
	return unknown ? 2 : 0;
}

const struct check_format CHECK_FORMAT[CHECK_FORMATS] = {
	{ "text", check_text, NULL },	  { "json", check_json, NULL },
	{ "sarif", check_sarif, NULL },	  { "junit", check_junit, NULL },
	{ "prom", check_prom, NULL },	  { "nagios", check_nagios, nagios_status },
	{ "npd", check_npd, npd_status },
};
