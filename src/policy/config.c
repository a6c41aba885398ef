#include "policy/config.h"

#include <fnmatch.h>

const struct option_row OPTION_ROWS[] = {
#define OPTION(section_, key_, id, type_, value_, least_, most_, words_, help_) \
	{                                                                       \
		.section = (section_),                                          \
		.key = (key_),                                                  \
		.type = (type_),                                                \
		.value = (value_),                                              \
		.least = (least_),                                              \
		.most = (most_),                                                \
		.words = (words_),                                              \
		.help = (help_),                                                \
		.offset = offsetof(struct guard_options, id),                   \
	},
#include "policy/options.def"
};
const size_t OPTIONS = ARRAY_LEN(OPTION_ROWS);

/* Below every row of an administrator that does not say otherwise. */
#define BUILT_IN_PRIORITY (-100)

/*
 * What is needed to log in, to run services, and to say what happened. By the whole path:
 * whoever was given a part of the tree can call a folder there ssh.service, but not put it
 * here.
 */
static const char *const ESSENTIAL[] = {
	"init.scope",
	"system.slice/ssh.service",
	"system.slice/sshd.service",
	"system.slice/systemd-logind.service",
	"system.slice/dbus.service",
	"system.slice/dbus-broker.service",
	"system.slice/systemd-journald.service",
	"system.slice/systemd-udevd.service",
	"system.slice/systemd-networkd.service",
	"system.slice/systemd-resolved.service",
	"system.slice/system-getty.slice/getty@*.service",
	"system.slice/system-serial\\\\x2dgetty.slice/serial-getty@*.service",
	"system.slice/containerd.service",
	"system.slice/docker.service",
	"system.slice/crio.service",
	"system.slice/kubelet.service",
	"runtime.slice/containerd.service",
	"runtime.slice/kubelet.service",
	"refault.slice/refault-guard.service",
};
_Static_assert(ARRAY_LEN(ESSENTIAL) <= POLICY_ROWS_MAX / 2, "leave room for others");

static void add_essential(struct guard_config *config, const char *path)
{
	struct policy_row *row = &config->row[config->rows++];

	*row = (struct policy_row){
		.kinds = 1u << POLICY_PROTECT,
		.priority = BUILT_IN_PRIORITY,
	};
	span_copy(span_cstr(BUILT_IN_NAME), row->name, sizeof(row->name));
	span_copy(span_cstr(path), row->cgroup, sizeof(row->cgroup));
}

void config_defaults(struct guard_config *out)
{
	*out = (struct guard_config){ 0 };
	for (size_t i = 0; i < OPTIONS; i++)
		*option_at(&out->options, &OPTION_ROWS[i]) = OPTION_ROWS[i].value;
	for (size_t i = 0; i < ARRAY_LEN(ESSENTIAL); i++)
		add_essential(out, ESSENTIAL[i]);
}

struct span option_word(const struct option_row *row, uint64_t index)
{
	struct span rest = span_cstr(row->words);
	struct span word;

	for (uint64_t i = 0; span_word(&rest, &word); i++)
		if (i == index)
			return word;
	return span_cstr("");
}

/* The last part of the path. */
static const char *unit_of(const char *cgroup)
{
	const char *slash = strrchr(cgroup, '/');

	return slash ? slash + 1 : cgroup;
}

/* An empty pattern matches all, and nothing else matches what is not known. */
static bool fits(const char *pattern, const char *text)
{
	if (!*pattern)
		return true;
	return text && *text && fnmatch(pattern, text, 0) == 0;
}

uint64_t policy_rows_of_cgroup(const struct guard_config *config, const char *cgroup)
{
	uint64_t rows = 0;

	for (uint32_t i = 0; i < config->rows; i++)
		if (fits(config->row[i].unit, cgroup ? unit_of(cgroup) : NULL) &&
		    fits(config->row[i].cgroup, cgroup))
			rows |= (uint64_t)1 << i;
	return rows;
}

static bool fits_process(const struct policy_row *row, const struct policy_subject *subject)
{
	return fits(row->comm, subject->comm) && fits(row->exe, subject->exe) &&
	       (!row->has_uid || (subject->has_uid && subject->uid == row->uid));
}

uint64_t policy_rows_of_process(const struct guard_config *config,
				const struct policy_subject *subject)
{
	uint64_t rows = 0;

	for (uint32_t i = 0; i < config->rows; i++)
		if (fits_process(&config->row[i], subject))
			rows |= (uint64_t)1 << i;
	return rows;
}

#define BIT(kind) (1u << (kind))
#define SPARES (BIT(POLICY_PROTECT) | BIT(POLICY_NEVER))
#define GIVES_UP (BIT(POLICY_PREFER) | BIT(POLICY_EXPENDABLE))

/* What contradicts a kind: of two rows of one priority, that which spares holds. */
static uint32_t against(enum policy_kind kind)
{
	if (BIT(kind) & GIVES_UP)
		return SPARES;
	return BIT(kind) & SPARES ? GIVES_UP : 0;
}

static const struct policy_row *first(const struct guard_config *config, uint32_t kinds,
				      uint64_t rows)
{
	for (; rows != 0; rows &= rows - 1) {
		const struct policy_row *row = &config->row[__builtin_ctzll(rows)];

		if (row->kinds & kinds)
			return row;
	}
	return NULL;
}

const struct policy_row *policy_pick(const struct guard_config *config, enum policy_kind kind,
				     uint64_t rows)
{
	const struct policy_row *found = first(config, BIT(kind), rows);
	const struct policy_row *other = first(config, against(kind), rows);

	if (!found || !other || other->priority < found->priority)
		return found;
	if (other->priority > found->priority)
		return NULL;
	return BIT(kind) & SPARES ? found : NULL;
}

const struct policy_row *policy_find(const struct guard_config *config, enum policy_kind kind,
				     const struct policy_subject *subject)
{
	return policy_pick(config, kind,
			   policy_rows_of_cgroup(config, subject->cgroup) &
				   policy_rows_of_process(config, subject));
}
