#pragma once
/*
 * Cuts the text of a configuration or scenario into its keys. libeconf does the cutting; before
 * it, the text is held to the part of the format on which all versions of libeconf agree:
 *
 *	# a comment has a line of its own
 *	[SECTION] or [SECTION NAME]
 *	KEY = VALUE
 *		which may go on in lines that begin with a blank and have no '='
 *
 * A section is written once and is not empty, and a key is written once in it.
 */
#include "base/mem.h"
#include "base/text.h"

struct ini_row {
	const char *section; /* "load worker" */
	const char *key;
	const char *value;
	unsigned int line;
};

struct ini_section {
	const char *name;
	unsigned int line;
};

struct ini {
	struct ini_row *row; /* in the arena, as all texts */
	size_t rows;
	struct ini_section *section; /* those without keys too */
	size_t sections;
};

/* Larger files, longer lines, longer values, more keys and more sections are refused. */
#define INI_BYTES ((size_t)256 * 1024)
#define INI_LINE 2000
#define INI_VALUE 1800
#define INI_ROWS 2000
#define INI_SECTIONS 500

struct ini_file {
	struct span text;
	const char *name;  /* for messages */
	bool may_be_empty; /* a section may have no keys */
	bool is_utf8;	   /* other bytes are refused */
	/* If given it gets each sentence and the next lines are read too; else the first is
	 * all. */
	void (*complain)(void *whom, const char *sentence);
	void *whom;
};

/* 0, -EINVAL with the sentence "FILE:LINE: what is wrong" in error, or -errno. */
must_check int ini_parse(const struct ini_file *file, struct arena *arena, struct ini *out,
			 struct text *error);
