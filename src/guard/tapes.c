#include "guard/tapes.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#define RAW_SIZE ((size_t)4 << 20)

int tapes_init(struct tapes *tapes)
{
	int r;

	*tapes = (struct tapes){ 0 };
	r = arena_init(&tapes->memory, TAPES_BYTES + 3 * RAW_SIZE);
	if (r < 0)
		return r;
	tapes->ring = arena_raw(&tapes->memory, TAPES_BYTES);
	tapes->raw = (struct buffer){ arena_raw(&tapes->memory, RAW_SIZE), RAW_SIZE };
	tapes->small = (struct buffer){ arena_raw(&tapes->memory, RAW_SIZE), RAW_SIZE };
	if (tapes->ring && tapes->raw.at && tapes->small.at)
		return 0;
	arena_done(&tapes->memory);
	return -ENOMEM;
}

void tapes_done(struct tapes *tapes)
{
	arena_done(&tapes->memory);
}

/* 0 and the size, or -errno. */
static int compress(struct tapes *tapes, struct span frame, size_t *out)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	int r = -EIO;

	if (!archive || !entry) {
		archive_entry_free(entry);
		archive_write_free(archive);
		return -ENOMEM;
	}
	archive_entry_set_pathname(entry, "frame");
	archive_entry_set_filetype(entry, AE_IFREG);
	/* Without that it is filled up to whole blocks of 10 KiB. */
	archive_write_set_bytes_in_last_block(archive, 1);
	if (archive_write_set_format_raw(archive) == ARCHIVE_OK &&
	    archive_write_add_filter_zstd(archive) >= ARCHIVE_WARN &&
	    archive_write_open_memory(archive, tapes->small.at, tapes->small.size, out) ==
		    ARCHIVE_OK &&
	    archive_write_header(archive, entry) == ARCHIVE_OK &&
	    archive_write_data(archive, frame.at, span_len(frame)) ==
		    (la_ssize_t)span_len(frame) &&
	    archive_write_close(archive) == ARCHIVE_OK)
		r = 0;
	archive_entry_free(entry);
	archive_write_free(archive);
	return r;
}

static struct kept_frame *oldest(struct tapes *tapes)
{
	return &tapes->frame[tapes->first];
}

static void forget_oldest(struct tapes *tapes)
{
	tapes->first = (tapes->first + 1) % TAPES_FRAMES;
	tapes->count--;
}

static bool overlaps(const struct kept_frame *frame, size_t at, size_t size)
{
	return frame->at < at + size && at < frame->at + frame->size;
}

/* Frames lie in the order of their time, so that only the oldest can be in the way. */
static size_t make_room(struct tapes *tapes, size_t size)
{
	size_t at = tapes->next;

	if (at + size > TAPES_BYTES) {
		while (tapes->count > 0 && oldest(tapes)->at >= at)
			forget_oldest(tapes);
		at = 0;
	}
	while (tapes->count > 0 &&
	       (tapes->count == TAPES_FRAMES || overlaps(oldest(tapes), at, size)))
		forget_oldest(tapes);
	return at;
}

void tapes_keep(struct tapes *tapes, struct span raw, uint64_t at_us)
{
	struct kept_frame frame = { .at_us = at_us };

	if (span_empty(raw) || compress(tapes, raw, &frame.size) < 0) {
		tapes->dropped++;
		return;
	}
	while (tapes->count > 0 && oldest(tapes)->at_us + TAPES_BEFORE_US < at_us)
		forget_oldest(tapes);
	frame.at = make_room(tapes, frame.size);
	memcpy(tapes->ring + frame.at, tapes->small.at, frame.size);
	tapes->next = frame.at + frame.size;
	tapes->frame[(tapes->first + tapes->count++) % TAPES_FRAMES] = frame;
}
