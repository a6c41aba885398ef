#include <errno.h>
#include <math.h>

#include "cmd/lab_report.h"

/* More than anybody can see on a screen, and small enough for thirty runs on one page. */
#define SAMPLES_MAX 1200

/* Whose number it is: of the machine, or of what [measure] calls service and leak. */
enum whose {
	MACHINE,
	SERVICE,
	LEAK,
	SERVICE_LOAD,
	LEAK_LOAD,
	SERVICE_SLOTS, /* how late the latest slot of each second was */
};

static const struct course {
	const char *label;
	enum page_panel panel;
	enum whose whose;
	int number; /* enum machine_point, group_point or load_point */
	bool is_rate;
	bool is_pages;
	bool reference;
} COURSES[] = {
	{ "done", PAGE_TICKS, SERVICE_LOAD, LOAD_DONE, .is_rate = true },
	{ "due", PAGE_TICKS, SERVICE_LOAD, LOAD_DUE, .is_rate = true, .reference = true },
	{ "lateness", PAGE_PAUSE, SERVICE_SLOTS },
	{ "files read again", PAGE_READS, MACHINE, P_REFAULT_FILE, .is_rate = true,
	  .is_pages = true },
	{ "swap read again", PAGE_READS, MACHINE, P_REFAULT_ANON, .is_rate = true,
	  .is_pages = true },
	{ "all reads", PAGE_READS, MACHINE, P_READ, .is_rate = true },
	{ "mapped", PAGE_FILES, SERVICE, G_FILE_MAPPED },
	{ "all files", PAGE_FILES, SERVICE, G_FILE },
	{ "service", PAGE_PSI_MEMORY, SERVICE, G_MEM_SOME, .is_rate = true },
	{ "leak", PAGE_PSI_MEMORY, LEAK, G_MEM_SOME, .is_rate = true },
	{ "machine", PAGE_PSI_MEMORY, MACHINE, P_MEM_SOME, .is_rate = true },
	{ "service", PAGE_PSI_IO, SERVICE, G_IO_SOME, .is_rate = true },
	{ "leak", PAGE_PSI_IO, LEAK, G_IO_SOME, .is_rate = true },
	{ "machine", PAGE_PSI_IO, MACHINE, P_IO_SOME, .is_rate = true },
	{ "used", PAGE_SWAP, MACHINE, P_SWAP_USED },
	{ "free", PAGE_FREE, MACHINE, P_FREE },
	{ "available", PAGE_FREE, MACHINE, P_AVAILABLE },
	{ "min", PAGE_FREE, MACHINE, P_MIN, .reference = true },
	{ "low", PAGE_FREE, MACHINE, P_LOW, .reference = true },
	{ "size", PAGE_LEAK, LEAK_LOAD, LOAD_SIZE },
};

static double load_value(const struct load *load, enum load_point point, uint64_t at_us)
{
	size_t row;

	return load && load_row(load, at_us, &row) ? load->value[point][row] : NAN;
}

static double group_value(const struct load *load, enum group_point point, size_t frame)
{
	return load && load->group ? load->group->value[point][frame] : NAN;
}

/* How late the latest of the slots due by then is: rising while the service stands still. */
static double lateness(const struct load *load, uint64_t from_us, uint64_t to_us)
{
	double latest = NAN;

	for (size_t i = 0; load && i < load->slots; i++) {
		const struct slot *slot = &load->slot[i];
		uint64_t end = slot->done_us && slot->done_us < to_us ? slot->done_us : to_us;

		if (slot->due_us >= to_us)
			break;
		if (slot->done_us && slot->done_us < from_us)
			continue;
		latest = fmax(latest, (double)(end - slot->due_us) / SECOND_US);
	}
	return latest;
}

struct courses {
	const struct series *series;
	const struct load *service;
	const struct load *leak;
};

static double level(const struct courses *all, const struct course *course, size_t frame)
{
	uint64_t at_us = all->series->at_us[frame];

	switch (course->whose) {
	case MACHINE:
		return all->series->value[course->number][frame];
	case SERVICE:
		return group_value(all->service, (enum group_point)course->number, frame);
	case LEAK:
		return group_value(all->leak, (enum group_point)course->number, frame);
	case SERVICE_LOAD:
		return load_value(all->service, (enum load_point)course->number, at_us);
	case LEAK_LOAD:
		return load_value(all->leak, (enum load_point)course->number, at_us);
	case SERVICE_SLOTS:
		return frame == 0 ?
			       NAN :
			       lateness(all->service, all->series->at_us[frame - 1], at_us);
	}
	return NAN;
}

/* From the sample before; a counter that went back tells nothing. */
static double sample(const struct courses *all, const struct course *course, size_t frame,
		     size_t stride)
{
	double now = level(all, course, frame);
	double before;
	double seconds;

	if (!course->is_rate)
		return now;
	if (frame < stride)
		return NAN;
	before = level(all, course, frame - stride);
	seconds = all->series->at[frame] - all->series->at[frame - stride];
	if (now < before || seconds <= 0)
		return NAN;
	return (now - before) / seconds *
	       (course->is_pages ? (double)all->series->page_bytes : 1);
}

static const double *course_values(const struct courses *all, const struct course *course,
				   size_t stride, double *values)
{
	for (size_t i = 0, frame = 0; frame < all->series->frames; i++, frame += stride)
		values[i] = sample(all, course, frame, stride);
	return values;
}

int courses_fill(const struct series *series, struct arena *arena, struct page_run *out)
{
	const struct courses all = {
		.series = series,
		.service = series_measured_load(series, "service"),
		.leak = series_measured_load(series, "leak"),
	};
	size_t stride = series->frames / SAMPLES_MAX + 1;
	struct page_series *list = arena_alloc(arena, sizeof(*list) * ARRAY_LEN(COURSES));
	double *time = arena_alloc(arena, sizeof(*time) * (series->frames + 1));

	if (!list || !time)
		return -ENOMEM;
	for (size_t frame = 0; frame < series->frames; frame += stride)
		time[out->samples++] = series->at[frame];
	for (size_t i = 0; i < ARRAY_LEN(COURSES); i++) {
		double *values = arena_alloc(arena, sizeof(*values) * (out->samples + 1));

		if (!values)
			return -ENOMEM;
		list[i] = (struct page_series){
			.panel = COURSES[i].panel,
			.label = COURSES[i].label,
			.reference = COURSES[i].reference,
			.value = course_values(&all, &COURSES[i], stride, values),
		};
	}
	out->time_s = time;
	out->series = list;
	out->series_count = ARRAY_LEN(COURSES);
	return 0;
}
