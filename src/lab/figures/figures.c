#include "lab/figures/figures.h"

#include <errno.h>
#include <math.h>

#include "base/units.h"
#include "lab/figures/subject.h"

struct rule {
	struct figure_row row;
	struct figure (*compute)(const struct subject *subject);
};

#define FIGURE(id, name_, unit_, better_, help_)            \
	[FIG_##id] = { .row = { .name = #name_,             \
				.unit = FIGURE_##unit_,     \
				.better = BETTER_##better_, \
				.help = (help_) },          \
		       .compute = figure_##name_ },
static const struct rule RULES[FIGURES] = {
#include "lab/figures/figures.def"
};

const struct figure_row *figure_row(enum figure_id id)
{
	return &RULES[id].row;
}

enum figure_id figure_find(struct span name)
{
	size_t id = 0;

	while (id < FIGURES && !span_eq(name, RULES[id].row.name))
		id++;
	return (enum figure_id)id;
}

static const char USUAL[] = "ticks pause pauses phase reread swapped_out leak_end";

size_t figures_of_words(struct span words, enum figure_id *out)
{
	struct span rest = span_empty(words) ? span_cstr(USUAL) : words;
	struct span word;
	size_t count = 0;

	while (count < FIGURES && span_word(&rest, &word)) {
		out[count] = figure_find(word);
		count += out[count] < FIGURES;
	}
	return count;
}

/* What stands in for a load that [measure] does not name: the first of these kinds. */
static const struct load *first_of(const struct series *series, const char *const *kinds)
{
	for (; *kinds; kinds++)
		for (size_t i = 0; i < series->loads; i++)
			if (strcmp(series->load[i].kind, *kinds) == 0)
				return &series->load[i];
	return NULL;
}

static const struct load *load_of(const struct series *series, const char *key,
				  const char *const *kinds)
{
	const struct load *named = series_measured_load(series, key);

	return named ? named : first_of(series, kinds);
}

static struct subject subject_of(const struct series *series)
{
	static const char *const services[] = { "service", "thp", "burst", "sweep", NULL };
	static const char *const leaks[] = { "leak", NULL };
	static const char *const probers[] = { "prober", NULL };
	static const char *const guards[] = { "program", NULL };
	struct subject subject = {
		.series = series,
		.service = load_of(series, "service", services),
		.leak = load_of(series, "leak", leaks),
		.prober = load_of(series, "prober", probers),
		.guard = load_of(series, "guard", guards),
		.from_us = series->measured_us,
		.to_us = series->end_us,
	};

	subject.phase = phase_of(series, subject.leak);
	if (subject.phase.present) {
		subject.from_us = subject.phase.from_us;
		subject.to_us = subject.phase.to_us;
	}
	subject.pressure = series_frames(series, subject.from_us, subject.to_us);
	subject.measured = series_frames(series, series->measured_us, series->end_us);
	return subject;
}

void figures_compute(const struct series *series, struct figure out[FIGURES])
{
	struct subject subject = subject_of(series);

	for (size_t i = 0; i < FIGURES; i++)
		out[i] = series->measured ? RULES[i].compute(&subject) :
					    figure_none(subject.phase.why);
}

const char *figures_definitions(void)
{
	return PHASE_DEFINITION "\"Under pressure\" is that phase, or the whole measured part "
				"of a run without one;\n"
				"the warm-up before the measured part counts nowhere.\n"
				"A tick is a slot of the service: it is due at a fixed time, "
				"whether or not the one\n"
				"before is done. A slot that passes meanwhile is late from "
				"when it was due until the\n"
				"service came back, and is not done.\n"
				"\"> 150 s\": it had not ended when the run did.\n";
}

/* Three digits of sense, whatever the size. */
static void text_seconds(struct text *text, double seconds)
{
	double size = fabs(seconds);

	if (size != 0 && size < 0.000999)
		text_add(text, "%.0f us", seconds * 1e6);
	else if (size != 0 && size < 0.1)
		text_add(text, "%.*f ms", size < 0.00995 ? 1 : 0, seconds * 1e3);
	else
		text_add(text, "%.*f s", size < 9.95 ? 2 - (size >= 1) : (size < 99.95),
			 seconds);
}

static void text_value(struct text *text, enum figure_unit unit, double value)
{
	switch (unit) {
	case FIGURE_SECONDS:
		text_seconds(text, value);
		return;
	case FIGURE_PERCENT:
		text_share(text, value / 100);
		return;
	case FIGURE_BYTES:
		text_bytes(text, value);
		return;
	case FIGURE_BYTES_PER_SECOND:
		text_bytes(text, value);
		text_add(text, "/s");
		return;
	case FIGURE_PER_SECOND:
		text_count(text, value);
		text_add(text, "/s");
		return;
	case FIGURE_TIMES:
		text_add(text, "x ");
		text_count(text, value);
		return;
	case FIGURE_COUNT:
		if (value < 10 && value == floor(value))
			text_add(text, "%.0f", value);
		else
			text_count(text, value);
		return;
	}
}

void figure_text(struct text *text, enum figure_id id, const struct figure *figure)
{
	if (isnan(figure->value)) {
		text_add(text, "%s", figure->why ? figure->why : "-");
		return;
	}
	if (figure->censored)
		text_add(text, "> ");
	text_value(text, RULES[id].row.unit, figure->value);
}

static const struct {
	const char *suffix;
	double scale;
	unsigned int units; /* bits: which units may have it */
} SUFFIXES[] = {
#define BIT(unit) (1u << FIGURE_##unit)
#define ANY_BYTES (BIT(BYTES) | BIT(BYTES_PER_SECOND))
	{ "", 1, ~0u },
	{ "us", 1e-6, BIT(SECONDS) },
	{ "ms", 1e-3, BIT(SECONDS) },
	{ "s", 1, BIT(SECONDS) },
	{ "m", 60, BIT(SECONDS) },
	{ "%", 1, BIT(PERCENT) },
	{ "K", 1024.0, ANY_BYTES },
	{ "M", 1024.0 * 1024, ANY_BYTES },
	{ "G", 1024.0 * 1024 * 1024, ANY_BYTES },
	{ "T", 1024.0 * 1024 * 1024 * 1024, ANY_BYTES },
	{ "x", 1, BIT(TIMES) },
};

static struct span number_part(struct span text)
{
	struct span number = { text.at, text.at };

	while (number.end < text.end &&
	       ((*number.end >= '0' && *number.end <= '9') || *number.end == '.'))
		number.end++;
	return number;
}

int figure_parse(struct span text, enum figure_id id, double *out)
{
	static const unsigned int decimals = 6;
	struct span trimmed = span_trim(text);
	struct span number = number_part(trimmed);
	struct span suffix = span_trim((struct span){ number.end, trimmed.end });
	uint64_t fixed;

	if (span_fixed(number, decimals, &fixed) < 0)
		return -EBADMSG;
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		if (!span_eq(suffix, SUFFIXES[i].suffix) ||
		    !(SUFFIXES[i].units & 1u << RULES[id].row.unit))
			continue;
		*out = (double)fixed / 1e6 * SUFFIXES[i].scale;
		return 0;
	}
	return -EBADMSG;
}
