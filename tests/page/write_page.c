/*
 * Writes a page from made-up runs, for the test that opens it in a browser.
 *
 *   write_page three|one|gaps|lost|many|hostile
 *
 * Exit 77 when this build has no template. The numbers follow what was recorded of a leak
 * (tests/fixtures/rec/leak-6.12.tar.zst) and of the service beside it.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "base/mem.h"
#include "lab/page/page.h"

#define MIB 1048576.0
#define SAMPLES 600
#define RUNS 30

struct made {
	const char *arm;
	double from_s, to_s; /* pressure; to_s: the leak is killed. NAN never */
	double severity;     /* share of the service's ticks that is lost */
	double rate;	     /* of the leak, bytes per second */
	bool swap;
	size_t samples;
	unsigned int seed;
};

/* The same each time, and rough as what is measured: 0 to 1. */
static double noise(const struct made *made, double t, unsigned int salt)
{
	uint32_t x = (uint32_t)(int32_t)(t * 10) * 2654435761u + salt * 40503u + made->seed;

	x ^= x >> 15;
	x *= 2246822519u;
	x ^= x >> 13;
	return (double)(x & 0xffff) / 65536;
}

static bool pressed(const struct made *made, double t)
{
	return t >= made->from_s && t < made->to_s;
}

static double ended(const struct made *made)
{
	return isnan(made->to_s) ? INFINITY : made->to_s;
}

static double ticks(const struct made *made, double t)
{
	if (!pressed(made, t))
		return 10;
	if (noise(made, t, 1) < made->severity)
		return 0;
	return floor(1 + 10 * (1 - made->severity) * noise(made, t, 2));
}

static double due(const struct made *made, double t)
{
	(void)made;
	(void)t;
	return 10;
}

static double lateness(const struct made *made, double t)
{
	double late = 0.004 + 0.01 * noise(made, t, 3);

	for (double back = t; pressed(made, back) && ticks(made, back) == 0; back -= 1)
		late += 1;
	return pressed(made, t) ? late + noise(made, t, 4) * 0.5 : late;
}

static double reread_file(const struct made *made, double t)
{
	return pressed(made, t) ? made->severity * (30 + 14 * noise(made, t, 5)) * MIB : 0;
}

static double reread_anon(const struct made *made, double t)
{
	return made->swap && t > made->from_s && t < ended(made) ?
		       0.6 * MIB * noise(made, t, 6) :
		       0;
}

static double read_disk(const struct made *made, double t)
{
	return reread_file(made, t) * 1.06 + reread_anon(made, t) + (t < -16 ? 39.5 * MIB : 0);
}

static double mapped(const struct made *made, double t)
{
	double warm = MIN(56, 56 + (t + 16) * 14);

	if (!pressed(made, t))
		return MAX(warm, 2) * MIB;
	return MIB * (56 - made->severity *
				   (8 + 34 * (t - made->from_s) / (made->to_s - made->from_s) +
				    6 * noise(made, t, 7)));
}

static double files(const struct made *made, double t)
{
	return mapped(made, t) + MIB * (1 + 4 * (pressed(made, t) ? noise(made, t, 8) : 0));
}

static double service_memory(const struct made *made, double t)
{
	return pressed(made, t) ?
		       made->severity * 0.6 * noise(made, t, 9) * noise(made, t, 10) :
		       0;
}

static double service_io(const struct made *made, double t)
{
	return pressed(made, t) ? made->severity * (0.25 + 0.5 * noise(made, t, 11)) : 0;
}

static double leak_memory(const struct made *made, double t)
{
	return reread_anon(made, t) / MIB * 0.3 + service_memory(made, t) * 0.15;
}

static double machine_memory(const struct made *made, double t)
{
	return MIN(1, service_memory(made, t) * 1.1 + leak_memory(made, t));
}

static double leak_size(const struct made *made, double t)
{
	if (t >= ended(made))
		return 0;
	return MIB * 320 + (t > 0 ? made->rate * t : 0);
}

static double leak_size_known(const struct made *made, double t)
{
	return t >= ended(made) ? NAN : leak_size(made, t);
}

static double swap_used(const struct made *made, double t)
{
	return made->swap ? MAX(0, leak_size(made, t) - 370 * MIB) : 0;
}

