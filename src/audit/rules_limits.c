#include "audit/guards.h"
#include "audit/knob.h"
#include "audit/place.h"
#include "audit/rules.h"

static bool is_limited(const struct facts *facts, int32_t index, size_t field)
{
	return place_value(facts, index, field) != UINT64_MAX;
}

/* Somebody who watches this cgroup and can act; NULL. */
static const char *who_watches(struct facts *facts, const struct guards *guards, int32_t index)
{
	struct oomd_settings settings;
	struct oomd_reach reach;

	if (guard_acts(guards, GUARD_REFAULT))
		return guard_kind_name(GUARD_REFAULT);
	if (!guard_acts(guards, GUARD_SYSTEMD_OOMD))
		return NULL;
	oomd_settings_read(facts, &settings);
	oomd_reach_read(facts, &settings, facts->snapshot->cgroups[index].path, &reach);
	return reach.pressure_of && !reach.omitted ? guard_kind_name(GUARD_SYSTEMD_OOMD) : NULL;
}

/* Half of it can't be evicted without swap: it is no cache that merely fills its limit. */
static bool is_mostly_anon(const struct facts *facts, int32_t index)
{
	uint64_t anon = place_value(facts, index, CG_ANON);
	uint64_t current = place_value(facts, index, CG_CURRENT);

	return anon != UINT64_MAX && current != UINT64_MAX && anon > current / 2;
}

static void cite_events(struct audit *audit, struct result *result, int32_t index)
{
	const struct facts *facts = audit->facts;
	uint64_t high = place_value(facts, index, CG_EV_HIGH);
	uint64_t kills = place_value(facts, index, CG_EV_OOM_KILL);

	if (high != UINT64_MAX && kills != UINT64_MAX)
		result_cite(audit, result, "memory.events",
			    facts_format(audit->facts, "%s/%s/memory.events",
					 facts->snapshot->mounts.v2,
					 facts->snapshot->cgroups[index].path),
			    "high %llu, oom_kill %llu", (unsigned long long)high,
			    (unsigned long long)kills);
}

static void judge_high(struct audit *audit, const struct guards *guards, int32_t index)
{
	struct facts *facts = audit->facts;
	const char *path = facts->snapshot->cgroups[index].path;
	const char *who = who_watches(facts, guards, index);
	bool swapless = place_is_swapless(facts, index);
	struct result *result;

	if (who) {
		audit_pass(audit, path, "%s watches it", who);
		return;
	}
	result = audit_fail(
		audit, path,
		swapless ? "at its memory.high it would stand still for ever: there is no swap "
			   "to go to, the kernel kills nobody there, and no guard looks" :
			   "at its memory.high it is slowed down without end: the kernel kills "
			   "nobody there, and no guard looks");
	result_level(result,
		     swapless && is_mostly_anon(facts, index) ? LEVEL_CRIT : LEVEL_HIGH);
	place_cite(audit, result, index, CG_HIGH, "MemoryHigh");
	place_cite(audit, result, index, CG_MAX, "MemoryMax");
	cite_events(audit, result, index);
	place_fix(audit, result, index,
		  (struct place_setting){
			  "MemoryHigh", "infinity",
			  "a hard limit instead: there the kernel's OOM killer comes" });
	if (!is_limited(facts, index, CG_MAX))
		place_fix(audit, result, index,
			  (struct place_setting){
				  "MemoryMax",
				  place_mib(facts, place_value(facts, index, CG_HIGH)),
				  "what memory.high is now" });
}

static void high_unwatched(struct audit *audit)
{
	struct guards guards;
	size_t seen = 0;

	if (!place_has_v2(audit))
		return;
	guards_find(audit->facts, &guards);
	for (int32_t i = place_next(audit->facts, -1); i >= 0;
	     i = place_next(audit->facts, i)) {
		const struct cgroup *cgroup = &audit->facts->snapshot->cgroups[i];

		if (cgroup->state[CG_HIGH] == DENIED || cgroup->state[CG_HIGH] == GARBLED)
			audit_unknown(audit, cgroup->path, "root",
				      "its memory.high can't be read");
		else if (is_limited(audit->facts, i, CG_HIGH) && ++seen)
			judge_high(audit, &guards, i);
	}
	if (seen == 0)
		audit_pass(audit, "", "no cgroup has a memory.high");
}

