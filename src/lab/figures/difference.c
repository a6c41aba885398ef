#include "lab/figures/difference.h"

#include <errno.h>

#include "lab/figures/run_file.h"

#define INI_MOST ((size_t)1 << 20)

/* What a run says of the machines; the rest is about this one run. */
static const char *const RUN_KEYS[][2] = {
	{ "host", "accelerator" }, { "host", "qemu" },	   { "host", "cpu" },
	{ "host", "cores" },	   { "guest", "release" }, { "guest", "mem_total_bytes" },
};

/* Sections of a scenario that change nothing in how it runs. */
static const char *const TALK[] = { "scenario", "anchors", "shape", "truth", "measure" };

static int text_read(const char *directory, const char *name, struct arena *arena,
		     struct span *out)
{
	int r = run_file_read(&(struct run_file){ directory, name, INI_MOST }, arena, out);

	if (r == -ENOENT) {
		*out = span_cstr("");
		return 0;
	}
	return r;
}

int ini_texts_read(const char *directory, struct arena *arena, struct ini_texts *out,
		   struct lab_error *error)
{
	int r = text_read(directory, "run.ini", arena, &out->run);

	if (r == 0)
		r = text_read(directory, "scenario.ini", arena, &out->scenario);
	if (r < 0)
		return lab_refuse(error, r, "%.300s: cannot read run.ini and scenario.ini: %s",
				  directory, strerror(-r));
	return 0;
}

static bool same(struct span a, struct span b)
{
	return span_len(a) == span_len(b) &&
	       (span_empty(a) || memcmp(a.at, b.at, span_len(a)) == 0);
}

static void add(struct differences *out, const struct difference *row)
{
	if (same(row->a, row->b))
		return;
	if (out->count == DIFFERENCES_MAX)
		out->cut = true;
	else
		out->row[out->count++] = *row;
}

/* A key has no NUL in it: as text for ini_find(). */
static bool find(struct span ini, struct span section, struct span key, struct span *out)
{
	char name[128];
	char word[128];

	return span_copy(section, name, sizeof(name)) && span_copy(key, word, sizeof(word)) &&
	       ini_find(ini, name, word, out);
}

static bool is_talk(struct span section)
{
	for (size_t i = 0; i < ARRAY_LEN(TALK); i++)
		if (span_eq(section, TALK[i]))
			return true;
	return false;
}

/* Each key of a, beside b's; or, the other way round, those that only b has. */
static void walk(struct span a, struct span b, bool swapped, struct differences *out)
{
	struct span section;
	struct span lines;
	struct span text = a;

	while (ini_section(&text, &section, &lines)) {
		struct difference row = { .section = section };

		if (is_talk(section))
			continue;
		while (ini_pair(&lines, &row.key, &row.a)) {
			bool found;

			row.b = span_cstr("");
			found = find(b, section, row.key, &row.b);
			if (swapped && found)
				continue;
			if (swapped)
				row.b = row.a;
			if (swapped)
				row.a = span_cstr("");
			add(out, &row);
		}
	}
}

void differences_of(const struct ini_texts *a, const struct ini_texts *b,
		    struct differences *out)
{
	*out = (struct differences){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(RUN_KEYS); i++) {
		struct difference row = {
			.section = span_cstr(RUN_KEYS[i][0]),
			.key = span_cstr(RUN_KEYS[i][1]),
			.a = span_cstr(""),
			.b = span_cstr(""),
		};

		ini_find(a->run, RUN_KEYS[i][0], RUN_KEYS[i][1], &row.a);
		ini_find(b->run, RUN_KEYS[i][0], RUN_KEYS[i][1], &row.b);
		add(out, &row);
	}
	walk(a->scenario, b->scenario, false, out);
	walk(b->scenario, a->scenario, true, out);
}
