#include "audit/knob.h"
#include "audit/rules.h"
#include "base/units.h"

#define THP "sys/kernel/mm/transparent_hugepage/"
#define MIN_FREE "proc/sys/vm/min_free_kbytes"
#define MAX_MAPS "proc/sys/vm/max_map_count"

static void cite_counter(struct audit *audit, struct result *result, const char *name,
			 size_t field)
{
	const struct snapshot *now = audit->facts->snapshot;

	if (now->state[field] == OK)
		result_cite(audit, result, name, "proc/vmstat", "%llu since boot",
			    (unsigned long long)now->value[field]);
}

static void defrag_always(struct audit *audit)
{
	struct fact defrag = fact_choice(audit->facts, THP "defrag");
	const char *database;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &defrag, "this kernel is built without transparent huge pages") ||
	    strcmp(defrag.text, "always") != 0)
		return;
	database = knob_database(audit->facts);
	result = audit_fail(
		audit, "", "every page fault may wait for memory to be compacted%s%s",
		database ? ", on a machine that runs " : "", database ? database : "");
	result_level(result, database ? LEVEL_HIGH : LEVEL_MED);
	knob_cite(audit, result, THP "defrag");
	cite_counter(audit, result, "compact_stall", VM_COMPACT_STALL);
	cite_counter(audit, result, "thp_fault_fallback", VM_THP_FAULT_FALLBACK);
	knob_fix(audit, result, THP "defrag", "defer+madvise",
		 "only who asks for huge pages waits for them");
}

/* The number behind a key of a file of "Key:  12 kB" lines; false when it is not there. */
static bool line_number(const char *text, const char *key, uint64_t *out)
{
	struct span rest = span_cstr(text);
	struct span line;
	struct span word;

	while (span_line(&rest, &line)) {
		if (!span_word(&line, &word) || !span_eq(word, key))
			continue;
		return span_word(&line, &word) && span_u64(word, out) == 0;
	}
	return false;
}

/* Vendors that want it off, and up to which version; 0 is all. */
static const struct {
	enum role role;
	unsigned int up_to;
} THP_OFF[] = { { ROLE_REDIS, 0 }, { ROLE_POSTGRES, 0 }, { ROLE_MONGODB, 7 } };

static bool wants_none(const struct role_found *found)
{
	for (size_t i = 0; i < ARRAY_LEN(THP_OFF); i++)
		if (found->role == THP_OFF[i].role &&
		    (THP_OFF[i].up_to == 0 ||
		     (found->major > 0 && found->major <= THP_OFF[i].up_to)))
			return found->pid > 0;
	return false;
}

static void thp_of(struct audit *audit, const struct role_found *found)
{
	struct facts *facts = audit->facts;
	struct fact status =
		fact_text(facts, facts_format(facts, "proc/%u/status", found->pid));
	struct fact rollup;
	uint64_t huge_kib = 0;
	uint64_t enabled = 1;
	const char *subject = facts_format(facts, "%s[%u]", found->name, found->pid);
	struct result *result;

	if (status.state == OK && line_number(status.text, "THP_enabled:", &enabled) &&
	    !enabled)
		return; /* it has switched them off for itself */
	rollup = fact_text(facts, facts_format(facts, "proc/%u/smaps_rollup", found->pid));
	if (rollup.state == ABSENT)
		return; /* it has ended */
	if (rollup.state != OK || !line_number(rollup.text, "AnonHugePages:", &huge_kib)) {
		audit_unknown(audit, subject, "root",
			      "how much of it is in huge pages can't be read");
		return;
	}
	if (huge_kib == 0)
		return;
	result = audit_fail(audit, subject,
			    "%s has %llu MiB in huge pages that it did not ask for",
			    role_name(found->role), (unsigned long long)huge_kib / 1024);
	knob_cite(audit, result, THP "enabled");
	result_cite(audit, result, "AnonHugePages", rollup.path, "%llu KiB",
		    (unsigned long long)huge_kib);
	knob_fix(audit, result, THP "enabled", "madvise",
		 "huge pages for those who ask for them; restart the process, what it has "
		 "stays");
}

static void thp_always(struct audit *audit)
{
	struct fact enabled = fact_choice(audit->facts, THP "enabled");
	const struct roles *roles;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &enabled,
		       "this kernel is built without transparent huge pages") ||
	    strcmp(enabled.text, "always") != 0)
		return;
	roles = facts_roles(audit->facts);
	for (size_t i = 0; i < roles->count; i++)
		if (wants_none(&roles->found[i]))
			thp_of(audit, &roles->found[i]);
}

