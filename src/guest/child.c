#include "guest/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "guest/file.h"
#include "guest/spawn.h"

/* A load that has no slots needs no room for them; locked memory is dear in a small guest. */
static const bool HAS_SLOTS[KINDS] = {
	[KIND_service] = true, [KIND_sweep] = true,	[KIND_staircase] = true,
	[KIND_burst] = true,   [KIND_collector] = true, [KIND_thp] = true,
	[KIND_prober] = true,
};

/* Written, so that its pages are there and are charged to init.scope. */
static int fill_file(int fd, size_t size)
{
	static const char zeros[4096];
	int r = 0;

	for (size_t done = 0; r == 0 && done < size; done += sizeof(zeros))
		r = span_write(fd, span_of(zeros, MIN(sizeof(zeros), size - done)));
	return r;
}

static int map_progress(struct child *child)
{
	size_t slots = HAS_SLOTS[child->kind] ? PROGRESS_SLOTS : 0;
	size_t size = progress_size(slots);
	char path[CHILD_NAME + 32];
	auto_fd fd = -1;
	void *map;
	int r;

	snprintf(path, sizeof(path), "/run/progress/%s", child->name);
	fd = file_open(path, O_RDWR | O_CREAT | O_EXCL);
	r = fd < 0 ? fd : fill_file(fd, size);
	if (r < 0)
		return r;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	child->progress = map;
	child->progress->listed = (uint32_t)slots;
	return 0;
}

/* The words that every load is given besides its own. */
static void add_common(struct child *child, struct text *text)
{
	text_add(text, " progress=/run/progress/%s seed=%ju program=%s", child->name,
		 (uintmax_t)child->seed, child->program);
}

/* Checked here too: what a load would refuse is an error of the plan. */
static int check_words(struct child *child, struct span words)
{
	struct args args;
	struct span word;

	args_init(child->kind, &args);
	while (span_word(&words, &word)) {
		int r = span_starts(word, "node=") ? 0 : args_add(child->kind, word, &args);

		if (r < 0)
			return -EINVAL;
	}
	return 0;
}

int child_init(struct child *child, enum kind_id kind, struct span arguments)
{
	char room[2048];
	struct text text = text_on(room, sizeof(room));
	int r;

	child->kind = kind;
	r = check_words(child, arguments);
	if (r < 0)
		return r;
	text_add(&text, "%s %s ", child->program, KIND_ROWS[kind].name);
	text_put(&text, arguments.at, span_len(arguments));
	add_common(child, &text);
	if (text.cut)
		return -E2BIG;
	child->arguments = strdup(room);
	if (!child->arguments)
		return -ENOMEM;
	return map_progress(child);
}

#define WORDS 48

static void cut_words(char *text, char **words)
{
	struct span rest = span_cstr(text);
	struct span word;
	size_t count = 0;

	while (count < WORDS - 1 && span_word(&rest, &word)) {
		words[count++] = text + (word.at - text);
		if (*word.end == '\0')
			break;
		text[word.end - text] = '\0';
		rest.at = word.end + 1;
	}
	words[count] = NULL;
}

/* A foreign program is run as it is; its options are words between commas. */
static void foreign_words(const struct child *child, char **words, char *room, size_t size)
{
	struct span rest = span_cstr(child->arguments);
	struct span exec = span_cstr(child->program);
	struct span options = { 0 };
	struct span word;

	while (span_word(&rest, &word)) {
		if (span_starts(word, "exec="))
			exec = (struct span){ word.at + 5, word.end };
		else if (span_starts(word, "options="))
			options = (struct span){ word.at + 8, word.end };
	}
	snprintf(room, size, "%.*s %.*s", (int)span_len(exec), exec.at, (int)span_len(options),
		 options.at);
	for (char *at = room + span_len(exec); *at; at++)
		if (*at == ',')
			*at = ' ';
	cut_words(room, words);
}

/* The value of a program's oom_score_adj, as it is written to its file. */
static void foreign_adj(const struct child *child, char *out, size_t size)
{
	static const char key[] = "oom_score_adj=";
	struct span rest = span_cstr(child->arguments);
	struct span word;

	while (span_word(&rest, &word))
		if (span_starts(word, key))
			span_copy((struct span){ word.at + strlen(key), word.end }, out, size);
}

struct launch {
	char output[CHILD_NAME + 32]; /* "" as pid 1's */
	char oom_score_adj[8];
	char procs[320];
	char path[CHILD_NAME + 32];
	char room[2048];
	char *words[WORDS];
};

static void prepare(const struct child *child, struct launch *out)
{
	snprintf(out->procs, sizeof(out->procs), "/sys/fs/cgroup/%s/cgroup.procs",
		 child->group);
	snprintf(out->oom_score_adj, sizeof(out->oom_score_adj), "0");
	out->output[0] = '\0';
	if (child->kind == KIND_program) {
		snprintf(out->output, sizeof(out->output), "/run/output/%s", child->name);
		foreign_adj(child, out->oom_score_adj, sizeof(out->oom_score_adj));
		foreign_words(child, out->words, out->room, sizeof(out->room));
		snprintf(out->path, sizeof(out->path), "%s", out->words[0]);
		return;
	}
	snprintf(out->path, sizeof(out->path), "/data/bin/%s", child->program);
	snprintf(out->room, sizeof(out->room), "%s", child->arguments);
	cut_words(out->room, out->words);
}

/* What a shell says of a program that could not be run. */
#define NO_PROGRAM 127

/* What a foreign program says is kept. */
static int redirect(const char *path)
{
	int fd = *path ? file_open(path, O_WRONLY | O_CREAT | O_APPEND) : -1;

	if (fd < 0)
		return *path ? fd : 0;
	return dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0 ? -errno : 0;
}

/* In the child, which still is in pid 1's memory: system calls only. */
static int become(void *data)
{
	const struct launch *launch = data;
	static char path[] = "PATH=/data/bin:/bin";
	static char *const environment[] = { path, NULL };
	const struct sched_param normal = { 0 };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	sched_setscheduler(0, SCHED_OTHER, &normal);
	if (file_write(launch->procs, span_of("0", 1)) == 0 &&
	    file_write("/proc/self/oom_score_adj", span_cstr(launch->oom_score_adj)) == 0 &&
	    redirect(launch->output) == 0)
		execve(launch->path, launch->words, environment);
	return NO_PROGRAM;
}

int child_start(struct child *child)
{
	struct launch launch;
	pid_t pid;

	prepare(child, &launch);
	pid = spawn(become, &launch);
	if (pid < 0)
		return pid;
	child->pid = pid;
	child->is_stopped = false;
	child->state = CHILD_RUNNING;
	return 0;
}

void child_stop(struct child *child)
{
	if (child->state != CHILD_RUNNING)
		return;
	child->is_stopped = true;
	kill(child->pid, SIGKILL);
}

void child_ending(const struct child *child, struct text *text)
{
	if (WIFSIGNALED(child->status))
		text_add(text, "%s signal %d", child->name, WTERMSIG(child->status));
	else
		text_add(text, "%s exit %d", child->name, WEXITSTATUS(child->status));
}

const char *child_state_name(enum child_state state)
{
	static const char *const names[] = { "waiting", "running", "ended" };

	return names[state];
}
