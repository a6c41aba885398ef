#include "base/json.h"

#include <assert.h>
#include <math.h>

#include "base/text.h"

struct json json_on(FILE *file, bool pretty)
{
	return (struct json){ .file = file, .pretty = pretty };
}

static void put_string(struct json *json, struct span text)
{
	fputc('"', json->file);
	while (!span_empty(text)) {
		size_t length = utf8_length(text);
		unsigned char c = (unsigned char)*text.at;

		if (length == 0)
			fputs("\xef\xbf\xbd", json->file);
		else if (c == '"' || c == '\\')
			fprintf(json->file, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(json->file, "\\u%04x", c);
		else
			fwrite(text.at, 1, length, json->file);
		text.at += MAX(length, (size_t)1);
	}
	fputc('"', json->file);
}

static void new_line(struct json *json)
{
	if (json->pretty)
		fprintf(json->file, "\n%*s", json->depth * 2, "");
}

static void begin(struct json *json, const char *name)
{
	if (json->filled[json->depth])
		fputc(',', json->file);
	if (json->depth > 0)
		new_line(json);
	json->filled[json->depth] = true;
	if (name) {
		put_string(json, span_cstr(name));
		fputs(json->pretty ? ": " : ":", json->file);
	}
}

void json_open(struct json *json, const char *name, char bracket)
{
	begin(json, name);
	fputc(bracket, json->file);
	json->depth++;
	assert(json->depth < JSON_DEPTH);
	json->filled[json->depth] = false;
}

void json_close(struct json *json, char bracket)
{
	bool filled = json->filled[json->depth];

	assert(json->depth > 0);
	json->depth--;
	if (filled)
		new_line(json);
	fputc(bracket, json->file);
	if (json->depth == 0) {
		fputc('\n', json->file);
		json->filled[0] = false; /* the next value at the top stands on its own line */
	}
}

void json_span(struct json *json, const char *name, struct span text)
{
	begin(json, name);
	put_string(json, text);
}

void json_text(struct json *json, const char *name, const char *text)
{
	json_span(json, name, span_cstr(text));
}

void json_u64(struct json *json, const char *name, uint64_t value)
{
	begin(json, name);
	fprintf(json->file, "%llu", (unsigned long long)value);
}

void json_double(struct json *json, const char *name, double value)
{
	if (!isfinite(value)) {
		json_null(json, name);
		return;
	}
	begin(json, name);
	fprintf(json->file, "%.6g", value);
}

void json_bool(struct json *json, const char *name, bool value)
{
	begin(json, name);
	fputs(value ? "true" : "false", json->file);
}

void json_null(struct json *json, const char *name)
{
	begin(json, name);
	fputs("null", json->file);
}
