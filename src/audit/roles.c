#include "audit/roles.h"

#include <errno.h>

#include "audit/roles_add.h"
#include "base/units.h"
#include "config/arguments.h"

/*
 * The kernel keeps 15 bytes of a name, and anybody may take any name: where the program can be
 * seen, its file's name has to begin as it should. Debian's redis-server is a link to
 * redis-check-rdb.
 */
struct sign {
	const char *comm;
	const char *exe; /* how the name of its file begins */
	enum role role;
};

static const struct sign SIGNS[] = {
	{ "postgres", "postgres", ROLE_POSTGRES },
	{ "postmaster", "postgres", ROLE_POSTGRES },
	{ "redis-server", "redis-", ROLE_REDIS },
	{ "valkey-server", "valkey-", ROLE_REDIS },
	{ "mongod", "mongod", ROLE_MONGODB },
	{ "scylla", "scylla", ROLE_SCYLLA },
	{ "mysqld", "mysqld", ROLE_MYSQL },
	{ "mariadbd", "mariadbd", ROLE_MYSQL },
	{ "clickhouse-serv", "clickhouse", ROLE_CLICKHOUSE },
	{ "clickhouse", "clickhouse", ROLE_CLICKHOUSE },
	{ "java", "java", ROLE_JVM },
	{ "kubelet", "kubelet", ROLE_KUBELET },
	{ "containerd", "containerd", ROLE_CONTAINERS },
	{ "dockerd", "dockerd", ROLE_CONTAINERS },
	{ "crio", "crio", ROLE_CONTAINERS },
	/* Programs in Go that hold much memory. */
	{ "prometheus", "prometheus", ROLE_GO },
	{ "etcd", "etcd", ROLE_GO },
	{ "kube-apiserver", "kube-apiserver", ROLE_GO },
	{ "influxd", "influxd", ROLE_GO },
	{ "grafana", "grafana", ROLE_GO },
	{ "traefik", "traefik", ROLE_GO },
	{ "caddy", "caddy", ROLE_GO },
	{ "vault", "vault", ROLE_GO },
	{ "consul", "consul", ROLE_GO },
	{ "minio", "minio", ROLE_GO },
	{ "loki", "loki", ROLE_GO },
	{ "cockroach", "cockroach", ROLE_GO },
	{ "victoria-metric", "victoria-metrics", ROLE_GO },
};

/* Where a path tells a version: the number behind it. */
static const char *const VERSIONS[] = { "/postgresql/", "/pgsql-", "/java-", "/jdk-" };

static const char *const NAMES[ROLE_COUNT] = {
#define X(id, name) [ROLE_##id] = (name),
	ROLES(X)
#undef X
};

const char *role_name(enum role role)
{
	return NAMES[role];
}

const struct role_found *role_of(const struct roles *roles, enum role role)
{
	for (size_t i = 0; i < roles->count; i++)
		if (roles->found[i].role == role)
			return &roles->found[i];
	return NULL;
}

int process_words(struct facts *facts, uint32_t pid, struct words *out)
{
	struct arena *arena = facts->reader.arena;
	struct words words = { 0 };
	struct span text;
	struct span word;
	const char *kept;
	int r = root_read(facts->root, facts_format(facts, "proc/%u/cmdline", pid),
			  facts->reader.buffer, &text);

	if (r < 0)
		return r;
	kept = arena_text(arena, text.at, span_len(text));
	words.word = arena_alloc(arena, (span_len(text) + 1) * sizeof(*words.word));
	if (!kept || !words.word)
		return -ENOMEM;
	text = span_of(kept, span_len(text));
	while (span_cut(&text, '\0', &word))
		words.word[words.count++] = word.at;
	/* Who wrote a title over it left blanks between the words. */
	if (words.count == 1 && strpbrk(words.word[0], " \n"))
		return words_cut(&facts->reader, span_cstr(words.word[0]), out);
	*out = words;
	return 0;
}

static bool is_long(const char *option)
{
	return option[0] == '-' && option[1] == '-';
}

const char *words_option(const char *const *word, size_t words, const char *option)
{
	size_t length = strlen(option);
	const char *found = NULL;

	for (size_t i = 0; i < words; i++) {
		const char *rest = word[i] + length;

		if (strncmp(word[i], option, length) != 0)
			continue;
		if (*rest == '\0')
			found = i + 1 < words ? word[i + 1] : "";
		else if (is_long(option) && *rest == '=')
			found = rest + 1;
		else if (!is_long(option))
			found = rest;
	}
	return found;
}

