#pragma once
/* How a sentence about a configuration gets into its report. For the reader only. */
#include "policy/config_file.h"

/* "FILE:LINE", or the file alone where line is 0. */
struct place {
	char text[CONFIG_ORIGIN];
};
struct place place_of(const char *path, unsigned int line);

/* "PLACE: WHAT: expected EXPECTED"; foreign text is cut and made harmless. */
void config_complain(struct config_report *report, const char *place, struct span what,
		     const char *expected);

/* A whole sentence that is harmless already. Those behind the last that fits are left out. */
void config_error(struct config_report *report, const char *sentence);
void config_warn(struct config_report *report, const char *format, ...) printf_like(2, 3);
