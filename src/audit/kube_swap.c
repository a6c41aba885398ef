#include "audit/kube_rules.h"
#include "base/units.h"

const char *kube_bytes(struct facts *facts, uint64_t bytes)
{
	char buffer[32];
	struct text text = text_on(buffer, sizeof(buffer));

	text_bytes(&text, (double)bytes);
	return facts_format(facts, "%s", buffer);
}

const char *kube_where(struct facts *facts, const struct kube *kube,
		       const struct config_row *row)
{
	return row ? facts_format(facts, "%s:%u", row->file, row->line) : kube->path;
}

bool kube_is_known(struct audit *audit, struct kube *kube)
{
	struct facts *facts = audit->facts;

	kube_read(facts, kube);
	if (!kube->is_there && facts->snapshot->tasks_state == DENIED) {
		audit_unknown(audit, "kubelet", "root",
			      "the processes of others can't be seen");
		return false;
	}
	if (!kube->is_there) {
		audit_skip(audit, "no kubelet runs or is set up here");
		return false;
	}
	if (kube->state == OK)
		return true;
	audit_unknown(
		audit, "kubelet", kube->state == DENIED ? "root" : "a file that is whole",
		"the kubelet's configuration can't be told%s%s", kube->config.notes ? ": " : "",
		kube->config.notes ?
			facts_format(facts, "%s:%u %s", kube->config.note[0].file,
				     kube->config.note[0].line, kube->config.note[0].what) :
			"");
	return false;
}

void kube_fix(struct audit *audit, struct result *result, const struct kube *kube,
	      struct fix_step step)
{
	const char *dots = strchr(step.key, '.');

	step.kind = FIX_KUBELET;
	step.name = kube->folder;
	if (*kube->folder == '\0') {
		step.kind = FIX_PRINT;
		step.name = NULL;
		step.value = facts_format(
			audit->facts, "set %.*s%s%s in /%s to %s, and restart the kubelet",
			(int)(dots ? dots - step.key : (ptrdiff_t)strlen(step.key)), step.key,
			dots ? ": " : "", dots ? dots + 1 : "", kube->path, step.value);
		step.key = NULL;
	}
	result_fix(result, step);
}

/* The file of a static pod that makes it one; "" when a process tells; NULL for no such node.
 */
static const char *control_plane(struct facts *facts)
{
	static const char *const manifests[] = {
		"etc/kubernetes/manifests/etcd.yaml",
		"etc/kubernetes/manifests/kube-apiserver.yaml"
	};

	for (size_t i = 0; i < ARRAY_LEN(manifests); i++)
		if (facts_exists(facts, manifests[i]))
			return manifests[i];
	return facts_task(facts, "kube-apiserver") || facts_task(facts, "etcd") ? "" : NULL;
}

static void fix_control_plane(struct result *result)
{
	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_PRINT,
			   .value = "swapoff -a while MemAvailable is larger than the "
				    "swap in use, take swap out of /etc/fstab, and let a "
				    "guard act (OOMD-001)" });
}

/* On a node of the control plane the answer is no swap (K8S-012). */
static void fix_swap(struct audit *audit, struct result *result, const struct kube *kube)
{
	if (control_plane(audit->facts)) {
		fix_control_plane(result);
		return;
	}
	kube_fix(audit, result, kube,
		 (struct fix_step){ .key = "failSwapOn", .value = "false" });
	kube_fix(audit, result, kube,
		 (struct fix_step){ .key = "memorySwap.swapBehavior", .value = "LimitedSwap" });
}

