#include "lab/figures/kills.h"

#include "lab/figures/ini.h"

/* The kernel says so first; then the process has to die, which can take a while. */
#define OOM_BEFORE_US (20 * SECOND_US)
#define OOM_AFTER_US (SECOND_US / 2)

/* As the kernel keeps the name of a process. */
#define COMM_MOST 15

bool load_is_killed(const struct load *load)
{
	return load->end == LOAD_KILLED;
}

static struct span text_after(struct span line, const char *words)
{
	for (; !span_empty(line); line.at++)
		if (span_starts(line, words))
			return (struct span){ line.at + strlen(words), line.end };
	return line;
}

/* "[   57.123456] Out of memory: Killed process 93 (worker) total-vm:..." */
static bool oom_parse(struct span line, uint64_t *at_us, struct span *comm)
{
	struct span rest = text_after(line, "Killed process ");
	struct span time = line;
	struct span name;

	if (!span_split(rest, '(', &name, &rest) || !span_split(rest, ')', comm, &rest) ||
	    !span_starts(time, "["))
		return false;
	time.at++;
	return span_split(time, ']', &time, &rest) &&
	       span_fixed(span_trim(time), 6, at_us) == 0;
}

/* The name of its program: what it is called in the guest's kernel. */
static struct span comm_of(const struct series *series, const struct load *load)
{
	struct span program = span_cstr(load->name);
	char section[96];

	snprintf(section, sizeof(section), "load %s", load->name);
	ini_find(series->scenario, section, "program", &program);
	program.end = program.at + MIN(span_len(program), (size_t)COMM_MOST);
	return program;
}

static bool same(struct span a, struct span b)
{
	return span_len(a) == span_len(b) && memcmp(a.at, b.at, span_len(a)) == 0;
}

bool load_is_oom_killed(const struct series *series, const struct load *load)
{
	struct span rest = series->kmsg;
	struct span line;

	if (!load_is_killed(load))
		return false;
	while (span_line(&rest, &line)) {
		struct span comm;
		uint64_t at_us;

		if (oom_parse(line, &at_us, &comm) && same(comm, comm_of(series, load)) &&
		    at_us <= load->ended_us + OOM_AFTER_US &&
		    load->ended_us <= at_us + OOM_BEFORE_US)
			return true;
	}
	return false;
}

static bool next_wanted(const struct series *series, struct span *names, struct span *name)
{
	return (names->at || ini_find(series->scenario, "truth", "kill", names)) &&
	       span_word(names, name);
}

const struct load *kill_wanted(const struct series *series)
{
	struct span names = { 0 };
	struct span name;

	return next_wanted(series, &names, &name) ? series_load(series, name) : NULL;
}

bool kill_is_wanted(const struct series *series, const struct load *load)
{
	struct span names = { 0 };
	struct span name;

	while (next_wanted(series, &names, &name))
		if (span_eq(name, load->name))
			return true;
	return false;
}
