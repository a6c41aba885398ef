#include "fuzz.h"

#include "config/arguments.h"

static void check_words(const struct reader *reader, struct span text)
{
	struct words words = { 0 };
	size_t length = 0;

	if (words_cut(reader, text, &words) < 0)
		return;
	for (size_t i = 0; i < words.count; i++)
		length += strlen(words.word[i]);
	CHECK(length <= span_len(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span text = input(data, size);
	struct arena arena;
	struct reader reader = { .arena = &arena };
	struct config config = { 0 };

	CHECK(arena_init(&arena, (size_t)256 << 20) == 0);
	check_words(&reader, text);
	CHECK(assignments_parse(&reader, "x", text, &config) == 0);
	for (size_t i = 0; i < config.rows; i++)
		CHECK(config.row[i].line > 0 && *config.row[i].key);
	arena_done(&arena);
	return 0;
}
