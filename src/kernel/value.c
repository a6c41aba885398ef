#include "kernel/value.h"

#include <errno.h>

/*
 * cgroup v1 has no word for unlimited: it prints the largest multiple of the page size below
 * 2^63 (PAGE_COUNTER_MAX, include/linux/page_counter.h). Pages have at most 1 MiB anywhere.
 */
#define V1_UNLIMITED (((uint64_t)1 << 63) - ((uint64_t)1 << 20))

static int choice_parse(struct span text, uint64_t *out)
{
	struct span before;
	struct span rest;
	struct span word;

	if (!span_split(text, '[', &before, &rest) || !span_split(rest, ']', &word, &before))
		return -EBADMSG;
	for (uint64_t i = 0; i < CHOICES; i++)
		if (span_eq(word, choice_name(i))) {
			*out = i;
			return 0;
		}
	return -EBADMSG;
}

static int flag_parse(struct span text, uint64_t *out)
{
	if (span_eq(text, "Y") || span_eq(text, "1"))
		*out = 1;
	else if (span_eq(text, "N") || span_eq(text, "0"))
		*out = 0;
	else
		return -EBADMSG;
	return 0;
}

static int u64_parse(struct span text, uint64_t *out)
{
	if (!span_eq(text, "max"))
		return span_u64(text, out);
	*out = UINT64_MAX;
	return 0;
}

void value_parse_as(struct span text, enum form form, size_t id, struct numbers out)
{
	static int (*const parsers[])(struct span, uint64_t *) = {
		[FORM_U64] = u64_parse,
		[FORM_HEX] = span_hex,
		[FORM_FLAG] = flag_parse,
		[FORM_CHOICE] = choice_parse,
	};
	uint64_t value;

	if (parsers[form](span_trim(text), &value) < 0) {
		out.state[id] = GARBLED;
		return;
	}
	number_set(out, id, value);
	if (form == FORM_U64 && value >= V1_UNLIMITED) {
		out.value[id] = UINT64_MAX;
		out.state[id] = UNLIMITED;
	}
}

static const struct {
	size_t id;
	const char *path;
	enum form form;
} TUNABLES[] = {
#define X(id, path, form, unit, help) { id, path, FORM_##form },
#include "kernel/tunables.def"
#undef X
};

void tunables_read(const struct root *root, struct buffer buffer, struct numbers out)
{
	for (size_t i = 0; i < ARRAY_LEN(TUNABLES); i++) {
		size_t id = TUNABLES[i].id;
		struct span text;
		int r = root_read(root, TUNABLES[i].path, buffer, &text);

		if (r < 0)
			numbers_fail(out, id, id + 1, r);
		else
			value_parse_as(text, TUNABLES[i].form, id, out);
	}
}