static double available(const struct made *made, double t)
{
	return MAX(30 * MIB, 432 * MIB - leak_size(made, t) + swap_used(made, t)) +
	       noise(made, t, 12) * MIB;
}

static double free_memory(const struct made *made, double t)
{
	return MAX(5 * MIB, available(made, t) - 60 * MIB) + noise(made, t, 13) * 6 * MIB;
}

static double watermark_low(const struct made *made, double t)
{
	(void)made;
	(void)t;
	return 823 * 4096;
}

static double watermark_high(const struct made *made, double t)
{
	(void)made;
	(void)t;
	return 987 * 4096;
}

static const struct {
	enum page_panel panel;
	const char *label;
	bool reference;
	double (*value)(const struct made *made, double t);
} SERIES[] = {
	{ PAGE_TICKS, "done", false, ticks },
	{ PAGE_TICKS, "due", true, due },
	{ PAGE_PAUSE, "longest lateness", false, lateness },
	{ PAGE_READS, "file pages read again", false, reread_file },
	{ PAGE_READS, "swapped pages read again", false, reread_anon },
	{ PAGE_READS, "read from disk", false, read_disk },
	{ PAGE_FILES, "mapped", false, mapped },
	{ PAGE_FILES, "file", false, files },
	{ PAGE_PSI_MEMORY, "service, full", false, service_memory },
	{ PAGE_PSI_MEMORY, "leak, full", false, leak_memory },
	{ PAGE_PSI_MEMORY, "machine, some", false, machine_memory },
	{ PAGE_PSI_IO, "service, full", false, service_io },
	{ PAGE_PSI_IO, "leak, full", false, leak_memory },
	{ PAGE_SWAP, "swap in use", false, swap_used },
	{ PAGE_FREE, "free", false, free_memory },
	{ PAGE_FREE, "available", false, available },
	{ PAGE_FREE, "high watermark", true, watermark_high },
	{ PAGE_FREE, "low watermark", true, watermark_low },
	{ PAGE_LEAK, "leak", false, leak_size_known },
};

/* Everything is kept until the program ends. */
static struct arena arena;

static void *keep(size_t count, size_t size)
{
	void *memory = arena_alloc(&arena, count * size);

	assert(memory);
	return memory;
}

static printf_like(1, 2) const char *words(const char *format, ...)
{
	char *text = keep(64, 1);
	va_list list;

	va_start(list, format);
	vsnprintf(text, 64, format, list);
	va_end(list);
	return text;
}

static void add_series(const struct made *made, struct page_run *run)
{
	double *time = keep(made->samples, sizeof(double));
	struct page_series *series = keep(ARRAY_LEN(SERIES), sizeof(*series));

	for (size_t k = 0; k < made->samples; k++)
		time[k] = -20 + (double)k * 1.003;
	for (size_t i = 0; i < ARRAY_LEN(SERIES); i++) {
		double *value = keep(made->samples, sizeof(double));

		for (size_t k = 0; k < made->samples; k++)
			value[k] = SERIES[i].value(made, time[k]);
		series[i] = (struct page_series){ SERIES[i].panel, SERIES[i].label,
						  SERIES[i].reference, value };
	}
	run->time_s = time;
	run->samples = made->samples;
	run->series = series;
	run->series_count = ARRAY_LEN(SERIES);
}

static void add_figures(const struct made *made, struct page_run *run)
{
	double phase = made->to_s - made->from_s;
	bool calm = isnan(phase);
	struct page_figure all[] = {
		{ "ticks done", "Share of the ticks due since pressure began that were done.",
		  calm ? "100 %" : words("%.0f %%", 100 - 93 * made->severity),
		  made->swap ? "100 %" : "28 %", PAGE_HOLDS },
		{ "longest pause", "The longest time that the service stood still.",
		  calm ? "0.3 s" : words("%.1f s", 1 + 9 * made->severity), "9.9 s",
		  PAGE_HOLDS },
		{ "pressure", "From the first second with more than 200 pages read again.",
		  calm ? "none" : words("%.0f s", phase), "13 s",
		  phase > 40 ? PAGE_FAILS : PAGE_HOLDS },
		{ "read again", "Bytes that had been in memory before.",
		  calm ? "26 MiB" : words("%.1f GiB", phase * 0.035), NULL, PAGE_UNMARKED },
		{ "swapped out", NULL, made->swap ? "151 MiB" : "0", NULL, PAGE_UNMARKED },
		{ "leak at its kill", NULL,
		  calm ? "not killed" :
			 words("%.0f MiB", leak_size(made, made->to_s - 0.01) / MIB),
		  "898 MiB", PAGE_UNMARKED },
	};
	struct page_figure *figure = keep(ARRAY_LEN(all), sizeof(*figure));

	memcpy(figure, all, sizeof(all));
	run->figure = figure;
	run->figures = ARRAY_LEN(all);
}

