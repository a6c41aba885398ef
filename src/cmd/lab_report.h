#pragma once
/*
 * From the folder of a run to what the page of a report shows of it.
 */
#include "lab/figures/series.h"
#include "lab/page/page.h"

/*
 * The time courses of a run, one sample a frame, thinned out where a page would grow too large.
 * Everything is in the arena. 0 or -ENOMEM.
 */
must_check int courses_fill(const struct series *series, struct arena *arena,
			    struct page_run *out);