static void high_alone(struct audit *audit)
{
	struct facts *facts = audit->facts;

	if (!place_has_v2(audit))
		return;
	for (int32_t i = place_next(facts, -1); i >= 0; i = place_next(facts, i)) {
		const char *path = facts->snapshot->cgroups[i].path;
		struct result *result;

		if (!is_limited(facts, i, CG_HIGH))
			continue;
		if (facts_limit(facts, i) == 0) {
			audit_unknown(audit, path, "root", "its memory.max can't be read");
			continue;
		}
		if (facts_limit(facts, i) != UINT64_MAX)
			continue;
		result = audit_fail(audit, path,
				    "it has a memory.high and no memory.max, so nothing ever "
				    "ends what memory.high slows down");
		place_cite(audit, result, i, CG_HIGH, "MemoryHigh");
		place_cite(audit, result, i, CG_MAX, "MemoryMax");
		place_fix(audit, result, i,
			  (struct place_setting){
				  "MemoryMax", place_mib(facts, place_value(facts, i, CG_HIGH)),
				  "what memory.high is now" });
	}
}

/* The number or word behind "Max locked memory", its soft limit. */
static bool locked_limit(const char *limits, struct span *out)
{
	static const char key[] = "Max locked memory";
	const char *line = strstr(limits, key);
	struct span rest;

	if (!line)
		return false;
	rest = span_cstr(line + strlen(key));
	return span_word(&rest, out);
}

static bool wants_lock(struct facts *facts, const char **where)
{
	static const char *const files[] = { "etc/elasticsearch/elasticsearch.yml",
					     "etc/opensearch/opensearch.yml" };

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct fact config = fact_text(facts, files[i]);
		const char *key = config.state == OK ?
					  strstr(config.text, "bootstrap.memory_lock:") :
					  NULL;
		struct span rest;
		struct span word;

		*where = files[i];
		if (config.state == DENIED)
			return true; /* told by the limits, then */
		if (!key || (key > config.text && key[-1] != '\n'))
			continue;
		rest = span_cstr(key + strlen("bootstrap.memory_lock:"));
		if (span_word(&rest, &word) && span_starts(word, "true"))
			return true;
	}
	return false;
}

static void lock_refused(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct role_found *found = role_of(facts_roles(facts), ROLE_ELASTICSEARCH);
	struct fact limits;
	struct span limit;
	const char *where;
	struct result *result;

	if (!found || found->pid == 0) {
		audit_skip(audit, "neither Elasticsearch nor OpenSearch runs here");
		return;
	}
	if (!wants_lock(facts, &where))
		return;
	limits = fact_text(facts, facts_format(facts, "proc/%u/limits", found->pid));
	if (fact_text(facts, where).state == DENIED || limits.state != OK ||
	    !locked_limit(limits.text, &limit)) {
		audit_unknown(audit, role_name(found->role), "root",
			      "its configuration or its limits can't be read");
		return;
	}
	if (span_eq(limit, "unlimited"))
		return;
	result = audit_fail(audit, role_name(found->role),
			    "it is told to lock its heap, and may lock %.*s bytes "
			    "only",
			    (int)MIN(span_len(limit), (size_t)20), limit.at);
	result_cite(audit, result, "bootstrap.memory_lock", where, "true");
	result_cite(audit, result, "Max locked memory", limits.path, "%.*s",
		    (int)MIN(span_len(limit), (size_t)20), limit.at);
	if (found->cgroup >= 0 && place_unit(facts, found->cgroup))
		place_fix(audit, result, found->cgroup,
			  (struct place_setting){ "LimitMEMLOCK", "infinity", NULL });
}

