#include "fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Texts of fixtures live until the program ends. */
static char *keep(const char *text, size_t length)
{
	static struct arena arena;

	if (!arena.base)
		assert_int_equal(arena_init(&arena, (size_t)256 << 20), 0);
	return arena_text(&arena, text, length);
}

static const char *text_of(const char *file)
{
	static char text[1 << 20];
	const char *path = path_in(FIXTURES, file);
	FILE *stream = fopen(path, "re");
	size_t length;

	if (!stream)
		fail_msg("%s: cannot be opened", path);
	length = fread(text, 1, sizeof(text) - 1, stream);
	fclose(stream);
	text[length] = '\0';
	return keep(text, length);
}

static char *joined(struct span left, const char *middle, struct span right)
{
	static char text[1 << 20];
	int n = snprintf(text, sizeof(text), "%.*s%s%.*s", (int)span_len(left), left.at, middle,
			 (int)span_len(right), right.at);

	assert_true(n < (int)sizeof(text));
	return keep(text, (size_t)n);
}

/* The lines of what the kernel ends with NUL: the words of a process. */
static void end_lines_with_nul(const char *tree, const char *path, struct span body)
{
	FILE *file = fopen(path_in(tree, path), "we");

	assert_non_null(file);
	for (const char *at = body.at; at < body.end; at++)
		fputc(*at == '\n' ? '\0' : *at, file);
	fclose(file);
}

static bool has_words(struct span path)
{
	struct span left;
	struct span name;

	return span_rsplit(path, '/', &left, &name) &&
	       (span_eq(name, "cmdline") || span_eq(name, "environ")) && !span_eq(left, "proc");
}

/* "--- PATH", "--- PATH -> TARGET", "--- PATH !EACCES"; the text goes on to the next one. */
static void unpack_file(const char *tree, struct span head, struct span body)
{
	const struct span none = span_cstr("");
	struct span path = { 0 };
	struct span rest = head;
	struct file files[2] = { 0 };

	if (!span_word(&rest, &path))
		fail_msg("a file without a path");
	rest = span_trim(rest);
	files[0].path = joined(path, "", none);
	files[0].text = joined(body, "", none);
	unlink(path_in(tree, files[0].path));
	if (span_starts(rest, "!ENOENT"))
		return;
	if (span_starts(rest, "!")) {
		files[0].path = joined(path, ".errno", none);
		files[0].text = joined(span_of(rest.at + 1, span_len(rest) - 1), "\n", none);
	} else if (span_starts(rest, "->")) {
		rest = span_trim(span_of(rest.at + 2, span_len(rest) - 2));
		files[0].text = joined(span_cstr("->"), "", rest);
	}
	tree_add(tree, files);
	if (span_empty(rest) && has_words(path))
		end_lines_with_nul(tree, files[0].path, body);
}

static bool is_wish(struct span line)
{
	return !span_empty(line) && *line.at != '#' && !span_eq(line, "bare");
}

static void unpack(const char *tree, struct span text, struct fixture *fixture)
{
	struct span head = { 0 };
	struct span line;
	const char *body = text.at;
	unsigned int number = 0;

	while (span_line(&text, &line)) {
		number++;
		if (span_starts(line, "--- ")) {
			if (head.at)
				unpack_file(tree, head, (struct span){ body, line.at });
			head = (struct span){ line.at + 4, line.end };
			body = text.at;
		} else if (!head.at && fixture && is_wish(line)) {
			assert_true(fixture->count < ARRAY_LEN(fixture->wanted));
			fixture->wanted[fixture->count++] = (struct wanted){ line, number };
		}
	}
	if (head.at)
		unpack_file(tree, head, (struct span){ body, text.end });
}

void fixture_open(const char *file, struct fixture *out)
{
	const char *text = text_of(file);

	*out = (struct fixture){ .file = file, .tree = folder_new() };
	if (strncmp(text, "bare\n", 5) != 0)
		unpack(out->tree, span_cstr(text_of("BASE")), NULL);
	unpack(out->tree, span_cstr(text), out);
}

void looked_open(const char *tree, const struct rule *rule, struct looked *out)
{
	struct reader reader = { .arena = &out->arena };

	*out = (struct looked){ .root = root_of(tree) };
	assert_int_equal(arena_init(&out->samples, SNAPSHOT_ARENA), 0);
	assert_int_equal(arena_init(&out->arena, FACTS_ARENA), 0);
	assert_int_equal(sampler_init(&out->sampler), 0);
	assert_int_equal(sampler_take(&out->sampler, &out->root, SAMPLE_ALL, &out->samples,
				      &out->snapshot),
			 0);
	reader.arena = &out->arena;
	reader.buffer =
		(struct buffer){ arena_raw(&out->arena, CONFIG_BYTES + 1), CONFIG_BYTES + 1 };
	facts_init(&out->facts, &out->root, out->snapshot, reader);
	out->facts.today = 20788; /* 2026-12-01 */
	out->facts.is_root = true;
	assert_true(audit_init(&out->audit, &out->facts));
	if (rule)
		audit_rule(&out->audit, rule);
}

void looked_close(struct looked *looked)
{
	sampler_done(&looked->sampler);
	arena_done(&looked->arena);
	arena_done(&looked->samples);
	root_done(&looked->root);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

size_t fixture_files(const char **name, size_t room)
{
	DIR *folder = opendir(FIXTURES);
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)) != NULL) {
		if (!strstr(entry->d_name, ".fires") && !strstr(entry->d_name, ".passes") &&
		    !strstr(entry->d_name, ".unknown") && !strstr(entry->d_name, ".skips"))
			continue;
		assert_true(count < room);
		name[count++] = keep(entry->d_name, strlen(entry->d_name));
	}
	closedir(folder);
	qsort(name, count, sizeof(*name), by_name);
	return count;
}
