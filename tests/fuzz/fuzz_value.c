#include "fuzz.h"

#include "kernel/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (enum form form = FORM_U64; form <= FORM_CHOICE; form++) {
		struct numbers numbers = NUMBERS(1);

		value_parse_as(input(data, size), form, 0, numbers);
		CHECK(numbers.state[0] == OK || numbers.state[0] == GARBLED ||
		      numbers.state[0] == UNLIMITED);
		CHECK(form != FORM_FLAG || numbers.value[0] <= 1);
		CHECK(form != FORM_CHOICE || numbers.value[0] < CHOICES);
	}
	return 0;
}
