#pragma once
/*
 * What a machine is used for, told by what runs on it: by comm and exe first; the command line
 * is read of those only.
 */
#include "base/macro.h"

#define ROLES(X)                          \
	X(POSTGRES, "postgres")           \
	X(REDIS, "redis")                 \
	X(MONGODB, "mongodb")             \
	X(ELASTICSEARCH, "elasticsearch") \
	X(CASSANDRA, "cassandra")         \
	X(SCYLLA, "scylla")               \
	X(MYSQL, "mysql")                 \
	X(KAFKA, "kafka")                 \
	X(CLICKHOUSE, "clickhouse")       \
	X(JVM, "jvm") X(GO, "go") X(KUBELET, "kubelet") X(CONTAINERS, "containers")

enum role {
#define X(id, name) ROLE_##id,
	ROLES(X)
#undef X
	ROLE_COUNT,
};

#define ROLES_MAX 256

struct role_found {
	enum role role;
	uint32_t pid;	    /* 0 where it was given and not found */
	int32_t cgroup;	    /* index into the snapshot's cgroups; -1 */
	const char *name;   /* comm */
	unsigned int major; /* version; 0 where it is not told */
	uint64_t limit;	    /* heap it may grow to (-Xmx, GOMEMLIMIT); 0 unknown */
	const char **word;  /* its command line, where it was read; else NULL */
	size_t words;
};

struct roles {
	struct role_found found[ROLES_MAX];
	size_t count;
	bool cut;
	uint32_t denied; /* processes that may be one, of which we could not tell */
};

struct facts;
struct words;

/* The command line of a process as words. 0, or -errno as the kernel gave it, or -ENOMEM. */
must_check int process_words(struct facts *facts, uint32_t pid, struct words *out);

/* "-m 5", "-m5" and "--config=x" and "--config x": the last value; NULL for none. */
const char *words_option(const char *const *word, size_t words, const char *option);

/* Fills out; called once, by facts_roles(). */
void roles_find(struct facts *facts, struct roles *out);
const char *role_name(enum role role);
const struct role_found *role_of(const struct roles *roles, enum role role);