static void add_events(const struct made *made, struct page_run *run)
{
	struct page_event all[] = {
		{ -20, "phase", "warm up" },
		{ -19.4, "start", "api" },
		{ 0, "phase", "leak" },
		{ 0.2, "start", "worker" },
		{ made->to_s, "ended", "worker killed (signal 9)" },
		{ made->to_s, "phase", "after" },
	};
	struct page_event *event = keep(ARRAY_LEN(all), sizeof(*event));

	memcpy(event, all, sizeof(all));
	run->event = event;
	run->events = isnan(made->to_s) ? 4 : ARRAY_LEN(all);
}

static const struct page_fact FACTS[] = {
	{ "kernel", "6.12.95+deb13-cloud-amd64, MGLRU" },
	{ "processor", "2 of a made-up model at 2.1 GHz" },
	{ "QEMU", "7.2.22, TCG" },
	{ "memory", "512 MiB" },
	{ "disk", "40 MiB/s, 3,000 requests/s" },
	{ "host load", "0.7; guest waited 0.4 % of its time" },
	{ "calibration", "312 MiB/s" },
	{ "observer", "146 samples, none missed" },
};

static const char CONFIG[] =
	"[scenario]\ntitle = A leak on a machine without swap\n\n"
	"[machine]\nram = 512M\ncpus = 2\ndisk_bps = 40M\ndisk_iops = 3000\n"
	"swap = none\n\n[load worker]\nkind = leak\ngroup = worker\n"
	"base = 320M\nrate = 2M\n";

static void make_run(const struct made *made, const char *title, struct page_run *run)
{
	*run = (struct page_run){
		.title = title,
		.scenario = "leak",
		.arm = made->arm,
		.kernel = "6.12",
		.accelerator = "tcg",
		.status = "done",
		.begun = "2026-11-30 21:04 UTC",
		.command = "refault lab run leak.none.1/scenario.ini --kernel 6.12",
		.config = CONFIG,
		.fact = FACTS,
		.facts = ARRAY_LEN(FACTS),
		.pressure_from_s = made->from_s,
		.pressure_to_s = made->to_s,
	};
	add_events(made, run);
	add_figures(made, run);
	if (made->samples > 0)
		add_series(made, run);
}

/* The same leak on three machines. */
static const struct made ARMS[] = {
	{ "none", 33, 92, 0.75, 2 * MIB, false, 126, 7 },
	{ "swap", NAN, NAN, 0.04, 2 * MIB, true, 140, 11 },
	{ "min", 30, 33, 0.3, 2 * MIB, false, 126, 23 },
};
static const char *const ARM_TITLES[] = {
	"kernel alone",
	"with 1 GiB of swap",
	"memory.min = 110 MiB on the service",
};
static const char *const ARM_VERDICTS[] = {
	"file-refault: running code and files of system.slice/api.service are evicted and read "
	"again; system.slice/worker.service grows by 2.0 MiB/s.",
	"No loss was found.",
	NULL,
};

static size_t make_three(struct page_run *run)
{
	for (size_t i = 0; i < ARRAY_LEN(ARMS); i++) {
		make_run(&ARMS[i], ARM_TITLES[i], &run[i]);
		run[i].verdict = ARM_VERDICTS[i];
	}
	run[2].status = "noisy";
	run[2].reason = "The guest's processors waited 3.1 % of the time for this host.";
	return ARRAY_LEN(ARMS);
}

static size_t make_one(struct page_run *run)
{
	make_run(&ARMS[0], ARM_TITLES[0], run);
	run->accelerator = "kvm";
	return 1;
}

