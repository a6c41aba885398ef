#include "fix/state.h"

#include <errno.h>

static const char *const WORDS[DEED_KINDS] = {
	[DEED_FOLDER] = "folder", [DEED_FILE] = "file", [DEED_LINK] = "link",
	[DEED_VALUE] = "value",	  [DEED_SWAP] = "swap", [DEED_ENABLE] = "enable",
};

/* How many fields behind the word. */
static const size_t FIELDS[DEED_KINDS] = {
	[DEED_FOLDER] = 1, [DEED_FILE] = 2, [DEED_LINK] = 2,
	[DEED_VALUE] = 3,  [DEED_SWAP] = 1, [DEED_ENABLE] = 1,
};

static bool kind_of(struct span word, enum deed_kind *out)
{
	for (int kind = 0; kind < DEED_KINDS; kind++)
		if (span_eq(word, WORDS[kind])) {
			*out = (enum deed_kind)kind;
			return true;
		}
	return false;
}

/* What this program would never have noted is not believed: a state may have been written by
 * others. */
static bool is_ours(const struct deed *deed)
{
	switch (deed->kind) {
	case DEED_VALUE:
		return strncmp(deed->path, "proc/sys/", 9) == 0 ||
		       strncmp(deed->path, "sys/", 4) == 0;
	case DEED_SWAP:
	case DEED_ENABLE:
		return !strchr(deed->path, '/');
	case DEED_FOLDER:
	case DEED_FILE:
	case DEED_LINK:
		return strncmp(deed->path, "etc/", 4) == 0 ||
		       strncmp(deed->path, "var", 3) == 0 || strcmp(deed->path, "etc") == 0;
	case DEED_KINDS:
		return false;
	}
	return false;
}

/* 1 for a good line, 0 for a bad one, -ENOMEM. */
static int parse_line(struct span line, struct arena *arena, struct deed *out)
{
	const char **field[] = { &out->path, &out->first, &out->second };
	struct span piece;
	size_t count = 0;

	*out = (struct deed){ .path = "", .first = "", .second = "" };
	if (!span_cut(&line, '\t', &piece) || !kind_of(piece, &out->kind))
		return 0;
	while (count < ARRAY_LEN(field) && count < FIELDS[out->kind] &&
	       span_cut(&line, '\t', &piece)) {
		*field[count] = arena_text(arena, piece.at, span_len(piece));
		if (!*field[count++])
			return -ENOMEM;
	}
	return count == FIELDS[out->kind] && path_is_plain(out->path) && is_ours(out);
}

int deeds_parse(struct span text, struct arena *arena, struct deeds *out, size_t *bad)
{
	struct span line;

	out->count = 0;
	*bad = 0;
	while (span_line(&text, &line)) {
		int r = out->count < FIX_DEEDS ?
				parse_line(line, arena, &out->deed[out->count]) :
				0;

		if (r < 0)
			return r;
		out->count += r > 0;
		*bad += r == 0;
	}
	return 0;
}

static bool fits(const char *text)
{
	return !strpbrk(text, "\t\n");
}

bool deed_print(char *buffer, size_t size, const struct deed *deed)
{
	int n = snprintf(
		buffer, size, "%s\t%s%s%s%s%s\n", WORDS[deed->kind], deed->path,
		FIELDS[deed->kind] > 1 ? "\t" : "", FIELDS[deed->kind] > 1 ? deed->first : "",
		FIELDS[deed->kind] > 2 ? "\t" : "", FIELDS[deed->kind] > 2 ? deed->second : "");

	return n < (int)size && fits(deed->path) && fits(deed->first) && fits(deed->second);
}

void fix_hash(struct span text, char out[17])
{
	uint64_t hash = 14695981039346656037u;

	for (const char *at = text.at; at < text.end; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	snprintf(out, 17, "%016llx", (unsigned long long)hash);
}
