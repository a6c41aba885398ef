#include "lab/boot/frames.h"

#include <errno.h>

/* Files of one frame: a machine of a few dozen cgroups and tasks has less than a MiB. */
#define FRAME_MAX ((size_t)64 << 20)

#define DIGITS 6

/* The kernel's own limit; the recorder refuses longer ones. */
#define PATH_MAX_BYTES 4096

int frames_init(struct frames *frames, int (*take)(void *data, const struct frame *frame),
		void *data)
{
	*frames = (struct frames){ .take = take, .data = data };
	return arena_init(&frames->arena, FRAME_MAX + FRAME_FILES * sizeof(struct frame_file));
}

void frames_done(struct frames *frames)
{
	arena_done(&frames->arena);
}

static int hand_on(struct frames *frames)
{
	bool good = frames->open && frames->whole && !frames->full && frames->frame.count > 0;

	frames->open = false;
	return good ? frames->take(frames->data, &frames->frame) : 0;
}

/* The frame of that number is the current one from now on: the one before it is whole. */
static int go_to(struct frames *frames, uint64_t number)
{
	int r;

	if (frames->open && number == frames->frame.number)
		return 0;
	if (number < frames->frame.number ||
	    (!frames->open && frames->frame.files && number == frames->frame.number))
		return -EINVAL;
	frames->whole = true;
	r = hand_on(frames);
	if (r < 0)
		return r;
	arena_reset(&frames->arena);
	frames->frame = (struct frame){
		.number = number,
		.files = arena_raw(&frames->arena, FRAME_FILES * sizeof(struct frame_file)),
	};
	frames->open = true;
	frames->whole = false;
	frames->full = false;
	return 0;
}

/* "000012" and what is behind the slash, or an empty rest without one. */
static int cut_number(const char *path, uint64_t *number, const char **rest)
{
	size_t length = strcspn(path, "/");

	*rest = path + length + (path[length] == '/' ? 1 : 0);
	if (length != DIGITS)
		return -EINVAL;
	return span_u64(span_of(path, length), number) < 0 ? -EINVAL : 0;
}

/* "at_us=123" among the lines of _host.ini */
static uint64_t time_of(struct span text)
{
	struct span line;
	struct span key;
	struct span value;
	uint64_t us;

	while (span_line(&text, &line))
		if (span_split(line, '=', &key, &value) && span_eq(key, "at_us") &&
		    span_u64(value, &us) == 0)
			return us;
	return 0;
}

static struct span keep(struct frames *frames, struct span bytes)
{
	char *copy = arena_text(&frames->arena, bytes.at, span_len(bytes));

	if (copy)
		return span_of(copy, span_len(bytes));
	frames->full = true;
	return (struct span){ 0 };
}

int frames_put_file(struct frames *frames, const char *path, struct span bytes)
{
	struct frame_file file;
	const char *rest;
	uint64_t number;
	int r = cut_number(path, &number, &rest);

	if (r < 0 || !path_is_plain(rest) || strlen(rest) > PATH_MAX_BYTES)
		return -EINVAL;
	r = go_to(frames, number);
	if (r < 0)
		return r;
	file.path = keep(frames, span_cstr(rest)).at;
	file.bytes = keep(frames, bytes);
	if (frames->frame.count == FRAME_FILES || frames->full) {
		frames->full = true;
		return 0;
	}
	if (strcmp(rest, "_host.ini") == 0)
		frames->frame.at_us = time_of(bytes);
	frames->frame.files[frames->frame.count++] = file;
	return 0;
}

/* The guest writes them behind the files of the frame. */
int frames_put_loads(struct frames *frames, const char *path, struct span bytes)
{
	const char *rest;
	uint64_t number;
	int r = cut_number(path, &number, &rest);

	if (r < 0 || *rest)
		return -EINVAL;
	r = go_to(frames, number);
	if (r < 0)
		return r;
	frames->frame.loads = keep(frames, bytes);
	frames->whole = frames->frame.count > 0;
	return 0;
}

int frames_end(struct frames *frames, bool complete)
{
	frames->whole |= complete;
	return hand_on(frames);
}