/* Huge pages of one size. */
struct pool {
	uint64_t size;
	uint64_t total;
	uint64_t idle;
	const char *setting; /* path that sets their number */
};

#define HUGE_UPTIME_US (3600ull * SECOND_US)

static void judge_pool(struct audit *audit, const struct pool *pool)
{
	uint64_t ram = facts_ram(audit->facts);
	uint64_t idle = pool->idle * pool->size;
	const char *size =
		facts_format(audit->facts, "%llu KiB", (unsigned long long)(pool->size / 1024));
	const char *keep = facts_format(audit->facts, "%llu",
					(unsigned long long)(pool->total - pool->idle));
	struct result *result;

	if (ram == 0 || idle <= MAX(ram / 50, 256 * MIB))
		return;
	result = audit_fail(audit, size,
			    "%llu MiB are set aside for huge pages that nobody uses",
			    (unsigned long long)(idle / MIB));
	result_level(result, idle > ram / 10 ? LEVEL_HIGH : LEVEL_MED);
	result_cite(audit, result, "huge pages", pool->setting, "%llu, of them %llu idle",
		    (unsigned long long)pool->total, (unsigned long long)pool->idle);
	knob_fix(audit, result, pool->setting, keep,
		 facts_format(audit->facts, "%llu less the %llu that are free and not promised",
			      (unsigned long long)pool->total, (unsigned long long)pool->idle));
}

/* One folder of sys/kernel/mm/hugepages; false when it can't be read. */
static bool pool_of(struct facts *facts, const char *folder, struct pool *out)
{
	const char *at = facts_format(facts, "sys/kernel/mm/hugepages/%s", folder);
	struct fact total = fact_number(facts, facts_format(facts, "%s/nr_hugepages", at));
	struct fact idle = fact_number(facts, facts_format(facts, "%s/free_hugepages", at));
	struct fact promised = fact_number(facts, facts_format(facts, "%s/resv_hugepages", at));
	struct span kib = span_cstr(folder);

	if (!span_starts(kib, "hugepages-") || span_len(kib) < 13)
		return false;
	kib = span_of(kib.at + 10, span_len(kib) - 12);
	if (span_u64(kib, &out->size) < 0 || total.state != OK || idle.state != OK ||
	    promised.state != OK || idle.number < promised.number || total.number < idle.number)
		return false;
	out->size *= 1024;
	out->total = total.number;
	out->idle = idle.number - promised.number;
	out->setting = total.path;
	return true;
}

static void pools_of_meminfo(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;
	struct fact total = fact_field(audit->facts, MI_HUGE_TOTAL);
	struct pool pool = { .size = now->value[MI_HUGE_SIZE],
			     .total = now->value[MI_HUGE_TOTAL],
			     .setting = "proc/sys/vm/nr_hugepages" };

	if (!audit_has(audit, &total, "this kernel is built without huge pages"))
		return;
	if (now->value[MI_HUGE_FREE] >= now->value[MI_HUGE_RSVD])
		pool.idle = now->value[MI_HUGE_FREE] - now->value[MI_HUGE_RSVD];
	judge_pool(audit, &pool);
}

static void huge_idle(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct names sizes;
	struct pool pool;

	if (!knob_is_ours(audit))
		return;
	if (facts->snapshot->host.has_time && facts->snapshot->host.at_us < HUGE_UPTIME_US) {
		audit_skip(
			audit,
			"the machine is up for less than an hour: who uses them may yet start");
		return;
	}
	sizes = facts_names(facts, "sys/kernel/mm/hugepages");
	if (sizes.state != OK) {
		pools_of_meminfo(audit);
		return;
	}
	for (size_t i = 0; i < sizes.count; i++)
		if (pool_of(facts, sizes.name[i], &pool))
			judge_pool(audit, &pool);
}

/* What the kernel would have set: the root of 16 times RAM in KiB, between its bounds. */
static uint64_t default_min_free(uint64_t ram_kib)
{
	uint64_t root = 1;

	while (root * root < 16 * ram_kib)
		root++;
	return MIN(MAX(root, (uint64_t)128), (uint64_t)262144);
}

#define MIN_FREE_LEAST 1024

