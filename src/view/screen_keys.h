#pragma once
/*
 * Which key does what: one row each, for the keyboard, the status line and the help.
 */
#include "view/browse.h"

struct key_row {
	enum action action;
	int codes[4];	   /* ends with 0 */
	const char *shown; /* "p, space" */
	const char *brief; /* for the status line; NULL is not there */
	const char *help;
};
extern const struct key_row SCREEN_KEYS[];
extern const size_t SCREEN_KEY_COUNT;

enum action key_action(int code);
