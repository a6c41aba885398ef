#include <errno.h>
#include <pwd.h>

#include "base/units.h"
#include "policy/config_value.h"

const char *const POLICY_KIND_WORDS[POLICY_KINDS] = {
	[POLICY_PROTECT] = "protect",	      [POLICY_PREFER] = "prefer",
	[POLICY_EXPENDABLE] = "expendable",   [POLICY_NEVER] = "never",
	[POLICY_UNIT_AS_ONE] = "unit-as-one", [POLICY_HOOK] = "hook",
};

/* The kernel keeps so much of a process's name. */
#define COMM_BYTES 15

static int put_text(struct span value, struct buffer out, struct text *expected)
{
	if (!span_empty(value) && span_copy(value, out.at, out.size))
		return 0;
	text_add(expected, "a pattern of 1 to %zu bytes", out.size - 1);
	return -EINVAL;
}
#define BUFFER(array) ((struct buffer){ (array), sizeof(array) })

static bool has(struct span text, const char *bytes)
{
	for (const char *at = text.at; at < text.end; at++)
		if (strchr(bytes, *at))
			return true;
	return false;
}

static int put_unit(struct policy_row *row, struct span value, struct text *expected)
{
	if (!has(value, "/"))
		return put_text(value, BUFFER(row->unit), expected);
	text_add(expected, "the last part of a path, without '/'; cgroup is for all of it");
	return -EINVAL;
}

/* People copy paths with the slash in front. */
static int put_cgroup(struct policy_row *row, struct span value, struct text *expected)
{
	while (span_starts(value, "/"))
		value.at++;
	return put_text(value, BUFFER(row->cgroup), expected);
}

static int put_comm(struct policy_row *row, struct span value, struct text *expected)
{
	if (span_len(value) <= COMM_BYTES || has(value, "*?[\\"))
		return put_text(value, BUFFER(row->comm), expected);
	text_add(expected, "at most %d bytes, which is all that the kernel keeps of a name",
		 COMM_BYTES);
	return -EINVAL;
}

static int put_exe(struct policy_row *row, struct span value, struct text *expected)
{
	if (!span_empty(value) && strchr("/*?[", *value.at))
		return put_text(value, BUFFER(row->exe), expected);
	text_add(expected, "a pattern of the whole path, which begins with '/' or '*'");
	return -EINVAL;
}

static bool find_kind(struct span word, uint32_t *kinds)
{
	for (uint32_t kind = 0; kind < POLICY_KINDS; kind++) {
		if (!span_eq(word, POLICY_KIND_WORDS[kind]))
			continue;
		*kinds |= 1u << kind;
		return true;
	}
	return false;
}

static int put_kinds(struct policy_row *row, struct span value, struct text *expected)
{
	struct span word;
	uint32_t kinds = 0;
	bool is_known = true;

	while (is_known && span_word(&value, &word))
		is_known = find_kind(word, &kinds);
	if (is_known && kinds != 0) {
		row->kinds = kinds;
		return 0;
	}
	text_add(expected, "words of:");
	for (size_t kind = 0; kind < POLICY_KINDS; kind++)
		text_add(expected, " %s", POLICY_KIND_WORDS[kind]);
	return -EINVAL;
}

/* UINT64_MAX where there is no such user. */
static uint64_t uid_of(struct span name)
{
	char text[64];
	const struct passwd *user = NULL;
	uint64_t uid;

	if (span_u64(name, &uid) == 0)
		return uid;
	if (!span_empty(name) && span_copy(name, text, sizeof(text)))
		user = getpwnam(text);
	return user ? user->pw_uid : UINT64_MAX;
}

static int put_uid(struct policy_row *row, struct span value, struct text *expected)
{
	uint64_t uid = uid_of(value);

	if (uid < UINT32_MAX) {
		row->uid = (uint32_t)uid;
		row->has_uid = true;
		return 0;
	}
	text_add(expected, "a number, or the name of a user of this machine");
	return -EINVAL;
}

static int put_priority(struct policy_row *row, struct span value, struct text *expected)
{
	int64_t priority;

	if (span_i64(value, &priority) == 0 && priority >= -1000 && priority <= 1000) {
		row->priority = (int32_t)priority;
		return 0;
	}
	text_add(expected, "a whole number from -1000 to 1000");
	return -EINVAL;
}

