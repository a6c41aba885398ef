#include "lab/figures/cut.h"

#include <errno.h>
#include <sys/stat.h>

#include "lab/figures/truth.h"
#include "model/recorder.h"
#include "model/sampler.h"
#include "model/source.h"

#define PATH_SIZE 4096

/* A verdict needs some seconds before, and must be right within five after. */
#define FRAMES_BEFORE 4
#define FRAMES_AFTER_MOST 16
#define FRAMES_AFTER_LEAST 12

struct frame_range cut_window(const struct series *series, size_t onset, size_t after)
{
	struct frame_range window = {
		.first = onset > FRAMES_BEFORE ? onset - FRAMES_BEFORE : 0,
		.last = MIN(onset + after, series->frames - 1),
	};

	/* A frame that was taken at the very end is out of step. */
	if (window.last > onset &&
	    !series_is_apart(series, (struct frame_range){ window.last - 1, window.last }))
		window.last--;
	return window;
}

/* The sampler reads what a verdict is made of, and the recorder gets a copy of it. */
static int copy_frames(struct source *source, struct sampler *sampler, struct arena *arena,
		       struct recorder *recorder, const struct frame_range *window)
{
	for (size_t i = 0; i <= window->last; i++) {
		struct snapshot *snapshot;
		int r = source_next(source);

		if (r != 0)
			return r == SOURCE_END ? -ENODATA : r;
		if (i < window->first)
			continue;
		recorder_next_frame(recorder);
		source->root.tee = &recorder->sink;
		r = sampler_take(sampler, &source->root, SAMPLE_ALL, arena, &snapshot);
		if (r < 0)
			return r;
	}
	return 0;
}

static int copy_sampled(struct source *source, struct recorder *recorder,
			const struct frame_range *window)
{
	struct sampler sampler;
	struct arena arena;
	int r = arena_init(&arena, SNAPSHOT_ARENA);

	if (r < 0)
		return r;
	r = sampler_init(&sampler);
	if (r == 0) {
		r = copy_frames(source, &sampler, &arena, recorder, window);
		sampler_done(&sampler);
	}
	arena_done(&arena);
	return r;
}

static int copy_recorded(struct source *source, const char *path,
			 const struct frame_range *window)
{
	struct recorder recorder;
	int closed;
	int r = recorder_open(path, &recorder);

	if (r < 0)
		return r;
	r = copy_sampled(source, &recorder, window);
	closed = recorder_close(&recorder);
	r = r < 0 ? r : closed;
	if (r < 0)
		unlink(path);
	return r;
}

static int copy(const struct cut *cut, const char *path, const struct frame_range *window,
		struct lab_error *error)
{
	char from[PATH_SIZE];
	struct source source;
	int r;

	if (snprintf(from, sizeof(from), "%s/frames.tar.zst", cut->run) >= (int)sizeof(from))
		return lab_refuse(error, -ENAMETOOLONG, "the name of the run is too long");
	r = source_open(from, NULL, &source);
	if (r == 0) {
		r = copy_recorded(&source, path, window);
		source_done(&source);
	}
	if (r < 0)
		return lab_refuse(error, r, "cannot copy %.200s to %.200s: %s", from, path,
				  strerror(-r));
	return 0;
}

static bool is_small(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (size_t)st.st_size <= CUT_BYTES;
}

/* Fewer frames after the onset, until it is small enough. */
static int copy_chosen(const struct cut *cut, const struct series *series, size_t onset,
		       struct frame_range *window, struct lab_error *error)
{
	char path[PATH_SIZE];

	if (snprintf(path, sizeof(path), "%s.tar.zst", cut->name) >= (int)sizeof(path))
		return lab_refuse(error, -ENAMETOOLONG, "the name of the fixture is too long");
	for (size_t after = FRAMES_AFTER_MOST; after >= FRAMES_AFTER_LEAST; after--) {
		int r;

		*window = cut->chosen ? cut->window : cut_window(series, onset, after);
		r = copy(cut, path, window, error);
		if (r < 0 || is_small(path))
			return r;
		unlink(path);
		if (cut->chosen)
			break;
	}
	return lab_refuse(error, -EFBIG, "%.200s: larger than %zu KiB: choose fewer frames",
			  path, CUT_BYTES / 1024);
}

static int write_truth(const struct cut *cut, const struct series *series,
		       struct frame_range window, size_t onset, struct lab_error *error)
{
	char path[PATH_SIZE];
	FILE *file;
	int r = 0;

	if (snprintf(path, sizeof(path), "%s.truth", cut->name) >= (int)sizeof(path))
		return lab_refuse(error, -ENAMETOOLONG, "the name of the fixture is too long");
	file = fopen(path, "wxe");
	if (!file)
		return lab_refuse(error, -errno, "%.300s: %s", path, strerror(errno));
	truth_write(series, window, onset, file);
	if (ferror(file))
		r = -EIO;
	if (fclose(file) != 0 && r == 0)
		r = -errno;
	return r < 0 ? lab_refuse(error, r, "%.300s: %s", path, strerror(-r)) : 0;
}

static int cut_series(const struct cut *cut, const struct series *series,
		      struct lab_error *error)
{
	size_t onset = truth_onset(series);
	struct frame_range window = cut->window;
	int r;

	if (cut->chosen &&
	    (cut->window.first >= cut->window.last || cut->window.last >= series->frames))
		return lab_refuse(error, -EINVAL,
				  "expected a first frame before the last, and both among the "
				  "%zu of the run, counted from 0",
				  series->frames);
	r = copy_chosen(cut, series, onset, &window, error);
	if (r < 0)
		return r;
	/* A window that was chosen elsewhere has its onset at its nearer end. */
	onset = MIN(MAX(onset, window.first), window.last);
	return write_truth(cut, series, window, onset, error);
}

int cut_write(const struct cut *cut, struct lab_error *error)
{
	struct series series;
	int r = series_open(cut->run, &series, error);

	if (r == 0)
		r = cut_series(cut, &series, error);
	series_done(&series);
	return r;
}
