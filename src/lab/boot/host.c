#include "lab/boot/host.h"

#include <math.h>

#include <errno.h>

#include "base/root.h"
#include "base/text.h"
#include "lab/boot/machine.h"

static void read_qemu(stop_flag stop, char *out, size_t size)
{
	static const char *const argv[] = { MACHINE_QEMU, "--version", NULL };
	struct text text = text_on(out, size);
	char space[4096];
	struct span answer;
	struct span line;

	if (program_read(&(struct program){ .argv = argv }, stop,
			 (struct buffer){ space, sizeof(space) }, &answer) == 0 &&
	    span_line(&answer, &line))
		text_name(&text, line);
}

/* "model name	: Intel(R) Xeon(R) …" */
static void find_model(struct span cpuinfo, struct text *out)
{
	struct span line;
	struct span key;
	struct span value;

	while (span_line(&cpuinfo, &line))
		if (span_split(line, ':', &key, &value) &&
		    span_eq(span_trim(key), "model name")) {
			text_name(out, span_trim(value));
			return;
		}
}

static int read_cpu(char *out, size_t size)
{
	char *space;
	struct text text = text_on(out, size);
	struct span cpuinfo;
	struct root root;
	int r = root_open("/", &root);

	if (r < 0)
		return r;
	space = malloc((size_t)1 << 20);
	if (space &&
	    root_read(&root, "proc/cpuinfo", (struct buffer){ space, 1 << 20 }, &cpuinfo) == 0)
		find_model(cpuinfo, &text);
	root_done(&root);
	free(space);
	return 0;
}

int host_facts_read(stop_flag stop, struct host_facts *out)
{
	struct host_facts facts = { 0 };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int r = read_cpu(facts.cpu, sizeof(facts.cpu));

	if (r < 0)
		return r;
	facts.cores = cores > 0 ? (unsigned int)cores : 1;
	if (getloadavg(&facts.load, 1) < 1)
		facts.load = (double)NAN;
	read_qemu(stop, facts.qemu, sizeof(facts.qemu));
	*out = facts;
	return 0;
}
