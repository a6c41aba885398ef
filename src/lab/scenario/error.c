#include "lab/scenario/error.h"

#include <errno.h>
#include <stdarg.h>

int scenario_fail(struct lab_error *error, struct lab_place place, const char *format, ...)
{
	struct text text = text_on(error->text, sizeof(error->text));
	char sentence[sizeof(error->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	text_name(&text, span_cstr(place.file));
	if (place.line > 0)
		text_add(&text, ":%u", place.line);
	text_add(&text, ": %s", sentence);
	return -EINVAL;
}

struct lab_shown lab_show(struct span text)
{
	struct lab_shown shown;
	struct text out = text_on(shown.text, sizeof(shown.text));

	text_name(&out, text);
	return shown;
}
