#include "view/live.h"

#include <math.h>

#include "base/units.h"

#define BAR 10

static bool is_key(struct span key, const char *load, const char *what)
{
	struct span name;
	struct span field;

	return load[0] && span_rsplit(key, '.', &name, &field) && span_eq(name, load) &&
	       span_eq(field, what);
}

static bool parse_phase(struct span value, struct live_state *state)
{
	char phase[sizeof(state->phase)];
	struct text text = text_on(phase, sizeof(phase));
	bool is_new;

	text_name(&text, value);
	is_new = strcmp(phase, state->phase) != 0;
	memcpy(state->phase, phase, sizeof(phase));
	return is_new;
}

#define PAGE_BYTES 4096.0

static void parse_number(struct span key, struct span value, const char *service,
			 const char *leak, struct live_state *state)
{
	const struct {
		bool is;
		double unit;
		double *to;
	} rows[] = {
		{ span_eq(key, "refault"), PAGE_BYTES, &state->reread },
		{ is_key(key, service, "done"), 1, &state->done },
		{ is_key(key, service, "due"), 1, &state->due },
		{ is_key(key, service, "longest_us"), 1e-6, &state->longest_s },
		{ is_key(key, leak, "size"), 1, &state->leak },
	};
	uint64_t number;

	if (span_u64(value, &number) < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].is)
			*rows[i].to = (double)number * rows[i].unit;
}

bool live_parse(struct span line, const char *service, const char *leak,
		struct live_state *state)
{
	struct span word;
	struct span key;
	struct span value;
	bool is_new = false;

	while (span_word(&line, &word)) {
		if (!span_split(word, '=', &key, &value))
			continue;
		if (span_eq(key, "phase"))
			is_new = parse_phase(value, state);
		else
			parse_number(key, value, service, leak, state);
	}
	return is_new;
}

static void add_plan(struct text *out, const struct live_plan *plan)
{
	double left = plan->expected_s - plan->elapsed_s;
	double all = (double)plan->runs;
	double part = (double)plan->finished;

	if (plan->expected_s > 0)
		part += MIN(plan->elapsed_s / (plan->expected_s / (all - part)), 0.95);
	text_add(out, "%zu/%zu ", MIN(plan->finished + 1, plan->runs), plan->runs);
	for (int i = 0; i < BAR; i++)
		text_add(out, "%s", (i + 0.5) / BAR < part / all ? "█" : "░");
	if (left > 0) {
		text_add(out, " ");
		text_time(out, left);
		text_add(out, " left");
	}
}

static void add_state(struct text *out, const struct live_state *state)
{
	if (state->phase[0])
		text_add(out, ", %s", state->phase);
	if (state->phase_left_s >= 0)
		text_add(out, " ≤%.0f s", state->phase_left_s);
	if (state->due > 0)
		text_add(out, "  %.0f/%.0f ticks, pause %.1f s", state->done, state->due,
			 state->longest_s);
	if (state->reread > 0) {
		text_add(out, ", re-read ");
		text_bytes(out, state->reread);
	}
	if (state->leak > 0) {
		text_add(out, ", leak ");
		text_bytes(out, state->leak);
	}
}

/* Cut where a column ends, not inside a character. */
static void cut(struct text *out, size_t width)
{
	size_t column = 0;

	for (size_t i = 0; i < out->used; column++) {
		size_t length = utf8_length(span_of(out->at + i, out->used - i));

		if (column == width) {
			out->at[i] = '\0';
			out->used = i;
			return;
		}
		i += length ? length : 1;
	}
}

void live_text(struct text *out, const char *title, const struct live_plan *plan,
	       const struct live_state *state, size_t width)
{
	add_plan(out, plan);
	text_add(out, "  %s", title);
	add_state(out, state);
	cut(out, width);
}
