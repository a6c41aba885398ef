#pragma once
/*
 * Zones and NUMA nodes: /proc/zoneinfo and /proc/buddyinfo (mm/vmstat.c).
 */
#include "base/root.h"
#include "kernel/field.h"

#define ZONES_MAX 256 /* 64 nodes of 4 populated zones */
#define NODES_MAX 64
#define ORDERS_MAX 20 /* MAX_PAGE_ORDER is 10 on most builds, 13 with 64 KiB pages on arm64 */

struct zone {
	char name[16];
	uint32_t node;
	uint32_t orders;	     /* of blocks[] */
	uint64_t blocks[ORDERS_MAX]; /* free blocks of 2^order pages; buddyinfo */
	uint64_t value[ZONE_FIELDS];
	uint8_t state[ZONE_FIELDS];
};

struct node {
	uint32_t id;
	uint64_t value[NODE_FIELDS];
	uint8_t state[NODE_FIELDS];
};

struct zones {
	struct zone zone[ZONES_MAX];
	struct node node[NODES_MAX];
	size_t zones;
	size_t nodes;
	bool cut; /* more zones or nodes than there is room for */
};

/* Adds to out, which starts zeroed. */
void zoneinfo_parse(struct span text, struct zones *out);

/* Fills blocks[] of the zones that zoneinfo named; others are skipped. */
void buddyinfo_parse(struct span text, struct zones *out);

/* OK, or why there are none. */
enum state zones_read(const struct root *root, struct buffer buffer, struct zones *out);
