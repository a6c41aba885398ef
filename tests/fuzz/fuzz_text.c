#include "fuzz.h"

#include "base/text.h"

/* What is shown is UTF-8 without control characters, however small the room for it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char buffer[64];
	struct text text = text_on(buffer, size % sizeof(buffer) + 1);
	struct span shown;

	text_name(&text, input(data, size));
	CHECK(strlen(buffer) == text.used && text_width(buffer) <= text.used);
	for (shown = span_cstr(buffer); !span_empty(shown); shown.at += utf8_length(shown))
		CHECK(utf8_length(shown) > 0 && (unsigned char)*shown.at >= ' ');
	return 0;
}
