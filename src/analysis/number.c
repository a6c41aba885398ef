#include "analysis/number.h"

static enum why why_of(enum state state)
{
	static const enum why reasons[] = {
		[ABSENT] = WHY_ABSENT, [OK] = WHY_KNOWN,	  [UNLIMITED] = WHY_UNLIMITED,
		[DENIED] = WHY_DENIED, [DISABLED] = WHY_DISABLED, [GARBLED] = WHY_GARBLED,
	};

	return reasons[state];
}

const char *why_name(enum why why)
{
	static const char *const names[] = {
		[WHY_KNOWN] = "known",
		[WHY_ABSENT] = "absent",
		[WHY_DENIED] = "denied",
		[WHY_DISABLED] = "disabled",
		[WHY_GARBLED] = "garbled",
		[WHY_UNLIMITED] = "unlimited",
		[WHY_RESET] = "reset",
		[WHY_BASELINE] = "first sample",
		[WHY_NO_TIME] = "no time between samples",
		[WHY_NOT_APPLICABLE] = "not applicable",
	};

	return names[why];
}

struct number number_known(double value)
{
	return (struct number){ value, WHY_KNOWN };
}

struct number number_unknown(enum why why)
{
	return (struct number){ (double)NAN, why };
}

struct number number_level(struct reading now, double scale)
{
	if (now.state != OK)
		return number_unknown(why_of(now.state));
	return number_known((double)now.value * scale);
}

struct number number_rate(struct reading before, struct reading now, double seconds,
			  double scale)
{
	if (now.state != OK)
		return number_unknown(why_of(now.state));
	if (before.state != OK)
		return number_unknown(WHY_BASELINE);
	if (!(seconds > 0))
		return number_unknown(WHY_NO_TIME);
	if (now.value < before.value)
		return number_unknown(WHY_RESET);
	return number_known((double)(now.value - before.value) / seconds * scale);
}

struct number number_sum(struct number left, struct number right)
{
	if (left.why != WHY_KNOWN)
		return left;
	if (right.why != WHY_KNOWN)
		return right;
	return number_known(left.value + right.value);
}
