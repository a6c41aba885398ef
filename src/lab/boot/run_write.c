#include <errno.h>
#include <fcntl.h>
#include <math.h>

#include "base/text.h"
#include "lab/boot/run.h"

/* The first megabytes of a console say what is wrong; a guest that floods it is no use. */
#define CONSOLE_MAX ((size_t)16 << 20)

static void add_begun(struct text *text, time_t begun)
{
	char space[32] = "";
	struct tm parts;

	if (gmtime_r(&begun, &parts))
		strftime(space, sizeof(space), "%Y-%m-%dT%H:%M:%SZ", &parts);
	text_add(text, "begun=%s\n", space);
}

static void add_name(struct text *text, const char *key, const char *value)
{
	text_add(text, "%s=", key);
	text_name(text, span_cstr(value ? value : ""));
	text_add(text, "\n");
}

static void add_run(struct text *text, const struct run *run, const struct job_result *result)
{
	text_add(text, "[run]\n");
	add_name(text, "scenario", run->job->scenario);
	add_name(text, "arm", run->job->arm);
	text_add(text, "repeat=%u\n", run->job->repeat);
	text_add(text, "seed=%llu\n", (unsigned long long)run->job->seed);
	text_add(text, "status=%s\n", job_status_name(result->status));
	text_add(text, "reason=%s\n", result->reason);
	add_begun(text, run->begun);
	text_add(text, "wall_s=%.1f\n", result->wall_s);
	if (run->vm.first_line_us > 0)
		text_add(text, "first_line_s=%.2f\n",
			 (double)(run->vm.first_line_us - run->begun_us) / 1e6);
	text_add(text, "attempts=%u\n", result->attempts);
	text_add(text, "frames=%llu\n", (unsigned long long)run->results.frames);
	text_add(text, "refused=%llu\n", (unsigned long long)run->results.refused);
}

/* What this host does not tell is left out: 0 would say that it was quiet. */
static void add_number(struct text *text, const char *key, int decimals, double value)
{
	if (!isnan(value))
		text_add(text, "%s=%.*f\n", key, decimals, value);
}

static void add_host(struct text *text, const struct run *run, const struct job_result *result)
{
	text_add(text, "\n[host]\n");
	text_add(text, "accelerator=%s\n", run->kvm ? "kvm" : "tcg");
	text_add(text, "qemu=%s\n", run->host.qemu);
	text_add(text, "cpu=%s\n", run->host.cpu);
	text_add(text, "cores=%u\n", run->host.cores);
	add_number(text, "load", 2, run->host.load);
	add_number(text, "delay_percent", 1, result->delay_percent);
}

static void add_guest(struct text *text, const struct run *run)
{
	text_add(text, "\n[guest]\n");
	add_name(text, "kernel", run->job->kernel->name);
	text_put(text, run->results.guest, strlen(run->results.guest));
}

static int write_ini(const struct run *run, const struct job_result *result)
{
	char path[4096];
	char space[32768];
	struct text text = text_on(space, sizeof(space));
	int r = path_of(path, sizeof(path), "%s/run.ini", run->job->directory);

	add_run(&text, run, result);
	add_host(&text, run, result);
	add_guest(&text, run);
	return r < 0 ? r : file_write(path, span_of(space, text.used), 0644);
}

static int write_console(const struct run *run)
{
	auto_free char *text = NULL;
	struct span bytes;
	char from[4096];
	char to[4096];
	int r = path_of(from, sizeof(from), "%s/" FILE_CONSOLE, run->work);

	if (r == 0)
		r = path_of(to, sizeof(to), "%s/console.log", run->job->directory);
	if (r < 0)
		return r;
	if (file_read(from, CONSOLE_MAX, &text, &bytes) < 0)
		return 0; /* qemu did not start, or the guest floods it */
	return file_write(to, bytes, 0644);
}

int run_write(struct run *run, const struct job_result *result)
{
	int r = 0;

	if (*run->work)
		r = write_console(run);
	if (r == 0 && !span_empty(run->stream))
		r = results_write(run->stream, run->job->directory, &run->results);
	return r < 0 ? r : write_ini(run, result);
}