static unsigned int version_of_path(const char *path)
{
	unsigned int version = 0;

	for (size_t i = 0; i < ARRAY_LEN(VERSIONS) && version == 0; i++)
		version = role_version_behind(path, VERSIONS[i]);
	return version;
}

static const char *last_step(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct sign *sign_of(const struct task *task)
{
	for (size_t i = 0; i < ARRAY_LEN(SIGNS); i++)
		if (strcmp(task->name, SIGNS[i].comm) == 0)
			return &SIGNS[i];
	return NULL;
}

/* A server's children share its name: the first of them stands for all. */
static bool is_child(const struct facts *facts, const struct task *task)
{
	const struct task *parent = snapshot_pid(facts->snapshot, task->parent);

	return parent && strcmp(parent->name, task->name) == 0;
}

/* Of a unit's Environment= only; the environment of a process is nobody's business. */
static uint64_t go_limit(struct facts *facts, int32_t cgroup)
{
	const struct config_row *row;
	const struct unit_file *unit;
	const char *at;
	uint64_t bytes;

	if (cgroup < 0)
		return 0;
	unit = facts_unit(facts, last_step(facts->snapshot->cgroups[cgroup].path));
	for (size_t i = unit->config.rows; i-- > 0;) {
		row = &unit->config.row[i];
		at = strcmp(row->key, "Environment") == 0 ? strstr(row->value, "GOMEMLIMIT=") :
							    NULL;
		if (!at)
			continue;
		at += strlen("GOMEMLIMIT=");
		/* "4GiB": Go knows these suffixes only. */
		if (size_parse(span_of(at, strcspn(at, "iB \"'")), &bytes) == 0)
			return bytes;
	}
	return 0;
}

/* Whose command line says what it is, or how it is set. */
static bool needs_words(enum role role)
{
	return role == ROLE_JVM || role == ROLE_KUBELET;
}

static int read_words(struct facts *facts, struct roles *out, struct role_found *found)
{
	struct words words = { 0 };
	int r = process_words(facts, found->pid, &words);

	if (r < 0 || words.count == 0) {
		out->denied++;
		return -1;
	}
	found->word = words.word;
	found->words = words.count;
	return 0;
}

static void look_at(struct facts *facts, const struct task *task, struct roles *out)
{
	const struct sign *sign = sign_of(task);
	struct role_found found = { .pid = task->pid, .name = task->name };
	const char *exe;

	if (!sign || task->is_kernel || task->run_state == 'Z' || is_child(facts, task))
		return;
	exe = facts_link(facts, facts_format(facts, "proc/%u/exe", task->pid));
	if (*exe && strncmp(last_step(exe), sign->exe, strlen(sign->exe)) != 0)
		return;
	found.role = sign->role;
	found.cgroup = task->cgroup >= 0 ? task->cgroup : task->cgroup_memory;
	found.major = version_of_path(exe);
	if (needs_words(sign->role) && read_words(facts, out, &found) < 0) {
		role_add(out, found);
		return;
	}
	if (sign->role == ROLE_JVM) {
		role_add_java(facts, out, found);
		return;
	}
	if (sign->role == ROLE_GO)
		found.limit = go_limit(facts, found.cgroup);
	role_add(out, found);
}

/* What somebody says runs here, and was not seen. */
static void add_forced(const char *list, struct roles *out)
{
	struct span rest = span_cstr(list);
	struct span word;

	while (span_cut(&rest, ',', &word))
		for (size_t role = 0; role < ROLE_COUNT; role++)
			if (span_eq(span_trim(word), NAMES[role]) &&
			    !role_of(out, (enum role)role))
				role_add(out, (struct role_found){ .role = (enum role)role,
								   .cgroup = -1,
								   .name = NAMES[role] });
}

void roles_find(struct facts *facts, struct roles *out)
{
	const struct snapshot *now = facts->snapshot;

	*out = (struct roles){ 0 };
	for (size_t i = 0; i < now->task_count; i++)
		look_at(facts, &now->tasks[i], out);
	if (facts->forced_roles)
		add_forced(facts->forced_roles, out);
}
