#include "audit/kube_rules.h"
#include "audit/origin.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/* A twentieth of RAM, at least the default, in whole steps of 50 MiB. */
static uint64_t wanted_eviction(const struct facts *facts)
{
	uint64_t bytes = MIN(MAX(facts_ram(facts) / 20, 100 * MIB), GIB);

	return bytes / (50 * MIB) * (50 * MIB);
}

static void fix_eviction(struct audit *audit, struct result *result, const struct kube *kube)
{
	struct facts *facts = audit->facts;
	uint64_t bytes = wanted_eviction(facts);

	kube_fix(audit, result, kube,
		 (struct fix_step){ .key = "evictionHard.memory.available",
				    .value = facts_format(facts, "%lluMi",
							  (unsigned long long)(bytes / MIB)),
				    .computed = facts_format(
					    facts,
					    "a twentieth of %s of RAM, at least 100 MiB and at "
					    "most 1 GiB",
					    kube_bytes(facts, facts_ram(facts))) });
}

void kube_evicts_nothing(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct eviction eviction;
	struct result *result;
	struct kube kube;

	if (!kube_is_known(audit, &kube))
		return;
	eviction = kube_eviction(facts, &kube);
	if (eviction.state != OK) {
		audit_unknown(audit, "kubelet", "a quantity such as 500Mi",
			      "the threshold of memory.available is no quantity: %s",
			      eviction.row ? eviction.row->value : "");
		return;
	}
	if (eviction.bytes)
		return;
	result = audit_fail(audit, "kubelet",
			    eviction.row ?
				    "the kubelet evicts nothing for memory: its threshold "
				    "is 0" :
				    "the kubelet evicts nothing for memory: evictionHard "
				    "has other thresholds, and the one for memory is then "
				    "0");
	result_cite(audit, result, eviction.row ? eviction.row->key : eviction.other->key,
		    kube_where(facts, &kube, eviction.row ? eviction.row : eviction.other),
		    "%s", eviction.row ? eviction.row->value : eviction.other->value);
	fix_eviction(audit, result, &kube);
}

/* The kubelet looks every ten seconds: what is left has to last so long. */
void kube_evicts_late(struct audit *audit)
{
	struct facts *facts = audit->facts;
	uint64_t ram = facts_ram(facts);
	struct eviction eviction;
	struct result *result;
	struct kube kube;

	if (!kube_is_known(audit, &kube))
		return;
	eviction = kube_eviction(facts, &kube);
	if (ram == 0) {
		audit_unknown(audit, "kubelet", "/proc/meminfo",
			      "the size of RAM is not known");
		return;
	}
	if (eviction.state != OK || eviction.bytes == 0 || eviction.bytes >= ram / 50 ||
	    kube_find(&kube, "systemReserved.memory") ||
	    kube_find(&kube, "kubeReserved.memory"))
		return;
	result = audit_fail(audit, "kubelet",
			    "the kubelet evicts at %s of %s, and nothing is reserved for the "
			    "system",
			    kube_bytes(facts, eviction.bytes), kube_bytes(facts, ram));
	result_cite(audit, result, "evictionHard.memory.available",
		    kube_where(facts, &kube, eviction.row), "%s",
		    eviction.row ? eviction.row->value : "100Mi, the default");
	fix_eviction(audit, result, &kube);
	kube_fix(audit, result, &kube,
		 (struct fix_step){ .key = "systemReserved.memory",
				    .value = facts_format(
					    facts, "%lluMi",
					    (unsigned long long)(wanted_eviction(facts) / MIB)),
				    .computed = "as much as the threshold" });
}

static bool is_pod(const struct cgroup *cgroup)
{
	return strncmp(cgroup->path, "kubepods", 8) == 0;
}

static void say_throttled(struct audit *audit, const struct kube *kube,
			  const struct cgroup *cgroup)
{
	struct facts *facts = audit->facts;
	const struct config_row *row = kube_find(kube, "memoryThrottlingFactor");
	bool has_swap = facts->snapshot->state[MI_SWAP_TOTAL] == OK &&
			facts->snapshot->value[MI_SWAP_TOTAL] > 0;
	struct result *result =
		audit_fail(audit, cgroup->path,
			   "a pod can be throttled without end: its memory.high is %s",
			   kube_bytes(facts, cgroup->value[CG_HIGH]));

	if (!has_swap && cgroup->state[CG_EV_HIGH] == OK && cgroup->value[CG_EV_HIGH] > 0)
		result_level(result, LEVEL_CRIT);
	result_cite(audit, result, "memory.high",
		    facts_format(facts, "sys/fs/cgroup/%s/memory.high", cgroup->path), "%s",
		    kube_bytes(facts, cgroup->value[CG_HIGH]));
	if (cgroup->state[CG_EV_HIGH] == OK)
		result_cite(audit, result, "high events",
			    facts_format(facts, "sys/fs/cgroup/%s/memory.events", cgroup->path),
			    "%llu", (unsigned long long)cgroup->value[CG_EV_HIGH]);
	if (row)
		result_cite(audit, result, row->key, kube_where(facts, kube, row), "%s",
			    row->value);
	result_fix(result, (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = row ? facts_format(facts,
							       "remove memoryThrottlingFactor "
							       "from /%s, restart the kubelet, "
							       "then the pods",
							       row->file) :
						  "restart the pods: memory.high was left over "
						  "from an older kubelet" });
}