static void panics(struct audit *audit)
{
	struct fact panic_on_oom = fact_number(audit->facts, "proc/sys/vm/panic_on_oom");
	struct fact reboot = fact_text(audit->facts, "proc/sys/kernel/panic");
	struct fact dump = fact_text(audit->facts, "sys/kernel/kexec_crash_loaded");
	bool hangs = reboot.state == OK && strcmp(reboot.text, "0") == 0;
	bool dumps = dump.state == OK && strcmp(dump.text, "1") == 0;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &panic_on_oom, "this kernel does not have vm.panic_on_oom") ||
	    panic_on_oom.number == 0)
		return;
	if (hangs && !dumps)
		result = audit_fail(
			audit, "",
			"out of memory the machine panics and stays down: neither a dump "
			"nor a reboot is set up");
	else if (panic_on_oom.number == 2 &&
		 role_of(facts_roles(audit->facts), ROLE_CONTAINERS))
		result = audit_fail(
			audit, "",
			"a container that meets its own limit takes the whole machine "
			"down");
	else
		result = audit_note(
			audit, "",
			"out of memory the machine panics and %s, as a cluster may want "
			"it",
			dumps ? "writes a dump" : "boots again");
	knob_cite(audit, result, "proc/sys/vm/panic_on_oom");
	result_cite_fact(result, "kernel.panic", &reboot);
	if (result->state == AUDIT_FAIL)
		knob_fix(audit, result, "proc/sys/vm/panic_on_oom", "0", "kill instead");
}

/* Daemons without which a machine is not reached or not run any more. */
static const char *const DAEMONS[] = { "sshd",	  "dbus-daemon", "dbus-broker", "containerd",
				       "dockerd", "crio",	 "kubelet",	"postgres" };

#define ADJ_LATE 500 /* oom_score_adj -500, as it is kept, plus 1000 */

static void judge_daemon(struct audit *audit, const struct task *task)
{
	struct facts *facts = audit->facts;
	int32_t place = task->cgroup >= 0 ? task->cgroup : task->cgroup_memory;
	const char *where = facts_format(facts, "proc/%u/oom_score_adj", task->pid);
	struct result *result;

	if (task->state[TASK_OOM_ADJ] != OK) {
		audit_unknown(audit, task->name, "root", "its oom_score_adj can't be read");
		return;
	}
	if (task->value[TASK_OOM_ADJ] <= ADJ_LATE)
		return;
	result = audit_fail(audit, task->name,
			    "the OOM killer may choose it as readily as any other process");
	result_cite(audit, result, "oom_score_adj", where, "%lld",
		    (long long)task->value[TASK_OOM_ADJ] - 1000);
	if (place >= 0 && place_unit(facts, place))
		place_fix(audit, result, place,
			  (struct place_setting){ "OOMScoreAdjust", "-900",
						  "among the last, but not never" });
	else
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = facts_format(facts, "echo -900 >/%s", where) });
}

/* The one that the init started: its children serve, and are chosen like others. */
static bool is_daemon(const struct task *task)
{
	if (task->parent != 1)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(DAEMONS); i++)
		if (strcmp(task->name, DAEMONS[i]) == 0)
			return true;
	return false;
}

static void killable(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;

	if (now->tasks_state != OK) {
		audit_unknown(audit, "", "a readable /proc", "the processes can't be seen");
		return;
	}
	for (size_t i = 0; i < now->task_count; i++)
		if (is_daemon(&now->tasks[i]))
			judge_daemon(audit, &now->tasks[i]);
}

