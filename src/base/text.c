#include "base/text.h"

#include <stdarg.h>

struct text text_on(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct text){ .at = buffer, .size = size };
}

void text_put(struct text *text, const char *bytes, size_t length)
{
	size_t room = text->size - 1 - text->used;

	if (length > room)
		text->cut = true;
	length = MIN(length, room);
	memcpy(text->at + text->used, bytes, length);
	text->used += length;
	text->at[text->used] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
	size_t room = text->size - text->used;
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text->at + text->used, room, format, arguments);
	va_end(arguments);
	if (n < 0) {
		text->at[text->used] = '\0'; /* what came before the mistake is there */
		return;
	}
	if ((size_t)n >= room)
		text->cut = true;
	text->used += MIN((size_t)n, room - 1);
}

static bool is_tail(const char *at)
{
	return ((unsigned char)*at & 0xc0) == 0x80;
}

size_t utf8_length(struct span text)
{
	/* Shortest form only: the smallest code point of each length. */
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first;
	uint32_t point;
	size_t length;

	if (span_empty(text))
		return 0;
	first = (unsigned char)*text.at;
	length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	if (length == 1)
		return 1;
	if (first < 0xc2 || first > 0xf4 || span_len(text) < length)
		return 0;
	point = first & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (!is_tail(text.at + i))
			return 0;
		point = point << 6 | ((unsigned char)text.at[i] & 0x3f);
	}
	if (point < smallest[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
		return 0;
	return length;
}

static bool is_shown(struct span text, size_t length)
{
	unsigned char first = (unsigned char)*text.at;

	if (length == 1)
		return first >= 0x20 && first != 0x7f;
	/* U+0080 to U+009F are control characters too; U+202A.. reorder what is around them. */
	if (length == 2 && first == 0xc2)
		return (unsigned char)text.at[1] >= 0xa0;
	/* U+061C, the Arabic letter mark, reorders too. */
	if (length == 2 && first == 0xd8)
		return (unsigned char)text.at[1] != 0x9c;
	if (length == 3 && first == 0xe2 && (unsigned char)text.at[1] == 0x80)
		return (unsigned char)text.at[2] < 0x8b ||
		       ((unsigned char)text.at[2] >= 0x90 && (unsigned char)text.at[2] < 0xa8);
	if (length == 3 && first == 0xe2 && (unsigned char)text.at[1] == 0x81)
		return (unsigned char)text.at[2] < 0xa0;
	return length > 0;
}

void text_name(struct text *text, struct span name)
{
	while (!span_empty(name)) {
		size_t length = utf8_length(name);

		if (!is_shown(name, length)) {
			length = MAX(length, (size_t)1);
			for (size_t i = 0; i < length; i++)
				text_add(text, "\\x%02x",
					 (unsigned int)(unsigned char)name.at[i]);
		} else if (*name.at == '\\') {
			text_put(text, "\\\\", 2);
		} else if (length > text->size - 1 - text->used) {
			text->cut = true; /* not in the middle of a character */
			return;
		} else {
			text_put(text, name.at, length);
		}
		name.at += length;
	}
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += !is_tail(text);
	return width;
}
