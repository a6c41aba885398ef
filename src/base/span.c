#include "base/span.h"

#include <errno.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool span_cut(struct span *text, char separator, struct span *piece)
{
	const char *end;

	if (span_empty(*text))
		return false;
	end = memchr(text->at, separator, span_len(*text));
	*piece = (struct span){ text->at, end ? end : text->end };
	text->at = end ? end + 1 : text->end;
	return true;
}

bool span_line(struct span *text, struct span *line)
{
	return span_cut(text, '\n', line);
}

bool span_word(struct span *line, struct span *word)
{
	const char *at = line->at;
	const char *start;

	while (at < line->end && is_blank(*at))
		at++;
	start = at;
	while (at < line->end && !is_blank(*at))
		at++;
	line->at = at;
	if (start == at)
		return false;
	*word = (struct span){ start, at };
	return true;
}

static bool split_at(struct span text, const char *at, struct span *left, struct span *right)
{
	if (!at)
		return false;
	*left = (struct span){ text.at, at };
	*right = (struct span){ at + 1, text.end };
	return true;
}

bool span_split(struct span text, char separator, struct span *left, struct span *right)
{
	if (span_empty(text))
		return false;
	return split_at(text, memchr(text.at, separator, span_len(text)), left, right);
}

bool span_rsplit(struct span text, char separator, struct span *left, struct span *right)
{
	if (span_empty(text))
		return false;
	return split_at(text, memrchr(text.at, separator, span_len(text)), left, right);
}

struct span span_trim(struct span text)
{
	while (text.at < text.end && is_blank(*text.at))
		text.at++;
	while (text.end > text.at && is_blank(text.end[-1]))
		text.end--;
	return text;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int number(struct span text, unsigned int base, uint64_t *out)
{
	uint64_t value = 0;

	if (span_empty(text))
		return -EBADMSG;
	for (const char *at = text.at; at < text.end; at++) {
		unsigned int digit = (unsigned int)digit_of(*at);

		if (digit >= base)
			return -EBADMSG;
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return -ERANGE;
	}
	*out = value;
	return 0;
}

int span_u64(struct span text, uint64_t *out)
{
	return number(text, 10, out);
}

int span_hex(struct span text, uint64_t *out)
{
	if (span_starts(text, "0x"))
		text.at += 2;
	return number(text, 16, out);
}

int span_i64(struct span text, int64_t *out)
{
	bool negative = span_starts(text, "-");
	uint64_t value;
	int r;

	if (negative)
		text.at++;
	r = span_u64(text, &value);
	if (r < 0)
		return r;
	if (value > INT64_MAX)
		return -ERANGE;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return 0;
}

int span_fixed(struct span text, unsigned int decimals, uint64_t *out)
{
	struct span whole = text;
	struct span part = { text.end, text.end };
	uint64_t value;
	int r;

	if (span_split(text, '.', &whole, &part) && span_empty(part))
		return -EBADMSG;
	r = span_u64(whole, &value);
	if (r < 0)
		return r;
	for (const char *at = part.at; at < part.end; at++)
		if (digit_of(*at) > 9)
			return -EBADMSG;
	for (unsigned int i = 0; i < decimals; i++) {
		uint64_t digit = i < span_len(part) ? (uint64_t)digit_of(part.at[i]) : 0;

		if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return -ERANGE;
	}
	*out = value;
	return 0;
}

bool span_copy(struct span text, char *buffer, size_t size)
{
	size_t length = MIN(span_len(text), size - 1);

	if (length > 0)
		memcpy(buffer, text.at, length);
	buffer[length] = '\0';
	return length == span_len(text);
}

bool path_is_plain(const char *path)
{
	struct span rest = span_cstr(path);
	struct span name;

	while (span_cut(&rest, '/', &name))
		if (span_empty(name) || span_eq(name, ".") || span_eq(name, ".."))
			return false;
	return *path != '\0';
}

int span_write(int fd, struct span bytes)
{
	while (!span_empty(bytes)) {
		ssize_t n = write(fd, bytes.at, span_len(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes.at += n;
	}
	return 0;
}