/* size= of a tmpfs in bytes; half of RAM where it is not given, as the kernel has it. */
static uint64_t tmpfs_size(struct facts *facts, const struct fs_row *mount)
{
	const char *text = fs_option(&facts->reader, mount->options, "size");
	char upper[32];
	uint64_t size;

	if (!text || !*text)
		return facts_ram(facts) / 2;
	snprintf(upper, sizeof(upper), "%s", text);
	for (char *c = upper; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c -= 'a' - 'A';
	return unit_bytes(upper, facts_ram(facts), &size) < 0 ? 0 : size;
}

/* One that lies below another at the same place is not seen, and nobody can fill it. */
static bool is_writable_tmpfs(struct facts *facts, const struct fs_row *mount)
{
	return strcmp(mount->type, "tmpfs") == 0 &&
	       fs_option(&facts->reader, mount->options, "rw") &&
	       fs_of(facts_mounts(facts), mount->target) == mount;
}

static void cite_tmpfs(struct audit *audit, struct result *result,
		       const struct fs_table *mounts)
{
	for (size_t i = 0; i < mounts->rows; i++)
		if (is_writable_tmpfs(audit->facts, &mounts->row[i]))
			result_cite(
				audit, result,
				facts_format(audit->facts, "/%s", mounts->row[i].target),
				"proc/self/mountinfo", "%llu MiB",
				(unsigned long long)(tmpfs_size(audit->facts, &mounts->row[i]) /
						     MIB));
}

static void fix_tmpfs(struct result *result, const struct fs_table *mounts)
{
	bool has_tmp = false;

	for (size_t i = 0; i < mounts->rows; i++)
		has_tmp |= strcmp(mounts->row[i].target, "tmp") == 0 &&
			   strcmp(mounts->row[i].type, "tmpfs") == 0;
	if (has_tmp)
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_UNIT,
				   .name = "tmp.mount",
				   .section = "Mount",
				   .key = "Options",
				   .value = "mode=1777,strictatime,nosuid,nodev,size=10%%",
				   .computed = "a tenth of RAM; holds from the next boot" });
	else
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = "give the large ones a size= in /etc/fstab" });
}

static void tmpfs_large(struct audit *audit)
{
	struct facts *facts = audit->facts;
	const struct fs_table *mounts = facts_mounts(facts);
	uint64_t ram = facts_ram(facts);
	uint64_t shmem =
		facts->snapshot->state[MI_SHMEM] == OK ? facts->snapshot->value[MI_SHMEM] : 0;
	uint64_t sum = 0;
	struct result *result;

	if (mounts->rows == 0 || ram == 0 || facts->snapshot->devices->swap_state != OK) {
		audit_unknown(audit, "", "root", "the mounts, RAM or swap areas can't be read");
		return;
	}
	for (size_t i = 0; i < mounts->rows; i++)
		if (is_writable_tmpfs(facts, &mounts->row[i]))
			sum += tmpfs_size(facts, &mounts->row[i]);
	if (facts->snapshot->devices->swaps > 0) {
		audit_skip(audit, "there is swap that files in memory can go to");
		return;
	}
	if (sum <= ram && shmem <= ram / 4)
		return;
	result = audit_fail(
		audit, "",
		shmem > ram / 4 ?
			"%llu of %llu MiB of RAM are files in memory, which nothing "
			"can evict without swap" :
			"files in memory may take %llu MiB, more than the %llu MiB of "
			"RAM, and nothing can evict them without swap",
		(unsigned long long)((shmem > ram / 4 ? shmem : sum) / MIB),
		(unsigned long long)(ram / MIB));
	cite_tmpfs(audit, result, mounts);
	fix_tmpfs(result, mounts);
}