/* Swap is on and the kubelet may run beside it. */
static void look_at_behaviour(struct audit *audit, const struct kube *kube)
{
	const struct config_row *row = kube_find(kube, "memorySwap.swapBehavior");
	bool is_limited = row && strcmp(row->value, "LimitedSwap") == 0;
	struct result *result;

	if (is_limited && audit->facts->snapshot->mounts.mode == CGROUPS_V2)
		return;
	if (is_limited) {
		result = audit_fail(
			audit, "kubelet",
			"LimitedSwap needs cgroup v2, which this node does not have");
		result_fix(result,
			   (struct fix_step){ .kind = FIX_PRINT,
					      .value = "boot with "
						       "systemd.unified_cgroup_hierarchy=1" });
	} else {
		result = audit_note(audit, "kubelet",
				    "swap is there for the host only; pods may not use it");
		kube_fix(audit, result, kube,
			 (struct fix_step){ .key = "memorySwap.swapBehavior",
					    .value = "LimitedSwap" });
	}
	result_level(result, is_limited ? LEVEL_MED : LEVEL_INFO);
	result_cite(audit, result, "memorySwap.swapBehavior",
		    kube_where(audit->facts, kube, row), "%s", row ? row->value : "not set");
}

void kube_refuses_swap(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact total = fact_field(facts, MI_SWAP_TOTAL);
	const struct config_row *row;
	struct result *result;
	struct kube kube;

	if (!kube_is_known(audit, &kube) ||
	    !audit_has(audit, &total, "the kernel was built without swap") || total.number == 0)
		return;
	if (!kube_flag(&kube, "failSwapOn", true)) {
		look_at_behaviour(audit, &kube);
		return;
	}
	row = kube_find(&kube, "failSwapOn");
	result = audit_fail(audit, "kubelet",
			    "swap is on and failSwapOn is true, so the kubelet will not start "
			    "again");
	result_cite(audit, result, "failSwapOn", kube_where(facts, &kube, row), "%s",
		    row ? row->value : "true, the default");
	result_cite(audit, result, "SwapTotal", "proc/meminfo", "%s",
		    kube_bytes(facts, total.number));
	fix_swap(audit, result, &kube);
}

/* Daemons of the host have no business in the swap of pods. */
void kube_lets_system_swap(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct cgroup *slice = facts_cgroup(facts, "system.slice");
	struct fact total = fact_field(facts, MI_SWAP_TOTAL);
	const struct config_row *row;
	struct result *result;
	struct kube kube;

	if (!kube_is_known(audit, &kube) ||
	    !audit_has(audit, &total, "the kernel was built without swap"))
		return;
	row = kube_find(&kube, "memorySwap.swapBehavior");
	if (total.number == 0 || !row || strcmp(row->value, "LimitedSwap") != 0) {
		audit_skip(audit, "pods have no swap on this node");
		return;
	}
	if (!slice || slice->state[CG_SWAP_MAX] == DENIED) {
		audit_unknown(audit, "system.slice", slice ? "root" : "the cgroups of the node",
			      "memory.swap.max of system.slice can't be read");
		return;
	}
	if (slice->state[CG_SWAP_MAX] == OK && slice->value[CG_SWAP_MAX] == 0)
		return;
	result =
		audit_fail(audit, "system.slice",
			   "pods may swap here, and so may sshd, the kubelet and the container "
			   "runtime, which then wait for the same disk");
	result_cite(audit, result, "memory.swap.max",
		    "sys/fs/cgroup/system.slice/memory.swap.max", "%s",
		    slice->state[CG_SWAP_MAX] == OK ?
			    kube_bytes(facts, slice->value[CG_SWAP_MAX]) :
			    "max");
	result_fix(result, (struct fix_step){ .kind = FIX_UNIT,
					      .name = "system.slice",
					      .section = "Slice",
					      .key = "MemorySwapMax",
					      .value = "0" });
}

void kube_swaps_control_plane(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact total = fact_field(facts, MI_SWAP_TOTAL);
	const char *found = control_plane(facts);
	struct result *result;

	if (!found) {
		audit_skip(audit, "this is no node of a control plane");
		return;
	}
	if (!audit_has(audit, &total, "the kernel was built without swap") || total.number == 0)
		return;
	result = audit_fail(audit, "", "a node of the control plane has swap");
	result_cite(audit, result, "SwapTotal", "proc/meminfo", "%s",
		    kube_bytes(facts, total.number));
	if (*found)
		result_cite(audit, result, "static pod", found, "present");
	fix_control_plane(result);
}
