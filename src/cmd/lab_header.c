#include "cmd/lab_header.h"

#include <math.h>

#include "base/units.h"
#include "lab/figures/difference.h"
#include "lab/figures/ini.h"

#define TEXTS_SIZE ((size_t)4 << 20)

/* Numbers of run.ini that differ from run to run: from the least to the most. */
struct range {
	const char *section;
	const char *key;
	const char *before;
	const char *after;
	const char *unknown; /* what is said where no run has it */
	bool is_bytes;
	double least;
	double most;
};

static void widen(struct range *range, struct span run)
{
	struct span value;
	uint64_t thousandths;
	double number;

	if (!ini_find(run, range->section, range->key, &value) ||
	    span_fixed(span_trim(value), 3, &thousandths) < 0)
		return;
	number = (double)thousandths / 1000;
	range->least = fmin(range->least, number);
	range->most = fmax(range->most, number);
}

static void add_number(struct text *out, const struct range *range, double number)
{
	if (range->is_bytes)
		text_bytes(out, number);
	else
		text_add(out, "%.4g", number);
}

static void print_range(const struct range *range, bool is_first, FILE *file)
{
	char buffers[2][64];
	struct text least = text_on(buffers[0], sizeof(buffers[0]));
	struct text most = text_on(buffers[1], sizeof(buffers[1]));

	fputs(is_first ? "" : " · ", file);
	if (isnan(range->least)) {
		fputs(range->unknown, file);
		return;
	}
	add_number(&least, range, range->least);
	add_number(&most, range, range->most);
	fprintf(file, "%s %s", range->before, least.at);
	if (strcmp(least.at, most.at) != 0)
		fprintf(file, " to %s", most.at);
	fputs(range->after, file);
}

static void print_word(struct span run, const char *section, const char *key, FILE *file)
{
	char buffer[256];
	struct text text = text_on(buffer, sizeof(buffer));
	struct span value;

	if (ini_find(run, section, key, &value))
		text_name(&text, value);
	fputs(buffer, file);
}

static const struct range RANGES[] = {
	{ "host", "load", "load", "", "load unknown", false, NAN, NAN },
	{ "host", "delay_percent", "the guest waited", " % of the time",
	  "how long the guest waited is unknown", false, NAN, NAN },
	{ "guest", "mem_total_bytes", "guest of", "", "memory of the guest unknown", true, NAN,
	  NAN },
	{ "guest", "calibration_mib_s", "calibration", " MiB/s", "not calibrated", false, NAN,
	  NAN },
};

static void print_header(struct span run, const struct range *ranges, FILE *file)
{
	print_word(run, "host", "accelerator", file);
	fputs(" · ", file);
	print_word(run, "host", "qemu", file);
	fputs("\n", file);
	print_word(run, "host", "cpu", file);
	fputs(" × ", file);
	print_word(run, "host", "cores", file);
	fputs("\n", file);
	for (size_t i = 0; i < ARRAY_LEN(RANGES); i++)
		print_range(&ranges[i], i == 0, file);
	fputs("\n\n", file);
}

void header_print(const struct outcomes *outcomes, FILE *file)
{
	struct range ranges[ARRAY_LEN(RANGES)];
	struct ini_texts texts = { 0 };
	struct arena arena;

	if (arena_init(&arena, TEXTS_SIZE) < 0)
		return;
	memcpy(ranges, RANGES, sizeof(ranges));
	for (size_t i = 0; i < outcomes->count; i++) {
		struct lab_error error = { "" };

		arena_reset(&arena);
		texts = (struct ini_texts){ 0 };
		if (ini_texts_read(outcomes->run[i].directory, &arena, &texts, &error) < 0)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(ranges); k++)
			widen(&ranges[k], texts.run);
	}
	if (outcomes->count > 0 && texts.run.at)
		print_header(texts.run, ranges, file);
	arena_done(&arena);
}
