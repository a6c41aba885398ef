#pragma once
/*
 * What every unit test includes first: the headers that cmocka needs, in the order it needs
 * them, and the few helpers that most tests share. Links with the lowest floor only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/root.h"
#include "base/span.h"

/* A file of a captured tree. Without text it is a folder; "->x" makes a link to x. */
struct file {
	const char *path;
	const char *text;
};

/*
 * A new folder below the system's one for temporary files, removed when the test program ends.
 * The files of a tree end with { 0 }; TREE() writes that. The path lives until the program
 * ends.
 */
const char *folder_new(void);
const char *tree_new(const struct file *files);
void tree_add(const char *folder, const struct file *files);
#define TREE(...) tree_new((const struct file[]){ __VA_ARGS__, { 0 } })

/*
 * The same files as a tar in a new folder: its suffix is ".tar", ".tar.zst", ".tar.gz",
 * ".tar.xz", or ".pax", which is a plain tar in the form that bsdtar writes.
 */
const char *archive_new(const char *suffix, const struct file *files);
#define ARCHIVE(suffix, ...) archive_new(suffix, (const struct file[]){ __VA_ARGS__, { 0 } })

/* "FOLDER/NAME"; lives until the program ends. */
const char *path_in(const char *folder, const char *name);

/* A captured tree as a root; closed by root_done(). */
struct root root_of(const char *folder);

/* A file of tests/fuzz/seeds, whole; lives until the program ends. */
struct span seed(const char *name);

/*
 * valgrind 3.19 does not know openat2, so what leans on it answers as on an old kernel; and its
 * own book-keeping counts as ours.
 */
void skip_under_valgrind(void);

/* One buffer for whatever is read next. */
struct buffer any_buffer(void);

void span_expect(struct span got, const char *wanted, const char *file, int line);
#define assert_span_equal(got, wanted) span_expect(got, wanted, __FILE__, __LINE__)

/* Slots of kernel/field.h: a number that was read, and one that was not. */
#define assert_number(numbers, id, number)                                              \
	do {                                                                            \
		assert_string_equal(state_name((enum state)(numbers).state[id]), "ok"); \
		assert_int_equal((numbers).value[id], number);                          \
	} while (0)
#define assert_state(numbers, id, expected) \
	assert_string_equal(state_name((enum state)(numbers).state[id]), state_name(expected))

/* Slots that start ABSENT, as in a new snapshot. */
#define NUMBERS(count) ((struct numbers){ (uint64_t[count]){ 0 }, (uint8_t[count]){ 0 } })

/* Says which row of a table of cases a failed assertion is about. */
#define case_of(text) print_message("[  case    ] %.60s\n", (text))
