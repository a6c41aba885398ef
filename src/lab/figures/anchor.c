#include <math.h>

#include "lab/figures/board.h"

static void end_text(struct text *out, enum figure_id id, double value)
{
	figure_text(out, id, &(struct figure){ .value = value });
}

void anchor_text(struct text *out, enum figure_id id, const struct anchor *anchor)
{
	if (isnan(anchor->low)) {
		text_add(out, "none");
		return;
	}
	if (isinf(anchor->low))
		text_add(out, "< ");
	else
		end_text(out, id, anchor->low);
	if (anchor->low == anchor->high)
		return;
	if (isinf(anchor->high))
		text_add(out, " or more");
	else if (!isinf(anchor->low))
		text_add(out, " to ");
	if (!isinf(anchor->high))
		end_text(out, id, anchor->high);
}

/* What ended first may have been longer: it is too short only when it is over. */
bool anchor_is_near(const struct anchor *anchor, const struct figure *ours)
{
	if (isnan(anchor->low))
		return isnan(ours->value);
	if (isnan(ours->value))
		return true;
	if (ours->value > anchor->high * SHAPE_FACTOR)
		return false;
	return ours->censored || ours->value * SHAPE_FACTOR >= anchor->low;
}
