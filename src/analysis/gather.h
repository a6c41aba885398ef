#pragma once
/*
 * Gathers the evidence: signals, members, growth, lost time and domains of a window.
 */
#include "analysis/evidence.h"

/*
 * Computes into the arena. -ENOMEM when it is too small. The window has a snapshot. only is a
 * glob that a cgroup's path or that of one above it must match to be looked at; NULL is all.
 */
must_check int evidence_of(const struct window *window, const char *only, struct arena *arena,
			   struct evidence *out);
