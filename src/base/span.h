#pragma once
/*
 * Borrowed text [at, end): everything that comes from the kernel, a file or a user is cut and
 * turned into numbers here and nowhere else. A span is not terminated by NUL and may hold any
 * byte.
 */
#include "base/macro.h"

struct span {
	const char *at;
	const char *end;
};

/* Room for text that is read. */
struct buffer {
	char *at; /* borrowed */
	size_t size;
};

static inline struct span span_of(const char *text, size_t length)
{
	return (struct span){ .at = text, .end = text + length };
}

static inline struct span span_cstr(const char *text)
{
	return span_of(text, strlen(text));
}

static inline size_t span_len(struct span span)
{
	return (size_t)(span.end - span.at);
}

static inline bool span_empty(struct span span)
{
	return span.at == span.end;
}

/* An empty span may have no address, which memcmp() and memchr() do not allow. */
static inline bool span_starts(struct span span, const char *prefix)
{
	size_t length = strlen(prefix);

	return span_len(span) >= length &&
	       (length == 0 || memcmp(span.at, prefix, length) == 0);
}

static inline bool span_eq(struct span span, const char *text)
{
	return span_len(span) == strlen(text) && span_starts(span, text);
}

/* Cut the next piece off the front; false when nothing is left and *piece is untouched. */
must_check bool span_line(struct span *text, struct span *line);
must_check bool span_word(struct span *line, struct span *word);

/* Like span_word(), but pieces end at the separator, which is dropped; pieces may be empty. */
must_check bool span_cut(struct span *text, char separator, struct span *piece);

/* The piece up to the first or the last separator; false, and nothing touched, without one. */
must_check bool span_split(struct span text, char separator, struct span *left,
			   struct span *right);
must_check bool span_rsplit(struct span text, char separator, struct span *left,
			    struct span *right);

struct span span_trim(struct span text);

/*
 * The whole span as a number: 0, -EBADMSG when it is anything but digits, -ERANGE when it does
 * not fit. span_fixed() reads "12.3" with two decimals as 1230: further digits are cut off.
 */
must_check int span_u64(struct span text, uint64_t *out);
must_check int span_hex(struct span text, uint64_t *out);
must_check int span_i64(struct span text, int64_t *out);
must_check int span_fixed(struct span text, unsigned int decimals, uint64_t *out);

/* Copies at most size-1 bytes and ends them with NUL; false when something was cut off. */
bool span_copy(struct span text, char *buffer, size_t size);

/* All of it, also where the kernel takes it in pieces. 0 or -errno. */
must_check int span_write(int fd, struct span bytes);

/* Every step is a name: no "..", "." or empty one, which would lead elsewhere. */
bool path_is_plain(const char *path);
