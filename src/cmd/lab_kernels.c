#include <errno.h>

#include "base/json.h"
#include "cmd/lab.h"
#include "lab/boot/feature.h"

#define LISTED_MAX 32

/* In the order they are shown. */
static const struct {
	enum feature_state state;
	const char *word; /* for scripts */
	const char *text;
} STATES[] = {
	{ FEATURE_YES, "yes", "has" },
	{ FEATURE_NO, "no", "lacks" },
	{ FEATURE_UNKNOWN, "unknown", "asked in the guest" },
};

/* Without its files nothing is known. */
static enum feature_state state_of(const struct kernel_facts *facts, size_t feature)
{
	return facts->kernel ? feature_of(facts, feature_at(feature)) : FEATURE_UNKNOWN;
}

static void print_features(const struct kernel_facts *facts, size_t row)
{
	bool any = false;

	for (size_t i = 0; feature_at(i); i++) {
		if (state_of(facts, i) != STATES[row].state)
			continue;
		if (!any)
			printf("%11s%s:", "", STATES[row].text);
		printf(" %s", feature_at(i)->name);
		any = true;
	}
	if (any)
		putchar('\n');
}

static void print_kernel(const struct kernel *kernel, const struct kernel_facts *facts)
{
	printf("%-10s %s\n", kernel->name, kernel->release[0] ? kernel->release : "?");
	for (size_t i = 0; i < ARRAY_LEN(STATES); i++)
		print_features(facts, i);
}

static const char *word_of(enum feature_state state)
{
	for (size_t i = 0; i < ARRAY_LEN(STATES); i++)
		if (STATES[i].state == state)
			return STATES[i].word;
	return NULL;
}

static void kernel_json(const struct kernel *kernel, const struct kernel_facts *facts,
			struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "name", kernel->name);
	json_text(json, "release", kernel->release);
	json_text(json, "image", kernel->image);
	json_open(json, "features", '{');
	for (size_t i = 0; feature_at(i); i++)
		json_text(json, feature_at(i)->name, word_of(state_of(facts, i)));
	json_close(json, '}');
	json_close(json, '}');
}

static int list(bool as_json)
{
	static struct kernel kernels[LISTED_MAX];
	struct json json = json_on(stdout, true);
	size_t count = 0;
	int r = kernel_list(kernels, LISTED_MAX, &count);

	if (r < 0) {
		cmd_error("the kernels cannot be listed: %s", strerror(-r));
		return EXIT_NOT_MEASURED;
	}
	if (as_json)
		json_open(&json, NULL, '[');
	for (size_t i = 0; i < count; i++) {
		struct kernel_facts facts = { 0 };

		if (kernel_facts_read(&kernels[i], &facts) < 0)
			facts = (struct kernel_facts){ 0 };
		if (as_json)
			kernel_json(&kernels[i], &facts, &json);
		else
			print_kernel(&kernels[i], &facts);
		kernel_facts_done(&facts);
	}
	if (as_json)
		json_close(&json, ']');
	else if (count == 0)
		puts("no kernel yet: refault lab kernels fetch 6.12");
	return EXIT_FINE;
}

static int fetch_one(const char *name)
{
	int r = kernel_fetch(name, stderr);

	if (r == 0)
		return EXIT_FINE;
	if (r == -EINVAL) {
		cmd_error("there is no kernel '%.64s' to fetch: expected 6.1, 6.12 or 7", name);
		return EXIT_USAGE;
	}
	cmd_error("kernel %s cannot be fetched: %s", name, strerror(-r));
	return EXIT_NOT_MEASURED;
}

int action_kernels(const struct lab_options *options)
{
	int status = EXIT_FINE;

	if (options->operands == 0)
		return list(options->json);
	if (strcmp(options->operand[0], "fetch") != 0 || options->operands == 1) {
		cmd_error("lab kernels: expected nothing, or fetch and names");
		return EXIT_USAGE;
	}
	for (size_t i = 1; i < options->operands; i++) {
		int r = fetch_one(options->operand[i]); /* MAX() names its arguments twice */

		status = MAX(status, r);
	}
	return status;
}