static void min_free_bounds(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact min_free = fact_number(facts, MIN_FREE);
	uint64_t ram_kib = facts_ram(facts) / 1024;
	struct result *result;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &min_free, "this kernel does not have vm.min_free_kbytes"))
		return;
	if (ram_kib == 0) {
		audit_unknown(audit, "", "a readable /proc/meminfo",
			      "how much RAM there is is not known");
		return;
	}
	if (min_free.number >= MIN_FREE_LEAST && min_free.number * 20 <= ram_kib)
		return;
	if (min_free.number < MIN_FREE_LEAST)
		result = audit_fail(audit, "",
				    "less than 1 MiB is kept free: the kernel itself may "
				    "find no memory to free memory with");
	else
		result = audit_fail(audit, "",
				    "%llu MiB, more than a twentieth of RAM, are kept free "
				    "for the kernel: others meet the OOM killer early",
				    (unsigned long long)(min_free.number / 1024));
	knob_cite(audit, result, MIN_FREE);
	result_cite(audit, result, "RAM", "proc/meminfo", "%llu MiB",
		    (unsigned long long)(ram_kib / 1024));
	knob_fix(audit, result, MIN_FREE,
		 facts_format(facts, "%llu", (unsigned long long)default_min_free(ram_kib)),
		 facts_format(facts,
			      "the kernel's default: the square root of 16 times %llu KiB",
			      (unsigned long long)ram_kib));
}

static const struct {
	enum role role;
	uint64_t least;
	uint64_t wanted;
	enum level level;
} MAPS[] = {
	{ ROLE_ELASTICSEARCH, 262144, 1048576, LEVEL_HIGH },
	{ ROLE_CASSANDRA, 1048575, 1048576, LEVEL_MED },
};

static bool has_few_maps(struct audit *audit, const struct fact *limit)
{
	const struct roles *roles = facts_roles(audit->facts);
	bool is_few = false;

	for (size_t i = 0; i < ARRAY_LEN(MAPS); i++) {
		const struct role_found *found = role_of(roles, MAPS[i].role);
		struct result *result;

		if (!found || limit->number >= MAPS[i].least)
			continue;
		result = audit_fail(audit, role_name(MAPS[i].role),
				    "%s needs %llu mappings a process, %llu are allowed",
				    role_name(MAPS[i].role), (unsigned long long)MAPS[i].least,
				    (unsigned long long)limit->number);
		result_level(result, MAPS[i].level);
		knob_cite(audit, result, MAX_MAPS);
		knob_fix(audit, result, MAX_MAPS,
			 facts_format(audit->facts, "%llu", (unsigned long long)MAPS[i].wanted),
			 "what the vendor recommends");
		is_few = true;
	}
	return is_few;
}

static uint64_t count_lines(const char *text)
{
	struct span rest = span_cstr(text);
	struct span line;
	uint64_t count = 0;

	while (span_line(&rest, &line))
		count++;
	return count;
}

/* A process that is near the limit already, of those whose kind maps much. */
static void near_limit(struct audit *audit, const struct role_found *found, uint64_t limit)
{
	struct facts *facts = audit->facts;
	struct fact maps = fact_text(facts, facts_format(facts, "proc/%u/maps", found->pid));
	uint64_t lines = maps.state == OK ? count_lines(maps.text) : 0;
	struct result *result;

	if (lines * 10 <= limit * 8)
		return;
	result = audit_fail(audit, facts_format(facts, "%s[%u]", found->name, found->pid),
			    "has %llu of %llu mappings", (unsigned long long)lines,
			    (unsigned long long)limit);
	result_level(result, LEVEL_MED);
	knob_cite(audit, result, MAX_MAPS);
	knob_fix(audit, result, MAX_MAPS, "1048576", "what Debian 13 ships");
}

static void maps_few(struct audit *audit)
{
	struct fact limit = fact_number(audit->facts, MAX_MAPS);
	const struct roles *roles;

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &limit, "this kernel does not have vm.max_map_count"))
		return;
	if (has_few_maps(audit, &limit))
		return;
	roles = facts_roles(audit->facts);
	for (size_t i = 0; i < roles->count; i++)
		if (roles->found[i].pid > 0 && (roles->found[i].role == ROLE_JVM ||
						roles->found[i].role == ROLE_ELASTICSEARCH))
			near_limit(audit, &roles->found[i], limit.number);
}

