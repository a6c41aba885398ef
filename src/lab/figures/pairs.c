#include "lab/figures/pairs.h"

#include <errno.h>

/* Different arms on different kernels of one set. */
struct cells {
	const struct outcome *run[PAIRS_MAX];
	size_t count;
	bool one_kernel;
};

static bool is_counted(const struct outcome *run)
{
	return run->status == OUTCOME_DONE || run->status == OUTCOME_NOISY;
}

static bool has(const struct cells *cells, const struct outcome *run)
{
	for (size_t i = 0; i < cells->count; i++)
		if (strcmp(cells->run[i]->arm, run->arm) == 0 &&
		    strcmp(cells->run[i]->kernel, run->kernel) == 0)
			return true;
	return false;
}

static struct cells cells_of(const struct outcomes *set)
{
	struct cells cells = { .one_kernel = true };

	for (size_t i = 0; i < set->count && cells.count < PAIRS_MAX; i++) {
		const struct outcome *run = &set->run[i];

		if (!is_counted(run) || has(&cells, run))
			continue;
		cells.run[cells.count++] = run;
		cells.one_kernel &= strcmp(run->kernel, cells.run[0]->kernel) == 0;
	}
	return cells;
}

/* A single arm is compared with a single one, whatever their names. */
static bool belong(const struct cells *a, size_t i, const struct cells *b, size_t j)
{
	if (a->count == 1 && b->count == 1)
		return true;
	return strcmp(a->run[i]->arm, b->run[j]->arm) == 0 &&
	       ((a->one_kernel && b->one_kernel) ||
		strcmp(a->run[i]->kernel, b->run[j]->kernel) == 0);
}

static void add(struct pairs *out, const struct outcome *a, const struct outcome *b)
{
	if (out->count == PAIRS_MAX)
		return;
	out->pair[out->count++] = (struct pair){
		.a = { { out->a.run, out->a.count }, a->arm, a->kernel },
		.b = { { out->b.run, out->b.count }, b->arm, b->kernel },
		.a_directory = a->directory,
		.b_directory = b->directory,
	};
}

static int refuse_accelerators(const struct cells *a, const struct cells *b,
			       struct lab_error *error)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++) {
			if (strcmp(a->run[i]->accelerator, b->run[j]->accelerator) == 0)
				continue;
			return lab_refuse(error, -EXDEV,
					  "one ran under %s and the other under %s, where "
					  "other things take time: compare runs of one "
					  "accelerator, or force it to see them beside each "
					  "other",
					  a->run[i]->accelerator, b->run[j]->accelerator);
		}
	return 0;
}

static int join(const struct compare *compare, struct pairs *out, struct lab_error *error)
{
	const struct cells a = cells_of(&out->a);
	const struct cells b = cells_of(&out->b);
	int r = compare->forced ? 0 : refuse_accelerators(&a, &b, error);

	if (r < 0)
		return r;
	for (size_t i = 0; i < a.count; i++)
		for (size_t j = 0; j < b.count; j++)
			if (belong(&a, i, &b, j))
				add(out, a.run[i], b.run[j]);
	if (out->count == 0)
		return lab_refuse(error, -ENODATA,
				  "%.200s and %.200s have no arm in common that ran to its end",
				  compare->a, compare->b);
	return 0;
}

int pairs_init(const struct compare *compare, struct pairs *out, struct lab_error *error)
{
	int r;

	*out = (struct pairs){ 0 };
	r = outcomes_read(compare->a, &out->a, error);
	if (r == 0)
		r = outcomes_read(compare->b, &out->b, error);
	return r == 0 ? join(compare, out, error) : r;
}

void pairs_done(struct pairs *pairs)
{
	outcomes_done(&pairs->a);
	outcomes_done(&pairs->b);
}
