#include "kernel/zones.h"

#include "kernel/keyed.h"

#define KEY(id, key) { key, sizeof(key) - 1, id, 1 },
#define X(id, key, unit, kind, help) KEY(id, key)
static const struct key ZONE_ROWS[] = {
#include "kernel/zone.def"
};
static const struct key NODE_ROWS[] = {
#include "kernel/node.def"
};
#undef X
static const struct key_table ZONE_KEYS = { ZONE_ROWS, ARRAY_LEN(ZONE_ROWS), 0, ZONE_FIELDS };
static const struct key_table NODE_KEYS = { NODE_ROWS, ARRAY_LEN(NODE_ROWS), 0, NODE_FIELDS };

/*
 * zoneinfo comes in sections. Watermarks follow "pages free"; the lines of "pagesets" repeat
 * their names with a colon and must not be taken for them.
 */
enum section {
	SECTION_NONE,
	SECTION_NODE,
	SECTION_ZONE
};

static struct node *node_of(struct zones *out, uint32_t id)
{
	for (size_t i = 0; i < out->nodes; i++)
		if (out->node[i].id == id)
			return &out->node[i];
	if (out->nodes == NODES_MAX) {
		out->cut = true;
		return NULL;
	}
	out->node[out->nodes].id = id;
	return &out->node[out->nodes++];
}

static struct zone *zone_add(struct zones *out, uint32_t node, struct span name)
{
	struct zone *zone;

	if (out->zones == ZONES_MAX) {
		out->cut = true;
		return NULL;
	}
	zone = &out->zone[out->zones++];
	zone->node = node;
	span_copy(name, zone->name, sizeof(zone->name));
	return zone;
}

/* "Node 0, zone   Normal", and in buddyinfo what follows. */
static bool title_parse(struct span *line, uint32_t *node, struct span *name)
{
	struct span word;
	uint64_t id;

	if (!span_word(line, &word) || !span_eq(word, "Node") || !span_word(line, &word))
		return false;
	if (span_empty(word) || word.end[-1] != ',')
		return false;
	word.end--;
	if (span_u64(word, &id) < 0 || id > UINT32_MAX)
		return false;
	*node = (uint32_t)id;
	return span_word(line, &word) && span_eq(word, "zone") && span_word(line, name);
}

struct cursor {
	enum section section;
	struct zone *zone;
	struct node *node;
};

/* The line that starts a section, or false. */
static bool section_parse(struct span line, struct zones *out, struct cursor *at)
{
	struct span rest = line;
	struct span name;
	uint32_t node;

	if (title_parse(&rest, &node, &name)) {
		at->zone = zone_add(out, node, name);
		at->node = node_of(out, node);
		at->section = SECTION_NONE;
		return true;
	}
	line = span_trim(line);
	if (span_eq(line, "per-node stats"))
		at->section = at->node ? SECTION_NODE : SECTION_NONE;
	else if (span_starts(line, "pages free "))
		at->section = at->zone ? SECTION_ZONE : SECTION_NONE;
	else if (span_starts(line, "protection:") || span_eq(line, "pagesets"))
		at->section = SECTION_NONE;
	else
		return false;
	return true;
}

static void number_parse(struct span line, const struct cursor *at)
{
	if (at->section == SECTION_ZONE)
		keyed_parse(line, &ZONE_KEYS,
			    (struct numbers){ at->zone->value, at->zone->state });
	else if (at->section == SECTION_NODE)
		keyed_parse(line, &NODE_KEYS,
			    (struct numbers){ at->node->value, at->node->state });
}

void zoneinfo_parse(struct span text, struct zones *out)
{
	struct cursor at = { 0 };
	struct span line;
	const char *end = text.end;

	while (span_line(&text, &line)) {
		bool title = section_parse(line, out, &at);
		struct span shown = line;

		if (title && at.section == SECTION_ZONE)
			shown.at = span_trim(line).at + sizeof("pages");
		else if (title)
			continue;
		if (shown.end < end)
			shown.end++; /* with its newline: the line is whole */
		number_parse(shown, &at);
		/* node_unreclaimable stands behind the zone's page sets. */
		if (at.node && span_starts(span_trim(line), "node_unreclaimable:")) {
			struct span key;
			struct span value;
			uint64_t number;

			if (span_split(line, ':', &key, &value) &&
			    span_u64(span_trim(value), &number) == 0)
				number_set((struct numbers){ at.node->value, at.node->state },
					   NODE_UNRECLAIMABLE, number);
		}
	}
}

static struct zone *zone_find(struct zones *out, uint32_t node, struct span name)
{
	for (size_t i = 0; i < out->zones; i++)
		if (out->zone[i].node == node && span_eq(name, out->zone[i].name))
			return &out->zone[i];
	return NULL;
}

void buddyinfo_parse(struct span text, struct zones *out)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct span word;
		struct zone *zone;
		uint32_t node;
		uint32_t order = 0;

		if (!title_parse(&line, &node, &word))
			continue;
		zone = zone_find(out, node, word);
		while (zone && order < ORDERS_MAX && span_word(&line, &word) &&
		       span_u64(word, &zone->blocks[order]) == 0)
			order++;
		if (zone)
			zone->orders = order;
	}
}

enum state zones_read(const struct root *root, struct buffer buffer, struct zones *out)
{
	struct span text;
	int r = root_read(root, "proc/zoneinfo", buffer, &text);

	if (r < 0)
		return state_of_error(r);
	zoneinfo_parse(text, out);
	if (root_read(root, "proc/buddyinfo", buffer, &text) == 0)
		buddyinfo_parse(text, out);
	return out->zones > 0 ? OK : GARBLED;
}