static const struct rule RULES[] = {
	{
		.id = "THP-001",
		.title = "Page faults wait for compaction (defrag is always)",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/sys/kernel/mm/transparent_hugepage/defrag, /proc/vmstat",
		.why = "With always, a fault that may get a huge page reclaims and compacts "
		       "memory "
		       "first. Measured: PostgreSQL's slowest hundredth of requests went from "
		       "40 ms "
		       "to 85 ms on a larger machine whose processors were half idle, and "
		       "compact_stall rose with the load. The kernel's own default is madvise.",
		.fix = "Set defrag to defer+madvise, by tmpfiles.d; there is no kernel "
		       "parameter.",
		.revert = "Delete the line and write the previous word back.",
		.source = "Documentation/admin-guide/mm/transhuge.rst, 6.12; "
			  "docs/EXPERIMENTS.md, "
			  "article D; MongoDB 8.0 production notes",
		.checked = "2026-12-01",
		.test = defrag_always,
	},
	{
		.id = "THP-002",
		.title = "A database whose vendor does not want huge pages gets them",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "process",
		.reads = "/sys/kernel/mm/transparent_hugepage/enabled, THP_enabled of "
			 "/proc/PID/status, AnonHugePages of /proc/PID/smaps_rollup",
		.why = "Small changes copy 2 MiB instead of 4 KiB after a fork, memory that "
		       "was given "
		       "back stays resident, and faults take longer. Redis, PostgreSQL and "
		       "MongoDB "
		       "before 8.0 ask for it to be off.",
		.unless = "The process has switched them off for itself (Redis since 6.2 "
			  "does), or has "
			  "none.",
		.fix = "Set enabled to madvise, by tmpfiles.d, and restart the process; from "
		       "systemd "
		       "260 MemoryTHP=madvise in the unit does it for one service.",
		.revert = "Delete the line and write the previous word back.",
		.source = "Documentation/admin-guide/mm/transhuge.rst, 6.12; Redis 7 "
			  "administration "
			  "guide; MongoDB 7.0 production notes",
		.checked = "2026-12-01",
		.test = thp_always,
	},
	{
		.id = "HUGE-001",
		.title = "Memory is set aside for huge pages that nobody uses",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/sys/kernel/mm/hugepages/*/nr_hugepages, free_hugepages and "
			 "resv_hugepages, /proc/meminfo",
		.why = "Reserved huge pages can be used for nothing else, and can be neither "
		       "reclaimed "
		       "nor swapped: to everybody else the machine is smaller by that much.",
		.unless = "The machine is up for less than an hour, or they are promised "
			  "(reserved) "
			  "to somebody.",
		.fix = "Set vm.nr_hugepages to what is in use or promised.",
		.revert = "Write the previous number back; on fragmented memory it may be "
			  "reached only "
			  "after a reboot.",
		.source = "Documentation/admin-guide/mm/hugetlbpage.rst, 6.12",
		.checked = "2026-12-01",
		.test = huge_idle,
	},
	{
		.id = "WMK-001",
		.title = "vm.min_free_kbytes is out of bounds",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/min_free_kbytes, /proc/meminfo",
		.why = "Below 1 MiB the kernel may find no memory to free memory with and "
		       "stand still; "
		       "far too much calls the OOM killer while there is memory.",
		.fix = "Delete the setting, so that the kernel's default holds after a reboot; "
		       "the fix "
		       "writes that default now.",
		.revert = "Delete the line and write the previous value back.",
		.source = "Documentation/admin-guide/sysctl/vm.rst, 6.12; mm/page_alloc.c "
			  "calculate_min_free_kbytes(), 6.12",
		.checked = "2026-12-01",
		.test = min_free_bounds,
	},
	{
		.id = "WMK-006",
		.title = "vm.max_map_count is too low for what runs",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm/max_map_count, /proc/PID/maps of JVMs",
		.why = "Elasticsearch and OpenSearch do not start with less than 262144, "
		       "Cassandra warns "
		       "below 1048575, and a process that meets the limit gets no more memory "
		       "mapped, "
		       "however much is free.",
		.fix = "Set vm.max_map_count to 1048576 in a file of sysctl.d; "
		       "/etc/sysctl.conf is not "
		       "read at boot on Debian 13 (CONF-002).",
		.revert = "Delete the line and write the previous value back.",
		.source = "Elasticsearch 9 documentation, vm-max-map-count; Cassandra 5.0 "
			  "startup "
			  "checks; Documentation/admin-guide/sysctl/vm.rst, 6.12",
		.checked = "2026-12-01",
		.test = maps_few,
	},
};

const struct rules rules_pages = { RULES, ARRAY_LEN(RULES) };
