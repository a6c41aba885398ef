#pragma once
/*
 * Fixtures of rules: one text file for a rule and a state, unpacked over
 * tests/fixtures/check/BASE into a tree. The form is told in tests/fixtures/check/README.md.
 */
#include "../test.h"

#include "audit/audit.h"
#include "model/sampler.h"

/* What a fixture wants to see; lines in any order, each has to be met by some result. */
struct wanted {
	struct span line;
	unsigned int number;
};

struct fixture {
	const char *file; /* "SWAP-001.fires" */
	const char *tree; /* unpacked */
	struct wanted wanted[16];
	size_t count;
};
void fixture_open(const char *file, struct fixture *out);

/* One audit of a tree; rule NULL: all rules. */
struct looked {
	struct root root;
	struct arena samples;
	struct arena arena;
	struct sampler sampler;
	struct snapshot *snapshot;
	struct facts facts;
	struct audit audit;
};
void looked_open(const char *tree, const struct rule *rule, struct looked *out);
void looked_close(struct looked *looked);

/* Names of the files in the folder of fixtures, sorted; live until the program ends. */
size_t fixture_files(const char **name, size_t room);
