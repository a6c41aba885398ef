#include "kernel/devices.h"

#include <errno.h>

#include "kernel/value.h"

/* Filename Type Size Used Priority; the name may hold blanks, written as \040. */
static bool swap_parse(struct span line, struct swap_area *out)
{
	struct span word[5];
	struct numbers numbers = { out->value, out->state };
	uint64_t size;
	uint64_t used;

	for (size_t i = 0; i < ARRAY_LEN(word); i++)
		if (!span_word(&line, &word[i]))
			return false;
	if (span_u64(word[2], &size) < 0 || span_u64(word[3], &used) < 0 ||
	    span_i64(word[4], &out->priority) < 0)
		return false;
	if (size > UINT64_MAX / 1024 || used > size)
		return false;
	span_copy(word[0], out->name, sizeof(out->name));
	out->is_file = span_eq(word[1], "file");
	number_set(numbers, SWAP_SIZE, size * 1024);
	number_set(numbers, SWAP_USED, used * 1024);
	return true;
}

void swaps_parse(struct span text, struct devices *out)
{
	struct span line;

	out->swap_state = OK;
	if (!span_line(&text, &line) || !span_starts(line, "Filename")) {
		out->swap_state = GARBLED;
		return;
	}
	while (span_line(&text, &line)) {
		struct swap_area area = { 0 };

		if (span_empty(span_trim(line)))
			continue;
		if (!swap_parse(line, &area))
			out->swap_state = GARBLED;
		else if (out->swaps == SWAPS_MAX)
			out->cut = true;
		else
			out->swap[out->swaps++] = area;
	}
}

void zram_parse(struct span mm_stat, struct zram *out)
{
	struct span word;

	for (size_t id = ZRAM_ORIG; id < ZRAM_DISKSIZE && span_word(&mm_stat, &word); id++)
		value_parse_as(word, FORM_U64, id, (struct numbers){ out->value, out->state });
}

static void zram_read(const struct root *root, const char *name, struct buffer buffer,
		      struct zram *out)
{
	struct numbers numbers = { out->value, out->state };
	char path[96];
	struct span text;
	int r;

	span_copy(span_cstr(name), out->name, sizeof(out->name));
	snprintf(path, sizeof(path), "sys/devices/virtual/block/%.32s/mm_stat", name);
	r = root_read(root, path, buffer, &text);
	if (r < 0)
		numbers_fail(numbers, ZRAM_ORIG, ZRAM_DISKSIZE, r);
	else
		zram_parse(text, out);
	snprintf(path, sizeof(path), "sys/devices/virtual/block/%.32s/disksize", name);
	r = root_read(root, path, buffer, &text);
	if (r < 0)
		numbers_fail(numbers, ZRAM_DISKSIZE, ZRAM_FIELDS, r);
	else
		value_parse_as(text, FORM_U64, ZRAM_DISKSIZE, numbers);
}

static void zrams_read(const struct root *root, struct buffer buffer, struct devices *out)
{
	char list[65536]; /* a storage server has thousands of device mappings */
	struct span names;
	struct span name;
	int r = root_list(root, "sys/devices/virtual/block",
			  (struct buffer){ list, sizeof(list) }, &names);

	out->zram_state = r < 0 ? state_of_error(r) : OK;
	out->cut |= r == -EFBIG;
	while (r == 0 && span_cut(&names, '\0', &name)) {
		if (!span_starts(name, "zram"))
			continue;
		if (out->zrams == ZRAMS_MAX)
			out->cut = true;
		else
			zram_read(root, name.at, buffer, &out->zram[out->zrams++]);
	}
}

/* Where the columns go, from the fourth on; merges and queue time are not kept. */
static const struct {
	int field; /* -1 is skipped */
	uint64_t scale;
} DISK_COLUMNS[] = {
	{ DISK_READS, 1 },	   { -1, 1 },
	{ DISK_READ_BYTES, 512 },  { DISK_READ_MS, 1 },
	{ DISK_WRITES, 1 },	   { -1, 1 },
	{ DISK_WRITE_BYTES, 512 }, { DISK_WRITE_MS, 1 },
	{ DISK_IN_FLIGHT, 1 },	   { DISK_BUSY_MS, 1 },
};

static bool disk_parse(struct span line, struct disk *out)
{
	struct span word;

	/* Major, minor, name. */
	for (size_t i = 0; i < 3; i++)
		if (!span_word(&line, &word))
			return false;
	span_copy(word, out->name, sizeof(out->name));
	for (size_t i = 0; i < ARRAY_LEN(DISK_COLUMNS); i++) {
		uint64_t value;

		if (!span_word(&line, &word) || span_u64(word, &value) < 0 ||
		    __builtin_mul_overflow(value, DISK_COLUMNS[i].scale, &value))
			return false;
		if (DISK_COLUMNS[i].field >= 0)
			number_set((struct numbers){ out->value, out->state },
				   (size_t)DISK_COLUMNS[i].field, value);
	}
	return true;
}

void diskstats_parse(struct span text, struct devices *out)
{
	struct span line;

	out->disk_state = OK;
	while (span_line(&text, &line)) {
		struct disk disk = { 0 };

		if (!disk_parse(line, &disk))
			out->disk_state = GARBLED;
		else if (disk.value[DISK_READS] + disk.value[DISK_WRITES] == 0)
			continue;
		else if (out->disks == DISKS_MAX)
			out->cut = true;
		else
			out->disk[out->disks++] = disk;
	}
}

void devices_read(const struct root *root, struct buffer buffer, struct devices *out)
{
	struct span text;
	int r = root_read(root, "proc/swaps", buffer, &text);

	if (r < 0)
		out->swap_state = state_of_error(r);
	else
		swaps_parse(text, out);
	r = root_read(root, "proc/diskstats", buffer, &text);
	if (r < 0)
		out->disk_state = state_of_error(r);
	else
		diskstats_parse(text, out);
	zrams_read(root, buffer, out);
}
