#include "guest/plan.h"

#include <errno.h>

static const char *const GRAMMAR[VERBS] = {
#define VERB(id, grammar, run) grammar,
#include "guest/plan.def"
};

const char *verb_grammar(enum verb verb)
{
	return GRAMMAR[verb];
}

/* A name of files and folders: one step, which does not lead elsewhere. */
static bool is_name(struct span word)
{
	return !memchr(word.at, '/', span_len(word)) && !span_eq(word, ".") &&
	       !span_eq(word, "..");
}

static bool is_path(struct span word)
{
	struct span rest = word;
	struct span name;

	if (span_starts(rest, "/"))
		rest.at++;
	if (span_empty(rest) || span_len(word) > 255)
		return false;
	while (span_cut(&rest, '/', &name))
		if (span_empty(name) || !is_name(name))
			return false;
	return true;
}

static bool is_choice(struct span choices, struct span word, uint64_t *which)
{
	struct span choice;

	for (*which = 0; span_cut(&choices, '|', &choice); ++*which)
		if (span_len(choice) == span_len(word) &&
		    memcmp(choice.at, word.at, span_len(word)) == 0)
			return true;
	return false;
}

static bool is_large(struct span word)
{
	return *word.at >= 'A' && *word.at <= 'Z';
}

static bool fits(struct span type, struct span word, struct step *step, size_t at)
{
	if (span_eq(type, "NAME"))
		return is_name(word) && span_len(word) < 64;
	if (span_eq(type, "PATH"))
		return is_path(word);
	if (span_eq(type, "NUMBER"))
		return span_u64(word, &step->number[at]) == 0;
	if (span_eq(type, "INTEGER"))
		return span_i64(word, &step->integer) == 0;
	return true;
}

/*
 * 0, -ENOENT when it is another verb's line, -EINVAL when it is this one's and wrong. The first
 * two words decide, since "swap" and "until" have several rows.
 */
static int match(const char *grammar, struct span line, struct step *step)
{
	struct span wanted = span_cstr(grammar);
	struct span type;
	struct span word;
	size_t used = 0;

	for (size_t i = 0; span_word(&wanted, &type); i++) {
		bool is_fixed = !is_large(type) && !memchr(type.at, '|', span_len(type));
		uint64_t which = 0;

		if (span_eq(type, "REST")) {
			step->word[used] = span_trim(line);
			return 0;
		}
		if (!span_word(&line, &word))
			return i == 0 ? -ENOENT : -EINVAL;
		if (is_large(type) ? !fits(type, word, step, used) :
				     !is_choice(type, word, &which))
			return i < 2 && !is_large(type) ? -ENOENT : -EINVAL;
		if (is_fixed)
			continue;
		if (!is_large(type))
			step->number[used] = which;
		step->word[used++] = word;
	}
	return span_word(&line, &word) ? -EINVAL : 0;
}

int plan_parse(struct span line, struct step *out)
{
	int worst = -ENOENT;

	for (enum verb verb = 0; verb < VERBS; verb++) {
		struct step step = { .verb = verb, .line = line };
		int r = match(GRAMMAR[verb], line, &step);

		if (r == 0)
			*out = step;
		if (r == 0)
			return 0;
		if (r != -ENOENT)
			worst = r;
	}
	return worst;
}

int plan_next(struct span *text, struct step *out)
{
	struct span line;

	while (span_line(text, &line)) {
		int r;

		line = span_trim(line);
		if (span_empty(line))
			continue;
		out->line = line;
		r = plan_parse(line, out);
		return r < 0 ? r : 1;
	}
	return 0;
}
