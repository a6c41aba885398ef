#pragma once
/*
 * The places whose limit is being hit: the machine, and cgroups at their memory.high or
 * memory.max; who suffers and who grows in each.
 */
#include "analysis/evidence.h"

/*
 * Of the cgroups in a part of the tree that was given to somebody, so many at their limits
 * count, those that lose most: he may have made ten thousand.
 */
#define DOMAINS_OF_PART 32

/* Fills out->domain; members are there already. -ENOMEM when there is no room. */
must_check int domains_of(struct evidence *out, struct arena *arena);

/* Names of cgroups below the limit domain, or of all for the machine. */
bool domain_has(const struct evidence *evidence, const struct domain *domain, size_t member);
