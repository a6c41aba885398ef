#include "lab/page/page.h"

#include <errno.h>

#include "base/text.h"
#include "lab/page/parts.h"

/* XML and HTML know no other control characters in text than these. */
static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

static const char *entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void page_text(FILE *out, const char *text)
{
	struct span rest = span_cstr(text ? text : "");

	while (!span_empty(rest)) {
		size_t length = utf8_length(rest);

		if (length == 0 || is_control((unsigned char)*rest.at))
			fputs("\xef\xbf\xbd", out);
		else if (entity(*rest.at))
			fputs(entity(*rest.at), out);
		else
			fwrite(rest.at, 1, length, out);
		rest.at += MAX(length, (size_t)1);
	}
}

static int write_title(FILE *out, const struct page *page)
{
	page_text(out, page->title);
	return 0;
}

static int write_body(FILE *out, const struct page *page)
{
	page_tables(out, page);
	return 0;
}

static const struct {
	const char *mark;
	int (*write)(FILE *out, const struct page *page);
} PARTS[] = {
	{ "@@TITLE@@", write_title },
	{ "@@BODY@@", write_body },
	{ "@@DATA@@", page_data },
};

int page_write(FILE *out, const struct page *page, struct span template)
{
	if (span_empty(template))
		return -ENOTSUP;

	for (size_t i = 0; i < ARRAY_LEN(PARTS); i++) {
		size_t length = strlen(PARTS[i].mark);
		const char *mark =
			memmem(template.at, span_len(template), PARTS[i].mark, length);
		int r;

		if (!mark)
			continue;
		fwrite(template.at, 1, (size_t)(mark - template.at), out);
		r = PARTS[i].write(out, page);
		if (r < 0)
			return r;
		template.at = mark + length;
	}
	fwrite(template.at, 1, span_len(template), out);
	return fflush(out) != 0 || ferror(out) ? -EIO : 0;
}
