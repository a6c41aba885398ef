#include "fuzz.h"

#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = input(data, size);
	uint64_t number = 77;
	int64_t signed_number = 77;
	int r = span_u64(text, &number);

	CHECK(r == 0 || number == 77);
	CHECK(r != 0 || span_fixed(text, 0, &number) == 0);
	r = span_hex(text, &number) + span_i64(text, &signed_number);
	for (unsigned int decimals = 0; decimals < 8; decimals++)
		r += span_fixed(text, decimals, &number);
	if (time_parse(text, 1000, 9000000, &number) == 0)
		CHECK(number >= 1000 && number <= 9000000);
	return 0;
}
