#include <errno.h>
#include <math.h>

#include "base/json.h"
#include "lab/page/parts.h"

static const struct {
	const char *title;
	const char *unit;
	double scale;
	bool logarithmic; /* small numbers matter beside large ones */
	const char *help;
} PANELS[] = {
#define PANEL(id, ...) [PAGE_##id] = { __VA_ARGS__ },
#include "lab/page/panels.def"
#undef PANEL
};

static void text(struct json *json, const char *name, const char *value)
{
	json_text(json, name, value ? value : "");
}

static void numbers(struct json *json, const char *name, const double *value, size_t count,
		    double scale)
{
	json_open(json, name, '[');
	for (size_t i = 0; i < count; i++)
		json_double(json, NULL, value[i] * scale);
	json_close(json, ']');
}

static void panels(struct json *json)
{
	json_open(json, "panels", '[');
	for (size_t i = 0; i < PAGE_PANELS; i++) {
		json_open(json, NULL, '{');
		text(json, "title", PANELS[i].title);
		text(json, "unit", PANELS[i].unit);
		json_bool(json, "logarithmic", PANELS[i].logarithmic);
		text(json, "help", PANELS[i].help);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void events(struct json *json, const struct page_run *run)
{
	json_open(json, "events", '[');
	for (size_t i = 0; i < run->events; i++) {
		json_open(json, NULL, '{');
		json_double(json, "at", run->event[i].at_s);
		text(json, "kind", run->event[i].kind);
		text(json, "text", run->event[i].text);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void series(struct json *json, const struct page_run *run)
{
	json_open(json, "series", '[');
	for (size_t i = 0; i < run->series_count; i++) {
		const struct page_series *one = &run->series[i];

		json_open(json, NULL, '{');
		json_u64(json, "panel", one->panel);
		text(json, "label", one->label);
		json_bool(json, "reference", one->reference);
		numbers(json, "values", one->value, run->samples, PANELS[one->panel].scale);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void run_data(struct json *json, const struct page_run *run)
{
	const double pressure[] = { run->pressure_from_s, run->pressure_to_s };

	json_open(json, NULL, '{');
	text(json, "title", run->title);
	text(json, "arm", run->arm);
	numbers(json, "pressure", pressure, ARRAY_LEN(pressure), 1);
	events(json, run);
	numbers(json, "time", run->time_s, run->samples, 1);
	series(json, run);
	json_close(json, '}');
}

/*
 * In JSON these stand in strings only, where \u means the same. So no text can end the script
 * element or begin a comment in it, and U+2028 and U+2029, which older scripts take for the
 * end of a line, are out of the way.
 */
static size_t put_escaped(FILE *out, struct span json)
{
	static const struct {
		const char *bytes;
		const char *escape;
	} ESCAPES[] = {
		{ "<", "\\u003c" },
		{ ">", "\\u003e" },
		{ "&", "\\u0026" },
		{ "\xe2\x80\xa8", "\\u2028" },
		{ "\xe2\x80\xa9", "\\u2029" },
	};

	for (size_t i = 0; i < ARRAY_LEN(ESCAPES); i++) {
		if (span_starts(json, ESCAPES[i].bytes)) {
			fputs(ESCAPES[i].escape, out);
			return strlen(ESCAPES[i].bytes);
		}
	}
	fputc(*json.at, out);
	return 1;
}

int page_data(FILE *out, const struct page *page)
{
	auto_free char *bytes = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&bytes, &size);
	struct json json = json_on(memory, false);

	if (!memory)
		return -ENOMEM;
	json_open(&json, NULL, '{');
	panels(&json);
	json_open(&json, "runs", '[');
	for (size_t i = 0; i < page->runs; i++)
		run_data(&json, &page->run[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	if (fclose(memory) != 0)
		return -ENOMEM;

	for (struct span rest = span_of(bytes, size); !span_empty(rest);)
		rest.at += put_escaped(out, rest);
	return 0;
}
