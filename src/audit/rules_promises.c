#include "audit/knob.h"
#include "audit/rules.h"

#define OVERCOMMIT "proc/sys/vm/overcommit_memory"

static const struct role_found *needs_overcommit(struct facts *facts)
{
	static const enum role kinds[] = { ROLE_JVM,	 ROLE_GO,	  ROLE_REDIS,
					   ROLE_MONGODB, ROLE_CLICKHOUSE, ROLE_KUBELET };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (role_of(facts_roles(facts), kinds[i]))
			return role_of(facts_roles(facts), kinds[i]);
	return NULL;
}

/* Why strict counting will hurt here; NULL. */
static const char *strict_fault(struct facts *facts)
{
	const struct snapshot *now = facts->snapshot;
	uint64_t limit = now->value[MI_COMMIT_LIMIT];
	uint64_t promised = now->value[MI_COMMITTED];
	uint64_t ram = facts_ram(facts);
	const struct role_found *found = needs_overcommit(facts);

	if (promised > limit / 10 * 9)
		return facts_format(facts,
				    "%llu of %llu MiB are promised: forks and allocations will "
				    "soon fail while memory is free",
				    (unsigned long long)(promised / MIB),
				    (unsigned long long)(limit / MIB));
	if (limit < ram / 10 * 6 && now->devices->swap_state == OK && now->devices->swaps == 0)
		return facts_format(facts, "only %llu of %llu MiB of RAM can be promised",
				    (unsigned long long)(limit / MIB),
				    (unsigned long long)(ram / MIB));
	if (found)
		return facts_format(facts, "%s reserves far more than it uses",
				    role_name(found->role));
	return NULL;
}

static void strict_unfitted(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact mode = fact_number(facts, OVERCOMMIT);
	struct fact limit = fact_field(facts, MI_COMMIT_LIMIT);
	const char *fault;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &mode, "this kernel does not have vm.overcommit_memory"))
		return;
	if (mode.number != 2) {
		audit_skip(audit, "promises of memory are not counted strictly (mode %llu)",
			   (unsigned long long)mode.number);
		return;
	}
	if (!audit_has(audit, &limit, "/proc/meminfo has no CommitLimit"))
		return;
	fault = strict_fault(facts);
	if (!fault)
		return;
	result = audit_fail(audit, "", "%s", fault);
	knob_cite(audit, result, OVERCOMMIT);
	result_cite(audit, result, "CommitLimit", "proc/meminfo", "%llu MiB",
		    (unsigned long long)(limit.number / MIB));
	result_cite(audit, result, "Committed_AS", "proc/meminfo", "%llu MiB",
		    (unsigned long long)(facts->snapshot->value[MI_COMMITTED] / MIB));
	knob_fix(audit, result, "proc/sys/vm/overcommit_ratio", "80",
		 "80 of 100 of RAM without huge pages, and all of swap");
	knob_fix(audit, result, "proc/sys/vm/admin_reserve_kbytes", "131072",
		 "128 MiB, so that root can log in and look");
}

/* Neither snapshots nor an append-only file: no fork that would need the promise. */
static bool redis_keeps_nothing(struct facts *facts)
{
	static const char *const files[] = { "etc/redis/redis.conf", "etc/valkey/valkey.conf",
					     "etc/redis.conf" };

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct fact config = fact_text(facts, files[i]);

		if (config.state == OK)
			return strstr(config.text, "\nsave \"\"") &&
			       !strstr(config.text, "\nappendonly yes");
	}
	return false;
}

static void redis_promise(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact mode = fact_number(facts, OVERCOMMIT);
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &mode, "this kernel does not have vm.overcommit_memory"))
		return;
	if (!role_of(facts_roles(facts), ROLE_REDIS)) {
		audit_skip(audit, "neither Redis nor Valkey runs here");
		return;
	}
	if (mode.number == 1 || redis_keeps_nothing(facts))
		return;
	if (role_of(facts_roles(facts), ROLE_POSTGRES)) {
		audit_note(audit, "redis",
			   "PostgreSQL runs here too and wants the opposite: see CONF-001");
		return;
	}
	result = audit_fail(audit, "redis",
			    "a background save may fail: the fork is promised twice the "
			    "memory and the kernel may refuse");
	knob_cite(audit, result, OVERCOMMIT);
	knob_fix(audit, result, OVERCOMMIT, "1", "what Redis and Valkey ask for");
}

