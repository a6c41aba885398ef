#pragma once
/*
 * The figures of a run: one number for each row of figures.def, or why there is none.
 */
#include "base/text.h"
#include "lab/error.h"
#include "lab/figures/series.h"

enum figure_unit {
	FIGURE_SECONDS,
	FIGURE_PERCENT, /* 0 to 100 */
	FIGURE_BYTES,
	FIGURE_BYTES_PER_SECOND,
	FIGURE_COUNT,
	FIGURE_PER_SECOND,
	FIGURE_TIMES,
};

enum better {
	BETTER_MORE,
	BETTER_LESS,
	BETTER_NEITHER,
};

#define FIGURE(id, ...) FIG_##id,
enum figure_id {
#include "lab/figures/figures.def"
	FIGURES,
};

struct figure_row {
	const char *name;
	enum figure_unit unit;
	enum better better;
	const char *help;
};
const struct figure_row *figure_row(enum figure_id id);

/* FIGURES when there is none of that name. */
enum figure_id figure_find(struct span name);

/*
 * The figures that these words name, those of a scenario that names none for NULL and "". What
 * is no figure is left out. out has room for FIGURES; how many there are.
 */
size_t figures_of_words(struct span words, enum figure_id *out);

struct figure {
	double value;	 /* NAN unknown */
	bool censored;	 /* at least so much: the run ended first */
	const char *why; /* there is no value; a word or two, or NULL */
};

void figures_compute(const struct series *series, struct figure out[FIGURES]);

/* "78 s", "> 150 s", "2.0 GiB", "28 %", or why there is none; "-" without a reason. */
void figure_text(struct text *text, enum figure_id id, const struct figure *figure);

/*
 * A number as people write it in a scenario, in the unit of that figure: "13", "99ms", "2.0G"
 * (binary, as in a scenario's sizes), "28%". 0 or -EBADMSG.
 */
must_check int figure_parse(struct span text, enum figure_id id, double *out);

/* What the words in these figures mean, for below a table; ends with a newline. */
const char *figures_definitions(void);
