#include "lab/boot/run.h"

#include <errno.h>
#include <stdarg.h>

#include "lab/boot/image.h"
#include "lab/boot/initramfs.h"
#include "lab/boot/noise.h"

#define PREFIX "run."

/* The first megabytes of a console say what is wrong; a guest that floods it is no use. */
#define CONSOLE_MAX ((size_t)16 << 20)

static void say(struct job_result *out, enum job_status status, const char *format, ...)
	printf_like(3, 4);

static void say(struct job_result *out, enum job_status status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(out->reason, sizeof(out->reason), format, list);
	va_end(list);
	out->status = status;
}

static int in_work(const struct run *run, const char *name, char *out, size_t size)
{
	return path_of(out, size, "%s/%s", run->work, name);
}

static int make_work(struct run *run)
{
	int r = path_of(run->work, sizeof(run->work), "%s/" PREFIX "XXXXXX", run->lab);

	if (r == 0 && !mkdtemp(run->work))
		r = -errno;
	if (r < 0)
		run->work[0] = '\0';
	return r;
}

static int get_image(struct run *run, enum image_kind kind, char *out, size_t size)
{
	char images[300];
	const struct image_place place = {
		.images = images,
		.work = run->work,
		.guest = run->job->guest,
		.stop = run->job->stop,
	};
	int r = path_of(images, sizeof(images), "%s/images", run->lab);

	out[0] = '\0';
	if (r < 0 || !image_needed(kind, run->job->machine))
		return r;
	return image_get(kind, run->job->machine, &place, out, size);
}

static int get_data(struct run *run)
{
	return get_image(run, IMAGE_DATA, run->data, sizeof(run->data));
}

static int get_big(struct run *run)
{
	return get_image(run, IMAGE_BIG, run->big, sizeof(run->big));
}

/* Made by hand, and large: the lab only looks for it. */
static int get_root(struct run *run)
{
	const char *name = run->job->machine->root;
	char cache[256];
	int r;

	run->root[0] = '\0';
	if (!*name)
		return 0;
	r = lab_cache(cache, sizeof(cache));
	if (r == 0)
		r = path_of(run->root, sizeof(run->root), "%s/roots/%s.img", cache, name);
	return r == 0 && !file_exists(run->root) ? -ENOENT : r;
}

static int write_initramfs(struct run *run)
{
	char path[400];
	int r = in_work(run, FILE_INITRAMFS, path, sizeof(path));

	return r < 0 ? r :
		       initramfs_write(path, run->job->machine, run->job->kernel,
				       run->job->guest, &run->initramfs_bytes);
}

static int make_disks(struct run *run)
{
	const struct machine *machine = run->job->machine;
	char path[400];
	int r = in_work(run, FILE_RESULTS, path, sizeof(path));

	if (r == 0)
		r = file_sparse(path, STREAM_MAX);
	if (r == 0 && machine_swap_disk(machine)) {
		r = in_work(run, FILE_SWAP, path, sizeof(path));
		if (r == 0)
			r = file_sparse(path, machine->swap_bytes);
	}
	if (r == 0 && machine->scratch_bytes > 0) {
		r = in_work(run, FILE_SCRATCH, path, sizeof(path));
		if (r == 0)
			r = image_scratch(path, machine->scratch_bytes, run->job->stop);
	}
	return r;
}

static int build_command(struct run *run)
{
	run->kvm = !run->kvm_fails && vm_has_kvm();
	return command_build(
		&(struct command_input){
			.machine = run->job->machine,
			.kernel = run->job->kernel,
			.kvm = run->kvm,
			.initramfs_bytes = run->initramfs_bytes,
			.data = run->data,
			.big = run->big,
			.root = run->root,
		},
		&run->command);
}

static int boot(struct run *run)
{
	return vm_run(
		&(struct vm){
			.command = &run->command,
			.folder = run->work,
			.machine = run->job->machine,
			.live = run->job->live,
			.data = run->job->data,
			.stop = run->job->stop,
		},
		&run->vm);
}

static int read_results(struct run *run)
{
	char path[400];
	int r = in_work(run, FILE_RESULTS, path, sizeof(path));

	if (r == 0)
		r = stream_open(path, &run->stream);
	return r < 0 ? r : results_read(run->stream, &run->results);
}

