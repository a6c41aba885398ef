#include <errno.h>
#include <fcntl.h>
#include <sys/swap.h>

#include "base/text.h"
#include "cmd/check.h"
#include "fix/hand.h"
#include "fix/plan.h"

/* One run of the hand. */
struct job {
	const struct check_options *options;
	struct fix_plan *plan; /* of --fix */
	struct hand hand;
	bool has_systemd; /* it runs here */
	size_t refused;
	size_t written;
};

static void shown(const char *sign, const char *text)
{
	struct span rest = span_cstr(text);
	struct span line;

	while (span_line(&rest, &line)) {
		char escaped[2048];
		struct text out = text_on(escaped, sizeof(escaped));

		text_name(&out, line);
		printf("%s%s\n", sign, escaped);
	}
}

/* Our files are short: the whole of both, without what is the same at their ends. */
static void show_diff(const struct fix_file *file)
{
	const char *before = file->before ? file->before : "";

	printf("--- %s%s\n+++ /%s\n", file->before ? "/" : "",
	       file->before ? file->path : "/dev/null", file->path);
	shown("-", before);
	shown("+", file->after);
	putchar('\n');
}

static bool is_changed(const struct fix_file *file)
{
	return file->after && !file->is_foreign &&
	       (!file->before || strcmp(file->before, file->after) != 0);
}

static void show_words(const char *title, const struct fix_word *list, size_t count)
{
	if (count > 0)
		printf("%s\n", title);
	for (size_t i = 0; i < count; i++) {
		char escaped[1400];
		struct text out = text_on(escaped, sizeof(escaped));

		text_name(&out, span_cstr(list[i].text));
		printf("  %-9s %s\n", list[i].rule, escaped);
	}
	if (count > 0)
		putchar('\n');
}

static void show_plan(const struct fix_plan *plan, bool is_live)
{
	for (size_t i = 0; i < plan->files; i++)
		if (is_changed(&plan->file[i]))
			show_diff(&plan->file[i]);
	if (plan->swapfile)
		printf("a swap file /%s of %llu MiB\n\n", plan->swapfile,
		       (unsigned long long)(plan->swap_bytes >> 20));
	if (is_live && plan->values > 0)
		puts("at once");
	for (size_t i = 0; i < plan->values && is_live; i++)
		printf("  %-9s /%s = %s\n", plan->value[i].rule, plan->value[i].path,
		       plan->value[i].value);
	for (size_t i = 0; i < plan->enables && is_live; i++)
		printf("  systemctl enable --now %s\n", plan->enable[i]);
	if (is_live && plan->values + plan->enables > 0)
		putchar('\n');
	show_words("yours to do", plan->told, plan->tells);
	show_words("not written", plan->left, plan->lefts);
}

static void refuse(struct job *job, const char *path, int r)
{
	cmd_error("/%s: cannot be written: %s", path, strerror(-r));
	job->refused++;
}

/* Notes all that will be written, and keeps that before any of it is. */
static int note_files(struct job *job)
{
	for (size_t i = 0; i < job->plan->files; i++) {
		const struct fix_file *file = &job->plan->file[i];
		char hash[17];
		struct deed deed = { DEED_FILE, file->path, "", "" };
		int r;

		if (!is_changed(file))
			continue;
		fix_hash(span_cstr(file->after), hash);
		deed.first = arena_text(job->hand.arena, hash, 16);
		r = hand_folders(&job->hand, file->path);
		if (r == 0)
			r = deed.first ? hand_note(&job->hand, &deed) : -ENOMEM;
		if (r < 0)
			return r;
	}
	return hand_keep(&job->hand);
}

/* Back to what was there, of those that were written before the one that could not be. */
static void go_back(struct job *job, size_t count)
{
	while (count-- > 0) {
		const struct fix_file *file = &job->plan->file[count];
		char hash[17];
		const struct deed deed = { DEED_FILE, file->path, hash, "" };

		if (!is_changed(file))
			continue;
		fix_hash(span_cstr(file->after), hash);
		if ((file->before ?
			     hand_write(&job->hand, file->path, span_cstr(file->before)) :
			     hand_undo(&job->hand, &deed)) < 0)
			cmd_error("/%s: could not be put back", file->path);
	}
}

