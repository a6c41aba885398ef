/*
 * The steps of a plan. Each is a row of plan.def; what a row's function returns below zero ends
 * the run: -ECANCELED when the reason has been said already.
 */
#include <errno.h>
#include <sys/resource.h>

#include "guest/disks.h"
#include "guest/feature.h"
#include "guest/file.h"
#include "guest/group.h"
#include "guest/guest.h"
#include "guest/moment.h"
#include "guest/plan.h"
#include "guest/run.h"
#include "guest/swap.h"

/* A copy of a word that can be handed to the kernel. */
struct name {
	char at[256];
};

static struct name name_of(struct span word)
{
	struct name name;

	span_copy(word, name.at, sizeof(name.at));
	return name;
}

static int skip(struct guest *guest, const struct step *step, int error)
{
	guest_mark(guest, "skip", "%.*s: %s", (int)span_len(step->line), step->line.at,
		   strerror(-error));
	return -ECANCELED;
}

/* What a kernel does not have, or does not take, is no fault of the plan. */
static int skip_if_missing(struct guest *guest, const struct step *step, int r)
{
	return r == -ENOENT || r == -EINVAL || r == -EOPNOTSUPP || r == -ENODEV ?
		       skip(guest, step, r) :
		       r;
}

int run_seed(struct guest *guest, const struct step *step)
{
	guest->seed = step->number[0];
	return 0;
}

int run_need(struct guest *guest, const struct step *step)
{
	int r = feature_has(step->word[0]);

	if (r != 0)
		return MIN(r, 0);
	guest_mark(guest, "skip", "this kernel has no %.*s", (int)span_len(step->word[0]),
		   step->word[0].at);
	return -ECANCELED;
}

int run_mount(struct guest *guest, const struct step *step)
{
	(void)guest;
	return disk_mount(name_of(step->word[0]).at, name_of(step->word[1]).at,
			  step->number[2] == 0);
}

/* The target counts in milliseconds; what is less than half of one it cannot do. */
int run_delay(struct guest *guest, const struct step *step)
{
	uint64_t delay_ms = (step->number[1] + 500) / 1000;

	if (delay_ms == 0 && step->number[1] > 0) {
		guest_mark(guest, "note", "%.*s: dm-delay knows no less than 1 ms, none is set",
			   (int)span_len(step->word[0]), step->word[0].at);
		return 0;
	}
	return skip_if_missing(guest, step, disk_delay(name_of(step->word[0]).at, delay_ms));
}

int run_suspend(struct guest *guest, const struct step *step)
{
	guest_mark(guest, "note", "the disk %s stops", name_of(step->word[0]).at);
	return disk_stop(name_of(step->word[0]).at, true);
}

int run_resume(struct guest *guest, const struct step *step)
{
	guest_mark(guest, "note", "the disk %s goes on", name_of(step->word[0]).at);
	return disk_stop(name_of(step->word[0]).at, false);
}

int run_swap_disk(struct guest *guest, const struct step *step)
{
	(void)guest;
	return swap_disk(name_of(step->word[0]).at);
}

int run_swap_file(struct guest *guest, const struct step *step)
{
	(void)guest;
	return swap_file(name_of(step->word[0]).at, step->number[1]);
}

int run_swap_zram(struct guest *guest, const struct step *step)
{
	return skip_if_missing(guest, step, swap_zram(step->number[0], step->word[1]));
}

int run_swap_zswap(struct guest *guest, const struct step *step)
{
	return skip_if_missing(
		guest, step,
		swap_zswap(name_of(step->word[0]).at, step->word[1], step->number[2]));
}

int run_write(struct guest *guest, const struct step *step)
{
	return skip_if_missing(guest, step,
			       file_write(name_of(step->word[0]).at, step->word[1]));
}

/* A line of a file that is made with its folder. */
int run_append(struct guest *guest, const struct step *step)
{
	(void)guest;
	return file_append(name_of(step->word[0]).at, step->word[1]);
}

struct niceness {
	struct span comm;
	int nice;
	size_t found;
};

