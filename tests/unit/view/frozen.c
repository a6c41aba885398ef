#include "test.h"

#include "analysis/made.h"
#include "frozen.h"

const struct frozen FROZEN = {
	.api = "system.slice/api.service",
	.worker = "system.slice/worker.service",
	.api_process = "api",
	.worker_process = "worker",
};

enum {
	TOP,
	SLICE,
	API,
	WORKER,
};

static struct snapshot *calm_machine(const struct frozen *names)
{
	static const enum machine_field counters[] = {
		VM_REFAULT_FILE, VM_REFAULT_ANON,    VM_PGPGIN,		VM_PGSCAN_FILE,
		VM_PGSCAN_ANON,	 VM_PGSCAN_KSWAPD,   VM_PSWPIN,		VM_PSWPOUT,
		VM_ALLOCSTALL,	 PSI_MEM_SOME_TOTAL, PSI_IO_FULL_TOTAL, PSI_MEM_FULL_TOTAL,
		VM_OOM_KILL,	 MI_SWAP_TOTAL,	     MI_SWAP_FREE,
	};
	static const enum cgroup_field own_counters[] = {
		CG_MEM_SOME_TOTAL, CG_MEM_FULL_TOTAL, CG_IO_SOME_TOTAL, CG_IO_FULL_TOTAL,
		CG_REFAULT_FILE,   CG_REFAULT_ANON,   CG_RBYTES,	CG_PGSTEAL,
	};
	struct snapshot *now = snapshot_new();

	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		machine(now, counters[i], 0);
	machine(now, MI_TOTAL, 512 * MIB_BYTES);
	machine(now, MI_FREE, 20 * MIB_BYTES);
	machine(now, MI_AVAILABLE, 40 * MIB_BYTES);
	machine(now, MI_ACTIVE_FILE, 5 * MIB_BYTES);
	machine(now, MI_INACTIVE_FILE, 5 * MIB_BYTES);
	machine(now, MI_UNEVICTABLE, 0);
	machine(now, VM_ACTIVE_ANON, PAGES_OF(400 * MIB_BYTES));
	machine(now, VM_INACTIVE_ANON, 0);
	zone(now, 0, 20 * MIB_BYTES, 4 * MIB_BYTES, 5 * MIB_BYTES);
	cgroup(now, "", 1, -1);
	cgroup(now, "system.slice", 2, TOP);
	cgroup(now, names->api, 3, SLICE);
	cgroup(now, names->worker, 4, SLICE);
	for (int i = API; i <= WORKER; i++)
		for (size_t j = 0; j < ARRAY_LEN(own_counters); j++)
			own(now, i, own_counters[j], 0);
	own(now, API, CG_ANON, 10 * MIB_BYTES);
	own(now, API, CG_FILE_MAPPED, 60 * MIB_BYTES);
	own(now, API, CG_ACTIVE_FILE, 30 * MIB_BYTES);
	own(now, API, CG_INACTIVE_FILE, 0);
	own(now, WORKER, CG_ANON, 380 * MIB_BYTES);
	task_has(process(now, 240, names->api_process, API), TASK_MAJFLT, 5);
	task_has(process(now, 251, names->worker_process, WORKER), TASK_RSS_ANON,
		 380 * MIB_BYTES);
	return now;
}

static const struct verdict *judged(const struct snapshot *before, const struct snapshot *now)
{
	static struct verdict verdict;

	verdict_of(EVIDENCE(before, later(before, 2.5), now), &verdict);
	return &verdict;
}

/* Five seconds later: 30 MiB/s are read again, and 2 MiB/s are leaked. */
const struct verdict *verdict_frozen(const struct frozen *names)
{
	const struct snapshot *before = calm_machine(names);
	struct snapshot *now = later(before, 5);

	machine_more(now, VM_REFAULT_FILE, PAGES_OF(150 * MIB_BYTES));
	machine_more(now, VM_PGPGIN, 150 * 1024);
	machine_more(now, VM_PGSCAN_FILE, 90000);
	machine_more(now, VM_PGSCAN_KSWAPD, 90000);
	machine_more(now, VM_OOM_KILL, 1);
	own_more(now, API, CG_REFAULT_FILE, PAGES_OF(150 * MIB_BYTES));
	own_more(now, API, CG_RBYTES, 150 * MIB_BYTES);
	own_more(now, API, CG_PGSTEAL, 90000);
	own_more(now, API, CG_MEM_SOME_TOTAL, 2 * SECOND_US);
	own_more(now, API, CG_IO_SOME_TOTAL, 5 * SECOND_US / 2);
	own(now, API, CG_FILE_MAPPED, 30 * MIB_BYTES);
	own_more(now, WORKER, CG_ANON, 10 * MIB_BYTES);
	now->tasks[0].value[TASK_MAJFLT] += 900;
	now->tasks[1].value[TASK_RSS_ANON] += 10 * MIB_BYTES;
	return judged(before, now);
}

const struct verdict *verdict_calm(void)
{
	const struct snapshot *before = calm_machine(&FROZEN);

	return judged(before, later(before, 5));
}

const struct verdict *verdict_blind(void)
{
	struct snapshot *before = snapshot_new();

	before->tasks_state = DENIED;
	before->mounts.mode = CGROUPS_NONE;
	cgroup(before, "", 0, -1);
	return judged(before, later(before, 5));
}

static char *page;
static size_t page_size;
static FILE *open_page;

static void page_end(void)
{
	free(page);
}

FILE *page_open(void)
{
	if (!page)
		assert_int_equal(atexit(page_end), 0);
	free(page);
	page = NULL;
	open_page = open_memstream(&page, &page_size);
	assert_non_null(open_page);
	return open_page;
}

const char *page_text(void)
{
	assert_int_equal(fclose(open_page), 0);
	return page;
}

const char *printed(const struct verdict *verdict, size_t width, bool color)
{
	const struct paper paper = { .file = page_open(), .width = width, .color = color };

	report_print(&paper, verdict);
	return page_text();
}

const char *printed_json(const struct verdict *verdict, bool pretty)
{
	report_json(page_open(), pretty, verdict);
	return page_text();
}
