#include <errno.h>
#include <fcntl.h>
#include <jansson.h>

#include "base/text.h"
#include "cmd/check.h"

/* Two audits of a machine, or of two machines: what is new, gone and still there. */
struct diff_options {
	const char *path[2];
	size_t paths;
	bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct diff_options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->paths == ARRAY_LEN(options->path))
			argp_error(state, "'%.64s': only two files can be compared", argument);
		options->path[options->paths++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (options->paths < ARRAY_LEN(options->path))
			argp_error(state, "two files of refault check --json are needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option OPTIONS[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 1 },
	{ 0 },
};

static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "A.json B.json",
	.doc = "Say which findings are new in B, gone from A, or in both.",
};

#define DIFF_BYTES ((size_t)64 << 20)

/* The results of a file; NULL after one sentence. */
static json_t *load(const char *path)
{
	json_error_t error;
	json_t *root;
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);

	if (fd < 0) {
		cmd_error("%s: %s", path, strerror(errno));
		return NULL;
	}
	if (size > (off_t)DIFF_BYTES || lseek(fd, 0, SEEK_SET) < 0) {
		cmd_error("%s: is no file of at most 64 MiB", path);
		return NULL;
	}
	root = json_loadfd(fd, 0, &error);
	if (!root) {
		cmd_error("%s:%d: is no JSON: %s", path, error.line, error.text);
		return NULL;
	}
	if (!json_is_string(json_object_get(root, "schema")) ||
	    strcmp(json_string_value(json_object_get(root, "schema")), CHECK_SCHEMA) != 0 ||
	    !json_is_array(json_object_get(root, "results"))) {
		cmd_error("%s: is not what refault check --json prints (schema %s)", path,
			  CHECK_SCHEMA);
		json_decref(root);
		return NULL;
	}
	return root;
}

static const char *member(const json_t *result, const char *name)
{
	const char *text = json_string_value(json_object_get(result, name));

	return text ? text : "";
}

static bool fires(const json_t *result)
{
	return strcmp(member(result, "state"), "fail") == 0 ||
	       strcmp(member(result, "state"), "warn") == 0;
}

/* Fingerprint to result, of those that fire. */
static json_t *findings_of(const json_t *root)
{
	json_t *findings = json_object();
	size_t i;
	json_t *result;

	json_array_foreach(json_object_get(root, "results"), i, result)
	{
		if (fires(result) &&
		    json_object_set(findings, member(result, "fingerprint"), result) < 0)
			continue;
	}
	return findings;
}

static void say(const char *sign, const json_t *result)
{
	char line[2048];
	struct text text = text_on(line, sizeof(line));

	text_name(&text, span_cstr(member(result, "rule")));
	text_add(&text, " ");
	text_name(&text, span_cstr(member(result, "subject")));
	text_add(&text, *member(result, "subject") ? ": " : "");
	text_name(&text, span_cstr(member(result, "said")));
	printf("%s %s\n", sign, line);
}

/* What is in one and not in the other; in both with wanted. */
static json_t *part_of(json_t *from, const json_t *other, bool in_other)
{
	json_t *part = json_array();
	const char *key;
	json_t *result;

	json_object_foreach(from, key, result)
	{
		if ((json_object_get(other, key) != NULL) == in_other)
			json_array_append(part, result);
	}
	return part;
}

static void say_part(const char *sign, const char *title, const json_t *part)
{
	size_t i;
	json_t *result;

	if (json_array_size(part) > 0)
		printf("%s\n", title);
	json_array_foreach(part, i, result) say(sign, result);
}

static int compare(const struct diff_options *options, const json_t *before,
		   const json_t *after)
{
	json_t *left = findings_of(before);
	json_t *right = findings_of(after);
	json_t *fresh = part_of(right, left, false);
	json_t *gone = part_of(left, right, false);
	json_t *both = part_of(right, left, true);
	int status = json_array_size(fresh) > 0 ? EXIT_FINDINGS : EXIT_FINE;

	if (options->json) {
		json_t *all =
			json_pack("{s:s, s:O, s:O, s:O}", "schema", "refault.check-diff/1",
				  "new", fresh, "gone", gone, "still", both);

		json_dumpf(all, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(all);
	} else {
		say_part("+", "new", fresh);
		say_part("-", "gone", gone);
		say_part(" ", "still there", both);
		printf("%zu new, %zu gone, %zu still there\n", json_array_size(fresh),
		       json_array_size(gone), json_array_size(both));
	}
	json_decref(fresh);
	json_decref(gone);
	json_decref(both);
	json_decref(left);
	json_decref(right);
	return status;
}

int check_diff(int argc, char **argv)
{
	struct diff_options options = { 0 };
	json_t *before;
	json_t *after;
	int status = EXIT_NOT_MEASURED;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	before = load(options.path[0]);
	after = before ? load(options.path[1]) : NULL;
	if (after)
		status = compare(&options, before, after);
	json_decref(before);
	json_decref(after);
	return status;
}
