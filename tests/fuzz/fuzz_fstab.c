#include "foreign.h"

#include "config/fstab.h"

static void check_table(const struct fs_table *table)
{
	for (size_t i = 0; i < table->rows; i++) {
		CHECK(table->row[i].line > 0 && *table->row[i].type);
		CHECK(strlen(table->row[i].options) < 2 * CONFIG_LINE + 2);
	}
	(void)fs_of(table, "var/lib/x");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct reader reader = { .arena = &arena };
	struct fs_table fstab = { 0 };
	struct fs_table mounts = { 0 };

	CHECK(arena_init(&arena, (size_t)256 << 20) == 0);
	CHECK(fstab_parse(&reader, input(data, size), &fstab) == 0);
	CHECK(mountinfo_rows(&reader, input(data, size), &mounts) == 0);
	check_table(&fstab);
	check_table(&mounts);
	for (size_t i = 0; i < mounts.rows; i++)
		(void)fs_option(&reader, mounts.row[i].options, "size");
	arena_done(&arena);
	return 0;
}
