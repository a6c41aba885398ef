#include "lab/scenario/number.h"

#include <errno.h>
#include <math.h>

#include "lab/scenario/value.h"

static const struct {
	const char *suffix;
	double factor;
} SUFFIXES[] = {
	{ "ms", 1e-3 },
	{ "us", 1e-6 },
	{ "s", 1 },
	{ "%", 1 },
	{ "K", 1024.0 },
	{ "M", 1024.0 * 1024 },
	{ "G", 1024.0 * 1024 * 1024 },
	{ "T", 1024.0 * 1024 * 1024 * 1024 },
	{ "", 1 },
};

static bool ends_with(struct span text, const char *suffix)
{
	size_t length = strlen(suffix);

	return span_len(text) >= length && span_eq(span_of(text.end - length, length), suffix);
}

int figure_number(struct span text, double *out)
{
	uint64_t thousandths;
	size_t i = 0;
	struct span digits;
	int r;

	text = span_trim(text);
	while (!ends_with(text, SUFFIXES[i].suffix))
		i++;
	digits = span_of(text.at, span_len(text) - strlen(SUFFIXES[i].suffix));
	r = span_fixed(span_trim(digits), 3, &thousandths);
	if (r < 0)
		return r;
	*out = (double)thousandths / 1000 * SUFFIXES[i].factor;
	return 0;
}

bool figure_is_plain(struct span name)
{
	return name_is_plain(name);
}

static int range_parse(struct span text, double *low, double *high)
{
	struct span left;
	struct span right;
	int r;

	if (!span_split(text, '-', &left, &right)) {
		r = figure_number(text, low);
		*high = *low;
		return r;
	}
	r = figure_number(left, low);
	return r < 0 ? r : figure_number(right, high);
}

static int any_parse(struct span text, double *low, double *high)
{
	if (span_eq(text, "none")) {
		*low = *high = NAN;
		return 0;
	}
	if (span_starts(text, "<")) {
		*low = -INFINITY;
		return figure_number((struct span){ text.at + 1, text.end }, high);
	}
	if (span_starts(text, ">")) {
		*high = INFINITY;
		return figure_number((struct span){ text.at + 1, text.end }, low);
	}
	return range_parse(text, low, high);
}

int anchor_parse(const struct setting *setting, double *low, double *high,
		 struct lab_error *error)
{
	double from = 0;
	double to = 0;

	if (!figure_is_plain(span_cstr(setting->key)))
		return scenario_fail(error, setting->place, "%s: expected the name of a figure",
				     KEY_OF(setting));
	if (any_parse(span_cstr(setting->value), &from, &to) < 0)
		return scenario_fail(
			error, setting->place,
			"%s: '%s': expected a number (28, 6.7, 2G, 40ms), a range (5-7), "
			"'< 5', '> 5' or none",
			KEY_OF(setting), SHOWN(setting->value));
	*low = from;
	*high = to;
	return 0;
}
