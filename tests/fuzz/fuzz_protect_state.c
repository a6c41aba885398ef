#include "fuzz.h"
#include "policy/protect_state.h"

/* What is read is written and read again as the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct saved list[4];
	size_t count = saved_parse(span_of((const char *)data, size), list, ARRAY_LEN(list));

	for (size_t i = 0; i < count; i++) {
		char buffer[512];
		struct text text = text_on(buffer, sizeof(buffer));
		struct saved again;

		saved_print(&text, &list[i]);
		CHECK(!text.cut);
		if (memchr(list[i].path, '\0', sizeof(list[i].path)) &&
		    list[i].path[0] != '\0' &&
		    saved_parse(span_of(buffer, text.used), &again, 1) == 1)
			CHECK(again.id == list[i].id && again.set == list[i].set);
	}
	return 0;
}
