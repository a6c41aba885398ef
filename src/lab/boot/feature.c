#include "lab/boot/feature.h"

#include <errno.h>

/* Larger than any: Debian's configuration has 300 KiB, the list of what is built in 20 KiB. */
#define FACTS_MAX ((size_t)4 << 20)

static const struct feature FEATURES[] = {
	{ "swap", "SWAP", NULL, 0, 0, "memory can move to a disk" },
	{ "zram", "ZRAM", "zram", 3, 14, "swap in compressed memory" },
	{ "zswap", "ZSWAP", NULL, 3, 11, "compressed cache before a swap disk" },
	{ "mglru", "LRU_GEN", NULL, 6, 1, "multi-generational LRU" },
	{ "min-ttl", "LRU_GEN", NULL, 6, 1, "working set kept for so long, else OOM" },
	{ "psi", "PSI", NULL, 4, 20, "pressure stall information" },
	{ "memcg", "MEMCG", NULL, 4, 5, "memory limits of cgroups (v2)" },
	{ "thp", "TRANSPARENT_HUGEPAGE", NULL, 2, 6, "transparent huge pages" },
	{ "hugetlb", "HUGETLBFS", NULL, 0, 0, "reserved huge pages" },
	{ "numa", "NUMA", NULL, 0, 0, "memory nodes" },
	{ "dm-delay", "DM_DELAY", "dm-delay", 2, 6, "a disk that answers late" },
};

const struct feature *feature_at(size_t index)
{
	return index < ARRAY_LEN(FEATURES) ? &FEATURES[index] : NULL;
}

/* Where distributions keep the configuration of a kernel. */
static int config_path(const struct kernel *kernel, size_t which, char *out, size_t size)
{
	const char *slash = strrchr(kernel->image, '/');
	int folder = slash ? (int)(slash - kernel->image) : 0;

	switch (which) {
	case 0:
		return path_of(out, size, "%.*s/config-%s", folder, kernel->image,
			       kernel->release);
	case 1:
		return path_of(out, size, "%.*s/tree/boot/config-%s", folder, kernel->image,
			       kernel->release);
	case 2:
		return path_of(out, size, "%s/config", kernel->modules);
	case 3:
		return path_of(out, size, "%s/build/.config", kernel->modules);
	default:
		return -ENOENT;
	}
}

static int read_config(const struct kernel *kernel, char **text, struct span *out)
{
	char path[1024];
	int r = 0;

	for (size_t i = 0; r != -ENOENT; i++) {
		r = config_path(kernel, i, path, sizeof(path));
		if (r == 0 && file_read(path, FACTS_MAX, text, out) == 0)
			return 0;
	}
	return -ENOENT;
}

int kernel_facts_read(const struct kernel *kernel, struct kernel_facts *out)
{
	struct span config = { 0 };
	struct span builtin = { 0 };
	char path[1024];
	int r;

	*out = (struct kernel_facts){ .kernel = kernel };
	if (read_config(kernel, &out->config, &config) == 0)
		out->config_size = span_len(config);
	r = path_of(path, sizeof(path), "%s/modules.builtin", kernel->modules);
	if (r == 0 && *kernel->modules &&
	    file_read(path, FACTS_MAX, &out->builtin, &builtin) == 0)
		out->builtin_size = span_len(builtin);
	return r;
}

void kernel_facts_done(struct kernel_facts *facts)
{
	free(facts->config);
	free(facts->builtin);
	*facts = (struct kernel_facts){ 0 };
}

/* "CONFIG_ZRAM=m", "# CONFIG_ZRAM is not set"; a symbol that is not named at all is off. */
static enum feature_state by_config(const struct kernel_facts *facts, const char *symbol)
{
	struct span text = span_of(facts->config, facts->config_size);
	struct span line;
	struct span key;
	struct span value;

	while (span_line(&text, &line))
		if (span_split(line, '=', &key, &value) && span_starts(key, "CONFIG_") &&
		    span_eq(span_of(key.at + 7, span_len(key) - 7), symbol))
			return FEATURE_YES;
	return FEATURE_NO;
}

/* "zram.ko", "zram.ko.xz", and so on */
static bool is_module(const char *file, const char *module)
{
	size_t length = strlen(module);

	return strncmp(file, module, length) == 0 && strncmp(file + length, ".ko", 3) == 0;
}

static int look_for_module(void *data, const struct tree_entry *entry)
{
	return !entry->folder && is_module(entry->name, data) ? 1 : 0;
}

/* The module is there, or it is on the list of what is built in; without that list: unknown. */
static enum feature_state by_module(const struct kernel_facts *facts, const char *module)
{
	struct span text = span_of(facts->builtin, facts->builtin_size);
	struct span line;
	struct span folder;
	struct span file;

	if (!*facts->kernel->modules)
		return FEATURE_UNKNOWN;
	if (tree_walk(facts->kernel->modules, 0, look_for_module, (void *)module) == 1)
		return FEATURE_YES;
	if (!facts->builtin)
		return FEATURE_UNKNOWN;
	while (span_line(&text, &line))
		if (span_rsplit(line, '/', &folder, &file) && is_module(file.at, module))
			return FEATURE_YES;
	return FEATURE_NO;
}

/* "6.12.95+deb13" is older than 6.13; what has no version to read is older than nothing. */
static bool is_older(const char *release, const struct feature *feature)
{
	struct span rest = span_cstr(release);
	struct span part;
	uint64_t major;
	uint64_t minor;
	size_t digits = 0;

	if (!span_cut(&rest, '.', &part) || span_u64(part, &major) < 0)
		return false;
	while (digits < span_len(rest) && rest.at[digits] >= '0' && rest.at[digits] <= '9')
		digits++;
	if (span_u64(span_of(rest.at, digits), &minor) < 0)
		return false;
	return major < feature->major || (major == feature->major && minor < feature->minor);
}

enum feature_state feature_of(const struct kernel_facts *facts, const struct feature *feature)
{
	if (is_older(facts->kernel->release, feature))
		return FEATURE_NO;
	if (facts->config)
		return by_config(facts, feature->config);
	return feature->module ? by_module(facts, feature->module) : FEATURE_UNKNOWN;
}