static int write_files(struct job *job)
{
	for (size_t i = 0; i < job->plan->files; i++) {
		const struct fix_file *file = &job->plan->file[i];
		int r;

		if (!is_changed(file))
			continue;
		r = hand_write(&job->hand, file->path, span_cstr(file->after));
		if (r < 0) {
			refuse(job, file->path, r);
			go_back(job, i);
			return r;
		}
		job->written++;
	}
	return 0;
}

static void set_values(struct job *job)
{
	for (size_t i = 0; i < job->plan->values; i++) {
		const struct fix_value *value = &job->plan->value[i];
		struct fact found = fact_choice(job->plan->facts, value->path);
		const struct deed deed = { DEED_VALUE, value->path, found.text, value->value };
		int r;

		if (found.state == OK && strcmp(found.text, value->value) == 0)
			continue;
		r = found.state == OK ? hand_note(&job->hand, &deed) : -ENOENT;
		if (r == 0)
			r = hand_keep(&job->hand);
		if (r == 0)
			r = hand_set(&job->hand, value->path, value->value);
		if (r < 0)
			refuse(job, value->path, r);
	}
}

/* As it was before this run: what was noted for it is forgotten, and its empty folders go. */
static void forget(struct job *job, const struct deeds *before)
{
	static struct deeds noted;

	noted = job->hand.deeds;
	job->hand.deeds = *before;
	if (hand_keep(&job->hand) < 0)
		cmd_error("/" FIX_STATE ": could not be put back");
	for (size_t i = noted.count; i-- > before->count;)
		if (noted.deed[i].kind == DEED_FOLDER &&
		    hand_undo(&job->hand, &noted.deed[i]) < 0)
			cmd_error("/%s: could not be removed again", noted.deed[i].path);
}

static const char *swap_fault(int r)
{
	if (r == -EOPNOTSUPP)
		return "the file system can't have a swap file (ext4, xfs and f2fs can)";
	if (r == -ENOSPC)
		return "it would leave less than a tenth of the file system free";
	return strerror(-r);
}

/* The file, and the link that starts its unit at boot. */
static int make_swap_file(struct job *job, const char *link, const char *target)
{
	const char *path = job->plan->swapfile;
	const struct deed made = { DEED_SWAP, path, "", "" };
	const struct deed linked = { DEED_LINK, link, target, "" };
	int r = hand_folders(&job->hand, link);

	if (r == 0)
		r = hand_note(&job->hand, &made);
	if (r == 0)
		r = hand_note(&job->hand, &linked);
	if (r == 0)
		r = hand_keep(&job->hand);
	if (r == 0)
		r = hand_swapfile(&job->hand, path, job->plan->swap_bytes);
	return r == 0 ? hand_link(&job->hand, link, target) : r;
}

static void make_swap(struct job *job)
{
	static struct deeds before;
	const char *path = job->plan->swapfile;
	const char *link = facts_format(job->plan->facts,
					"etc/systemd/system/swap.target.wants/%s.swap", path);
	int r;

	before = job->hand.deeds;
	r = make_swap_file(job, link, facts_format(job->plan->facts, "../%s.swap", path));
	if (r == 0)
		return;
	cmd_error("/%s: no swap file was made: %s", path, swap_fault(r));
	job->refused++;
	forget(job, &before);
}

static void start_swap(struct job *job)
{
	const char *path = facts_format(job->plan->facts, "/%s", job->plan->swapfile);
	const char *unit = facts_format(job->plan->facts, "%s.swap", job->plan->swapfile);
	const char *const start[] = { "systemctl", "start", unit, NULL };

	if (job->has_systemd ? hand_run(start) == 0 : swapon(path, 0) == 0) {
		if (!job->has_systemd)
			puts("without systemd nothing activates the swap file at the next "
			     "boot: put it in "
			     "/etc/fstab");
		return;
	}
	cmd_error("%s: could not be activated", path);
	job->refused++;
}

static void enable_units(struct job *job)
{
	for (size_t i = 0; i < job->plan->enables; i++) {
		const char *unit = job->plan->enable[i];
		const char *const words[] = { "systemctl", "enable", "--now", unit, NULL };
		const struct deed deed = { DEED_ENABLE, unit, "", "" };
		int r = hand_note(&job->hand, &deed);

		if (r == 0)
			r = hand_keep(&job->hand);
		if (r < 0 || !job->has_systemd || hand_run(words) != 0) {
			cmd_error("%s: could not be enabled", unit);
			job->refused++;
		}
	}
}

