#include "audit/kube.h"

#include <errno.h>

#include "config/kubelet.h"

#define DEFAULT_EVICTION ((uint64_t)100 << 20) /* pkg/kubelet/eviction/defaults_linux.go */

/* Where kubeadm puts it. */
#define USUAL_PATH "var/lib/kubelet/config.yaml"
#define USUAL_FOLDER "etc/kubernetes/kubelet.conf.d"

/* Flags that are older than the file and count more than it does. */
static const struct {
	const char *flag;
	const char *key;
} FLAGS[] = {
	{ "--fail-swap-on", "failSwapOn" },
	{ "--protect-kernel-defaults", "protectKernelDefaults" },
};

/* A path below the root; "" when it leads elsewhere or is none. */
static const char *plain_path(const char *path)
{
	while (path && *path == '/')
		path++;
	return path && path_is_plain(path) ? path : "";
}

static int add_row(struct facts *facts, struct kube *kube, const char *key, const char *value)
{
	const struct config_row row = { facts_format(facts, "proc/%u/cmdline", kube->pid), 1,
					"", key, value };

	return config_add(&facts->reader, &kube->config, &row);
}

/* "memory.available<500Mi,nodefs.available<10%" */
static int add_eviction(struct facts *facts, struct kube *kube, const char *value)
{
	struct span rest = span_cstr(value);
	struct span piece;
	struct span signal;
	struct span number;
	int r = 0;

	while (r == 0 && span_cut(&rest, ',', &piece))
		if (span_split(piece, '<', &signal, &number))
			r = add_row(facts, kube,
				    facts_format(facts, "evictionHard.%.*s",
						 (int)span_len(span_trim(signal)),
						 span_trim(signal).at),
				    facts_format(facts, "%.*s",
						 (int)span_len(span_trim(number)),
						 span_trim(number).at));
	return r;
}

/* A flag without a value is true; the next word is another flag. */
static const char *flag_value(const struct role_found *found, const char *flag)
{
	const char *value = words_option(found->word, found->words, flag);

	return value && (*value == '\0' || *value == '-') ? "true" : value;
}

static int add_flags(struct facts *facts, struct kube *kube, const struct role_found *found)
{
	const char *value = words_option(found->word, found->words, "--eviction-hard");
	int r = value ? add_eviction(facts, kube, value) : 0;

	for (size_t i = 0; i < ARRAY_LEN(FLAGS) && r == 0; i++) {
		value = flag_value(found, FLAGS[i].flag);
		if (value)
			r = add_row(facts, kube, FLAGS[i].key, value);
	}
	return r;
}

static void read_files(struct facts *facts, struct kube *kube)
{
	const char *folder = *kube->folder ? kube->folder : NULL;

	if (!*kube->path || kubelet_read(&facts->reader, kube->path, folder, &kube->config) < 0)
		return;
	for (size_t i = 0; i < kube->config.notes; i++)
		kube->state = kube->config.note[i].error == EACCES ||
					      kube->config.note[i].error == EPERM ?
				      DENIED :
				      GARBLED;
}

static void of_process(struct facts *facts, struct kube *kube, const struct role_found *found)
{
	kube->is_there = kube->is_running = true;
	kube->pid = found->pid;
	kube->cgroup = found->cgroup;
	if (!found->word) {
		kube->state = DENIED;
		kube->path = facts_exists(facts, USUAL_PATH) ? USUAL_PATH : "";
		return;
	}
	kube->path = plain_path(words_option(found->word, found->words, "--config"));
	kube->folder = plain_path(words_option(found->word, found->words, "--config-dir"));
}

static void of_files(struct facts *facts, struct kube *kube)
{
	kube->is_there = facts_exists(facts, USUAL_PATH);
	kube->path = kube->is_there ? USUAL_PATH : "";
	kube->folder = facts_exists(facts, USUAL_FOLDER) ? USUAL_FOLDER : "";
}

void kube_read(struct facts *facts, struct kube *out)
{
	const struct role_found *found = role_of(facts_roles(facts), ROLE_KUBELET);

	*out = (struct kube){ .cgroup = -1, .path = "", .folder = "", .state = OK };
	if (found && found->pid)
		of_process(facts, out, found);
	else
		of_files(facts, out);
	read_files(facts, out);
	if (found && found->word && add_flags(facts, out, found) < 0)
		out->state = GARBLED;
}

const struct config_row *kube_find(const struct kube *kube, const char *key)
{
	const struct config_row *row = config_find(&kube->config, "", key);

	return row && *row->value ? row : NULL;
}

bool kube_flag(const struct kube *kube, const char *key, bool otherwise)
{
	const struct config_row *row = kube_find(kube, key);

	return row ? strcmp(row->value, "true") == 0 : otherwise;
}

static const struct config_row *any_eviction(const struct kube *kube)
{
	static const char prefix[] = "evictionHard.";

	for (size_t i = kube->config.rows; i-- > 0;)
		if (strncmp(kube->config.row[i].key, prefix, sizeof(prefix) - 1) == 0)
			return &kube->config.row[i];
	return NULL;
}

struct eviction kube_eviction(const struct facts *facts, const struct kube *kube)
{
	struct eviction eviction = { .state = kube->state, .bytes = DEFAULT_EVICTION };

	eviction.row = kube_find(kube, "evictionHard.memory.available");
	if (eviction.row && quantity_parse(span_cstr(eviction.row->value), facts_ram(facts),
					   &eviction.bytes) < 0)
		eviction.state = GARBLED;
	if (eviction.row || kube_flag(kube, "mergeDefaultEvictionSettings", false))
		return eviction;
	eviction.other = any_eviction(kube);
	if (eviction.other)
		eviction.bytes = 0;
	return eviction;
}

/* apimachinery's resource.Quantity, without exponents. */
static const struct {
	const char *suffix;
	uint64_t bytes;
} SUFFIXES[] = {
	{ "Ki", 1024u },
	{ "Mi", (uint64_t)1 << 20 },
	{ "Gi", (uint64_t)1 << 30 },
	{ "Ti", (uint64_t)1 << 40 },
	{ "k", 1000 },
	{ "M", 1000000 },
	{ "G", 1000000000 },
	{ "T", 1000000000000 },
};

static uint64_t cut_suffix(struct span *text)
{
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		size_t length = strlen(SUFFIXES[i].suffix);

		if (span_len(*text) <= length ||
		    memcmp(text->end - length, SUFFIXES[i].suffix, length) != 0)
			continue;
		text->end -= length;
		return SUFFIXES[i].bytes;
	}
	return 1;
}

int quantity_parse(struct span text, uint64_t of, uint64_t *bytes)
{
	uint64_t hundredths;
	uint64_t unit;
	bool is_share;

	text = span_trim(text);
	is_share = !span_empty(text) && text.end[-1] == '%';
	if (is_share)
		text.end--;
	unit = is_share ? of / 100 : cut_suffix(&text);
	if (span_fixed(text, 2, &hundredths) < 0 ||
	    __builtin_mul_overflow(hundredths, unit, &hundredths))
		return -EBADMSG;
	*bytes = hundredths / 100;
	return 0;
}
