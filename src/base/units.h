#pragma once
/*
 * Bytes, shares, rates and times as people read and write them.
 */
#include "base/text.h"

/* "27.7 MiB", "819 MiB", "4.0 KiB", "12 B": three digits of sense. */
void text_bytes(struct text *text, double bytes);

/* "63 %", "0.4 %" */
void text_share(struct text *text, double share);

/* "7,081", "0.4": a count with thousands marked. */
void text_count(struct text *text, double count);

/* "40 s", "12 min", "3 h", "5 days" */
void text_time(struct text *text, double seconds);

/*
 * "500ms", "5s", "2m", "5" (seconds) to microseconds. 0, -EBADMSG, or -ERANGE outside the
 * limits (inclusive, in microseconds).
 */
must_check int time_parse(struct span text, uint64_t min_us, uint64_t max_us, uint64_t *out_us);

/* "0.25M" with a suffix of 1024s, K M G or T, to a number of bytes. 0 or -errno. */
must_check int size_parse(struct span text, uint64_t *out);

/* As size_parse() and time_parse() read it back: "24M", "1000"; "100ms", "6s". */
void text_size(struct text *text, uint64_t bytes);
void text_us(struct text *text, uint64_t us);
