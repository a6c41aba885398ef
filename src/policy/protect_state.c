#include "policy/protect_state.h"

static int bytes_parse(struct span text, uint64_t *out)
{
	if (!span_eq(text, "max"))
		return span_u64(text, out);
	*out = UINT64_MAX;
	return 0;
}

/* A path may have blanks in it, and no line break: cgroups cannot. */
static bool parse_line(struct span line, struct saved *out)
{
	struct saved saved = { 0 };
	struct span id;
	struct span rest;
	struct span number;

	if (!span_split(line, ' ', &id, &rest) || span_u64(id, &saved.id) < 0 || saved.id == 0)
		return false;
	if (!span_rsplit(rest, ' ', &rest, &number) || bytes_parse(number, &saved.set) < 0)
		return false;
	if (!span_rsplit(rest, ' ', &rest, &number) || bytes_parse(number, &saved.found) < 0)
		return false;
	if (span_empty(rest))
		return false;
	span_copy(rest, saved.path, sizeof(saved.path));
	*out = saved;
	return true;
}

size_t saved_parse(struct span text, struct saved *out, size_t max)
{
	struct span line;
	size_t count = 0;

	while (count < max && span_line(&text, &line))
		if (parse_line(line, &out[count]))
			count++;
	return count;
}

static void add_bytes(struct text *text, uint64_t bytes)
{
	if (bytes == UINT64_MAX)
		text_add(text, " max");
	else
		text_add(text, " %llu", (unsigned long long)bytes);
}

void saved_print(struct text *text, const struct saved *saved)
{
	text_add(text, "%llu %s", (unsigned long long)saved->id, saved->path);
	add_bytes(text, saved->found);
	add_bytes(text, saved->set);
	text_add(text, "\n");
}

/* systemd.unit(5): what a name may hold. */
#define UNIT_BYTES                   \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789:-_.\\@"

bool unit_is_plain(const char *name)
{
	static const char *const types[] = { ".service", ".scope", ".slice" };
	size_t length = strlen(name);

	if (length == 0 || name[0] == '-' || strspn(name, UNIT_BYTES) != length)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		size_t tail = strlen(types[i]);

		if (length > tail && strcmp(name + length - tail, types[i]) == 0)
			return true;
	}
	return false;
}
