#include "fuzz.h"

#include "kernel/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct task task = { 0 };

	task_statm_parse(input(data, size), 65536, &task);
	check_states((struct numbers){ task.value, task.state }, TASK_FIELDS);
	CHECK(task.state[TASK_RSS_ANON] == task.state[TASK_RSS_FILE]);
	return 0;
}
