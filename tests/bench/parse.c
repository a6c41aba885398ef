/*
 * How fast the parsers are, beside copying the text and beside looking for the ends of its
 * lines.
 */
#include "bench.h"
#include "kernel/keyed.h"
#include "kernel/psi.h"
#include "model/source.h"

#define ROUNDS 20000
#define REPEATS 9

struct sample {
	const char *name;
	const char *path;
	void (*parse)(struct span text, struct numbers out);
};

static void parse_vmstat(struct span text, struct numbers out)
{
	keyed_parse(text, &VMSTAT_KEYS, out);
}

static void parse_stat(struct span text, struct numbers out)
{
	keyed_parse(text, &CGROUP_STAT_KEYS, out);
}

static void parse_psi(struct span text, struct numbers out)
{
	psi_parse(text, PSI_MEM_SOME_AVG10, out);
}

static const struct sample SAMPLES[] = {
	{ "vmstat", "proc/vmstat", parse_vmstat },
	{ "memory.stat", "sys/fs/cgroup/system.slice/memory.stat", parse_stat },
	{ "pressure", "proc/pressure/memory", parse_psi },
};

struct slots {
	uint64_t value[MACHINE_FIELDS];
	uint8_t state[MACHINE_FIELDS];
};

/* Keeps the compiler from leaving out what has no other effect. */
static void use(const void *memory)
{
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static void run_parse(const struct sample *sample, struct span text)
{
	struct slots slots = { 0 };

	memset(slots.state, 0, sizeof(slots.state));
	sample->parse(text, (struct numbers){ slots.value, slots.state });
	use(&slots);
}

static void run_copy(const struct sample *sample, struct span text)
{
	static char copy[65536];

	(void)sample;
	memcpy(copy, text.at, MIN(span_len(text), sizeof(copy)));
	use(copy);
}

static void run_lines(const struct sample *sample, struct span text)
{
	struct span line = text;

	(void)sample;
	while (span_line(&text, &line))
		use(&line);
}

static double speed_of(void (*run)(const struct sample *, struct span),
		       const struct sample *sample, struct span text)
{
	double mib_s[REPEATS];

	for (size_t i = 0; i < REPEATS; i++) {
		double start = cpu_us();

		for (size_t j = 0; j < ROUNDS; j++)
			run(sample, text);
		mib_s[i] =
			(double)span_len(text) * ROUNDS / (cpu_us() - start) * 1e6 / (1 << 20);
	}
	return median_of(mib_s, REPEATS);
}

static void put_speeds(const struct sample *sample, struct span text)
{
	char name[64];

	snprintf(name, sizeof(name), "parse.%s", sample->name);
	figure_beside(name, speed_of(run_parse, sample, text), "MiB/s", "floor lines",
		      speed_of(run_lines, sample, text));
	snprintf(name, sizeof(name), "parse.%s.copy", sample->name);
	figure_plain(name, speed_of(run_copy, sample, text), "MiB/s");
}

void bench_parse(const struct setup *setup)
{
	static char buffer[1 << 20];
	struct source source;
	int r = source_open(setup->recording, "/", &source);

	if (r == 0)
		r = source_next(&source);
	if (r != 0)
		give_up(setup->recording, -r);
	for (size_t i = 0; i < ARRAY_LEN(SAMPLES); i++) {
		struct span text;

		if (root_read(&source.root, SAMPLES[i].path,
			      (struct buffer){ buffer, sizeof(buffer) }, &text) == 0)
			put_speeds(&SAMPLES[i], text);
		else
			figure_skip(SAMPLES[i].name, "not in the recording");
	}
	source_done(&source);
}
