#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "guest/cpio.h"

/* A stream in memory; it takes no more than fits. */
struct memory {
	char at[4096];
	size_t used;
	size_t size;
};

static int take(void *to, struct span bytes)
{
	struct memory *memory = to;

	if (span_len(bytes) > memory->size - memory->used)
		return -ENOSPC;
	memcpy(memory->at + memory->used, bytes.at, span_len(bytes));
	memory->used += span_len(bytes);
	return 0;
}

static struct cpio cpio_on(struct memory *memory)
{
	memory->size = sizeof(memory->at);
	return (struct cpio){ .write = take, .to = memory };
}

static struct archive *archive_on(const struct memory *memory, size_t bytes)
{
	struct archive *archive = archive_read_new();

	assert_int_equal(archive_read_support_format_cpio(archive), ARCHIVE_OK);
	assert_int_equal(archive_read_open_memory(archive, memory->at, bytes), ARCHIVE_OK);
	return archive;
}

static void expect_member(struct archive *archive, const char *path, mode_t type,
			  const char *text)
{
	struct archive_entry *entry;
	char buffer[64] = { 0 };

	assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_OK);
	assert_string_equal(archive_entry_pathname(entry), path);
	assert_int_equal(archive_entry_filetype(entry), type);
	if (type == AE_IFLNK) {
		assert_string_equal(archive_entry_symlink(entry), text);
		return;
	}
	assert_int_equal(archive_read_data(archive, buffer, sizeof(buffer)), strlen(text));
	assert_string_equal(buffer, text);
}

static void another_program_reads_what_was_written(void **state)
{
	struct memory memory = { 0 };
	struct cpio cpio = cpio_on(&memory);
	struct archive *archive;
	struct archive_entry *entry;

	cpio_folder(&cpio, "dev");
	cpio_file(&cpio, "init", 0755, span_cstr("#!"));
	cpio_file(&cpio, "a/longer.name", 0644, span_cstr("12345"));
	cpio_file(&cpio, "done", 0644, (struct span){ 0 });
	cpio_link(&cpio, "link", "init");
	assert_int_equal(cpio_end(&cpio), 0);
	assert_int_equal(cpio.written, memory.used);
	archive = archive_on(&memory, memory.used);
	expect_member(archive, "dev", AE_IFDIR, "");
	expect_member(archive, "init", AE_IFREG, "#!");
	expect_member(archive, "a/longer.name", AE_IFREG, "12345");
	expect_member(archive, "done", AE_IFREG, "");
	expect_member(archive, "link", AE_IFLNK, "init");
	assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_EOF);
	archive_read_free(archive);
}

static void every_member_begins_at_a_multiple_of_four(void **state)
{
	struct memory memory = { 0 };
	struct cpio cpio = cpio_on(&memory);

	for (size_t i = 0; i < 8; i++) {
		cpio_file(&cpio, &"abcdefgh"[7 - i], 0644, span_of("12345678", i));
		assert_int_equal(memory.used % 4, 0);
	}
}

static void a_stream_that_was_cut_has_all_members_before_the_cut(void **state)
{
	struct memory memory = { 0 };
	struct cpio cpio = cpio_on(&memory);
	struct archive *archive;
	size_t whole;

	cpio_file(&cpio, "one", 0644, span_cstr("1"));
	whole = memory.used;
	cpio_file(&cpio, "two", 0644, span_cstr("2"));
	archive = archive_on(&memory, whole + 50);
	expect_member(archive, "one", AE_IFREG, "1");
	archive_read_free(archive);
}

static void the_first_error_stays_and_nothing_more_is_written(void **state)
{
	struct memory memory = { 0 };
	struct cpio cpio = cpio_on(&memory);

	memory.size = 200;
	cpio_file(&cpio, "one", 0644, span_cstr("1"));
	assert_int_equal(cpio.error, 0);
	cpio_file(&cpio, "two", 0644, span_cstr("2"));
	assert_int_equal(cpio.error, -ENOSPC);
	memory.size = sizeof(memory.at);
	cpio_file(&cpio, "three", 0644, span_cstr("3"));
	assert_true(memory.used <= 200);
	assert_int_equal(cpio_end(&cpio), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_program_reads_what_was_written),
		cmocka_unit_test(every_member_begins_at_a_multiple_of_four),
		cmocka_unit_test(a_stream_that_was_cut_has_all_members_before_the_cut),
		cmocka_unit_test(the_first_error_stays_and_nothing_more_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
