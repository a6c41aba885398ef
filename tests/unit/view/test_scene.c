#include "test.h"

#include "frozen.h"
#include "view/scene.h"

/* What the full screen says there. */
static const char *said(const struct verdict *verdict, enum say which)
{
	static struct scene scene;
	static char text[sizeof(scene.say[0].text)];
	static const struct history history;

	assert_int_equal(scene_init(&scene), 0);
	scene_take(&scene, verdict, &history);
	span_copy(span_cstr(scene.say[which].text), text, sizeof(text));
	scene_done(&scene);
	return text;
}

static void growth_that_is_unknown_is_not_called_none(void **state)
{
	struct verdict verdict = *verdict_calm();
	struct domain domain = *verdict.domain;

	assert_string_equal(said(&verdict, SAY_CAUSED), "nothing");
	domain.grow_rate = (double)NAN;
	verdict.domain = &domain;
	assert_string_equal(said(&verdict, SAY_CAUSED), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_that_is_unknown_is_not_called_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
