#include "fuzz.h"

#include "kernel/keyed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct key_table *const tables[] = {
		&VMSTAT_KEYS,	      &MEMINFO_KEYS,	   &CGROUP_STAT_KEYS,
		&CGROUP_STAT_V1_KEYS, &CGROUP_EVENTS_KEYS, &CGROUP_KEYED_KEYS,
		&TASK_STATUS_KEYS,
	};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		struct numbers numbers = NUMBERS(MACHINE_FIELDS + CGROUP_FIELDS);

		keyed_parse(input(data, size), tables[i], numbers);
		check_states(numbers, MACHINE_FIELDS + CGROUP_FIELDS);
	}
	return 0;
}
