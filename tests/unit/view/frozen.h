#pragma once
/*
 * A machine that freezes, made by hand, and what is printed of it.
 */
#include "view/report.h"

/*
 * "api" re-reads its code and "worker" leaks, both below system.slice. The paths and names of
 * processes are what they are called; they are borrowed.
 */
struct frozen {
	const char *api;
	const char *worker;
	const char *api_process;
	const char *worker_process;
};
extern const struct frozen FROZEN;

const struct verdict *verdict_frozen(const struct frozen *names);

/* Of a machine in which nothing happens; of one of which next to nothing can be read. */
const struct verdict *verdict_calm(void);
const struct verdict *verdict_blind(void);

/* What is printed; lives until the next one is. */
const char *printed(const struct verdict *verdict, size_t width, bool color);
const char *printed_json(const struct verdict *verdict, bool pretty);

/* What a function that writes to a stream wrote. */
FILE *page_open(void);
const char *page_text(void);
