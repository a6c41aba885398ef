#include "fuzz.h"

#include "lab/figures/rows.h"

/* Address space, which is as good as free. */
#define ARENA_SIZE ((size_t)64 << 20)

static void series_init(struct series *out)
{
	*out = (struct series){ .load = { { .name = "api" }, { .name = "worker" } },
				.loads = 2 };
	CHECK(arena_init(&out->arena, ARENA_SIZE) == 0);
}

static void check_marks(struct span text, struct series *series, struct lab_error *error)
{
	if (marks_parse(text, series, error) < 0)
		return;
	for (size_t i = 0; i < series->marks; i++) {
		CHECK(series->mark[i].kind[0] || series->mark[i].text);
		CHECK(i == 0 || series->mark[i].at_us >= series->mark[i - 1].at_us);
	}
}

static void check_loads(struct span text, struct series *series, struct lab_error *error)
{
	if (loads_parse(text, series, error) < 0)
		return;
	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];

		for (size_t row = 0; row < load->rows; row++) {
			CHECK(row == 0 || load->at_us[row] >= load->at_us[row - 1]);
			for (size_t point = 0; point < LOAD_POINTS; point++)
				CHECK(load->value[point][row] >= 0);
		}
	}
}

static void check_slots(struct span text, struct series *series, struct lab_error *error)
{
	struct load *load = &series->load[0];

	if (slots_parse(text, series, load, error) < 0)
		return;
	for (size_t i = 0; i < load->slots; i++) {
		const struct slot *slot = &load->slot[i];

		CHECK(slot->kind < SLOT_KINDS);
		CHECK(slot->done_us == 0 || slot->begun_us <= slot->done_us);
	}
}

/* The three tables, each by its own reader: whatever is refused has a sentence. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const checks[])(struct span, struct series *,
				      struct lab_error *) = { check_marks, check_loads,
							      check_slots };
	static struct series series;

	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		struct lab_error error = { "" };

		series_init(&series);
		checks[i](input(data, size), &series, &error);
		CHECK(error.text[sizeof(error.text) - 1] == '\0');
		arena_done(&series.arena);
	}
	return 0;
}
