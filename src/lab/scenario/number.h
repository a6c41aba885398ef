#pragma once
/*
 * Numbers of figures as people write them: "28 %", "6.7", "2G", "5-7", "< 5", "none".
 */
#include "lab/scenario/settings.h"

/* One number: bytes with K M G T, seconds with ms or us, else as it stands. 0 or -EBADMSG. */
must_check int figure_number(struct span text, double *out);

/* A published number or range. Infinite where it is open, both NAN for "none". */
must_check int anchor_parse(const struct setting *setting, double *low, double *high,
			    struct lab_error *error);

bool figure_is_plain(struct span name);
