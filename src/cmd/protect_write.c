#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/units.h"
#include "cmd/protect.h"
#include "policy/act.h"
#include "policy/protect_state.h"
#include "policy/protect_tree.h"

#define STATE_FOLDER "/run/refault"
#define STATE_FILE STATE_FOLDER "/protect.state"
/* A line for each cgroup that can be protected. */
#define STATE_SIZE ((size_t)PROTECTED_MAX * 512)

struct memory {
	struct saved list[PROTECTED_MAX];
	size_t count;
};

static int memory_read(struct memory *out)
{
	static char text[STATE_SIZE];
	auto_fd fd = open(STATE_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length;

	out->count = 0;
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	length = read(fd, text, sizeof(text));
	if (length < 0)
		return -errno;
	out->count = saved_parse(span_of(text, (size_t)length), out->list, PROTECTED_MAX);
	return 0;
}

/* The new file takes the place of the old one as a whole. */
static int memory_write(const struct memory *memory)
{
	static char buffer[STATE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	auto_fd fd = -1;
	int r;

	if (mkdir(STATE_FOLDER, 0755) < 0 && errno != EEXIST)
		return -errno;
	for (size_t i = 0; i < memory->count; i++)
		saved_print(&text, &memory->list[i]);
	unlink(STATE_FILE ".new"); /* of one that was interrupted */
	fd = open(STATE_FILE ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = span_write(fd, span_of(buffer, text.used));
	if (r < 0)
		return r;
	return rename(STATE_FILE ".new", STATE_FILE) < 0 ? -errno : 0;
}

/* What was found before the first write is what counts. */
static void remember(struct memory *memory, const struct min_write *write, const char *path)
{
	struct saved *saved = NULL;

	for (size_t i = 0; i < memory->count; i++)
		if (memory->list[i].id == write->id)
			saved = &memory->list[i];
	if (saved && saved->set != write->from)
		saved->found = write->from; /* somebody else's meanwhile */
	if (!saved && memory->count == PROTECTED_MAX)
		return;
	if (!saved) {
		saved = &memory->list[memory->count++];
		*saved = (struct saved){ .id = write->id, .found = write->from };
		span_copy(span_cstr(path), saved->path, sizeof(saved->path));
	}
	saved->set = write->to;
}

static int write_one(struct hand *hand, const struct session *session,
		     const struct min_write *write)
{
	struct feedback feedback[FEEDBACK_MAX];
	const struct action action = {
		.kind = ACTION_MIN,
		.member = write->member,
		.cgroup_id = write->id,
		.write = *write,
	};

	act_do(hand, &action, sampler_directory(&session->sampler, HIERARCHY_V2, write->id), 0);
	if (act_collect(hand, 0, feedback) == 0)
		return -EIO;
	return feedback[0].outcome == OUTCOME_FAILED ? -feedback[0].error : 0;
}

static void say(const char *path, const char *verb, uint64_t bytes)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));

	text_name(&text, span_cstr(path));
	text_add(&text, ": memory.min %s ", verb);
	if (bytes == UINT64_MAX)
		text_add(&text, "max");
	else
		text_bytes(&text, (double)bytes);
	puts(buffer);
}

/* Else a daemon-reload of systemd would write its own value again. */
static void say_systemd(const struct protect_job *job, const struct snapshot *now)
{
	if (access("/run/systemd/system", F_OK) < 0 || job->writes == 0)
		return;
	puts("\nsystemd writes its own values at its next daemon-reload; to keep these:");
	for (size_t i = 0; i < job->writes; i++) {
		const char *path = now->cgroups[job->write[i].member].path;
		const char *slash = strrchr(path, '/');
		const char *unit = slash ? slash + 1 : path;
		uint64_t to = job->write[i].to;

		if (!unit_is_plain(unit))
			continue; /* not systemd's, and nothing for a shell */
		printf("systemctl set-property --runtime '%s' MemoryMin=", unit);
		if (to == UINT64_MAX)
			puts("infinity");
		else
			printf("%llu\n", (unsigned long long)to);
	}
}

static void say_failed(const char *path, int r)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));

	text_name(&text, span_cstr(path));
	cmd_error("%s: memory.min cannot be written: %s", buffer, strerror(-r));
}

