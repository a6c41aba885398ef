/* What is measured on the lab's recordings, where the hot set is known. */
#include "test.h"

#include "analysis/facts.h"
#include "analysis/replay.h"
#include "base/text.h"
#include "policy/workingset.h"

/* As often as the guard measures while memory is short. */
#define INTERVAL_S 2.0

static int32_t member_named(const struct evidence *evidence, const char *path)
{
	for (size_t i = 0; i < evidence->member_count; i++)
		if (strcmp(evidence->pair.now->cgroups[i].path, path) == 0)
			return (int32_t)i;
	return -1;
}

/* At the end of the recording, in the middle of its trouble. */
static double hot_of(const char *name, const char *path)
{
	static struct replay replay;
	struct workingset state = { 0 };
	struct workingset_size size = { .hot_file = (double)NAN };
	struct verdict verdict;
	char file[512];
	struct text text = text_on(file, sizeof(file));
	double next = 0;

	text_add(&text, RECORDINGS "/%s.tar.zst", name);
	assert_int_equal(replay_open(file, 5u * SECOND_US, &replay), 0);
	while (replay_next(&replay, &verdict) == 0) {
		int32_t member = member_named(&replay.evidence, path);

		if (member < 0 || replay_at(&replay) < next)
			continue;
		size = workingset_of(&replay.evidence, (size_t)member, &state);
		next = replay_at(&replay) + INTERVAL_S;
	}
	replay_done(&replay);
	return size.hot_file;
}

#define API "system.slice/api.service"

/* The recordings begin seconds before the onset, and what was evicted by then is still missed.
 */
static void the_hot_set_of_a_service_is_measured_within_a_fifth(void **state)
{
	static const struct {
		const char *name;
		const char *path;
		double mib; /* of code and file, by the scenario */
	} known[] = {
		{ "leak-6.12", API, 24 + 32 },
		{ "leak-6.1", API, 24 + 32 },
		{ "leak-7", API, 24 + 32 },
		{ "leak-mglru-6.1", API, 24 + 32 },
		{ "leak-sequential-6.12", API, 24 + 32 },
		{ "high-leak-6.12", "app.slice/api.service", 24 + 32 },
		{ "high-leak-6.1", "app.slice/api.service", 24 + 32 },
		{ "high-leak-7", "app.slice/api.service", 24 + 32 },
		{ "stream-full-6.12", API, 24 + 32 },
		{ "stream-full-6.1", API, 24 + 32 },
		{ "loop-scan-6.12", API, 24 + 32 },
		{ "loop-scan-6.1", API, 24 + 32 },
		{ "leak-read-6.12", API, 8 + 48 },
		{ "leak-read-6.1", API, 8 + 48 },
		{ "leak-read-7", API, 8 + 48 },
	};
	size_t bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		double hot = hot_of(known[i].name, known[i].path) / MIB;

		if (fabs(hot - known[i].mib) <= 0.2 * known[i].mib)
			continue;
		print_error("%s: %.1f MiB, not %g\n", known[i].name, hot, known[i].mib);
		bad++;
	}
	assert_int_equal(bad, 0);
}

/* Its hundreds of MiB of file cache were read once, or in a circle. */
static void a_backup_has_next_to_no_hot_set(void **state)
{
	assert_true(hot_of("stream-full-6.12", "system.slice/backup.service") < 2 * MIB);
	assert_true(hot_of("stream-full-6.1", "system.slice/backup.service") < 2 * MIB);
	assert_true(hot_of("stream-full-7", "system.slice/backup.service") < 2 * MIB);
	assert_true(hot_of("loop-scan-6.12", "system.slice/batch.service") < 2 * MIB);
	assert_true(hot_of("loop-scan-6.1", "system.slice/batch.service") < 2 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hot_set_of_a_service_is_measured_within_a_fifth),
		cmocka_unit_test(a_backup_has_next_to_no_hot_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
