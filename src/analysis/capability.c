#include "analysis/capability.h"

static enum state machine_psi(const struct evidence *evidence)
{
	return evidence->pair.now->state[PSI_MEM_SOME_TOTAL];
}

static enum state cgroup_memory(const struct evidence *evidence)
{
	switch (evidence->pair.now->mounts.mode) {
	case CGROUPS_V1:
	case CGROUPS_HYBRID:
	case CGROUPS_V2:
		return OK;
	case CGROUPS_NONE:
	case CGROUPS_V2_BARE:
		break;
	}
	return ABSENT;
}

/* Where processes are not seen, they may be in any. */
static bool may_have_tasks(const struct snapshot *now, size_t index)
{
	return now->cgroups[index].tasks > 0 || now->tasks_state != OK;
}

/* The state of a field in the leaves: that of the worst one that has processes. */
static enum state worst_leaf(const struct evidence *evidence, enum cgroup_field field)
{
	const struct snapshot *now = evidence->pair.now;
	enum state worst = OK;

	for (size_t i = 0; i < evidence->member_count; i++) {
		int32_t at = field >= CG_PSI_BASE && field < CG_IO_BASE ?
				     now->cgroups[i].pressure :
				     (int32_t)i;
		enum state state = at < 0 ? ABSENT : now->cgroups[at].state[field];

		if (evidence->members[i].leaf && may_have_tasks(now, i) && state != OK)
			worst = state;
	}
	return worst;
}

static enum state cgroup_psi(const struct evidence *evidence)
{
	return worst_leaf(evidence, CG_MEM_SOME_TOTAL);
}

static enum state cgroup_io(const struct evidence *evidence)
{
	return worst_leaf(evidence, CG_RBYTES);
}

static enum state refaults(const struct evidence *evidence)
{
	return evidence->pair.now->state[VM_REFAULT_FILE];
}

static enum state refaults_true(const struct evidence *evidence)
{
	return evidence->pair.now->profile.refaults_undercounted ? ABSENT : OK;
}

static enum state limit_reclaim(const struct evidence *evidence)
{
	return evidence->pair.now->profile.reclaim_counts == RECLAIM_UNKNOWN ? ABSENT : OK;
}

static enum state processes(const struct evidence *evidence)
{
	return evidence->pair.now->tasks_state;
}

static enum state all_processes(const struct evidence *evidence)
{
	return evidence->pair.now->tasks_denied > 0 ? DENIED : OK;
}

static enum state whole_tree(const struct evidence *evidence)
{
	return evidence->pair.now->cgroups_cut || evidence->pair.now->tasks_cut ||
			       evidence->pair.now->devices->cut ||
			       evidence->pair.now->zones->cut ?
		       GARBLED :
		       OK;
}

static enum state own_machine(const struct evidence *evidence)
{
	return evidence->pair.now->host.container[0] || evidence->pair.now->mounts.lxcfs ?
		       ABSENT :
		       OK;
}

static enum state has_time(const struct evidence *evidence)
{
	return evidence->pair.seconds > 0 ? OK : ABSENT;
}

static enum state page_size(const struct evidence *evidence)
{
	return evidence->pair.now->host.page_assumed ? ABSENT : OK;
}

static const struct {
	struct capability_row row;
	enum state (*state)(const struct evidence *evidence);
} ROWS[CAPABILITIES] = {
	[CAP_MACHINE_PSI] = { { "machine-pressure", "pressure of the machine",
				"lost time of the machine is unknown",
				"a kernel with CONFIG_PSI, booted with psi=1" },
			      machine_psi },
	[CAP_CGROUP_MEMORY] = { { "cgroup-memory", "memory of cgroups",
				  "services can't be told apart: only processes are seen",
				  "mount cgroup2 with the memory controller" },
				cgroup_memory },
	[CAP_CGROUP_PSI] = { { "cgroup-pressure", "pressure of some cgroups",
			       "their lost time is unknown, or the machine's stands in",
			       "cgroup v2, and cgroup.pressure=1; on v1, put the processes "
			       "into a "
			       "cgroup2 group as well" },
			     cgroup_psi },
	[CAP_CGROUP_IO] = { { "cgroup-io", "reads of some cgroups",
			      "the machine's reads bound theirs, so their lost time is a lower "
			      "bound",
			      "enable the io controller (systemd: IOAccounting=yes)" },
			    cgroup_io },
	[CAP_REFAULTS] = { { "refaults", "refaults of files",
			     "re-reading can't be told from reading", "Linux 5.9 or newer" },
			   refaults },
	[CAP_REFAULTS_TRUE] = { { "refaults-complete", "true number of refaults",
				  "MGLRU of this kernel counts only a part; reads and "
				  "reclaimed "
				  "pages stand in",
				  "a newer kernel, or lru_gen/enabled=0" },
				refaults_true },
	[CAP_LIMIT_RECLAIM] = { { "limit-reclaim", "what reclaim counters count",
				  "reclaim for limits can't be told from reclaim for the "
				  "machine",
				  "a readable /proc/zoneinfo" },
				limit_reclaim },
	[CAP_PROCESSES] = { { "processes", "processes", "no process can be named",
			      "a readable /proc" },
			    processes },
	[CAP_ALL_PROCESSES] = { { "all-processes", "memory of other users' processes",
				  "a culprit among them can't be named", "run as root" },
				all_processes },
	[CAP_WHOLE_TREE] = { { "whole-tree", "a part of the cgroups, processes or devices",
			       "there are more than refault has room for; what is behind the "
			       "bound is not seen",
			       "look at a part of the tree with --cgroup" },
			     whole_tree },
	[CAP_OWN_MACHINE] = { { "own-machine", "the machine outside this container",
				"causes outside are not seen, and the host's settings belong "
				"to the "
				"host",
				"run on the host" },
			      own_machine },
	[CAP_TIME] = { { "time", "the time between two samples", "there are no rates",
			 "two frames, with _host.ini or /proc/uptime" },
		       has_time },
	[CAP_PAGE_SIZE] = { { "page-size", "the page size", "4 KiB is assumed",
			      "a capture made with refault capture" },
			    page_size },
};

const struct capability_row *capability_row(enum capability capability)
{
	return &ROWS[capability].row;
}

enum state capability_state(enum capability capability, const struct evidence *evidence)
{
	return ROWS[capability].state(evidence);
}
