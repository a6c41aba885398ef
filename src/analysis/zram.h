#pragma once
/*
 * What compressed swap takes of RAM, how full it is, and what it can still take.
 */
#include "analysis/number.h"
#include "kernel/devices.h"

/* RAM that all zram devices take, bytes. */
struct number zram_used(const struct devices *devices);

/* The fuller of RAM used of its limit and swap used of its size, of the fullest device. */
struct number zram_fill(const struct devices *devices);

/*
 * What a zram device can still take is bounded by the RAM it may use, at the ratio at which it
 * compressed so far, and not by its size: SwapFree knows only the size. Bytes of SwapFree that
 * are beyond that bound.
 */
double zram_excess(const struct devices *devices, const struct zram *zram);
