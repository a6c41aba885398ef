#include "test.h"

#include <glob.h>

#include "analysis/judge.h"
#include "analysis/replay.h"
#include "policy/victim.h"

/* Of these a kill gives next to nothing back: files, the kernel's own memory, a tmpfs. */
static const enum verdict_class NOT_BY_KILLING[] = { CLASS_DIRTY_THROTTLE, CLASS_FIRST_READ,
						     CLASS_KERNEL_LEAK, CLASS_SHMEM_GROWTH };

static bool is_by_killing(struct span class)
{
	for (size_t i = 0; i < ARRAY_LEN(NOT_BY_KILLING); i++)
		if (class_find(class) == NOT_BY_KILLING[i])
			return false;
	return true;
}

static void truth_read(const char *path, struct truth *out)
{
	char text[8192];
	struct span bytes = { 0 };
	struct root root;

	assert_int_equal(root_open(RECORDINGS, &root), 0);
	assert_int_equal(root_read(&root, strrchr(path, '/') + 1,
				   (struct buffer){ text, sizeof(text) }, &bytes),
			 0);
	assert_true(truth_parse(bytes, out));
	root_done(&root);
}

static const struct domain *domain_named(const struct evidence *evidence, const char *name)
{
	for (size_t i = 1; i < evidence->domains; i++)
		if (strcmp(evidence->pair.now->cgroups[evidence->domain[i].cgroup].path,
			   name) == 0)
			return &evidence->domain[i];
	return &evidence->domain[0];
}

static void rank_at_end(const char *truth_path, const struct truth *truth,
			struct replay *replay, struct ranking *out)
{
	static const struct guard_config config;
	struct verdict verdict;
	char from[4096];
	struct victim_query query = { .config = &config, .self_member = -1, .needed = 1 };
	size_t stem = strlen(truth_path) - strlen(".truth");

	snprintf(from, sizeof(from), "%.*s.tar.zst", (int)stem, truth_path);
	assert_int_equal(replay_open(from, JUDGE_WINDOW_US, replay), 0);
	while (replay_next(replay, &verdict) == 0)
		continue;
	query.evidence = &replay->evidence;
	query.domain = domain_named(&replay->evidence, truth->domain);
	query.self_pid = replay->evidence.pair.now->host.self_pid;
	victim_rank(&query, out);
}

static void check(const char *path, const struct truth *truth)
{
	struct replay replay;
	struct ranking ranking;
	const struct candidate *first = &ranking.list[0];

	case_of(strrchr(path, '/') + 1);
	rank_at_end(path, truth, &replay, &ranking);
	assert_true(ranking.count > 0);
	if (is_by_killing(span_cstr(truth->class))) {
		assert_int_equal(first->exempt, EXEMPT_NOT);
		assert_string_equal(replay.evidence.pair.now->cgroups[first->member].path,
				    truth->culprit);
		if (truth->culprit_process[0])
			assert_string_equal(first->task->name, truth->culprit_process);
	} else {
		assert_int_not_equal(first->exempt, EXEMPT_NOT);
	}
	replay_done(&replay);
}

static void the_culprit_of_each_recording_is_the_victim(void **state)
{
	size_t checked = 0;
	glob_t found;

	assert_int_equal(glob(RECORDINGS "/*.truth", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct truth truth;

		truth_read(found.gl_pathv[i], &truth);
		if (!truth.culprit[0])
			continue;
		check(found.gl_pathv[i], &truth);
		checked++;
	}
	assert_true(checked >= 40);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_culprit_of_each_recording_is_the_victim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
