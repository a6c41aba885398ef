#include "config/kubelet.h"

#include <errno.h>
#include <yaml.h>

/*
 * A kubelet's file has some two hundred scalars, four levels deep. The bounds keep a hostile
 * one cheap: an alias is copied as rows, and all copies count.
 */
#define KUBELET_DEPTH 16
#define KUBELET_ROWS 2048
#define KUBELET_ANCHORS 64
#define KUBELET_PATH 1024

/* A mapping or list that is open. */
struct level {
	size_t path; /* length of the path to it */
	bool is_list;
	bool has_key; /* of a mapping: the next scalar is a value */
	size_t items; /* of a list */
	int anchor;   /* that ends with it; -1 */
};

struct anchor {
	char name[64];
	size_t path; /* length of the path of its rows */
	size_t first;
	size_t end; /* of its rows; SIZE_MAX while it is open */
};

struct walk {
	const struct reader *reader;
	const char *file;
	struct config *config;
	yaml_parser_t parser;
	char path[KUBELET_PATH];
	size_t used;
	struct level level[KUBELET_DEPTH];
	size_t depth;
	struct anchor anchor[KUBELET_ANCHORS];
	size_t anchors;
	size_t begin; /* first row of this file */
	size_t rows;  /* of this file, and how many copies were tried */
	const char *fault;
};

static bool stop(struct walk *walk, const char *fault)
{
	walk->fault = fault;
	return false;
}

static bool append(struct walk *walk, const char *text, size_t length)
{
	if (walk->used + length + 1 > sizeof(walk->path))
		return stop(walk, "has a very long path of keys");
	memcpy(walk->path + walk->used, text, length);
	walk->used += length;
	walk->path[walk->used] = '\0';
	return true;
}

static bool append_key(struct walk *walk, const char *key, size_t length)
{
	if (length == 0 || memchr(key, '\0', length))
		return stop(walk, "has a key that is empty or has a NUL in it");
	return (walk->used == 0 || append(walk, ".", 1)) && append(walk, key, length);
}

static bool append_index(struct walk *walk, struct level *list)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "[%zu]", list->items++);

	return append(walk, text, (size_t)n);
}

/* In a mapping the path has its key already. */
static bool begin_value(struct walk *walk)
{
	struct level *level = walk->depth ? &walk->level[walk->depth - 1] : NULL;

	if (!level)
		return stop(walk, "is no mapping of keys to values");
	if (level->is_list)
		return append_index(walk, level);
	return level->has_key || stop(walk, "has a key that is no plain text");
}

static void end_value(struct walk *walk)
{
	struct level *level = walk->depth ? &walk->level[walk->depth - 1] : NULL;

	walk->used = level ? level->path : 0;
	walk->path[walk->used] = '\0';
	if (level)
		level->has_key = false;
}

static bool add_row(struct walk *walk, unsigned int line, const char *value)
{
	const struct config_row row = { walk->file, line, "", walk->path, value };

	if (++walk->rows > KUBELET_ROWS)
		return stop(walk, "has more than 2,048 values");
	if (config_add(walk->reader, walk->config, &row) < 0)
		return stop(walk, NULL);
	return true;
}

static int open_anchor(struct walk *walk, const yaml_char_t *name)
{
	struct anchor *anchor = &walk->anchor[walk->anchors];

	if (!name || walk->anchors == KUBELET_ANCHORS)
		return -1;
	if (!span_copy(span_cstr((const char *)name), anchor->name, sizeof(anchor->name)))
		return -1;
	anchor->path = walk->used;
	anchor->first = walk->config->rows;
	anchor->end = SIZE_MAX;
	return (int)walk->anchors++;
}

static void close_anchor(struct walk *walk, int index)
{
	if (index >= 0)
		walk->anchor[index].end = walk->config->rows;
}

static bool is_null(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
		strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0);
}

static bool take_scalar(struct walk *walk, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;
	struct level *level = walk->depth ? &walk->level[walk->depth - 1] : NULL;
	int anchor;

	if (level && !level->is_list && !level->has_key) {
		level->has_key = true;
		return append_key(walk, text, length);
	}
	if (length > CONFIG_LINE || memchr(text, '\0', length))
		return stop(walk, "has a value that is longer than 16 KiB or has a NUL in it");
	if (!begin_value(walk))
		return false;
	anchor = open_anchor(walk, event->data.scalar.anchor);
	if (!add_row(walk, (unsigned int)event->start_mark.line + 1,
		     is_null(event) ? "" : text))
		return false;
	close_anchor(walk, anchor);
	end_value(walk);
	return true;
}

static bool open_level(struct walk *walk, bool is_list, const yaml_char_t *anchor)
{
	if (walk->depth == KUBELET_DEPTH)
		return stop(walk, "is nested more than 16 levels deep");
	if ((walk->depth || is_list) && !begin_value(walk))
		return false;
	walk->level[walk->depth++] = (struct level){ .path = walk->used,
						     .is_list = is_list,
						     .anchor = open_anchor(walk, anchor) };
	return true;
}

static bool close_level(struct walk *walk)
{
	const struct level *level = &walk->level[--walk->depth];

	close_anchor(walk, level->anchor);
	end_value(walk);
	return true;
}

