#include "lab/scenario/shape.h"

#include <errno.h>

#include "lab/scenario/number.h"

/* "ARM.FIGURE"; names of arms may have dots, figures have none. */
struct operand {
	const struct scenario *arm; /* NULL: not in this run */
	const char *figure;
};

static bool is_arm(const struct expansion *expansion, struct span name)
{
	char text[256];

	for (size_t i = 0; i < expansion->count; i++) {
		struct text arm = text_on(text, sizeof(text));

		expansion_name(expansion, i, &arm);
		if (span_eq(name, text))
			return true;
	}
	return false;
}

static int operand_parse(const struct scenario_set *set, const struct expansion *expansion,
			 struct span word, struct operand *out)
{
	struct span arm;
	struct span figure;

	if (!span_rsplit(word, '.', &arm, &figure) || !figure_is_plain(figure))
		return -EBADMSG;
	if (!is_arm(expansion, arm))
		return -ENOENT;
	out->arm = scenario_set_arm(set, arm);
	out->figure = arena_text(expansion->all->arena, figure.at, span_len(figure));
	return out->figure ? 0 : -ENOMEM;
}

/* " * NUMBER" or nothing. */
static int factor_parse(struct span words, double *out)
{
	struct span times;
	struct span number;
	struct span more;

	*out = 1;
	if (!span_word(&words, &times))
		return 0;
	if (!span_eq(times, "*") || !span_word(&words, &number) || span_word(&words, &more))
		return -EBADMSG;
	return figure_number(number, out);
}

static int parse(const struct scenario_set *set, const struct expansion *expansion,
		 struct span words, struct scenario_shape *shape)
{
	struct operand left = { 0 };
	struct operand right = { 0 };
	struct span word;
	struct span sign;
	int r;

	if (!span_word(&words, &word))
		return -EBADMSG;
	r = operand_parse(set, expansion, word, &left);
	if (r < 0)
		return r;
	if (!span_word(&words, &sign) || span_len(sign) != 1 || !strchr("<>~", *sign.at) ||
	    !span_word(&words, &word))
		return -EBADMSG;
	shape->comparison = *sign.at;
	shape->left = left.arm;
	shape->left_figure = left.figure;
	if (figure_number(word, &shape->factor) == 0)
		return span_empty(span_trim(words)) ? 0 : -EBADMSG;
	r = operand_parse(set, expansion, word, &right);
	if (r < 0)
		return r;
	shape->right = right.arm;
	shape->right_figure = right.figure;
	return factor_parse(words, &shape->factor);
}

static int bad_shape(const struct setting *row, int r, struct lab_error *error)
{
	if (r == -ENOENT)
		return scenario_fail(
			error, row->place,
			"%s: '%s': names an arm that this scenario does not have; expected "
			"ARM.FIGURE with one of its arms",
			KEY_OF(row), SHOWN(row->value));
	return scenario_fail(
		error, row->place,
		"%s: '%s': expected ARM.FIGURE, one of < > ~, and ARM.FIGURE, ARM.FIGURE * "
		"NUMBER or NUMBER",
		KEY_OF(row), SHOWN(row->value));
}

int shapes_parse(struct scenario_set *set, const struct expansion *expansion,
		 struct lab_error *error)
{
	const struct settings *all = expansion->all;

	set->shape = arena_alloc(&set->arena, all->count * sizeof(*set->shape));
	if (!set->shape)
		return -ENOMEM;
	for (size_t i = 0; i < all->count; i++) {
		const struct setting *row = &all->row[i];
		struct scenario_shape shape = { .name = row->key, .text = row->value };
		int r;

		if (row->section != SECTION_SHAPE)
			continue;
		r = parse(set, expansion, span_cstr(row->value), &shape);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			return bad_shape(row, r, error);
		if (shape.left && (shape.right || !shape.right_figure))
			set->shape[set->shapes++] = shape;
	}
	return 0;
}
