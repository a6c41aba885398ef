#include "fuzz.h"

#include "base/json.h"
#include "base/text.h"

/* Whatever the name and the text, one line of UTF-8 without control characters comes out. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char line[65536];
	FILE *file = fmemopen(line, sizeof(line), "w");
	struct json json = json_on(file, false);
	struct span text;

	json_open(&json, NULL, '[');
	json_span(&json, NULL, input(data, MIN(size, sizeof(line) / 8)));
	json_close(&json, ']');
	fclose(file);
	for (text = span_cstr(line); span_len(text) > 1; text.at += utf8_length(text))
		CHECK(utf8_length(text) > 0 && (unsigned char)*text.at >= ' ');
	return 0;
}
