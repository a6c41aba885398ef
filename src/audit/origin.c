#include "audit/origin.h"

#include "config/sysctl.h"
#include "config/tmpfiles.h"

/* Kernel parameters that set a file below /sys at boot; kernel-parameters.txt, 6.12. */
static const struct {
	const char *parameter;
	const char *path;
} PARAMETERS[] = {
	{ "transparent_hugepage", "sys/kernel/mm/transparent_hugepage/enabled" },
	{ "zswap.enabled", "sys/module/zswap/parameters/enabled" },
	{ "zswap.max_pool_percent", "sys/module/zswap/parameters/max_pool_percent" },
	{ "zswap.compressor", "sys/module/zswap/parameters/compressor" },
	{ "zswap.zpool", "sys/module/zswap/parameters/zpool" },
	{ "zswap.shrinker_enabled", "sys/module/zswap/parameters/shrinker_enabled" },
	{ "hugepages", "proc/sys/vm/nr_hugepages" },
};

#define SYSCTLS "proc/sys/"

static bool is_sysctl(const char *path)
{
	return strncmp(path, SYSCTLS, strlen(SYSCTLS)) == 0;
}

/* "vm.swappiness" of "proc/sys/vm/swappiness", as tuned and the command line write it. */
static const char *dotted(struct facts *facts, const char *path)
{
	char name[256];

	snprintf(name, sizeof(name), "%s", path + strlen(SYSCTLS));
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '.';
	return facts_format(facts, "%s", name);
}

static const struct config_row *of_parameter(struct facts *facts, const struct config *words,
					     const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(PARAMETERS); i++)
		if (strcmp(path, PARAMETERS[i].path) == 0)
			return config_find(words, "", PARAMETERS[i].parameter);
	if (!is_sysctl(path))
		return NULL;
	return config_find(words, "", facts_format(facts, "sysctl.%s", dotted(facts, path)));
}

/* What the next boot's command line says, where a boot loader's files are there; else this
 * one's. */
static const struct config_row *of_cmdline(struct facts *facts, const char *path)
{
	const struct config *next = facts_cmdline_next(facts);

	return of_parameter(facts, next->rows ? next : facts_cmdline(facts), path);
}

static const struct config_row *of_tuned(struct facts *facts, const char *path)
{
	const struct config *tuned = facts_tuned(facts);

	if (is_sysctl(path))
		return config_find(tuned, "sysctl", dotted(facts, path));
	if (strcmp(path, "sys/kernel/mm/transparent_hugepage/enabled") == 0)
		return config_find(tuned, "vm", "transparent_hugepages");
	return config_find(tuned, "sysfs", facts_format(facts, "/%s", path));
}

/* From the one that writes last to the one that writes first. */
static const char *const OWNERS[] = { "tuned", "tmpfiles.d", "sysctl.d", "command line" };

static const struct config_row *row_of(struct facts *facts, size_t owner, const char *path)
{
	switch (owner) {
	case 0:
		return of_tuned(facts, path);
	case 1:
		return tmpfiles_find(facts_tmpfiles(facts), path);
	case 2:
		return is_sysctl(path) ?
			       sysctl_find(facts_sysctl(facts), path + strlen(SYSCTLS)) :
			       NULL;
	default:
		return of_cmdline(facts, path);
	}
}

/* "1" and "Y", "0" and "N" are the same to a flag. */
static const char *plain(const char *value)
{
	if (strcmp(value, "Y") == 0 || strcmp(value, "y") == 0 || strcmp(value, "on") == 0)
		return "1";
	if (strcmp(value, "N") == 0 || strcmp(value, "n") == 0 || strcmp(value, "off") == 0)
		return "0";
	return value;
}

static bool is_same(const char *left, const char *right)
{
	return strcmp(plain(left), plain(right)) == 0;
}

struct origin origin_of(struct facts *facts, const char *path)
{
	struct origin origin = { .path = path,
				 .owner = "",
				 .running = fact_choice(facts, path) };

	if (origin.running.state == GARBLED)
		origin.running = fact_text(facts, path);
	for (size_t i = 0; i < ARRAY_LEN(OWNERS); i++) {
		const struct config_row *row = row_of(facts, i, path);

		if (!row)
			continue;
		if (!origin.row) {
			origin.row = row;
			origin.owner = OWNERS[i];
			origin.next = row->value;
		} else if (!is_same(row->value, origin.next)) {
			origin.contested = true;
		}
	}
	origin.survives = !origin.row || origin.running.state != OK ||
			  is_same(origin.running.text, origin.next);
	return origin;
}

const char *origin_where(struct facts *facts, const struct origin *origin)
{
	if (!origin->row)
		return "";
	return facts_format(facts, "%s:%u", origin->row->file, origin->row->line);
}
