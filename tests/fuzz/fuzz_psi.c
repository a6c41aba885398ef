#include "fuzz.h"

#include "kernel/psi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct numbers numbers = NUMBERS(PSI_ROWS);

	psi_parse(input(data, size), 0, numbers);
	check_states(numbers, PSI_ROWS);
	for (size_t row = PSI_SOME_AVG10; row < PSI_ROWS; row += 2)
		CHECK(numbers.state[row] == numbers.state[row + 1]);
	return 0;
}