static const struct rule RULES[] = {
	{
		.id = "CG-001",
		.title = "A cgroup has a memory.high, and nobody would act there",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads =
			"memory.high, memory.max, memory.events, memory.stat, memory.swap.max, "
			"/proc/swaps, the guards that run",
		.why = "At memory.high the kernel slows a cgroup down and never calls the OOM "
		       "killer; that is "
		       "left to a program outside that watches. Measured without one and "
		       "without swap: the "
		       "service did none of its work in 577 s and re-read 7.75 GB, while a "
		       "third of the "
		       "machine's memory was free. systemd.resource-control(5) calls "
		       "memory.high the main "
		       "means of control all the same, and so does article E.",
		.unless = "A guard that acts watches it. Events of high alone are normal for a "
			  "cache.",
		.fix = "Set MemoryHigh=infinity and MemoryMax= to the limit, so that the "
		       "kernel's OOM killer "
		       "comes; or keep it and run a guard (refault guard).",
		.revert = "Delete the drop-in.",
		.source =
			"Documentation/admin-guide/cgroup-v2.rst, 6.12; docs/EXPERIMENTS.md, "
			"article A; "
			"FootprintAI/Containarium issue 1454; systemd.resource-control(5), 257",
		.checked = "2026-12-01",
		.test = high_unwatched,
	},
	{
		.id = "CG-003",
		.title = "A cgroup has a memory.high and no memory.max",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "memory.high and memory.max of it and of those above",
		.why = "memory.high slows down and memory.max ends. Alone, the first lets a "
		       "leak grow by a "
		       "little for ever, and its neighbours in the cgroup wait with it.",
		.unless = "A cgroup above it has a memory.max.",
		.fix = "Set MemoryMax= as well.",
		.revert = "Delete the drop-in.",
		.source = "Documentation/admin-guide/cgroup-v2.rst, 6.12; docs/EXPERIMENTS.md, "
			  "article A",
		.checked = "2026-12-01",
		.test = high_alone,
	},
	{
		.id = "LOCK-001",
		.title = "Elasticsearch is to lock its heap and may not",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "unit",
		.reads = "elasticsearch.yml, opensearch.yml, /proc/PID/limits",
		.why = "In production the node refuses to start; in development it only warns, "
		       "and its heap can "
		       "be swapped out.",
		.fix = "Set LimitMEMLOCK=infinity in the unit.",
		.revert = "Delete the drop-in.",
		.source = "Elasticsearch 9 documentation, bootstrap checks and memory settings",
		.checked = "2026-12-01",
		.test = lock_refused,
	},
	{
		.id = "OOM-001",
		.title = "Out of memory the machine panics",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/panic_on_oom, /proc/sys/kernel/panic, "
			 "/sys/kernel/kexec_crash_loaded",
		.why = "With 1 the machine panics instead of killing one process, with 2 also "
		       "for the limit of "
		       "one cgroup. Without kernel.panic it stays down until somebody comes.",
		.unless = "A cluster wants it: then a dump or a reboot is set up.",
		.fix = "Set vm.panic_on_oom to 0; or set kernel.panic to 10 and set a dump up.",
		.revert = "Delete the line and write the previous value back.",
		.source = "Documentation/admin-guide/sysctl/vm.rst and sysctl/kernel.rst, 6.12",
		.checked = "2026-12-01",
		.test = panics,
	},
	{
		.id = "OOM-002",
		.title = "The OOM killer may choose a daemon that the machine needs",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "process",
		.reads = "/proc/PID/oom_score_adj",
		.why = "Without sshd nobody gets in, without the message bus or the container "
		       "runtime nothing "
		       "is started or stopped any more, and a killed PostgreSQL takes all "
		       "sessions along.",
		.fix = "Set OOMScoreAdjust=-900 in the unit; for PostgreSQL also "
		       "PG_OOM_ADJUST_FILE, so that "
		       "its sessions can be killed.",
		.revert = "Delete the drop-in.",
		.source = "systemd.exec(5), 257; PostgreSQL 17, Managing Kernel Resources",
		.checked = "2026-12-01",
		.test = killable,
	},
	{
		.id = "TMP-001",
		.title = "Files in memory may take all of RAM, and there is no swap",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/self/mountinfo, Shmem of /proc/meminfo, /proc/swaps",
		.why = "What lies in a tmpfs is like anonymous memory to the kernel: without "
		       "swap it can't be "
		       "evicted. Debian 13 mounts /tmp as one, and each may take half of RAM.",
		.fix = "Give /tmp a smaller size in a drop-in of tmp.mount, or mask tmp.mount.",
		.revert = "Delete the drop-in; it holds from the next boot.",
		.source = "Documentation/filesystems/tmpfs.rst, 6.12; tmp.mount of systemd "
			  "257.13, Debian 13",
		.checked = "2026-12-01",
		.test = tmpfs_large,
	},
};

const struct rules rules_limits = { RULES, ARRAY_LEN(RULES) };
