#include "audit/kube_rules.h"
#include "audit/rules.h"

static const struct rule ROWS[] = {
	{
		.id = "K8S-001",
		.title = "Swap is on and the kubelet does not allow it",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "the kubelet's flags, --config and --config-dir, /proc/swaps",
		.why = "failSwapOn is true by default: a kubelet that runs goes on, and does "
		       "not "
		       "start again after an update or a reboot of the node. With failSwapOn: "
		       "false and no swapBehavior pods have no swap, the host has.",
		.unless = NULL,
		.fix = "failSwapOn: false and memorySwap.swapBehavior: LimitedSwap in a "
		       "drop-in.",
		.revert = "Remove the drop-in and restart the kubelet.",
		.source = "kubelet, config/v1beta1/types.go, 1.36; KEP-2400; Kubernetes, Swap "
			  "memory management",
		.checked = "2026-12-01",
		.test = kube_refuses_swap,
	},
	{
		.id = "K8S-002",
		.title = "Daemons of the host may swap where pods do",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "memorySwap.swapBehavior of the kubelet, memory.swap.max of "
			 "system.slice",
		.why = "When pods fill the swap, whatever of the kubelet and of sshd lies in "
		       "it has to "
		       "come back from the same disk. The documentation of Kubernetes asks to "
		       "keep "
		       "daemons of the system out of swap on such nodes.",
		.unless = "system.slice has MemorySwapMax=0.",
		.fix = "MemorySwapMax=0 in a drop-in of system.slice.",
		.revert = "Remove the drop-in 90-refault.conf of system.slice.",
		.source =
			"Kubernetes, Swap memory management; systemd.resource-control(5), 257",
		.checked = "2026-12-01",
		.test = kube_lets_system_swap,
	},
	{
		.id = "K8S-004",
		.title = "The kubelet evicts nothing for memory",
		.level = LEVEL_CRIT,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "evictionHard and mergeDefaultEvictionSettings of the kubelet",
		.why = "When evictionHard names any signal, those that it does not name are 0: "
		       "a "
		       "file that sets nodefs.available only switches the default of 100 MiB "
		       "for "
		       "memory off.",
		.unless = "mergeDefaultEvictionSettings is true.",
		.fix = "evictionHard.memory.available in a drop-in.",
		.revert = "Remove the drop-in and restart the kubelet.",
		.source = "kubelet, config/v1beta1/types.go, 1.36",
		.checked = "2026-12-01",
		.test = kube_evicts_nothing,
	},
	{
		.id = "K8S-005",
		.title = "The kubelet evicts so late that the node stalls first",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "evictionHard, systemReserved and kubeReserved of the kubelet, "
			 "/proc/meminfo",
		.why = "The kubelet looks about every ten seconds. Below 2 % of RAM the node "
		       "has "
		       "begun to re-read its own code, the kubelet's too, before it looks "
		       "again.",
		.unless = "Memory is reserved for the system or for the kubelet.",
		.fix = "A threshold of a twentieth of RAM, and as much reserved for the "
		       "system.",
		.revert = "Remove the drop-in and restart the kubelet.",
		.source = "kubelet, config/v1beta1/types.go, 1.36; Kubernetes, Node-pressure "
			  "eviction; docs/EXPERIMENTS.md, article A",
		.checked = "2026-12-01",
		.test = kube_evicts_late,
	},
	{
		.id = "K8S-007",
		.title = "Pods have a memory.high",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "memory.high and memory.events below kubepods, memoryThrottlingFactor",
		.why = "At memory.high a pod is throttled and never killed: in the lab it did "
		       "0.9 % "
		       "of its work until somebody ended it. Older kubelets set it with "
		       "MemoryQoS, "
		       "and it stays until the container starts again.",
		.unless = NULL,
		.fix = "Leave memoryThrottlingFactor unset and restart the pods.",
		.revert = "Put memoryThrottlingFactor back.",
		.source = "KEP-2570; kubelet, config/v1beta1/types.go, 1.36; kubernetes issue "
			  "139377; docs/EXPERIMENTS.md, article A",
		.checked = "2026-12-01",
		.test = kube_throttles,
	},
	{
		.id = "K8S-009",
		.title = "A container is killed as one",
		.level = LEVEL_INFO,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "singleProcessOOMKill of the kubelet",
		.why = "On cgroup v2 the kubelet sets memory.oom.group: one process that is "
		       "killed "
		       "for memory takes the others of its container along, a database's "
		       "postmaster "
		       "too.",
		.unless = NULL,
		.fix = "singleProcessOOMKill: true, where containers hold servers of many "
		       "processes.",
		.revert = "Remove the drop-in and restart the kubelet.",
		.source = "kubelet, config/v1beta1/types.go, 1.36",
		.checked = "2026-12-01",
		.test = kube_kills_all,
	},
	{
		.id = "K8S-010",
		.title = "A file sets what the kubelet writes over",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "vm.overcommit_memory, vm.panic_on_oom, kernel.panic, sysctl.d, "
			 "protectKernelDefaults",
		.why = "When it starts the kubelet writes vm.overcommit_memory 1, "
		       "vm.panic_on_oom 0 "
		       "and kernel.panic 10. Another value in sysctl.d holds from boot until "
		       "then; "
		       "with protectKernelDefaults the kubelet refuses to start instead.",
		.unless = NULL,
		.fix = "The kubelet's values in sysctl.d.",
		.revert = "Remove the line from 90-refault.conf and write the old value back.",
		.source = "kubelet, cm/container_manager_linux.go and config/v1beta1/types.go, "
			  "1.36",
		.checked = "2026-12-01",
		.test = kube_writes_tunables,
	},
	{
		.id = "K8S-012",
		.title = "A node of the control plane has swap",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "kubernetes node",
		.reads = "/etc/kubernetes/manifests, processes, /proc/meminfo",
		.why = "etcd and the API server have to answer within a second. The Kubernetes "
		       "project recommends to run control plane nodes without any swap.",
		.unless = NULL,
		.fix = "No swap on this node, and a guard that acts, since without swap a slow "
		       "leak "
		       "freezes it for minutes.",
		.revert = "Turn swap on again, as /etc/fstab had it.",
		.source = "Kubernetes, Swap memory management",
		.checked = "2026-12-01",
		.test = kube_swaps_control_plane,
	},
};

const struct rules rules_kubernetes = { ROWS, ARRAY_LEN(ROWS) };