static bool renice_one(void *data, const char *name)
{
	struct niceness *wanted = data;
	char path[300];
	char text[64];
	struct span comm;
	uint64_t pid;

	snprintf(path, sizeof(path), "/proc/%s/comm", name);
	if (span_u64(span_cstr(name), &pid) < 0 ||
	    file_read(path, (struct buffer){ text, sizeof(text) }, &comm) < 0)
		return true;
	comm = span_trim(comm);
	if (span_len(comm) != span_len(wanted->comm) ||
	    memcmp(comm.at, wanted->comm.at, span_len(comm)) != 0)
		return true;
	wanted->found += setpriority(PRIO_PROCESS, (id_t)pid, wanted->nice) == 0;
	return true;
}

int run_renice(struct guest *guest, const struct step *step)
{
	struct niceness wanted = { .comm = step->word[0], .nice = (int)step->integer };
	int r = file_list("/proc", renice_one, &wanted);

	if (r == 0 && wanted.found == 0)
		return skip(guest, step, -ENOENT);
	return r;
}

int run_group(struct guest *guest, const struct step *step)
{
	(void)guest;
	return group_make(name_of(step->word[0]).at);
}

int run_set(struct guest *guest, const struct step *step)
{
	return skip_if_missing(
		guest, step,
		group_set(name_of(step->word[0]).at, name_of(step->word[1]).at, step->word[2]));
}

int run_load(struct guest *guest, const struct step *step)
{
	enum kind_id kind = kind_find(step->word[3]);
	struct child *child = &guest->child[guest->children];
	int r;

	if (kind == KINDS || guest_child(guest, step->word[0]))
		return -EINVAL;
	if (guest->children == CHILDREN)
		return -E2BIG;
	*child = (struct child){ .seed = guest->seed };
	span_copy(step->word[0], child->name, sizeof(child->name));
	span_copy(step->word[1], child->group, sizeof(child->group));
	span_copy(step->word[2], child->program, sizeof(child->program));
	r = child_init(child, kind, step->word[4]);
	if (r == 0)
		__atomic_store_n(&guest->children, guest->children + 1, __ATOMIC_RELEASE);
	return r;
}

int run_observe(struct guest *guest, const struct step *step)
{
	if (step->number[0] < 10000)
		return -EINVAL; /* a hundred frames a second is more than any disk takes */
	return observer_start(&guest->observer, guest, step->number[0]);
}

int run_phase(struct guest *guest, const struct step *step)
{
	span_copy(step->word[0], guest->phase, sizeof(guest->phase));
	guest_mark(guest, "phase", "%s", guest->phase);
	return 0;
}

int run_start(struct guest *guest, const struct step *step)
{
	struct child *child = guest_child(guest, step->word[0]);

	if (!child || child->state == CHILD_RUNNING)
		return -EINVAL;
	guest_mark(guest, "start", "%s", child->name);
	return child_start(child);
}

/* How long the kernel may take to end a process that waits for a slow disk. */
#define STOP_LIMIT_US (20 * SECOND_US)

int run_stop(struct guest *guest, const struct step *step)
{
	struct child *child = guest_child(guest, step->word[0]);
	uint64_t limit = now_us() + STOP_LIMIT_US;

	if (!child)
		return -EINVAL;
	guest_mark(guest, "stop", "%s", child->name);
	child_stop(child);
	while (child->state == CHILD_RUNNING && now_us() < limit)
		guest_sleep_until(guest, now_us() + SECOND_US / 100);
	return child->state == CHILD_RUNNING ? -ETIMEDOUT : 0;
}

int run_wait(struct guest *guest, const struct step *step)
{
	guest_sleep_until(guest, now_us() + step->number[0]);
	return 0;
}

int run_end(struct guest *guest, const struct step *step)
{
	(void)step;
	guest->is_over = true;
	return 0;
}

static int (*const RUN[VERBS])(struct guest *guest, const struct step *step) = {
#define VERB(id, grammar, run) run,
#include "guest/plan.def"
};

void guest_run(struct guest *guest, struct span plan)
{
	while (!guest->is_over) {
		struct step step = { 0 };
		int r = plan_next(&plan, &step);

		if (r == 0)
			break;
		if (r > 0)
			r = RUN[step.verb](guest, &step);
		if (r == 0)
			continue;
		if (r != -ECANCELED)
			guest_mark(guest, "error", "%.*s: %s", (int)span_len(step.line),
				   step.line.at, strerror(-r));
		return;
	}
}
