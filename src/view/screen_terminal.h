#pragma once
/*
 * The terminal itself: taking it over, giving it back, and what was typed on it.
 */
#include "base/span.h"

/* 0, or -ENOTTY when it can't be had. */
must_check int terminal_open(bool color);
void terminal_close(void);

/* What came in: a key that types (character, in UTF-8), or one that does something (code). */
struct key {
	int code; /* KEY_… of curses.h, or the character when it is ASCII; else 0 */
	char character[8];
};
must_check bool terminal_key(struct key *out);
