#include "fuzz.h"

#include "kernel/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct task nothing;
	struct task task = { 0 };
	int r = task_stat_parse(input(data, size), &task);

	check_states((struct numbers){ task.value, task.state }, TASK_FIELDS);
	CHECK(r == 0 || memcmp(&task, &nothing, sizeof(task)) == 0);
	CHECK(strnlen(task.name, sizeof(task.name)) < sizeof(task.name));
	return 0;
}