void kube_throttles(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct kube kube;
	bool has_pods = false;
	bool is_denied = false;

	kube_read(audit->facts, &kube);
	for (size_t i = 0; i < now->cgroup_count; i++) {
		const struct cgroup *cgroup = &now->cgroups[i];

		if (!is_pod(cgroup))
			continue;
		has_pods = true;
		is_denied |= cgroup->state[CG_HIGH] == DENIED;
		if (cgroup->state[CG_HIGH] == OK)
			say_throttled(audit, &kube, cgroup);
	}
	if (is_denied)
		audit_unknown(audit, "kubepods", "root", "memory.high of pods can't be read");
	if (!has_pods && kube_is_known(audit, &kube) &&
	    kube_find(&kube, "memoryThrottlingFactor") &&
	    kube_flag(&kube, "featureGates.MemoryQoS", false))
		audit_warn(audit, "kubelet",
			   "the kubelet will set memory.high on pods: MemoryQoS is on and "
			   "memoryThrottlingFactor is %s",
			   kube_find(&kube, "memoryThrottlingFactor")->value);
}

/* memory.oom.group of containers, which the kubelet sets on cgroup v2. */
void kube_kills_all(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct config_row *row;
	struct result *result;
	struct kube kube;

	if (!kube_is_known(audit, &kube) || kube_flag(&kube, "singleProcessOOMKill", false))
		return;
	if (facts->snapshot->mounts.mode != CGROUPS_V2) {
		audit_skip(audit, "only on cgroup v2 a container is killed as one");
		return;
	}
	row = kube_find(&kube, "singleProcessOOMKill");
	result = audit_note(audit, "kubelet",
			    "when one process of a container is killed for memory, all of the "
			    "container is");
	result_cite(audit, result, "singleProcessOOMKill", kube_where(facts, &kube, row), "%s",
		    row ? row->value : "false, the default");
	kube_fix(audit, result, &kube,
		 (struct fix_step){ .key = "singleProcessOOMKill", .value = "true" });
}

/* What the kubelet writes when it starts (setupKernelTunables). */
static const struct {
	const char *key; /* as in sysctl.d */
	uint64_t value;
} TUNABLES[] = {
	{ "vm/overcommit_memory", 1 },
	{ "vm/panic_on_oom", 0 },
	{ "kernel/panic", 10 },
};

static void look_at_tunable(struct audit *audit, const struct kube *kube, size_t index)
{
	struct facts *facts = audit->facts;
	const char *path = facts_format(facts, "proc/sys/%s", TUNABLES[index].key);
	struct fact running = fact_number(facts, path);
	struct origin origin = origin_of(facts, path);
	unsigned long long wanted = TUNABLES[index].value;
	bool is_protected = kube_flag(kube, "protectKernelDefaults", false);
	bool differs = running.state == OK && running.number != wanted;
	bool is_set = origin.row &&
		      strcmp(origin.row->value, facts_format(facts, "%llu", wanted)) != 0;
	struct result *result;

	if (running.state == DENIED || running.state == GARBLED)
		audit_unknown(audit, path, "root", "%s can't be read", path);
	if (!is_set && !(is_protected && differs))
		return;
	result =
		is_protected && differs ?
			audit_fail(audit, path,
				   "the kubelet will not start: it wants %llu here and may not "
				   "write it (protectKernelDefaults)",
				   wanted) :
			audit_warn(
				audit, path,
				"a file sets this at boot, and the kubelet writes %llu over it "
				"when it starts",
				wanted);
	if (is_protected && differs)
		result_level(result, LEVEL_HIGH);
	result_cite_fact(result, "running", &running);
	if (is_set)
		result_cite(audit, result, "at boot", origin_where(facts, &origin), "%s",
			    origin.row->value);
	result_fix(result,
		   (struct fix_step){ .kind = FIX_SYSCTL,
				      .key = TUNABLES[index].key,
				      .value = facts_format(facts, "%llu", wanted),
				      .now = path,
				      .previous = running.state == OK ? running.text : NULL });
}

void kube_writes_tunables(struct audit *audit)
{
	struct kube kube;

	if (!kube_is_known(audit, &kube))
		return;
	for (size_t i = 0; i < ARRAY_LEN(TUNABLES); i++)
		look_at_tunable(audit, &kube, i);
}