static int put_bytes(struct span value, uint64_t *out, struct text *expected)
{
	uint64_t bytes;

	if (size_parse(value, &bytes) == 0 && bytes > 0) {
		*out = bytes;
		return 0;
	}
	text_add(expected, "a size such as 64M");
	return -EINVAL;
}

static int put_min(struct policy_row *row, struct span value, struct text *expected)
{
	return put_bytes(value, &row->min_bytes, expected);
}

static int put_max(struct policy_row *row, struct span value, struct text *expected)
{
	return put_bytes(value, &row->max_bytes, expected);
}

/* One word of a command without its quotes, ended with NUL; false when it is none or too long.
 */
static bool take_word(struct span *line, struct text *argv)
{
	bool is_quoted = false;
	size_t before = argv->used;

	*line = span_trim(*line);
	for (; !span_empty(*line) && (is_quoted || !has(span_of(line->at, 1), " \t"));
	     line->at++)
		if (*line->at == '"')
			is_quoted = !is_quoted;
		else
			text_put(argv, line->at, 1);
	/* An empty word would be the end of all. */
	if (is_quoted || argv->cut || argv->used == before)
		return false;
	text_put(argv, "", 1);
	return !argv->cut;
}

/* Words end at blanks; between double quotes blanks are part of a word. No shell reads it. */
static int put_hook(struct policy_row *row, struct span value, struct text *expected)
{
	char argv[POLICY_ARGV] = { 0 };
	struct text text = text_on(argv, sizeof(argv));
	bool is_right = span_starts(value, "/");

	while (is_right && !span_empty(value))
		is_right = take_word(&value, &text);
	if (is_right) {
		memcpy(row->argv, argv, sizeof(argv));
		return 0;
	}
	text_add(expected,
		 "a program's whole path and its arguments, none of them empty, all quotes "
		 "closed, at most %d bytes",
		 POLICY_ARGV - 2);
	return -EINVAL;
}

const struct policy_key POLICY_KEY_ROWS[POLICY_KEYS] = {
	{ "unit", "PATTERN",
	  "The last part of the cgroup's path: a unit, such as _postgresql@\\*.service_.",
	  put_unit },
	{ "cgroup", "PATTERN",
	  "The whole path below /sys/fs/cgroup, such as _user.slice/\\*_; a \\* also stands "
	  "for "
	  "slashes.",
	  put_cgroup },
	{ "comm", "PATTERN", "The name of a process, of which the kernel keeps 15 bytes.",
	  put_comm },
	{ "exe", "PATTERN",
	  "The whole path of its program. The guard does not read it, because that can hang on "
	  "a process that waits for memory: such a row never holds, and *--check-config* says "
	  "so.",
	  put_exe },
	{ "uid", "NUMBER or USER", "Whose process it is.", put_uid },
	{ "kinds", "WORD…", "What holds for it, see below.", put_kinds },
	{ "priority", "-1000 to 1000",
	  "Where rows contradict, the higher one holds; 0 where it is not given. Rows that are "
	  "built in have -100.",
	  put_priority },
	{ "min", "SIZE", "Of protect: at least so much is kept in memory.", put_min },
	{ "max", "SIZE", "Of protect: at most so much is kept in memory.", put_max },
	{ "hook", "PROGRAM ARGUMENT…",
	  "Run before a victim is ended, see *refault-guard*(1): the whole path of a program. "
	  "Words end at blanks; between double quotes blanks are part of a word. There is no "
	  "shell.",
	  put_hook },
};

int policy_parse(struct policy_row *row, struct span key, struct span value,
		 struct text *expected)
{
	const char *between = "a key of: ";

	for (size_t i = 0; i < POLICY_KEYS; i++)
		if (span_eq(key, POLICY_KEY_ROWS[i].key))
			return POLICY_KEY_ROWS[i].put(row, value, expected);
	for (size_t i = 0; i < POLICY_KEYS; i++) {
		text_add(expected, "%s%s", between, POLICY_KEY_ROWS[i].key);
		between = ", ";
	}
	return -EINVAL;
}
