#include "fuzz.h"

#include "lab/figures/ini.h"

static void check_inside(struct span whole, struct span part)
{
	CHECK(part.at >= whole.at && part.at <= part.end && part.end <= whole.end);
}

/* What is found by its name is what the loop came across last. */
static void check_found(struct span text, struct span section, struct span key)
{
	char names[2][64];
	struct span value;

	if (!span_copy(section, names[0], sizeof(names[0])) ||
	    !span_copy(key, names[1], sizeof(names[1])) ||
	    memchr(section.at, 0, span_len(section)) || memchr(key.at, 0, span_len(key)))
		return;
	CHECK(ini_find(text, names[0], names[1], &value));
	check_inside(text, value);
}

static void check_pairs(struct span text, struct span section, struct span lines)
{
	struct span key;
	struct span value;
	size_t left = span_len(lines);

	while (ini_pair(&lines, &key, &value)) {
		check_inside(text, key);
		check_inside(text, value);
		CHECK(span_len(lines) < left);
		left = span_len(lines);
		if (span_len(text) < 4096) /* else this is quadratic */
			check_found(text, section, key);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span text = input(data, size);
	struct span rest = text;
	struct span section;
	struct span lines;

	while (ini_section(&rest, &section, &lines)) {
		check_inside(text, section);
		check_inside(text, lines);
		check_pairs(text, section, lines);
	}
	return 0;
}
