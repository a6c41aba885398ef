#pragma once
/*
 * Several files in one input, as text: a line "== PATH" begins a file, what follows is its
 * text. A path that could not be in a recording is left out, as pack.c does.
 */
#include "base/pack.h"
#include "model/snapshot.h"

void bundle_open(struct span text, struct pack *out);

/* Hands each file to the sink, in the order of the paths. */
void bundle_put(const struct pack *pack, struct sink *sink);

/* What holds for a snapshot of whatever. */
void bundle_check(const struct snapshot *snapshot);
