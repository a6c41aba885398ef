#include "policy/config_report.h"

#include <stdarg.h>

/* Of foreign text so much is shown: what is expected must still fit behind it. */
#define SHOWN_BYTES 60

struct place place_of(const char *path, unsigned int line)
{
	struct place place;
	struct text text = text_on(place.text, sizeof(place.text));

	text_add(&text, "/");
	text_name(&text, span_cstr(path));
	if (line > 0)
		text_add(&text, ":%u", line);
	return place;
}

void config_error(struct config_report *report, const char *sentence)
{
	if (report->errors < CONFIG_ERRORS)
		span_copy(span_cstr(sentence), report->error[report->errors++].text,
			  sizeof(report->error[0].text));
}

void config_complain(struct config_report *report, const char *place, struct span what,
		     const char *expected)
{
	struct config_error error;
	struct text text = text_on(error.text, sizeof(error.text));

	text_add(&text, "%s: ", place);
	if (span_len(what) > SHOWN_BYTES) {
		text_name(&text, span_of(what.at, SHOWN_BYTES));
		text_add(&text, "…");
	} else {
		text_name(&text, what);
	}
	text_add(&text, ": expected %s", expected);
	config_error(report, error.text);
}

void config_warn(struct config_report *report, const char *format, ...)
{
	va_list arguments;

	if (report->warnings == CONFIG_WARNINGS)
		return;
	va_start(arguments, format);
	vsnprintf(report->warning[report->warnings].text, sizeof(report->warning[0].text),
		  format, arguments);
	va_end(arguments);
	report->warnings++;
}
