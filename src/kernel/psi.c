#include "kernel/psi.h"

static void garble(size_t first, struct numbers out)
{
	out.state[first] = GARBLED;
	out.state[first + 1] = GARBLED;
}

/* avg10=0.00 avg60=0.00 avg300=0.00 total=0; the total comes last. */
static void line_parse(struct span line, size_t first, struct numbers out)
{
	struct span word;

	if (out.state[first] != ABSENT) {
		garble(first, out);
		return;
	}
	while (span_word(&line, &word)) {
		struct span key;
		struct span text;
		uint64_t value;

		if (!span_split(word, '=', &key, &text)) {
			garble(first, out);
			return;
		}
		if (span_eq(key, "avg10") && span_fixed(text, 2, &value) == 0)
			number_set(out, first, value);
		if (span_eq(key, "total") && span_u64(text, &value) == 0)
			number_set(out, first + 1, value);
	}
	if (out.state[first] != OK || out.state[first + 1] != OK)
		garble(first, out);
}

void psi_parse(struct span text, size_t base, struct numbers out)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct span word;

		if (!span_word(&line, &word))
			continue;
		if (span_eq(word, "some"))
			line_parse(line, base + PSI_SOME_AVG10, out);
		else if (span_eq(word, "full"))
			line_parse(line, base + PSI_FULL_AVG10, out);
	}
}

void psi_read(const struct root *root, struct buffer buffer, struct numbers out)
{
	static const struct {
		const char *path;
		size_t base;
	} files[] = {
		{ "proc/pressure/cpu", PSI_CPU_SOME_AVG10 },
		{ "proc/pressure/memory", PSI_MEM_SOME_AVG10 },
		{ "proc/pressure/io", PSI_IO_SOME_AVG10 },
		{ "proc/pressure/irq", PSI_IRQ_SOME_AVG10 },
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct span text;
		int r = root_read(root, files[i].path, buffer, &text);

		if (r < 0)
			numbers_fail(out, files[i].base, files[i].base + PSI_ROWS, r);
		else
			psi_parse(text, files[i].base, out);
	}
}
