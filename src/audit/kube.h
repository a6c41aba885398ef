#pragma once
/*
 * The kubelet of this node: its flags, its configuration and its drop-ins as rows of one
 * table. A flag counts more than a file ("--eviction-hard" becomes rows of "evictionHard").
 */
#include "audit/facts.h"

struct kube {
	bool is_there; /* it runs, or is set up here */
	bool is_running;
	uint32_t pid;
	int32_t cgroup;
	const char *path;   /* of its configuration, without leading slash; "" unknown */
	const char *folder; /* of its drop-ins; "" for none */
	struct config config;
	enum state state; /* OK: all that counts was read */
};
void kube_read(struct facts *facts, struct kube *out);

/* A setting; NULL where it is not set, or set to null. */
const struct config_row *kube_find(const struct kube *kube, const char *key);

/* True for "true"; otherwise where it is not set. */
bool kube_flag(const struct kube *kube, const char *key, bool otherwise);

/*
 * The hard threshold of memory.available in bytes: as set, else the kubelet's 100 MiB, or 0
 * where other thresholds are set and the defaults are not merged. GARBLED as state when it is
 * no quantity.
 */
struct eviction {
	enum state state;
	uint64_t bytes;
	const struct config_row *row;	/* NULL for the default */
	const struct config_row *other; /* that set another one and so took it away; NULL */
};
struct eviction kube_eviction(const struct facts *facts, const struct kube *kube);

/* "500Mi", "1G", "10%" (of something). 0 or -EBADMSG. */
must_check int quantity_parse(struct span text, uint64_t of, uint64_t *bytes);
