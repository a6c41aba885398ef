#pragma once
/*
 * The parts of the page that page_write() puts into its template.
 */
#include "lab/page/page.h"

/* Text between tags or in a quoted attribute. */
void page_text(FILE *out, const char *text);

/* Everything that is readable without a script. */
void page_tables(FILE *out, const struct page *page);

/* What the charts are drawn from, for a script element. 0 or -ENOMEM. */
must_check int page_data(FILE *out, const struct page *page);