static bool is_exempt(const struct task *task)
{
	return task->state[TASK_OOM_ADJ] == OK && task->value[TASK_OOM_ADJ] == 0;
}

static uint64_t size_of(const struct task *task)
{
	uint64_t size = 0;

	if (task->state[TASK_RSS_ANON] == OK)
		size += task->value[TASK_RSS_ANON];
	if (task->state[TASK_RSS_SHMEM] == OK)
		size += task->value[TASK_RSS_SHMEM];
	return size;
}

static const char *unit_of(struct facts *facts, const struct task *task)
{
	int32_t at = task->cgroup >= 0 ? task->cgroup : task->cgroup_memory;
	const char *path = at >= 0 ? facts->snapshot->cgroups[at].path : "";
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return length > 8 && strcmp(name + length - 8, ".service") == 0 ? name : NULL;
}

/* So much of RAM in one process that the kernel must not kill is no small helper. */
#define EXEMPT_SHARE 10

static void exempt_task(struct audit *audit, const struct task *task, uint64_t ram)
{
	struct facts *facts = audit->facts;
	const char *unit = unit_of(facts, task);
	struct result *result = audit_fail(
		audit, unit ? unit : facts_format(facts, "%s[%u]", task->name, task->pid),
		"the kernel must never kill it, and it holds %llu of %llu MiB",
		(unsigned long long)(size_of(task) / MIB), (unsigned long long)(ram / MIB));

	result_cite(audit, result, "oom_score_adj",
		    facts_format(facts, "proc/%u/oom_score_adj", task->pid), "-1000");
	if (unit)
		result_fix(result,
			   (struct fix_step){ .kind = FIX_UNIT,
					      .name = unit,
					      .section = "Service",
					      .key = "OOMScoreAdjust",
					      .value = "-500",
					      .previous = "-1000",
					      .computed = "killed late, but not never" });
	else
		result_fix(result, (struct fix_step){
					   .kind = FIX_PRINT,
					   .value = facts_format(
						   facts, "echo -500 >/proc/%u/oom_score_adj",
						   task->pid) });
}

static void exempt_much(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;
	uint64_t ram = facts_ram(audit->facts);
	uint64_t all = 0;

	if (now->tasks_state != OK || ram == 0) {
		audit_unknown(audit, "", "a readable /proc", "the processes can't be seen");
		return;
	}
	for (size_t i = 0; i < now->task_count; i++) {
		if (!is_exempt(&now->tasks[i]))
			continue;
		all += size_of(&now->tasks[i]);
		if (size_of(&now->tasks[i]) > ram / EXEMPT_SHARE)
			exempt_task(audit, &now->tasks[i], ram);
	}
	if (all > ram / 2)
		audit_fail(audit, "",
			   "%llu of %llu MiB belong to processes that the kernel must not "
			   "kill: it may find nobody, and panic",
			   (unsigned long long)(all / MIB), (unsigned long long)(ram / MIB));
}

/* A Go program or JVM within a limit; 0 where there is none that matters. */
static uint64_t limit_of(const struct facts *facts, const struct role_found *found)
{
	uint64_t limit = facts_limit(facts, found->cgroup);

	return limit == UINT64_MAX || limit >= facts_ram(facts) ? 0 : limit;
}

static const char *subject_of(struct facts *facts, const struct role_found *found)
{
	return facts_format(facts, "%s[%u]", found->name, found->pid);
}

/* The unit of a process that a role was found for; NULL. */
static const char *unit_of_role(struct facts *facts, const struct role_found *found)
{
	const struct task like = { .cgroup = found->cgroup, .cgroup_memory = -1 };

	return unit_of(facts, &like);
}

/* In its environment: AUDIT_PASS it is there, AUDIT_FAIL it is not, AUDIT_UNKNOWN. */
static enum audit_state environ_has(struct facts *facts, uint32_t pid, const char *name)
{
	struct span text;
	int r = root_read(facts->root, facts_format(facts, "proc/%u/environ", pid),
			  facts->reader.buffer, &text);

	if (r < 0)
		return AUDIT_UNKNOWN;
	return memmem(text.at, span_len(text), name, strlen(name)) ? AUDIT_PASS : AUDIT_FAIL;
}