static void reload(const struct job *job)
{
	static const char *const words[] = { "systemctl", "daemon-reload", NULL };

	if (job->has_systemd && hand_run(words) != 0)
		cmd_error("systemctl daemon-reload failed: units are as they were until it is "
			  "done");
}

static void apply(struct job *job)
{
	if (job->plan->swapfile)
		make_swap(job);
	reload(job);
	if (job->plan->swapfile && job->refused == 0)
		start_swap(job);
	set_values(job);
	enable_units(job);
}

/* The folder of the root: a tree's own, or that of this machine. */
static int root_of_options(const struct check_options *options)
{
	int fd = open(options->common.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		cmd_error("%s: %s", options->common.root, strerror(errno));
	return fd;
}

static int open_job(struct job *job, int root, bool is_live, struct arena *arena)
{
	int r = hand_open(root, is_live, arena, &job->hand);

	job->has_systemd = is_live && faccessat(root, "run/systemd/system", F_OK, 0) == 0;
	if (r < 0) {
		cmd_error("/" FIX_STATE ": cannot be read: %s", strerror(-r));
		return EXIT_NOT_MEASURED;
	}
	if (job->hand.bad > 0)
		cmd_error("/" FIX_STATE
			  ": %zu lines are not in the form that refault writes, and are "
			  "left out",
			  job->hand.bad);
	return EXIT_FINE;
}

static int do_fix(struct job *job)
{
	static struct deeds before;
	int r;

	before = job->hand.deeds;
	r = note_files(job);
	if (r < 0) {
		forget(job, &before);
		cmd_error("/" FIX_STATE ": cannot be written, so nothing is: %s", strerror(-r));
		return EXIT_NOT_MEASURED;
	}
	if (write_files(job) < 0) {
		forget(job, &before);
		return EXIT_NOT_MEASURED;
	}
	if (job->hand.is_live)
		apply(job);
	else if (job->plan->swapfile)
		puts("the swap file itself is made on the running machine only");
	printf("%zu files written\n", job->written);
	return job->refused + job->plan->lefts > 0 ? EXIT_FINDINGS : EXIT_FINE;
}

static bool may_fix(const struct check_run *run)
{
	if (run->options.common.from) {
		cmd_error("--fix: what was captured is not changed; use --root");
		return false;
	}
	if (run->facts.in_container && run->facts.is_live) {
		cmd_error("--fix: this is a container, and the settings are its host's");
		return false;
	}
	if (run->facts.is_live && !run->facts.is_root && !run->options.dry_run) {
		cmd_error("--fix: only root can write settings; --dry-run shows them");
		return false;
	}
	return true;
}

int check_fix(struct check_run *run)
{
	static struct fix_plan plan;
	static struct job job;
	auto_fd root = -1;
	int status;

	if (!may_fix(run))
		return EXIT_NOT_MEASURED;
	fix_plan_make(&run->audit, run->options.least, &plan);
	job = (struct job){ .options = &run->options, .plan = &plan };
	show_plan(&plan, run->facts.is_live);
	if (fix_plan_is_empty(&plan)) {
		puts("nothing to write");
		return plan.lefts > 0 ? EXIT_FINDINGS : EXIT_FINE;
	}
	if (run->options.dry_run)
		return plan.lefts > 0 ? EXIT_FINDINGS : EXIT_FINE;
	root = root_of_options(&run->options);
	if (root < 0)
		return EXIT_NOT_MEASURED;
	status = open_job(&job, root, run->facts.is_live, &run->arena);
	return status == EXIT_FINE ? do_fix(&job) : status;
}

/* Only when memory has room for what is in it. */
static bool may_swapoff(struct job *job)
{
	const char *meminfo;
	uint64_t total = 0;
	uint64_t idle = 0;
	uint64_t available = 0;
	struct span rest;
	struct span line;

	if (hand_read(&job->hand, "proc/meminfo", &meminfo) < 0)
		return false;
	rest = span_cstr(meminfo);
	while (span_line(&rest, &line)) {
		struct span key;
		struct span value;
		uint64_t *to;

		if (!span_word(&line, &key) || !span_word(&line, &value))
			continue;
		to = span_eq(key, "SwapTotal:")	   ? &total :
		     span_eq(key, "SwapFree:")	   ? &idle :
		     span_eq(key, "MemAvailable:") ? &available :
						     NULL;
		if (to && span_u64(value, to) < 0)
			return false;
	}
	return available > total - idle;
}

static bool stop_swap(struct job *job, const char *path)
{
	char full[512];

	if (!job->hand.is_live)
		return true;
	snprintf(full, sizeof(full), "/%.500s", path);
	if (!may_swapoff(job)) {
		cmd_error("%s: is in use, and memory has no room for what is in it", full);
		return false;
	}
	return swapoff(full) == 0 || errno == EINVAL || errno == ENOENT;
}

static bool disable(const struct job *job, const char *unit)
{
	const char *const words[] = { "systemctl", "disable", "--now", unit, NULL };

	return !job->has_systemd || hand_run(words) == 0;
}

/* True when the deed is undone, and may be forgotten. */
static bool take_back(struct job *job, const struct deed *deed)
{
	int r;

	if (deed->kind == DEED_SWAP && !stop_swap(job, deed->path))
		return false;
	if (deed->kind == DEED_ENABLE)
		return disable(job, deed->path);
	r = hand_undo(&job->hand, deed);
	if (r == 1 && deed->kind == DEED_FOLDER)
		return true; /* others have files in it now */
	if (r == 1)
		cmd_error("/%s: somebody has changed it since, so it stays", deed->path);
	else if (r < 0)
		cmd_error("/%s: cannot be taken back: %s", deed->path, strerror(-r));
	return r == 0;
}

/* From the last to the first. The state's own folders go last, when it is gone. */
static bool is_of_state(const struct deed *deed)
{
	return deed->kind == DEED_FOLDER &&
	       strncmp(FIX_STATE, deed->path, strlen(deed->path)) == 0;
}

static size_t take_all_back(struct job *job, struct deeds *folders)
{
	struct deeds *deeds = &job->hand.deeds;
	size_t stay = 0;

	for (size_t i = deeds->count; i-- > 0;) {
		struct deed deed = deeds->deed[i];
		bool is_done;

		if (is_of_state(&deed)) {
			folders->deed[folders->count++] = deed;
			is_done = true;
		} else {
			is_done = take_back(job, &deed);
		}
		if (is_done)
			memmove(&deeds->deed[i], &deeds->deed[i + 1],
				(--deeds->count - i) * sizeof(deeds->deed[0]));
		else
			stay++;
	}
	return stay;
}

static int do_revert(struct job *job)
{
	static struct deeds folders;
	size_t before = job->hand.deeds.count;
	size_t stay;
	int r;

	folders.count = 0;
	stay = take_all_back(job, &folders);
	if (stay > 0) /* they are needed still */
		for (size_t i = folders.count; i-- > 0;)
			job->hand.deeds.deed[job->hand.deeds.count++] = folders.deed[i];
	r = hand_keep(&job->hand);
	for (size_t i = 0; i < folders.count && stay == 0 && r == 0; i++)
		r = hand_undo(&job->hand, &folders.deed[i]) < 0 ? -EIO : 0;
	if (r < 0)
		cmd_error("/" FIX_STATE ": cannot be written: %s", strerror(-r));
	reload(job);
	printf("%zu things taken back, %zu stay\n", before - stay, stay);
	return stay > 0 || r < 0 ? EXIT_FINDINGS : EXIT_FINE;
}

static void show_deeds(const struct deeds *deeds)
{
	for (size_t i = deeds->count; i-- > 0;) {
		char line[4096];

		if (deed_print(line, sizeof(line), &deeds->deed[i]))
			shown("would take back ", line);
	}
}

int check_revert(const struct check_options *options)
{
	static struct job job;
	struct arena arena;
	auto_fd root = root_of_options(options);
	int status;

	if (root < 0)
		return EXIT_NOT_MEASURED;
	if (arena_init(&arena, (size_t)512 << 20) < 0)
		return out_of_memory();
	job = (struct job){ .options = options };
	status = open_job(&job, root, strcmp(options->common.root, "/") == 0, &arena);
	if (status == EXIT_FINE && job.hand.deeds.count == 0)
		puts("there is nothing to take back");
	else if (status == EXIT_FINE && options->dry_run)
		show_deeds(&job.hand.deeds);
	else if (status == EXIT_FINE)
		status = do_revert(&job);
	arena_done(&arena);
	return status;
}
