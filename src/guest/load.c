#include "guest/load.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/disks.h"
#include "guest/file.h"

_Noreturn void load_fail(struct load *load, const char *what, int error)
{
	snprintf(load->progress->error, PROGRESS_ERROR, "%s: %s", what, strerror(-error));
	_exit(1);
}

_Noreturn void load_hold(void)
{
	for (;;)
		pause();
}

/* Without a file, as on a bench, the progress is the load's own. */
static int map_progress(struct load *load, const char *path)
{
	int fd = path ? file_open(path, O_RDWR) : -1;
	uint64_t size = progress_size(PROGRESS_SLOTS);
	void *map;

	if (path && fd < 0)
		return fd;
	if (path && disk_size(path, &size) < 0)
		return -EIO;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | (path ? 0 : MAP_ANONYMOUS),
		   fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	load->progress = map;
	if (!path)
		load->progress->listed = PROGRESS_SLOTS;
	return 0;
}

static int bind_node(struct load *load, uint64_t node)
{
	unsigned long mask = 1UL << node % 64;

	load->is_bound = true;
	load->node = node;
	return syscall(SYS_set_mempolicy, MPOL_BIND, &mask, sizeof(mask) * 8) < 0 ? -errno : 0;
}

static const char *value_of(const char *word, const char *key)
{
	return span_starts(span_cstr(word), key) ? word + strlen(key) : NULL;
}

/* One word: what every load knows, or what its kind knows. */
static int take_word(struct load *load, const char *word, const char **progress)
{
	const char *seed = value_of(word, "seed=");
	const char *node = value_of(word, "node=");
	const char *program = value_of(word, "program=");
	uint64_t number;
	int r;

	if (value_of(word, "progress=")) {
		*progress = value_of(word, "progress=");
		return 0;
	}
	if (seed)
		return span_u64(span_cstr(seed), &load->seed);
	if (program)
		return span_copy(span_cstr(program), load->program, sizeof(load->program)) ?
			       0 :
			       -ENAMETOOLONG;
	if (!node)
		return args_add(load->kind, span_cstr(word), &load->args);
	r = span_u64(span_cstr(node), &number);
	return r < 0 ? r : bind_node(load, number);
}

static void (*const RUN[KINDS])(struct load *load) = {
#define LOAD(name, ...) load_##name,
#include "guest/loads.def"
};

int load_main(int count, char **words)
{
	static struct load load;
	const char *progress = NULL;
	int r = 0;

	load.kind = count > 1 ? kind_find(span_cstr(words[1])) : KINDS;
	if (load.kind == KINDS)
		return 2;
	args_init(load.kind, &load.args);
	for (int i = 2; i < count && r == 0; i++)
		r = take_word(&load, words[i], &progress);
	if (r == 0)
		r = map_progress(&load, progress);
	if (r < 0)
		return 2;
	load.progress->base_us = load.progress->base_us ? load.progress->base_us : now_us();
	RUN[load.kind](&load);
	return 0;
}
