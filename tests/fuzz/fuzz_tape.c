#include "fuzz.h"

#include "guard/tape.h"

static struct shared shared;
static char room[TAPE_RING];

/* A ring that holds any bytes, and counters that say so. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span frame;
	struct span path;
	struct span bytes;
	uint64_t at_us;
	size_t used = MIN(size, TAPE_RING);

	memcpy(shared.tape, data, used);
	atomic_store(&shared.tape_read, 0);
	atomic_store(&shared.tape_written, used);
	while (tape_take(&shared, (struct buffer){ room, sizeof(room) }, &frame, &at_us) == 1) {
		CHECK(frame.at == room && span_len(frame) <= used);
		while (tape_cut(&frame, &path, &bytes))
			CHECK(path.end == bytes.at && bytes.end == frame.at);
	}
	CHECK(atomic_load(&shared.tape_read) <= used);
	frame = input(data, size);
	while (tape_cut(&frame, &path, &bytes))
		CHECK(bytes.end <= (const char *)data + size);
	return 0;
}
