#include "lab/scenario/expand.h"

#include <errno.h>

static size_t count_words(const char *list)
{
	struct span rest = span_cstr(list);
	struct span word;
	size_t count = 0;

	while (span_word(&rest, &word))
		count++;
	return count;
}

static struct span word_at(const char *list, size_t index)
{
	struct span rest = span_cstr(list);
	struct span word = span_of(list, 0);

	while (span_word(&rest, &word) && index > 0)
		index--;
	return word;
}

static int too_many(const struct setting *setting, struct lab_error *error)
{
	return scenario_fail(error, setting->place,
			     "[matrix]: expected at most %d keys, and at most %d arms in all",
			     MATRIX_MOST, ARMS_MOST);
}

static int expand_matrix(struct expansion *out, struct lab_error *error)
{
	for (size_t i = 0; i < out->all->count; i++) {
		const struct setting *row = &out->all->row[i];

		if (row->section != SECTION_MATRIX || *row->value == '\0')
			continue;
		if (out->axes == MATRIX_MOST)
			return too_many(row, error);
		out->axis[out->axes] = (struct axis){ row, count_words(row->value) };
		out->count *= out->axis[out->axes++].values;
		if (out->count > ARMS_MOST)
			return too_many(row, error);
	}
	return 0;
}

int expand(const struct settings *all, const char *name, struct expansion *out,
	   struct lab_error *error)
{
	*out = (struct expansion){ .all = all, .name = name };
	while (settings_name(all, SECTION_ARM, out->arms))
		out->arms++;
	out->count = MAX(out->arms, (size_t)1);
	if (out->count > ARMS_MOST)
		return scenario_fail(error, all->row[0].place, "expected at most %d arms",
				     ARMS_MOST);
	return expand_matrix(out, error);
}

/* The arm that is written, and the value on each axis. The last axis turns fastest. */
struct point {
	const char *arm; /* NULL without [arm]s */
	struct span value[MATRIX_MOST];
};

static struct point point_of(const struct expansion *expansion, size_t index)
{
	struct point point = { 0 };

	for (size_t i = expansion->axes; i > 0; i--) {
		const struct axis *axis = &expansion->axis[i - 1];

		point.value[i - 1] = word_at(axis->setting->value, index % axis->values);
		index /= axis->values;
	}
	point.arm = settings_name(expansion->all, SECTION_ARM, index);
	return point;
}

/* Names of arms are names of folders, too. */
static void add_value(struct text *out, struct span value)
{
	for (const char *at = value.at; at < value.end; at++) {
		bool plain = name_is_plain(span_of(at, 1)) || *at == '.' || *at == '+';

		text_put(out, plain ? at : "_", 1);
	}
}

void expansion_name(const struct expansion *expansion, size_t index, struct text *out)
{
	const struct point point = point_of(expansion, index);
	const struct setting *said = settings_find(expansion->all, SECTION_SCENARIO, "", "arm");

	if (point.arm)
		text_add(out, "%s", point.arm);
	else if (said)
		add_value(out, span_cstr(said->value));
	else if (expansion->axes == 0)
		text_add(out, "base");
	for (size_t i = 0; i < expansion->axes; i++) {
		if (out->used > 0)
			text_add(out, ".");
		add_value(out, point.value[i]);
	}
}

static int put_full(struct settings *settings, struct span key, struct span value,
		    struct lab_place place, struct lab_error *error)
{
	struct setting setting = { .place = place };
	int r = setting_parse(key, settings->arena, &setting, error);

	if (r < 0)
		return r;
	value = span_trim(value);
	setting.value = arena_text(settings->arena, value.at, span_len(value));
	return setting.value ? settings_put(settings, &setting) : -ENOMEM;
}

/* All rows of [quick], or of one [arm], as full keys. */
static int put_rows(const struct settings *all, enum section section, const char *name,
		    struct settings *out, struct lab_error *error)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct setting *row = &all->row[i];
		int r;

		if (row->section != section || strcmp(row->name, name) != 0 ||
		    key_find(section, "", row->key))
			continue;
		r = put_full(out, span_cstr(row->key), span_cstr(row->value), row->place,
			     error);
		if (r < 0)
			return r;
	}
	return 0;
}

