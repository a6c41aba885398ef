#pragma once
/*
 * In what the configuration of two runs differs.
 */
#include "base/mem.h"
#include "lab/error.h"
#include "lab/figures/ini.h"

#define DIFFERENCES_MAX 256

/* Texts are borrowed from what was compared; empty where a side does not have the key. */
struct difference {
	struct span section;
	struct span key;
	struct span a;
	struct span b;
};

struct differences {
	struct difference row[DIFFERENCES_MAX];
	size_t count;
	bool cut; /* there are more */
};

struct ini_texts {
	struct span run;
	struct span scenario;
};

/* The run's two files into the arena; what is missing is empty. 0 or -errno. */
must_check int ini_texts_read(const char *directory, struct arena *arena, struct ini_texts *out,
			      struct lab_error *error);

/* Of the machines that they ran on, and of their scenarios: not of titles and anchors. */
void differences_of(const struct ini_texts *a, const struct ini_texts *b,
		    struct differences *out);