static int write_all(struct protect_job *job, const struct session *session,
		     const struct snapshot *now, struct memory *memory)
{
	struct hand hand;
	int status = EXIT_FINE;

	if (act_init(&hand, &session->source.root, false) < 0)
		return out_of_memory();
	for (size_t i = 0; i < job->writes; i++) {
		const char *path = now->cgroups[job->write[i].member].path;
		int r = write_one(&hand, session, &job->write[i]);

		if (r == 0) {
			remember(memory, &job->write[i], path);
			say(path, "is", job->write[i].to);
			continue;
		}
		say_failed(path, r);
		status = EXIT_NOT_MEASURED;
	}
	act_done(&hand);
	return status;
}

static void say_left_out(const struct protect_job *job)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++) {
		const struct protected *entry = &job->protection.list[i];
		char buffer[1024];
		struct text text = text_on(buffer, sizeof(buffer));

		if (entry->id == 0 || !entry->is_asked || !entry->why_not)
			continue;
		text_name(&text, span_cstr(entry->path));
		cmd_error("%s is not, or not fully protected: %s", buffer, entry->why_not);
	}
}

/* Remembered before anything is written: what is not remembered could not be taken back. */
int protect_now(struct protect_job *job, struct session *session, const struct snapshot *now)
{
	static struct memory memory;
	int status;
	int r = session->source.kind == SOURCE_LIVE ? memory_read(&memory) : -EROFS;

	if (r == 0)
		r = memory_write(&memory);
	if (r < 0) {
		cmd_error("%s: cannot be written: %s%s", STATE_FILE, strerror(-r),
			  geteuid() != 0 ? "; --now needs root" : "");
		return EXIT_NOT_MEASURED;
	}
	status = write_all(job, session, now, &memory);
	r = memory_write(&memory);
	if (r < 0) {
		cmd_error("%s: cannot be written: %s", STATE_FILE, strerror(-r));
		status = EXIT_NOT_MEASURED;
	}
	say_left_out(job);
	say_systemd(job, now);
	return status;
}

static int revert_one(struct hand *hand, const struct session *session,
		      const struct snapshot *now, const struct saved *saved)
{
	int32_t member = tree_index(now, saved->id);
	const struct min_write write = {
		.member = member,
		.id = saved->id,
		.from = saved->set,
		.to = saved->found,
	};
	int r;

	if (member < 0) {
		say(saved->path, "has gone with the cgroup; it was", saved->set);
		return EXIT_FINE;
	}
	if (now->cgroups[member].value[CG_MIN] != saved->set) {
		say(saved->path, "was changed by somebody else and stays",
		    now->cgroups[member].value[CG_MIN]);
		return EXIT_FINE;
	}
	r = write_one(hand, session, &write);
	if (r == 0) {
		say(saved->path, "is again", saved->found);
		return EXIT_FINE;
	}
	say_failed(saved->path, r);
	return EXIT_NOT_MEASURED;
}

static int revert_all(const struct session *session, const struct snapshot *now,
		      struct memory *memory)
{
	struct hand hand;
	int status = EXIT_FINE;
	size_t kept = 0;

	if (act_init(&hand, &session->source.root, false) < 0)
		return out_of_memory();
	/* Ancestors were written first, so what is in them is taken back before them. */
	for (size_t i = memory->count; i-- > 0;) {
		int one = revert_one(&hand, session, now, &memory->list[i]);

		if (one == EXIT_FINE)
			memory->list[i].id = 0;
		else
			status = one;
	}
	act_done(&hand);
	for (size_t i = 0; i < memory->count; i++)
		if (memory->list[i].id != 0)
			memory->list[kept++] = memory->list[i];
	memory->count = kept;
	return status;
}

static int revert_in(struct session *session, struct memory *memory)
{
	struct arena arena;
	struct snapshot *now;
	int r;

	if (arena_init(&arena, SNAPSHOT_ARENA) < 0)
		return out_of_memory();
	r = session_next(session, SAMPLE_WITHOUT_TASKS, &arena, &now);
	if (r == 0)
		r = revert_all(session, now, memory);
	arena_done(&arena);
	return r;
}

int protect_revert(const struct protect_job *job)
{
	static struct memory memory;
	struct session session;
	int status;
	int r = memory_read(&memory);

	if (r < 0) {
		cmd_error("%s: %s", STATE_FILE, strerror(-r));
		return EXIT_NOT_MEASURED;
	}
	if (memory.count == 0) {
		puts("There is nothing to take back.");
		return EXIT_FINE;
	}
	status = session_open(&job->common, &session);
	if (status != 0)
		return status;
	status = revert_in(&session, &memory);
	session_close(&session);
	r = memory_write(&memory);
	if (r == 0)
		return status;
	cmd_error("%s: cannot be written: %s", STATE_FILE, strerror(-r));
	return EXIT_NOT_MEASURED;
}
