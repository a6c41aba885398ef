#include "base/units.h"

#include <errno.h>

/* One decimal below 100 where it tells something, none above. */
static int decimals_of(double value)
{
	return value < 99.95 && value > -99.95 ? 1 : 0;
}

void text_bytes(struct text *text, double bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	size_t i = 0;

	while ((bytes >= 1024 || bytes <= -1024) && i + 1 < ARRAY_LEN(names)) {
		bytes /= 1024;
		i++;
	}
	text_add(text, "%.*f %s", i == 0 ? 0 : decimals_of(bytes), bytes, names[i]);
}

void text_share(struct text *text, double share)
{
	double percent = share * 100;

	text_add(text, "%.*f %%", percent > 0.05 && percent < 9.95 ? 1 : 0, percent);
}

void text_count(struct text *text, double count)
{
	char digits[32];
	int n;

	if (count < 9.95) {
		text_add(text, "%.*f", count > 0.05 ? 1 : 0, count);
		return;
	}
	/* MIN() in this order keeps NaN. */
	n = snprintf(digits, sizeof(digits), "%.0f", MIN(1e18, count));
	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text_put(text, ",", 1);
		text_put(text, digits + i, 1);
	}
}

static const struct {
	const char *name;
	double seconds;
	double from; /* the shortest time shown in this unit */
} TIMES[] = {
	{ "days", 86400, 2 * 86400.0 },
	{ "h", 3600, 2 * 3600.0 },
	{ "min", 60, 120 },
	{ "s", 1, 0 },
};

void text_time(struct text *text, double seconds)
{
	for (size_t i = 0; i < ARRAY_LEN(TIMES); i++) {
		if (seconds < TIMES[i].from)
			continue;
		text_add(text, "%.0f %s", seconds / TIMES[i].seconds, TIMES[i].name);
		return;
	}
	text_add(text, "0 s");
}

static const struct {
	const char *name;
	uint64_t us;
} SUFFIXES[] = {
	{ "us", 1 },
	{ "ms", 1000 },
	{ "min", 60 * SECOND_US },
	{ "m", 60 * SECOND_US },
	{ "h", 3600 * SECOND_US },
	{ "s", SECOND_US },
	{ "", SECOND_US },
};

static size_t suffix_at(struct span text)
{
	size_t at = 0;

	while (at < span_len(text) &&
	       ((text.at[at] >= '0' && text.at[at] <= '9') || text.at[at] == '.'))
		at++;
	return at;
}

int time_parse(struct span text, uint64_t min_us, uint64_t max_us, uint64_t *out_us)
{
	struct span number = span_of(text.at, suffix_at(text));
	struct span suffix = span_trim((struct span){ number.end, text.end });
	uint64_t thousandths;
	int r = span_fixed(number, 3, &thousandths);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		uint64_t us;

		if (!span_eq(suffix, SUFFIXES[i].name))
			continue;
		if (__builtin_mul_overflow(thousandths, SUFFIXES[i].us, &us))
			return -ERANGE;
		us /= 1000;
		if (us < min_us || us > max_us)
			return -ERANGE;
		*out_us = us;
		return 0;
	}
	return -EBADMSG;
}

static const char SIZES[] = "KMGT";

static unsigned int suffix_shift(struct span *text)
{
	const char *found = NULL;

	if (!span_empty(*text) && text->end[-1] != '\0')
		found = strchr(SIZES, text->end[-1]);
	if (!found)
		return 0;
	text->end--;
	return 10 * (unsigned int)(found - SIZES + 1);
}

int size_parse(struct span text, uint64_t *out)
{
	unsigned int shift = suffix_shift(&text);
	uint64_t thousandths;
	uint64_t scaled;
	int r = span_fixed(text, 3, &thousandths);

	if (r < 0)
		return r;
	if (__builtin_mul_overflow(thousandths, (uint64_t)1 << shift, &scaled))
		return -ERANGE;
	*out = scaled / 1000;
	return 0;
}

void text_size(struct text *out, uint64_t bytes)
{
	unsigned int step = 0;

	while (step < strlen(SIZES) && bytes > 0 && bytes % 1024 == 0) {
		bytes /= 1024;
		step++;
	}
	text_add(out, "%llu", (unsigned long long)bytes);
	if (step > 0)
		text_put(out, &SIZES[step - 1], 1);
}

void text_us(struct text *out, uint64_t us)
{
	if (us % SECOND_US == 0)
		text_add(out, "%llus", (unsigned long long)(us / SECOND_US));
	else if (us % 1000 == 0)
		text_add(out, "%llums", (unsigned long long)(us / 1000));
	else
		text_add(out, "%lluus", (unsigned long long)us);
}
