#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "cmd/guard_front.h"
#include "guard/tape.h"

/* Of these the minute before and the minute after is kept. */
static const bool IS_KEPT[RECORD_KINDS] = {
	[RECORD_RELAX] = true,	[RECORD_FREEZE] = true, [RECORD_TERM] = true,
	[RECORD_KILL] = true,	[RECORD_STUCK] = true,	[RECORD_STORM] = true,
	[RECORD_NOBODY] = true,
};

/* Said once: a guard that cannot write its tapes is a guard all the same. */
static void complain(struct front *front, const char *what, int r)
{
	if (front->box.complained)
		return;
	front->box.complained = true;
	cmd_error("%s/tapes: %s: %s; it goes on without", front->arguments->state_directory,
		  what, strerror(-r));
}

/* With all above it: where no service manager has made them. */
void make_folders(const char *path)
{
	char folder[1024];
	struct text text = text_on(folder, sizeof(folder));

	for (; *path; path++) {
		if (*path == '/' && text.used > 0)
			mkdir(folder, 0755);
		text_put(&text, path, 1);
	}
	mkdir(folder, 0755);
}

void box_open(struct front *front)
{
	char path[1024];
	struct text text = text_on(path, sizeof(path));

	front->box.directory = -1;
	if (!atomic_load(&front->shared->tape_wanted))
		return;
	make_folders(front->arguments->state_directory);
	text_add(&text, "%s/tapes", front->arguments->state_directory);
	mkdir(path, 0700); /* names and command lines of this machine */
	front->box.directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (front->box.directory < 0 || tapes_init(&front->box.tapes) < 0) {
		complain(front, "recordings cannot be kept", -errno);
		box_close(front);
		atomic_store(&front->shared->tape_wanted, false);
	}
}

void box_close(struct front *front)
{
	if (front->box.directory < 0)
		return;
	close(front->box.directory);
	front->box.directory = -1;
	tapes_done(&front->box.tapes);
}

static void write_tape(struct front *front, const struct tape_order *order)
{
	const struct guard_options *options = &front_config(front)->options;
	char name[TAPE_NAME];
	int r = tapes_write(&front->box.tapes, order, name);

	if (r == 0)
		r = tapes_prune(front->box.directory, options->tapes, options->tapes_bytes);
	if (r < 0 && r != -ENODATA)
		complain(front, "a recording cannot be written", r);
}

void box_record(struct front *front, const struct guard_record *record)
{
	struct tape_box *box = &front->box;

	if (box->directory < 0 || box->is_due || !IS_KEPT[record->kind])
		return;
	box->is_due = true;
	box->due_us = record->at_us + TAPES_AROUND_US;
	box->order = (struct tape_order){
		.directory = box->directory,
		.from_us =
			record->at_us > TAPES_AROUND_US ? record->at_us - TAPES_AROUND_US : 0,
		.until_us = box->due_us,
		.wall_us = record->wall_us,
		.decision = record->id,
	};
}

/* At the end what there is so far is written: the machine may not come back. */
static void write_now(struct front *front)
{
	if (front->box.directory < 0 || !front->box.is_due)
		return;
	front->box.is_due = false;
	write_tape(front, &front->box.order);
}

void box_write_due(struct front *front)
{
	if (front->loop == 0 || boottime_us() >= front->box.due_us)
		write_now(front);
}

void box_dump(struct front *front)
{
	const struct tape_order order = {
		.directory = front->box.directory,
		.until_us = UINT64_MAX,
		.wall_us = front_record(RECORD_START).wall_us,
	};

	if (front->box.directory >= 0)
		write_tape(front, &order);
}

void box_drain(struct front *front)
{
	struct tape_box *box = &front->box;
	struct span frame;
	uint64_t at_us;
	int r;

	if (box->directory < 0)
		return;
	do {
		r = tape_take(front->shared, box->tapes.raw, &frame, &at_us);
		if (r == 1)
			tapes_keep(&box->tapes, frame, at_us);
	} while (r == 1 || r == -EFBIG);
}
