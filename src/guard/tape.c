#include "guard/tape.h"

#include <errno.h>

/* "refault" and the version of this form. */
#define FRAME_MAGIC 0x7265666175740101ull
#define HEAD sizeof(struct tape_frame_head)
#define TAIL sizeof(uint64_t) /* the magic again */

/* A frame may begin anywhere in the ring and go round its end. */
static void copy_in(char *ring, uint64_t at, const void *from, size_t size)
{
	size_t place = at % TAPE_RING;
	size_t first = MIN(size, TAPE_RING - place);

	if (size == 0)
		return;
	memcpy(ring + place, from, first);
	memcpy(ring, (const char *)from + first, size - first);
}

static void copy_out(const char *ring, uint64_t at, void *to, size_t size)
{
	size_t place = at % TAPE_RING;
	size_t first = MIN(size, TAPE_RING - place);

	if (size == 0)
		return;
	memcpy(to, ring + place, first);
	memcpy((char *)to + first, ring, size - first);
}

static void put_bytes(struct tape_writer *writer, const void *from, size_t size)
{
	copy_in(writer->shared->tape, writer->at, from, size);
	writer->at += size;
}

static bool fits(const struct tape_writer *writer, size_t size)
{
	uint64_t used = writer->at - atomic_load(&writer->shared->tape_read);

	return used <= TAPE_RING && size <= TAPE_RING - used;
}

static void put_file(struct sink *sink, const char *path, struct span bytes)
{
	struct tape_writer *writer = (struct tape_writer *)sink;
	size_t length = strlen(path);
	struct tape_file_head head = { (uint32_t)length, (uint32_t)span_len(bytes) };

	if (writer->full)
		return;
	writer->full = span_len(bytes) > TAPE_RING || length > TAPE_RING ||
		       !fits(writer, sizeof(head) + length + span_len(bytes) + TAIL);
	if (writer->full)
		return;
	put_bytes(writer, &head, sizeof(head));
	put_bytes(writer, path, length);
	put_bytes(writer, bytes.at, span_len(bytes));
}

void tape_open(struct tape_writer *writer, struct shared *shared)
{
	*writer = (struct tape_writer){ .sink = { put_file }, .shared = shared };
}

/* The head is written last: its length is known then. */
void tape_begin(struct tape_writer *writer)
{
	writer->begin = atomic_load(&writer->shared->tape_written);
	writer->at = writer->begin;
	writer->full = !fits(writer, HEAD + TAIL);
	writer->at += HEAD;
}

bool tape_end(struct tape_writer *writer, uint64_t at_us)
{
	const uint64_t magic = FRAME_MAGIC;
	struct tape_frame_head head = {
		.magic = FRAME_MAGIC,
		.at_us = at_us,
		.bytes = writer->at - writer->begin - HEAD,
	};

	if (writer->full)
		return false;
	copy_in(writer->shared->tape, writer->begin, &head, sizeof(head));
	put_bytes(writer, &magic, sizeof(magic));
	atomic_store(&writer->shared->tape_written, writer->at);
	return true;
}

/* The size of the frame at the place; 0 when it is none. */
static uint64_t frame_size(const struct shared *shared, uint64_t at, uint64_t there,
			   struct tape_frame_head *head)
{
	uint64_t tail;

	if (there > TAPE_RING || there < HEAD + TAIL)
		return 0;
	copy_out(shared->tape, at, head, sizeof(*head));
	if (head->magic != FRAME_MAGIC || head->bytes > there - HEAD - TAIL)
		return 0;
	copy_out(shared->tape, at + HEAD + head->bytes, &tail, sizeof(tail));
	return tail == FRAME_MAGIC ? HEAD + head->bytes + TAIL : 0;
}

int tape_take(struct shared *shared, struct buffer room, struct span *frame, uint64_t *at_us)
{
	uint64_t written = atomic_load(&shared->tape_written);
	uint64_t read = atomic_load(&shared->tape_read);
	struct tape_frame_head head;
	uint64_t size;

	if (written == read)
		return 0;
	size = frame_size(shared, read, written - read, &head);
	if (size == 0) {
		atomic_store(&shared->tape_read, written);
		return -EBADMSG;
	}
	if (head.bytes <= room.size) {
		copy_out(shared->tape, read + HEAD, room.at, head.bytes);
		*frame = span_of(room.at, head.bytes);
		*at_us = head.at_us;
	}
	atomic_store(&shared->tape_read, read + size);
	return head.bytes <= room.size ? 1 : -EFBIG;
}

bool tape_cut(struct span *frame, struct span *path, struct span *bytes)
{
	struct tape_file_head head;
	size_t left = span_len(*frame);

	if (left < sizeof(head))
		return false;
	memcpy(&head, frame->at, sizeof(head));
	left -= sizeof(head);
	if (head.path > left || head.bytes > left - head.path)
		return false;
	*path = span_of(frame->at + sizeof(head), head.path);
	*bytes = span_of(path->end, head.bytes);
	frame->at = bytes->end;
	return true;
}
