#pragma once
/*
 * What tests of parsers of foreign files share: a reader with an arena and a buffer, and a tree
 * for it to read in.
 */
#include "../test.h"

#include <errno.h>

#include "config/config.h"

static struct arena arena;
static struct reader reader = { .arena = &arena };
static struct root root;

static inline int set_up(void **state)
{
	if (arena_init(&arena, (size_t)256 << 20) < 0)
		return -1;
	reader.buffer =
		(struct buffer){ arena_raw(&arena, CONFIG_BYTES + 1), CONFIG_BYTES + 1 };
	return 0;
}

static inline int tear_down(void **state)
{
	if (reader.root)
		root_done(&root);
	reader.root = NULL;
	arena_done(&arena);
	return 0;
}

static inline const struct reader *in(const char *tree)
{
	if (reader.root)
		root_done(&root);
	root = root_of(tree);
	reader.root = &root;
	return &reader;
}

/* What a setting is at last. */
static inline const char *value_in(const struct config *config, const char *section,
				   const char *key)
{
	const struct config_row *row = config_find(config, section, key);

	return row ? row->value : "(none)";
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