/* The observer missed 20 s, and one series was never known. */
static size_t make_gaps(struct page_run *run)
{
	make_run(&ARMS[0], ARM_TITLES[0], run);
	for (size_t i = 0; i < run->series_count; i++) {
		double *value = (double *)run->series[i].value;

		for (size_t k = 0; k < run->samples; k++)
			if ((k > 60 && k < 81) || run->series[i].panel == PAGE_SWAP)
				value[k] = k == 61 ? INFINITY : NAN;
	}
	return 1;
}

static size_t make_lost(struct page_run *run)
{
	struct made made = ARMS[0];

	made.samples = 0;
	make_run(&made, "kernel alone", run);
	run->status = "lost";
	run->reason = "The guest ended without its result, twice: BUG: kernel NULL pointer "
		      "dereference.";
	run->events = 0;
	run->figures = 0;
	run->pressure_from_s = NAN;
	return 1;
}

static size_t make_many(struct page_run *run)
{
	for (size_t i = 0; i < RUNS; i++) {
		struct made made = ARMS[i % 3];

		made.seed = (unsigned int)i * 977;
		made.samples = SAMPLES;
		made.to_s += (double)i * 14;
		make_run(&made,
			 words("arm %.0f, repeat %.0f", (double)(i % 3), (double)(i / 3)),
			 &run[i]);
	}
	return RUNS;
}

/* Whatever a name can be: to be seen as it is, and nothing else. */
static size_t make_hostile(struct page_run *run)
{
	static const char *const names[] = {
		"</script><script>alert(1)</script>",
		"<img src=x onerror=alert(2)>",
		"\" onmouseover=\"alert(3)",
		"line\xe2\x80\xa8separator @@DATA@@",
		"<!--<script>",
		"\xff\xfe not UTF-8 \x1b[31m",
	};
	size_t runs = make_three(run);

	for (size_t i = 0; i < runs; i++) {
		struct page_series *series = (struct page_series *)run[i].series;
		struct page_event *event = (struct page_event *)run[i].event;
		struct page_figure *figure = (struct page_figure *)run[i].figure;

		run[i].title = names[i];
		run[i].arm = run[i].scenario = run[i].kernel = names[i + 3];
		run[i].accelerator = run[i].status = run[i].reason = names[i];
		run[i].verdict = run[i].command = run[i].config = names[(i + 1) % 6];
		for (size_t k = 0; k < run[i].series_count; k++)
			series[k].label = names[k % ARRAY_LEN(names)];
		for (size_t k = 0; k < run[i].events; k++)
			event[k].text = names[k];
		for (size_t k = 0; k < run[i].figures; k++)
			figure[k] = (struct page_figure){ names[k], names[k], names[k],
							  names[k], PAGE_HOLDS };
	}
	return runs;
}

static const struct {
	const char *name;
	const char *title;
	size_t (*make)(struct page_run *run);
} PAGES[] = {
	{ "three", "The same leak three times", make_three },
	{ "one", "A leak on a machine without swap", make_one },
	{ "gaps", "A leak with gaps", make_gaps },
	{ "lost", "A leak that was lost", make_lost },
	{ "many", "A leak, ten times three", make_many },
	{ "hostile", "<b>&amp; </title><script>alert(0)</script>", make_hostile },
};

int main(int argc, char **argv)
{
	static struct page_run runs[RUNS];
	struct page page = {
		.run = runs,
		.note = "Pressure begins with the first second of the measured part in which "
			"more than "
			"0.8 MiB/s are read again, and ends when the leak is killed or the run "
			"ends. "
			"Time 0 is where the measured part begins.",
	};
	int r = arena_init(&arena, (size_t)64 << 20);

	assert(r == 0);
	for (size_t i = 0; i < ARRAY_LEN(PAGES); i++) {
		if (argc != 2 || strcmp(argv[1], PAGES[i].name) != 0)
			continue;
		page.title = PAGES[i].title;
		page.runs = PAGES[i].make(runs);
		r = page_write(stdout, &page, page_template());
		arena_done(&arena);
		return r == -ENOTSUP ? 77 : r < 0;
	}
	return 2;
}
