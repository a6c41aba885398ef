#include "lab/figures/shape.h"

#include <errno.h>
#include <math.h>

static const struct {
	const char *sign;
	enum shape_op op;
} OPS[] = {
	{ "<", SHAPE_LESS },
	{ ">", SHAPE_MORE },
	{ "~", SHAPE_NEAR },
};

const char *shape_verdict_name(enum verdict_of_shape verdict)
{
	static const char *const names[] = {
		[SHAPE_HOLDS] = "holds",
		[SHAPE_FAILS] = "does not hold",
		[SHAPE_UNKNOWN] = "cannot be told",
	};

	return names[verdict];
}

/* An arm of a matrix has dots in its name: the figure stands behind the last one. */
static bool side_parse(struct span text, struct shape_side *out)
{
	struct span arm;
	struct span figure;

	*out = (struct shape_side){ .number = 1 };
	if (!span_rsplit(text, '.', &arm, &figure) || span_empty(arm))
		return false;
	out->figure = figure_find(figure);
	return out->figure != FIGURES && span_copy(arm, out->arm, sizeof(out->arm));
}

static bool op_parse(struct span text, enum shape_op *out)
{
	for (size_t i = 0; i < ARRAY_LEN(OPS); i++) {
		if (!span_eq(text, OPS[i].sign))
			continue;
		*out = OPS[i].op;
		return true;
	}
	return false;
}

static bool number_parse(struct span text, struct shape *out)
{
	out->right = (struct shape_side){ .figure = out->left.figure };
	return figure_parse(text, out->left.figure, &out->right.number) == 0;
}

/* The factor behind a figure; nothing is a factor of 1. */
static bool factor_parse(struct span rest, double *out)
{
	struct span word;

	if (!span_word(&rest, &word))
		return true;
	return span_eq(word, "*") && span_word(&rest, &word) &&
	       figure_parse(word, FIG_PAUSES, out) == 0 && !span_word(&rest, &word);
}

static bool words_parse(struct span text, struct shape *out)
{
	struct span left;
	struct span op;
	struct span right;

	if (!span_word(&text, &left) || !span_word(&text, &op) || !span_word(&text, &right) ||
	    !side_parse(left, &out->left) || !op_parse(op, &out->op))
		return false;
	if (side_parse(right, &out->right))
		return factor_parse(text, &out->right.number);
	return number_parse(right, out) && span_empty(span_trim(text));
}

int shape_parse(struct span name, struct span text, struct shape *out, struct lab_error *error)
{
	struct shape shape = { 0 };

	if (!span_copy(span_trim(name), shape.name, sizeof(shape.name)) ||
	    !span_copy(span_trim(text), shape.text, sizeof(shape.text)) ||
	    !words_parse(text, &shape))
		return lab_refuse(error, -EBADMSG,
				  "expected ARM.FIGURE < ARM.FIGURE, with > or ~ (within a "
				  "factor of 3) instead of <, a number in the figure's unit "
				  "instead of the second, or * NUMBER behind it");
	*out = shape;
	return 0;
}

/* What is known only as "at least so much" decides only from above. */
static enum verdict_of_shape less(const struct figure *left, const struct figure *right)
{
	if (left->value < right->value)
		return left->censored ? SHAPE_UNKNOWN : SHAPE_HOLDS;
	return right->censored ? SHAPE_UNKNOWN : SHAPE_FAILS;
}

static enum verdict_of_shape near_by(const struct figure *left, const struct figure *right)
{
	bool above = left->value > right->value * SHAPE_FACTOR;
	bool below = left->value * SHAPE_FACTOR < right->value;

	if (above)
		return right->censored ? SHAPE_UNKNOWN : SHAPE_FAILS;
	if (below)
		return left->censored ? SHAPE_UNKNOWN : SHAPE_FAILS;
	return left->censored || right->censored ? SHAPE_UNKNOWN : SHAPE_HOLDS;
}

static enum verdict_of_shape judge(enum shape_op op, const struct figure *left,
				   const struct figure *right)
{
	switch (op) {
	case SHAPE_LESS:
		return less(left, right);
	case SHAPE_MORE:
		return less(right, left);
	case SHAPE_NEAR:
		return near_by(left, right);
	}
	return SHAPE_UNKNOWN;
}

static bool is_known(const struct figure *figure)
{
	return figure && !isnan(figure->value);
}

static void missing(struct text *out, const struct shape_side *side,
		    const struct figure *figure)
{
	text_name(out, span_cstr(side->arm));
	text_add(out, ".%s: %s", figure_row(side->figure)->name,
		 figure && figure->why ? figure->why : "no run");
}

struct shape_result shape_judge(const struct shape *shape, const struct figure *left,
				const struct figure *right)
{
	struct shape_result result = { .verdict = SHAPE_UNKNOWN };
	struct text why = text_on(result.why, sizeof(result.why));
	struct figure scaled = { .value = shape->right.number };

	if (!is_known(left)) {
		missing(&why, &shape->left, left);
		return result;
	}
	if (*shape->right.arm && !is_known(right)) {
		missing(&why, &shape->right, right);
		return result;
	}
	if (*shape->right.arm)
		scaled = (struct figure){ .value = right->value * shape->right.number,
					  .censored = right->censored };
	result.verdict = judge(shape->op, left, &scaled);
	figure_text(&why, shape->left.figure, left);
	text_add(&why, ", ");
	figure_text(&why, shape->right.figure, &scaled);
	if (result.verdict == SHAPE_UNKNOWN)
		text_add(&why, ": the run ended first");
	return result;
}
