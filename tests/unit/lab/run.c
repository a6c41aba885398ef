#include "run.h"

#include <math.h>

const char RUN[] = "[run]\nscenario=leak\narm=plain\nrepeat=1\nstatus=done\n"
		   "[host]\naccelerator=tcg\n[guest]\nrelease=6.12.117+deb13-cloud-amd64\n";

const char SCENARIO[] = "[measure]\nfrom=leak\nservice=api\nleak=worker\nprober=login\n"
			"[group api]\npath=system.slice/api.service\n"
			"[group worker]\npath=system.slice/worker.service\n"
			"[load api]\nkind=service\ngroup=api\n"
			"[load worker]\nkind=leak\ngroup=worker\n"
			"[load login]\nkind=prober\n";

static const char MARKS[] = "AT_US\tKIND\tTEXT\n20000000\tphase\twarm\n26159215\tphase\tleak\n";
static const char LOADS[] =
	"FRAME\tAT_US\tNAME\tSTATE\tDUE\tDONE\tLATE\tLONGEST_US\tSIZE_BYTES\tEXTRA\n";

/* What is there already may be replaced by what the test brings. */
static const char *run_around(const char *frames, const struct file *files)
{
	char link[512];
	const char *directory;

	snprintf(link, sizeof(link), "->%s", frames);
	directory =
		TREE({ "run.ini", RUN }, { "scenario.ini", SCENARIO }, { "marks.tsv", MARKS },
		     { "loads.tsv", LOADS }, { "frames.tar.zst", link });
	tree_add(directory, files);
	return directory;
}

const char *run_new(const struct file *files)
{
	return run_around(RECORDINGS "/leak-captured-6.12.tar.zst", files);
}

#define FRAMES_MADE 64

const char *run_of_vmstat(const char *const *vmstat, const struct file *files)
{
	static char path[FRAMES_MADE][2][64];
	static char host[FRAMES_MADE][64];
	struct file frame[2 * FRAMES_MADE + 1] = { 0 };

	for (size_t i = 0; vmstat[i]; i++) {
		assert_true(i < FRAMES_MADE);
		snprintf(path[i][0], sizeof(path[i][0]), "%06zu/_host.ini", i);
		snprintf(path[i][1], sizeof(path[i][1]), "%06zu/proc/vmstat", i);
		snprintf(host[i], sizeof(host[i]), "at_us=%zu000000\npage_size=4096\n", 10 + i);
		frame[2 * i] = (struct file){ path[i][0], host[i] };
		frame[2 * i + 1] = (struct file){ path[i][1], vmstat[i] };
	}
	return run_around(archive_new(".tar.zst", frame), files);
}

void series_of(const char *directory, struct series *out)
{
	struct lab_error error = { 0 };

	if (series_open(directory, out, &error) < 0)
		fail_msg("%s", error.text);
}

const char *refused(const char *directory)
{
	static struct lab_error error;
	struct series series;
	int r = series_open(directory, &series, &error);

	series_done(&series);
	assert_true(r < 0);
	return error.text;
}

void ticks_begin(struct ticks *ticks)
{
	*ticks = (struct ticks){ 0 };
	ticks->used = (size_t)snprintf(ticks->text, sizeof(ticks->text),
				       "KIND\tDUE_US\tBEGUN_US\tDONE_US\tVALUE\tFAULTS\n");
}

void tick_of(struct ticks *ticks, const char *kind, const struct slot *slot)
{
	ticks->used +=
		(size_t)snprintf(ticks->text + ticks->used, sizeof(ticks->text) - ticks->used,
				 "%s\t%ju\t%ju\t%ju\t%ju\t%ju\n", kind, (uintmax_t)slot->due_us,
				 (uintmax_t)slot->begun_us, (uintmax_t)slot->done_us,
				 (uintmax_t)slot->value, (uintmax_t)slot->faults);
	assert_true(ticks->used < sizeof(ticks->text));
}

void tick(struct ticks *ticks, const char *kind, uint64_t due_us, uint64_t begun_us,
	  uint64_t done_us)
{
	tick_of(ticks, kind,
		&(struct slot){ .due_us = due_us, .begun_us = begun_us, .done_us = done_us });
}

void near_expect(const double pair[2], double within, const char *file, int line)
{
	if (fabs(pair[0] - pair[1]) <= within)
		return;
	print_error("%.9g is not %.9g\n", pair[0], pair[1]);
	_fail(file, line);
}
