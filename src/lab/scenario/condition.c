#include "lab/scenario/condition.h"
#include "base/units.h"

#include <errno.h>

const struct condition_row CONDITION_ROWS[CONDITIONS] = {
#define CONDITION(id, word, argument, unit, example, help) \
	[CONDITION_##id] = { word, ARGUMENT_##argument, UNIT_##unit, example, help },
#include "lab/scenario/conditions.def"
};

static int bad_condition(const struct setting *until, struct lab_error *error)
{
	char words[200];
	struct text list = text_on(words, sizeof(words));

	for (size_t i = 0; i < CONDITIONS; i++)
		text_add(&list, " %s", CONDITION_ROWS[i].word);
	return scenario_fail(
		error, until->place,
		"%s: '%s': expected a condition such as 'available < 75M' or 'killed "
		"LOAD', with one of:%s",
		KEY_OF(until), SHOWN(until->value), words);
}

static int argument_parse(const struct scenario *scenario, enum condition_argument kind,
			  struct span word, const char **out)
{
	const struct scenario_group *group = scenario_group_find(scenario, word);
	const struct scenario_load *load = scenario_load_find(scenario, word);
	uint64_t node;

	switch (kind) {
	case ARGUMENT_NONE:
		return -EBADMSG;
	case ARGUMENT_LOAD:
		*out = load ? load->name : NULL;
		break;
	case ARGUMENT_GROUP:
		*out = group ? group->path : NULL;
		break;
	case ARGUMENT_NODE:
		if (span_u64(word, &node) < 0 || node >= scenario->machine.nodes)
			return -EBADMSG;
		*out = arena_text(scenario->settings.arena, word.at, span_len(word));
		break;
	}
	return *out ? 0 : -EBADMSG;
}

static int number_parse(enum condition_unit unit, struct span words,
			struct scenario_condition *out)
{
	struct span sign;
	struct span number;
	struct span more;

	if (unit == UNIT_NONE)
		return span_empty(span_trim(words)) ? 0 : -EBADMSG;
	if (!span_word(&words, &sign) || !span_word(&words, &number) ||
	    span_word(&words, &more) || !(span_eq(sign, "<") || span_eq(sign, ">")))
		return -EBADMSG;
	out->comparison = *sign.at;
	return unit == UNIT_SIZE ? size_parse(number, &out->number) :
				   span_u64(number, &out->number);
}

static int parse(const struct scenario *scenario, struct span words,
		 struct scenario_condition *out)
{
	const struct condition_row *row;
	struct span word;
	int r;

	if (!span_word(&words, &word))
		return -EBADMSG;
	while (out->subject < CONDITIONS && !span_eq(word, CONDITION_ROWS[out->subject].word))
		out->subject++;
	if (out->subject == CONDITIONS)
		return -EBADMSG;
	row = &CONDITION_ROWS[out->subject];
	if (row->argument != ARGUMENT_NONE) {
		if (!span_word(&words, &word))
			return -EBADMSG;
		r = argument_parse(scenario, row->argument, word, &out->argument);
		if (r < 0)
			return r;
	}
	return number_parse(row->unit, words, out);
}

int condition_parse(const struct scenario *scenario, const struct setting *until,
		    struct scenario_condition *out, struct lab_error *error)
{
	struct scenario_condition condition = { .argument = "" };

	if (parse(scenario, span_cstr(until->value), &condition) == 0) {
		*out = condition;
		return 0;
	}
	if (condition.subject == CONDITIONS)
		return bad_condition(until, error);
	return scenario_fail(
		error, until->place,
		"%s: '%s': expected a condition such as '%s' (%s); a LOAD or GROUP is one "
		"of this scenario",
		KEY_OF(until), SHOWN(until->value), CONDITION_ROWS[condition.subject].example,
		CONDITION_ROWS[condition.subject].help);
}