static int put_axes(const struct expansion *expansion, const struct point *point,
		    struct settings *out, struct lab_error *error)
{
	for (size_t i = 0; i < expansion->axes; i++) {
		const struct setting *row = expansion->axis[i].setting;
		int r = put_full(out, span_cstr(row->key), point->value[i], row->place, error);

		if (r < 0)
			return r;
	}
	return 0;
}

static int put_choice(const struct scenario_choice *choice, struct settings *out,
		      struct lab_error *error)
{
	const struct lab_place place = { "--set", 0 };

	for (size_t i = 0; i < choice->sets; i++) {
		struct span text = span_cstr(choice->set[i]);
		struct span key;
		struct span value;
		int r;

		if (!span_split(text, '=', &key, &value))
			return scenario_fail(error, place, "'%s': expected FULL.KEY=VALUE",
					     lab_show(text).text);
		for (const char *at = text.at; at < text.end; at++)
			if ((unsigned char)*at < ' ' || *at == '#' || *at == '"')
				return scenario_fail(error, place,
						     "'%s': expected a value without control "
						     "characters, quotes and #",
						     lab_show(text).text);
		r = put_full(out, span_trim(key), value, place, error);
		if (r < 0)
			return r;
	}
	return 0;
}

static int put_base(const struct settings *all, struct settings *out)
{
	for (size_t i = 0; i < all->count; i++) {
		int r;

		if (all->row[i].section >= SECTION_ARM)
			continue;
		r = settings_put(out, &all->row[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

/* What this arm is called goes into its own file. */
static int put_names(const struct expansion *expansion, size_t index, const struct point *point,
		     struct settings *out)
{
	const struct setting *title = settings_find(expansion->all, SECTION_ARM,
						    point->arm ? point->arm : "", "title");
	const struct setting *base = settings_find(expansion->all, SECTION_ARM,
						   point->arm ? point->arm : "", "base");
	char name[256];
	struct text text = text_on(name, sizeof(name));
	struct setting row = { .section = SECTION_SCENARIO,
			       .name = "",
			       .key = "name",
			       .value = expansion->name,
			       .place = { expansion->name, 0 } };
	int r = settings_put(out, &row);

	expansion_name(expansion, index, &text);
	row.key = "arm";
	row.value = arena_text(out->arena, name, text.used);
	if (r == 0)
		r = row.value ? settings_put(out, &row) : -ENOMEM;
	row.key = "arm_title";
	if (title)
		row.value = title->value;
	if (r == 0 && title)
		r = settings_put(out, &row);
	row.key = "base";
	if (base)
		row.value = base->value;
	return r == 0 && base ? settings_put(out, &row) : r;
}

/* A scenario is not `like` anything any more, once it is resolved. */
static int put_end(struct settings *out)
{
	return settings_put(out, &(struct setting){ .section = SECTION_SCENARIO,
						    .name = "",
						    .key = "like",
						    .value = "" });
}

int expansion_settings(const struct expansion *expansion, size_t index,
		       const struct scenario_choice *choice, struct settings *out,
		       struct lab_error *error)
{
	const struct settings *all = expansion->all;
	const struct point point = point_of(expansion, index);
	int r = settings_init(all->arena, out);

	if (r == 0)
		r = put_base(all, out);
	if (r == 0 && point.arm)
		r = put_rows(all, SECTION_ARM, point.arm, out, error);
	if (r == 0)
		r = put_axes(expansion, &point, out, error);
	if (r == 0 && choice->quick)
		r = put_rows(all, SECTION_QUICK, "", out, error);
	if (r == 0)
		r = put_choice(choice, out, error);
	if (r == 0)
		r = put_names(expansion, index, &point, out);
	return r == 0 ? put_end(out) : r;
}
