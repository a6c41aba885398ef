#include "fuzz.h"

#include "kernel/task.h"

static bool is_inside(struct span piece, struct span text)
{
	return piece.at >= text.at && piece.end <= text.end && piece.at <= piece.end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = input(data, size);
	struct span v2;
	struct span v1;

	task_cgroup_parse(text, &v2, &v1);
	CHECK(is_inside(v2, text) && is_inside(v1, text));
	return 0;
}
