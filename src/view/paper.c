#include "view/paper.h"

#include "base/text.h"

#define LINE_SIZE 4096
#define LABEL_WIDTH 12

/* A word that ends at a blank, with the blanks before it. */
static size_t word_length(const char *at)
{
	size_t length = strspn(at, " ");

	return length + strcspn(at + length, " ");
}

static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* Breaks at blanks; a word that is wider than the paper stands on a line of its own. */
void paper_wrap(const struct paper *paper, const char *text, size_t column, size_t indent)
{
	while (*text) {
		size_t length = word_length(text);
		size_t width = width_of(text, length);

		if (paper->width > 0 && column + width > paper->width && column > indent) {
			size_t blanks = MIN(strspn(text, " "), length);

			fprintf(paper->file, "\n%*s", (int)indent, "");
			column = indent;
			text += blanks;
			length -= blanks;
			width -= blanks;
		}
		fwrite(text, 1, length, paper->file);
		text += length;
		column += width;
	}
	fputc('\n', paper->file);
}

void paper_row(const struct paper *paper, const char *label, const struct text *text)
{
	size_t width = MAX(text_width(label) + 3, (size_t)LABEL_WIDTH + 1);

	fprintf(paper->file, "  %-*s", (int)width - 2, label);
	paper_wrap(paper, text->at, width, LABEL_WIDTH + 1);
}
