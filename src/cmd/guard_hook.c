#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "cmd/guard_front.h"

/* Words of a policy row; each ends with NUL, an empty one ends them. */
#define WORDS_MAX 32

struct words {
	char buffer[POLICY_ARGV + 1];
	char *word[WORDS_MAX + 1];
};

static size_t split(const struct policy_row *row, struct words *out)
{
	size_t count = 0;
	char *at = out->buffer;

	memcpy(out->buffer, row->argv, POLICY_ARGV);
	out->buffer[POLICY_ARGV] = '\0';
	while (at < out->buffer + POLICY_ARGV && *at && count < WORDS_MAX) {
		out->word[count++] = at;
		at += strlen(at) + 1;
	}
	out->word[count] = NULL;
	return count;
}

/* A hook knows what it is run for, and nothing of the guard's own environment. */
struct surroundings {
	char buffer[4096];
	char *word[16];
	size_t count;
	struct text text;
};

static void surround(struct surroundings *all, const char *name, const char *value)
{
	size_t start = all->text.used;

	text_add(&all->text, "%s=%s", name, value);
	/* The next one begins behind the NUL of this one. */
	if (all->text.used + 1 >= all->text.size || all->count + 1 >= ARRAY_LEN(all->word)) {
		all->text.at[start] = '\0';
		all->text.used = start;
		return;
	}
	all->word[all->count++] = all->text.at + start;
	all->text.used++;
	all->text.at[all->text.used] = '\0';
	all->word[all->count] = NULL;
}

static const struct guard_record *record_of(const struct front *front, uint64_t decision)
{
	const struct says *says = &front->says;

	for (uint64_t i = says->count; i > 0 && says->count - i < RECORDS_KEPT; i--)
		if (says->kept[(i - 1) % RECORDS_KEPT].id == decision)
			return &says->kept[(i - 1) % RECORDS_KEPT];
	return NULL;
}

static void describe(struct surroundings *out, const struct front *front)
{
	const struct shared_hook *hook = &front->shared->hook;
	const struct guard_record *record = record_of(front, front->hook.decision);
	char number[32];
	struct text text = text_on(number, sizeof(number));

	out->count = 0;
	out->text = text_on(out->buffer, sizeof(out->buffer));
	surround(out, "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
	text_add(&text, "%llu", (unsigned long long)front->hook.decision);
	surround(out, "REFAULT_DECISION", number);
	surround(out, "REFAULT_DOMAIN", hook->domain);
	surround(out, "REFAULT_VICTIM", hook->victim);
	text = text_on(number, sizeof(number));
	text_add(&text, "%u", hook->pid);
	surround(out, "REFAULT_VICTIM_PID", hook->pid > 0 ? number : "");
	if (!record)
		return;
	surround(out, "REFAULT_CLASS", class_row(record->class)->name);
	surround(out, "REFAULT_CULPRIT", record->culprit);
	surround(out, "REFAULT_SUFFERER", record->sufferer);
	surround(out, "REFAULT_BECAUSE", because_words(record->because));
}

/* No shell: the words of the policy row are the program and its arguments. */
static int spawn(struct front *front, const struct policy_row *row)
{
	static struct words words;
	static struct surroundings around;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	sigset_t all;
	int r;

	if (split(row, &words) == 0)
		return -ENOEXEC;
	describe(&around, front);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
					       POSIX_SPAWN_SETPGROUP);
	r = posix_spawn(&front->hook.pid, words.word[0], &files, &how, words.word, around.word);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return -r;
}

static void finish(struct front *front, int error)
{
	struct hook_run *hook = &front->hook;

	sd_event_source_disable_unref(hook->child);
	sd_event_source_disable_unref(hook->timer);
	front->shared->hook.error = error;
	atomic_store_explicit(&front->shared->hook.done, hook->decision, memory_order_release);
	*hook = (struct hook_run){ 0 };
}

static int on_child(sd_event_source *source, const siginfo_t *info, void *data)
{
	struct front *front = data;
	bool went_well = info->si_code == CLD_EXITED && info->si_status == 0;

	(void)source;
	finish(front, front->hook.timed_out ? -ETIMEDOUT : went_well ? 0 : -EIO);
	return 0;
}

static int on_deadline(sd_event_source *source, uint64_t due, void *data)
{
	struct front *front = data;

	(void)source;
	(void)due;
	front->hook.timed_out = true;
	kill(-front->hook.pid, SIGKILL);
	return 0;
}

static int watch(struct front *front, uint64_t deadline_us)
{
	struct hook_run *hook = &front->hook;
	int r = sd_event_add_child(front->event, &hook->child, hook->pid, WEXITED, on_child,
				   front);

	if (r >= 0)
		r = sd_event_add_time(front->event, &hook->timer, CLOCK_BOOTTIME, deadline_us,
				      1000, on_deadline, front);
	return r < 0 ? r : 0;
}

/* Kills the hook's whole group: it was made for it. */
static void stop(struct front *front)
{
	if (front->hook.pid <= 0)
		return;
	kill(-front->hook.pid, SIGKILL);
	sd_event_source_disable_unref(front->hook.child);
	front->hook.child = NULL;
	waitpid(front->hook.pid, NULL, 0);
	finish(front, -ECANCELED);
}

void hook_look(struct front *front)
{
	struct shared_hook *asked = &front->shared->hook;
	uint64_t decision = atomic_load_explicit(&asked->decision, memory_order_acquire);
	const struct guard_config *config = front_config(front);
	int r = -EINVAL;

	if (decision == front->hook_seen)
		return;
	stop(front);
	front->hook_seen = decision;
	front->hook.decision = decision;
	if (front->shared->dry)
		r = -ECANCELED;
	else if (asked->row < config->rows)
		r = spawn(front, &config->row[asked->row]);
	if (r == 0)
		r = watch(front, asked->deadline_us);
	if (r < 0 && front->hook.pid > 0)
		stop(front);
	else if (r < 0)
		finish(front, r);
}

void hook_close(struct front *front)
{
	stop(front);
}