static void go_unbounded(struct audit *audit, const struct role_found *found, uint64_t limit)
{
	struct facts *facts = audit->facts;
	const char *unit = unit_of_role(facts, found);
	enum audit_state has = environ_has(facts, found->pid, "GOMEMLIMIT=");
	const char *value = facts_format(facts, "GOMEMLIMIT=%lluMiB",
					 (unsigned long long)(limit / 10 * 9 / MIB));
	struct result *result;

	if (has == AUDIT_PASS)
		return;
	if (has == AUDIT_UNKNOWN) {
		audit_unknown(audit, subject_of(facts, found), "root",
			      "whether it has a GOMEMLIMIT can't be read");
		return;
	}
	result = audit_fail(
		audit, subject_of(facts, found),
		"its collector does not know of the limit of %llu MiB, and lets garbage "
		"grow into it",
		(unsigned long long)(limit / MIB));
	result_cite(audit, result, "memory.max", "the cgroup and those above it", "%llu MiB",
		    (unsigned long long)(limit / MIB));
	result_fix(result, (struct fix_step){ .kind = unit ? FIX_UNIT : FIX_PRINT,
					      .name = unit,
					      .section = "Service",
					      .key = "Environment",
					      .value = value,
					      .computed = "nine tenths of the limit" });
}

static void go_limits(struct audit *audit)
{
	const struct roles *roles = facts_roles(audit->facts);
	bool any = false;

	for (size_t i = 0; i < roles->count; i++) {
		const struct role_found *found = &roles->found[i];
		uint64_t limit = limit_of(audit->facts, found);

		if (found->role != ROLE_GO || found->pid == 0)
			continue;
		any = true;
		if (limit > 0 && found->limit == 0)
			go_unbounded(audit, found, limit);
	}
	if (audit->facts->snapshot->tasks_state != OK)
		audit_unknown(audit, "", "a readable /proc", "the processes can't be seen");
	else if (!any)
		audit_skip(audit, "no program in Go that is known runs here");
}

static bool is_jvm(enum role role)
{
	return role == ROLE_JVM || role == ROLE_ELASTICSEARCH || role == ROLE_CASSANDRA ||
	       role == ROLE_KAFKA;
}

/* Four fifths for the heap leave room for classes, threads and buffers. */
static void judge_heap(struct audit *audit, const struct role_found *found, uint64_t limit)
{
	struct facts *facts = audit->facts;
	struct result *result;

	if (!found->word) {
		audit_unknown(
			audit, subject_of(facts, found), "root",
			"its command line can't be read, so the size of its heap is not known");
		return;
	}
	if (found->limit == 0) {
		audit_note(audit, subject_of(facts, found),
			   "no size of the heap is given: it takes a quarter of the limit of "
			   "%llu MiB",
			   (unsigned long long)(limit / MIB));
		return;
	}
	if (found->limit <= limit / 5 * 4)
		return;
	result = audit_fail(
		audit, subject_of(facts, found),
		"its heap may grow to %llu MiB within a limit of %llu MiB, which leaves too "
		"little for all else",
		(unsigned long long)(found->limit / MIB), (unsigned long long)(limit / MIB));
	result_cite(audit, result, "-Xmx", facts_format(facts, "proc/%u/cmdline", found->pid),
		    "%llu MiB", (unsigned long long)(found->limit / MIB));
	result_cite(audit, result, "memory.max", "the cgroup and those above it", "%llu MiB",
		    (unsigned long long)(limit / MIB));
	result_fix(result,
		   (struct fix_step){ .kind = FIX_PRINT,
				      .value = facts_format(
					      facts,
					      "start it with -Xmx%llum, or raise the "
					      "limit to %llu MiB",
					      (unsigned long long)(limit / 4 * 3 / MIB),
					      (unsigned long long)(found->limit / 3 * 4 / MIB)),
				      .computed = "three quarters of the limit for the heap" });
}

static void jvm_heaps(struct audit *audit)
{
	const struct roles *roles = facts_roles(audit->facts);
	bool any = false;

	for (size_t i = 0; i < roles->count; i++) {
		const struct role_found *found = &roles->found[i];

		if (!is_jvm(found->role) || found->pid == 0)
			continue;
		any = true;
		if (limit_of(audit->facts, found) > 0)
			judge_heap(audit, found, limit_of(audit->facts, found));
	}
	if (audit->facts->snapshot->tasks_state != OK)
		audit_unknown(audit, "", "a readable /proc", "the processes can't be seen");
	else if (!any)
		audit_skip(audit, "no JVM runs here");
}

