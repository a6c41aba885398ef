#include "fuzz.h"

#include "kernel/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct task task = { 0 };

	task_status_parse(input(data, size), &task);
	check_states((struct numbers){ task.value, task.state }, TASK_FIELDS);
	return 0;
}
