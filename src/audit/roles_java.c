#include "audit/roles_add.h"
#include "base/units.h"

/* What a JVM runs, by a part of its command line. */
static const struct {
	const char *part;
	const char *version; /* what stands before it in a path */
	enum role role;
} CLASSES[] = {
	{ "org.elasticsearch.", "elasticsearch-", ROLE_ELASTICSEARCH },
	{ "org.opensearch.", "opensearch-", ROLE_ELASTICSEARCH },
	{ "org.apache.cassandra.", "apache-cassandra-", ROLE_CASSANDRA },
	{ "kafka.Kafka", "kafka-clients-", ROLE_KAFKA },
};

unsigned int role_version_behind(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);
	struct span digits;
	uint64_t number;

	if (!at)
		return 0;
	at += strlen(mark);
	digits = span_of(at, strspn(at, "0123456789"));
	if (span_u64(digits, &number) < 0 || number > 10000)
		return 0;
	return (unsigned int)number;
}

struct role_found *role_add(struct roles *out, struct role_found found)
{
	if (out->count == ROLES_MAX) {
		out->cut = true;
		return NULL;
	}
	out->found[out->count] = found;
	return &out->found[out->count++];
}

/* memory.max that holds for a cgroup, at most the RAM. */
static uint64_t room_of(const struct facts *facts, int32_t cgroup)
{
	uint64_t room = facts_ram(facts);

	for (; cgroup >= 0; cgroup = facts->snapshot->cgroups[cgroup].parent) {
		const struct cgroup *at = &facts->snapshot->cgroups[cgroup];

		if (at->state[CG_MAX] == OK)
			room = MIN(room, at->value[CG_MAX]);
	}
	return room;
}

/* "4g" and "4G" are the same to a JVM. */
static bool jvm_size(const char *text, uint64_t *bytes)
{
	char upper[32];
	size_t length = strlen(text);

	if (length == 0 || !span_copy(span_cstr(text), upper, sizeof(upper)))
		return false;
	if (upper[length - 1] >= 'a' && upper[length - 1] <= 'z')
		upper[length - 1] = (char)(upper[length - 1] - 'a' + 'A');
	return size_parse(span_cstr(upper), bytes) == 0;
}

static const char *behind(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* "-Xmx4g", "-XX:MaxHeapSize=4g", "-XX:MaxRAMPercentage=50": the last one counts. */
static uint64_t heap_of(const struct facts *facts, const struct role_found *found)
{
	uint64_t heap = 0;

	for (size_t i = 0; i < found->words; i++) {
		const char *size = behind(found->word[i], "-Xmx");
		const char *share = behind(found->word[i], "-XX:MaxRAMPercentage=");
		uint64_t number;

		if (!size)
			size = behind(found->word[i], "-XX:MaxHeapSize=");
		if (size && jvm_size(size, &number))
			heap = number;
		if (share && span_fixed(span_cstr(share), 2, &number) == 0)
			heap = room_of(facts, found->cgroup) / 10000 * MIN(number, 10000u);
	}
	return heap;
}

static unsigned int version_in_words(const struct role_found *found, const char *mark)
{
	unsigned int version = 0;

	for (size_t i = 0; i < found->words && version == 0; i++)
		version = role_version_behind(found->word[i], mark);
	return version;
}

static bool is_in_words(const struct role_found *found, const char *part)
{
	for (size_t i = 0; i < found->words; i++)
		if (strstr(found->word[i], part))
			return true;
	return false;
}

void role_add_java(const struct facts *facts, struct roles *out, struct role_found found)
{
	found.limit = heap_of(facts, &found);
	role_add(out, found);
	for (size_t i = 0; i < ARRAY_LEN(CLASSES); i++) {
		if (!is_in_words(&found, CLASSES[i].part))
			continue;
		found.role = CLASSES[i].role;
		found.major = version_in_words(&found, CLASSES[i].version);
		role_add(out, found);
		return;
	}
}