static const struct rule RULES[] = {
	{
		.id = "OVC-001",
		.title = "Memory is promised strictly (overcommit_memory 2) and the ratio does "
			 "not fit",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/overcommit_memory, CommitLimit and Committed_AS of "
			 "/proc/meminfo, /proc/swaps, what runs",
		.why = "In mode 2 only overcommit_ratio of RAM without huge pages, and swap, "
		       "are "
		       "promised: with the default of 50 and no swap half of RAM is never "
		       "used, forks "
		       "and allocations fail while memory is free, and root may not be able to "
		       "log in.",
		.fix = "Set vm.overcommit_ratio to 80 and vm.admin_reserve_kbytes to 131072, "
		       "or give "
		       "swap.",
		.revert = "Delete the lines and write the previous values back.",
		.source = "Documentation/admin-guide/sysctl/vm.rst and "
			  "mm/overcommit-accounting.rst, "
			  "6.12; PostgreSQL 17, Managing Kernel Resources",
		.checked = "2026-12-01",
		.test = strict_unfitted,
	},
	{
		.id = "OVC-003",
		.title = "Redis saves by a fork that the kernel may refuse",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/overcommit_memory, /etc/redis/redis.conf, what runs",
		.why = "A background save forks; the child needs little memory, but the kernel "
		       "has to "
		       "promise as much as the parent has. Redis and Valkey warn of it when "
		       "they start.",
		.unless = "It keeps nothing: save \"\" and no appendonly.",
		.fix = "Set vm.overcommit_memory to 1.",
		.revert = "Delete the line and write the previous value back.",
		.source = "Redis 7 administration guide; Valkey 8 administration guide",
		.checked = "2026-12-01",
		.test = redis_promise,
	},
	{
		.id = "OOM-003",
		.title = "Too much memory belongs to processes that the kernel must not kill",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "process",
		.reads = "/proc/PID/oom_score_adj, /proc/PID/status",
		.why = "With oom_score_adj -1000 a process is never chosen. When most memory "
		       "is theirs, "
		       "the OOM killer ends everybody else one by one, and then panics.",
		.unless = "It is a small helper: less than a tenth of RAM in one process, and "
			  "half of it "
			  "in all.",
		.fix = "Set OOMScoreAdjust=-500 in the unit: killed late, but not never.",
		.revert = "Delete the drop-in.",
		.source = "mm/oom_kill.c, 6.12; systemd.exec(5), 257",
		.checked = "2026-12-01",
		.test = exempt_much,
	},
	{
		.id = "RT-001",
		.title = "A program in Go does not know the limit it runs in",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "process",
		.reads = "memory.max, Environment= of the unit, /proc/PID/environ",
		.why = "Without GOMEMLIMIT the collector lets the heap double before it works, "
		       "whatever "
		       "the limit of the cgroup. Measured: what it then waits for in swap made "
		       "pauses "
		       "of 40 ms of work that takes less than 1 ms.",
		.fix = "Set Environment=GOMEMLIMIT= to nine tenths of the limit.",
		.revert = "Delete the drop-in and restart the service.",
		.source = "A Guide to the Go Garbage Collector, 1.25; docs/EXPERIMENTS.md, "
			  "article E",
		.checked = "2026-12-01",
		.test = go_limits,
	},
	{
		.id = "RT-003",
		.title = "The heap of a JVM does not fit into the limit of its cgroup",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "process",
		.reads = "/proc/PID/cmdline, memory.max",
		.why = "Classes, threads, compiled code and buffers lie outside of the heap. "
		       "With a heap of "
		       "more than four fifths of the limit the kernel kills the process, or it "
		       "lives at "
		       "its limit.",
		.unless = "It has no limit.",
		.fix = "Give it three quarters of the limit (-Xmx, or "
		       "-XX:MaxRAMPercentage=75), or raise "
		       "the limit.",
		.revert = "Give the previous size.",
		.source = "OpenJDK 21, java(1); Elasticsearch 9 documentation, heap size",
		.checked = "2026-12-01",
		.test = jvm_heaps,
	},
};

const struct rules rules_promises = { RULES, ARRAY_LEN(RULES) };
