#include "lab/error.h"

#include <stdarg.h>

int lab_refuse(struct lab_error *error, int r, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return r;
}
