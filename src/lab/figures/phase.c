#include "lab/figures/phase.h"

#include <math.h>

/* A frame comes a little early or late: what is nearly a second counts as one. */
#define SECOND_LEAST 0.9

double refault_rate(const struct series *series, struct frame_range frames)
{
	double file = series_rate(series, series->value[P_REFAULT_FILE], frames);
	double anon = series_rate(series, series->value[P_REFAULT_ANON], frames);

	/* Kernels before 5.9 count them as one, which is in the first. */
	return isnan(anon) ? file : file + anon;
}

/* The first frame that is a second after this one; the number of frames if none is. */
static size_t second_after(const struct series *series, size_t frame)
{
	size_t next = frame + 1;

	while (next < series->frames && series->at[next] - series->at[frame] < SECOND_LEAST)
		next++;
	return next;
}

static bool find_begin(const struct series *series, uint64_t *out)
{
	struct frame_range second = series_frames(series, series->measured_us, UINT64_MAX);

	for (; second.first < series->frames; second.first++) {
		second.last = second_after(series, second.first);
		if (second.last >= series->frames)
			return false;
		if (refault_rate(series, second) > PHASE_REFAULTS_PER_SECOND) {
			*out = series->at_us[second.first];
			return true;
		}
	}
	return false;
}

struct phase phase_of(const struct series *series, const struct load *leak)
{
	struct phase phase = { .to_us = series->end_us };

	if (leak && leak->ended_us) {
		phase.to_us = leak->ended_us;
		phase.killed = leak->end == LOAD_KILLED;
	}
	if (!series->measured)
		phase.why = "the measured part never began";
	else if (!find_begin(series, &phase.from_us))
		phase.why = "no pressure";
	else if (phase.from_us >= phase.to_us)
		phase.why = phase.killed ? "killed before pressure" : "ended before pressure";
	phase.present = !phase.why;
	return phase;
}