static const struct {
	const char *what;
	int (*take)(struct run *run);
} STEPS[] = {
	{ "make a temporary folder in the cache", make_work },
	{ "make the data disk (this needs mkfs.ext4)", get_data },
	{ "make the big disk (this needs mkfs.ext4)", get_big },
	{ "find the machine's root (tools/peers-image makes one)", get_root },
	{ "write the initramfs", write_initramfs },
	{ "make the disks of this run", make_disks },
	{ "write the command line of qemu", build_command },
	{ "start qemu", boot },
	{ "read the results", read_results },
};

/* What a kernel says in its last moments; the first that is found is the cause. */
static const char *const DEATHS[] = {
	"double fault", "Oops",		"general protection fault",
	"BUG:",		"Kernel panic", "stack segment",
};

static struct span line_around(struct span text, const char *at)
{
	const char *begin = at;
	const char *end = at;

	while (begin > text.at && begin[-1] != '\n')
		begin--;
	while (end < text.end && *end != '\n')
		end++;
	return span_trim(span_of(begin, MIN((size_t)(end - begin), (size_t)200)));
}

static struct span find_death(struct span text)
{
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(DEATHS); i++) {
		const char *at = memmem(text.at, span_len(text), DEATHS[i], strlen(DEATHS[i]));

		if (at && (!first || at < first))
			first = at;
	}
	return first ? line_around(text, first) : (struct span){ 0 };
}

static struct span last_line(struct span text)
{
	struct span line = { 0 };

	while (span_line(&text, &line))
		;
	return span_trim(line);
}

/* A line of a file of the run that explains its end, fit for a terminal. */
static void quote(const struct run *run, const char *name, struct span (*choose)(struct span),
		  struct text *out)
{
	auto_free char *text = NULL;
	struct span bytes;
	struct span line;
	char path[400];

	if (in_work(run, name, path, sizeof(path)) < 0 ||
	    file_read(path, CONSOLE_MAX, &text, &bytes) < 0)
		return;
	line = choose(bytes);
	if (!span_empty(line))
		text_add(out, ": ");
	text_name(out, line);
}

static void judge_end(const struct run *run, struct job_result *out)
{
	const struct results *results = &run->results;
	char quoted[250];
	struct text text = text_on(quoted, sizeof(quoted));

	if (results->failed) {
		say(out, JOB_ERROR, "%s", results->reason);
	} else if (results->skipped) {
		say(out, JOB_SKIPPED, "%s", results->reason);
	} else if (!results->done) {
		quote(run, FILE_CONSOLE, find_death, &text);
		say(out, JOB_LOST, "the guest ended without its result%s", quoted);
	} else if (out->delay_percent > NOISE_LIMIT_PERCENT) {
		say(out, JOB_NOISY, "the guest waited %.0f %% of the time for this host",
		    out->delay_percent);
	} else {
		say(out, JOB_DONE, "%s", "");
	}
}

static void judge(const struct run *run, struct job_result *out)
{
	char quoted[250];
	struct text text = text_on(quoted, sizeof(quoted));

	out->wall_s = (double)run->vm.wall_us / 1e6;
	out->delay_percent = run->vm.delay_percent;
	switch (run->vm.end) {
	case VM_STOPPED:
		say(out, JOB_STOPPED, "stopped");
		return;
	case VM_TIMEOUT:
		say(out, JOB_TIMEOUT, "not done after %.0f s", out->wall_s);
		return;
	case VM_FAILED:
		quote(run, "qemu.log", last_line, &text);
		say(out, JOB_ERROR, "qemu gave up%s", quoted);
		return;
	case VM_ENDED:
		judge_end(run, out);
		return;
	}
}

void run_attempt(struct run *run, struct job_result *out)
{
	out->attempts++;
	run->begun = time(NULL);
	for (size_t i = 0; i < ARRAY_LEN(STEPS); i++) {
		int r = STEPS[i].take(run);

		if (r == -ECANCELED) {
			say(out, JOB_STOPPED, "stopped");
			return;
		}
		if (r < 0) {
			say(out, JOB_ERROR, "cannot %s: %s", STEPS[i].what, strerror(-r));
			return;
		}
	}
	judge(run, out);
}

void run_clean(struct run *run)
{
	stream_close(run->stream);
	run->stream = (struct span){ 0 };
	if (*run->work)
		tree_remove(run->work);
	run->work[0] = '\0';
}

static int remove_stale(void *data, const struct tree_entry *entry)
{
	(void)data;
	if (entry->folder && strncmp(entry->name, PREFIX, strlen(PREFIX)) == 0)
		tree_remove(entry->path);
	return 0;
}

void run_clean_stale(const char *lab)
{
	/* What cannot be removed is no reason not to run. */
	if (tree_walk(lab, 1, remove_stale, NULL) < 0)
		return;
}
