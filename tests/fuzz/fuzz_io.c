#include "fuzz.h"

#include "kernel/cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct numbers numbers = NUMBERS(CGROUP_FIELDS);

	cgroup_io_parse(input(data, size), numbers);
	check_states(numbers, CGROUP_FIELDS);
	for (size_t id = CG_IO_BASE; id < CGROUP_FIELDS; id++)
		CHECK(numbers.state[id] == OK || numbers.state[id] == GARBLED);
	return 0;
}
