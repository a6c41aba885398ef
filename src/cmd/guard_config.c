#include "base/json.h"
#include "base/units.h"
#include "cmd/guard_front.h"
#include "policy/config_file.h"

static const char *root_of(const struct guard_arguments *arguments)
{
	return arguments->config ? arguments->config : "/";
}

bool guard_config_load(const struct guard_arguments *arguments, struct guard_config *out,
		       struct text *complaint)
{
	static struct config_report report;
	int r = config_read(root_of(arguments), out, &report);

	if (r == 0)
		return true;
	text_add(complaint, "%s", report.errors > 0 ? report.error[0].text : strerror(-r));
	return false;
}

int guard_check_config(const struct guard_arguments *arguments)
{
	static struct config_report report;
	static struct guard_config config;
	int r = config_read(root_of(arguments), &config, &report);

	for (size_t i = 0; i < report.errors; i++)
		fprintf(stderr, "%s\n", report.error[i].text);
	if (report.errors == CONFIG_ERRORS)
		fputs("There may be more.\n", stderr);
	for (size_t i = 0; i < report.warnings; i++)
		fprintf(stderr, "warning: %s\n", report.warning[i].text);
	if (r < 0)
		return report.errors > 0 ? EXIT_FINDINGS : out_of_memory();
	printf("fine: %zu of %zu options set, in %zu files\n", report.set, OPTIONS,
	       report.files);
	return EXIT_FINE;
}

static const char *origin_of(const char *origin)
{
	return origin[0] ? origin : "default";
}

/* As it stands in a file. */
struct value_text {
	char text[64];
};

static struct value_text value_of(const struct guard_config *config,
				  const struct option_row *row)
{
	struct guard_options options = config->options;
	struct value_text shown;
	struct text text = text_on(shown.text, sizeof(shown.text));

	config_value(row, *option_at(&options, row), &text);
	return shown;
}

static struct value_text size_of(uint64_t bytes)
{
	struct value_text shown;
	struct text text = text_on(shown.text, sizeof(shown.text));

	text_size(&text, bytes);
	return shown;
}

static void print_options(const struct guard_config *config, const struct config_report *report)
{
	const char *section = "";

	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i];

		if (strcmp(section, row->section) != 0)
			printf("%s[%s]\n", *section ? "\n" : "", row->section);
		section = row->section;
		printf("%-16s = %-10s # %s\n", row->key, value_of(config, row).text,
		       origin_of(report->origin[i]));
	}
}

static void print_text(const char *key, const char *value)
{
	char shown[POLICY_ARGV * 4];
	struct text text = text_on(shown, sizeof(shown));

	if (!*value)
		return;
	text_name(&text, span_cstr(value));
	printf("%-16s = %s\n", key, shown);
}

static void print_kinds(uint32_t kinds)
{
	printf("%-16s =", "kinds");
	for (uint32_t i = 0; i < POLICY_KINDS; i++)
		if (kinds & 1u << i)
			printf(" %s", POLICY_KIND_WORDS[i]);
	putchar('\n');
}

/* Words as hook = takes them: those with blanks in quotes. */
static void print_hook(const char *argv)
{
	if (!*argv)
		return;
	printf("%-16s =", "hook");
	for (; *argv; argv += strlen(argv) + 1) {
		char shown[POLICY_ARGV * 4];
		struct text text = text_on(shown, sizeof(shown));

		text_name(&text, span_cstr(argv));
		printf(strpbrk(argv, " \t") ? " \"%s\"" : " %s", shown);
	}
	putchar('\n');
}

static void print_policy(const struct policy_row *row)
{
	printf("[policy %s]\n", row->name);
	print_text("unit", row->unit);
	print_text("cgroup", row->cgroup);
	print_text("comm", row->comm);
	print_text("exe", row->exe);
	if (row->has_uid)
		printf("%-16s = %u\n", "uid", row->uid);
	print_kinds(row->kinds);
	printf("%-16s = %d\n", "priority", row->priority);
	if (row->min_bytes > 0)
		print_text("min", size_of(row->min_bytes).text);
	if (row->max_bytes > 0)
		print_text("max", size_of(row->max_bytes).text);
	print_hook(row->argv);
}

static void print_policies(const struct guard_config *config,
			   const struct config_report *report)
{
	for (uint32_t i = 0; i < config->rows; i++) {
		printf("\n# %s\n", origin_of(report->policy_origin[i]));
		print_policy(&config->row[i]);
	}
}

static void json_options(struct json *json, const struct guard_config *config,
			 const struct config_report *report)
{
	json_open(json, "options", '[');
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i];

		json_open(json, NULL, '{');
		json_text(json, "section", row->section);
		json_text(json, "key", row->key);
		json_text(json, "value", value_of(config, row).text);
		json_text(json, "origin", origin_of(report->origin[i]));
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Matchers and values that are not given are left out, as in a file. */
static void json_given(struct json *json, const char *key, const char *value)
{
	if (*value)
		json_text(json, key, value);
}

static void json_matchers(struct json *json, const struct policy_row *row)
{
	json_given(json, "unit", row->unit);
	json_given(json, "cgroup", row->cgroup);
	json_given(json, "comm", row->comm);
	json_given(json, "exe", row->exe);
	if (row->has_uid)
		json_u64(json, "uid", row->uid);
}

static void json_kinds(struct json *json, uint32_t kinds)
{
	json_open(json, "kinds", '[');
	for (uint32_t kind = 0; kind < POLICY_KINDS; kind++)
		if (kinds & 1u << kind)
			json_text(json, NULL, POLICY_KIND_WORDS[kind]);
	json_close(json, ']');
}

static void json_hook(struct json *json, const char *argv)
{
	if (!*argv)
		return;
	json_open(json, "hook", '[');
	for (; *argv; argv += strlen(argv) + 1)
		json_text(json, NULL, argv);
	json_close(json, ']');
}

static void json_policies(struct json *json, const struct guard_config *config,
			  const struct config_report *report)
{
	json_open(json, "policies", '[');
	for (uint32_t i = 0; i < config->rows; i++) {
		const struct policy_row *row = &config->row[i];

		json_open(json, NULL, '{');
		json_text(json, "name", row->name);
		json_matchers(json, row);
		json_kinds(json, row->kinds);
		json_double(json, "priority", row->priority);
		if (row->min_bytes > 0)
			json_u64(json, "min", row->min_bytes);
		if (row->max_bytes > 0)
			json_u64(json, "max", row->max_bytes);
		json_hook(json, row->argv);
		json_text(json, "origin", origin_of(report->policy_origin[i]));
		json_close(json, '}');
	}
	json_close(json, ']');
}

int guard_print_config(const struct guard_arguments *arguments)
{
	static struct config_report report;
	static struct guard_config config;
	struct json json = json_on(stdout, true);

	if (config_read(root_of(arguments), &config, &report) < 0)
		return guard_check_config(arguments);
	if (!arguments->json) {
		print_options(&config, &report);
		print_policies(&config, &report);
		return EXIT_FINE;
	}
	json_open(&json, NULL, '{');
	json_options(&json, &config, &report);
	json_policies(&json, &config, &report);
	json_close(&json, '}');
	putchar('\n');
	return EXIT_FINE;
}