static const struct anchor *find_anchor(const struct walk *walk, const yaml_char_t *name)
{
	for (size_t i = walk->anchors; i-- > 0;)
		if (strcmp(walk->anchor[i].name, (const char *)name) == 0)
			return &walk->anchor[i];
	return NULL;
}

/* "<<: *other": what the mapping says itself counts more, wherever it stands. */
static bool is_merge(const struct walk *walk)
{
	return walk->used >= 2 && strcmp(walk->path + walk->used - 2, "<<") == 0 &&
	       (walk->used == 2 || walk->path[walk->used - 3] == '.');
}

static bool is_said(const struct walk *walk)
{
	for (size_t i = walk->begin; i < walk->config->rows; i++)
		if (strcmp(walk->config->row[i].key, walk->path) == 0)
			return true;
	return false;
}

static bool copy_row(struct walk *walk, const struct anchor *anchor, size_t index, bool merges)
{
	const struct config_row row = walk->config->row[index];
	const char *tail = row.key + anchor->path;
	size_t before = walk->used;
	bool done = true;

	if (merges && *tail == '.' && before == 0)
		tail++;
	if (!append(walk, tail, strlen(tail)))
		return false;
	if (walk->used == 0)
		done = stop(walk, "merges what is no mapping");
	else if (!merges || !is_said(walk))
		done = add_row(walk, row.line, row.value);
	else if (++walk->rows > KUBELET_ROWS)
		done = stop(walk, "has more than 2,048 values");
	walk->used = before;
	walk->path[before] = '\0';
	return done;
}

static bool take_alias(struct walk *walk, const yaml_event_t *event)
{
	const struct anchor *anchor = find_anchor(walk, event->data.alias.anchor);
	bool merges;

	if (!anchor || anchor->end == SIZE_MAX)
		return stop(walk, "has an alias of something that it does not have yet");
	if (!begin_value(walk))
		return false;
	merges = is_merge(walk);
	if (merges)
		walk->used -= walk->used == 2 ? 2 : 3;
	walk->path[walk->used] = '\0';
	for (size_t i = anchor->first; i < anchor->end; i++)
		if (!copy_row(walk, anchor, i, merges))
			return false;
	end_value(walk);
	return true;
}

static bool take_event(struct walk *walk, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return take_scalar(walk, event);
	case YAML_ALIAS_EVENT:
		return take_alias(walk, event);
	case YAML_MAPPING_START_EVENT:
		return open_level(walk, false, event->data.mapping_start.anchor);
	case YAML_SEQUENCE_START_EVENT:
		return open_level(walk, true, event->data.sequence_start.anchor);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		return close_level(walk);
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_START_EVENT:
	case YAML_DOCUMENT_END_EVENT:
	default:
		return true;
	}
}

/* The kubelet reads the first document of a file only. */
static int walk_events(struct walk *walk, unsigned int *line)
{
	yaml_event_t event;
	bool goes_on = true;

	while (goes_on) {
		if (!yaml_parser_parse(&walk->parser, &event)) {
			*line = (unsigned int)walk->parser.problem_mark.line + 1;
			walk->fault = "is neither YAML nor JSON";
			return walk->parser.error == YAML_MEMORY_ERROR ? -ENOMEM : -EBADMSG;
		}
		*line = (unsigned int)event.start_mark.line + 1;
		goes_on = take_event(walk, &event);
		if (!goes_on) {
			yaml_event_delete(&event);
			return walk->fault ? -EBADMSG : -ENOMEM;
		}
		goes_on = event.type != YAML_DOCUMENT_END_EVENT &&
			  event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return 0;
}

int kubelet_parse(const struct reader *reader, const char *file, struct span text,
		  struct config *out)
{
	struct walk walk = { .reader = reader, .file = file, .config = out };
	struct config_note note = { .file = file, .error = EBADMSG };
	int r;

	walk.begin = out->rows;
	if (span_empty(text))
		return 0;
	/* libyaml compares each of them with all before it: 1 MiB of them takes minutes. */
	if (memmem(text.at, span_len(text), "%TAG", 4)) {
		note.what = "has a %TAG directive";
		return config_note(reader, out, &note);
	}
	if (!yaml_parser_initialize(&walk.parser))
		return -ENOMEM;
	yaml_parser_set_encoding(&walk.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&walk.parser, (const unsigned char *)text.at,
				     span_len(text));
	r = walk_events(&walk, &note.line);
	yaml_parser_delete(&walk.parser);
	note.what = walk.fault;
	return r == -EBADMSG ? config_note(reader, out, &note) : r;
}

static int read_one(const struct reader *reader, const char *path, struct config *out)
{
	struct span text;
	int r = config_text(reader, path, out, &text);

	if (r == 0)
		return kubelet_parse(reader, path, text, out);
	return r == -ENOMEM ? r : 0;
}

int kubelet_read(const struct reader *reader, const char *path, const char *folder,
		 struct config *out)
{
	const char *folders[] = { folder, NULL };
	struct config_files files = { 0 };
	int r = read_one(reader, path, out);

	if (r == 0 && folder)
		r = config_files(reader, folders, ".conf", out, &files);
	for (size_t i = 0; i < files.count && r == 0; i++)
		r = read_one(reader, files.path[i], out);
	return r;
}
