#include "guard/tapes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/pack.h"
#include "guard/tape.h"
#include "test.h"

/* A frame in the form of the ring, with one file of that text. */
static struct span frame_of(const char *path, const char *text)
{
	static char buffer[65536];
	struct tape_file_head head = { (uint32_t)strlen(path), (uint32_t)strlen(text) };

	memcpy(buffer, &head, sizeof(head));
	memcpy(buffer + sizeof(head), path, head.path);
	memcpy(buffer + sizeof(head) + head.path, text, head.bytes);
	return span_of(buffer, sizeof(head) + head.path + head.bytes);
}

static struct tapes *tapes_new(void)
{
	static struct tapes tapes;

	assert_int_equal(tapes_init(&tapes), 0);
	return &tapes;
}

static int open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* 2026-12-01 04:10:00 UTC */
#define WALL_US (1796098200 * SECOND_US)

static void a_recording_has_the_frames_between_two_moments(void **state)
{
	struct tapes *tapes = tapes_new();
	const char *folder = folder_new();
	auto_fd fd = open_folder(folder);
	char name[TAPE_NAME];
	struct pack pack;
	struct span got;

	(void)state;
	tapes_keep(tapes, frame_of("proc/meminfo", "one"), 10 * SECOND_US);
	tapes_keep(tapes, frame_of("proc/meminfo", "two"), 20 * SECOND_US);
	tapes_keep(tapes, frame_of("proc/meminfo", "three"), 30 * SECOND_US);
	tapes_keep(tapes, frame_of("proc/meminfo", "four"), 40 * SECOND_US);
	assert_int_equal(tapes_write(tapes,
				     &(struct tape_order){ fd, 20 * SECOND_US, 30 * SECOND_US,
							   WALL_US, 12 },
				     name),
			 0);
	assert_string_equal(name, "guard-20261201T041000Z-12.tar.zst");
	assert_int_equal(pack_open(path_in(folder, name), &pack), 0);
	assert_int_equal(pack_find(&pack, "000000/proc/meminfo", &got), 0);
	assert_span_equal(got, "two");
	assert_int_equal(pack_find(&pack, "000001/proc/meminfo", &got), 0);
	assert_span_equal(got, "three");
	assert_false(pack_exists(&pack, "000002"));
	pack_done(&pack);
	tapes_done(tapes);
}

static void without_frames_no_recording_is_left(void **state)
{
	struct tapes *tapes = tapes_new();
	const char *folder = folder_new();
	auto_fd fd = open_folder(folder);
	char name[TAPE_NAME];

	(void)state;
	assert_int_equal(
		tapes_write(tapes, &(struct tape_order){ fd, 0, UINT64_MAX, WALL_US, 1 }, name),
		-ENODATA);
	assert_int_equal(access(path_in(folder, name), F_OK), -1);
	assert_int_equal(access(path_in(folder, "part-guard-20261201T041000Z-1.tar.zst"), F_OK),
			 -1);
	tapes_done(tapes);
}

static void a_recording_is_never_overwritten(void **state)
{
	struct tapes *tapes = tapes_new();
	const char *folder = TREE({ "guard-20261201T041000Z-1.tar.zst", "somebody's" });
	auto_fd fd = open_folder(folder);
	char name[TAPE_NAME];

	(void)state;
	tapes_keep(tapes, frame_of("proc/meminfo", "one"), SECOND_US);
	assert_int_equal(
		tapes_write(tapes, &(struct tape_order){ fd, 0, UINT64_MAX, WALL_US, 1 }, name),
		-EEXIST);
	tapes_done(tapes);
}

static void a_recording_is_not_led_elsewhere_by_a_link(void **state)
{
	struct tapes *tapes = tapes_new();
	const char *folder = TREE({ "elsewhere", "somebody's" });
	auto_fd fd = open_folder(folder);
	char name[TAPE_NAME];
	struct stat stat;

	(void)state;
	assert_int_equal(symlinkat("elsewhere", fd, "part-guard-20261201T041000Z-1.tar.zst"),
			 0);
	tapes_keep(tapes, frame_of("proc/meminfo", "one"), SECOND_US);
	assert_int_equal(
		tapes_write(tapes, &(struct tape_order){ fd, 0, UINT64_MAX, WALL_US, 1 }, name),
		0);
	assert_int_equal(fstatat(fd, name, &stat, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(stat.st_mode));
	assert_int_equal(fstatat(fd, "elsewhere", &stat, 0), 0);
	assert_int_equal(stat.st_size, strlen("somebody's"));
	tapes_done(tapes);
}

static void frames_older_than_two_minutes_are_forgotten(void **state)
{
	struct tapes *tapes = tapes_new();

	(void)state;
	for (uint64_t second = 1; second <= 200; second++)
		tapes_keep(tapes, frame_of("proc/meminfo", "text"), second * SECOND_US);
	assert_int_equal(tapes->count, 121);
	assert_int_equal(tapes->frame[tapes->first].at_us, 80 * SECOND_US);
	tapes_done(tapes);
}

static void more_frames_than_there_is_room_for_push_the_oldest_out(void **state)
{
	struct tapes *tapes = tapes_new();

	(void)state;
	for (uint64_t i = 1; i <= TAPES_FRAMES + 10; i++)
		tapes_keep(tapes, frame_of("proc/meminfo", "text"), SECOND_US + i);
	assert_int_equal(tapes->count, TAPES_FRAMES);
	assert_int_equal(tapes->frame[tapes->first].at_us, SECOND_US + 11);
	tapes_done(tapes);
}

static void a_full_ring_begins_again_at_its_front(void **state)
{
	struct tapes *tapes = tapes_new();
	const char *folder = folder_new();
	auto_fd fd = open_folder(folder);
	char name[TAPE_NAME];

	(void)state;
	tapes_keep(tapes, frame_of("proc/meminfo", "first"), SECOND_US);
	tapes_keep(tapes, frame_of("proc/meminfo", "second"), 2 * SECOND_US);
	tapes->next = TAPES_BYTES - 1;
	tapes_keep(tapes, frame_of("proc/meminfo", "third"), 3 * SECOND_US);
	assert_int_equal(tapes->frame[(tapes->first + tapes->count - 1) % TAPES_FRAMES].at, 0);
	assert_true(tapes->count < 3); /* it took the place of the first */
	assert_int_equal(
		tapes_write(tapes, &(struct tape_order){ fd, 0, UINT64_MAX, WALL_US, 1 }, name),
		0);
	tapes_done(tapes);
}

#define TAPE(n) "guard-20261201T04100" #n "Z-1.tar.zst"

static void the_oldest_recordings_go_first(void **state)
{
	const char *folder = TREE({ TAPE(3), "c" }, { TAPE(1), "a" }, { TAPE(2), "b" });
	auto_fd fd = open_folder(folder);

	(void)state;
	assert_int_equal(tapes_prune(fd, 2, 1000), 0);
	assert_int_equal(access(path_in(folder, TAPE(1)), F_OK), -1);
	assert_int_equal(access(path_in(folder, TAPE(2)), F_OK), 0);
	assert_int_equal(access(path_in(folder, TAPE(3)), F_OK), 0);
}

static void all_recordings_together_stay_below_their_size(void **state)
{
	const char *folder = TREE({ TAPE(1), "0123456789" }, { TAPE(2), "0123456789" });
	auto_fd fd = open_folder(folder);

	(void)state;
	assert_int_equal(tapes_prune(fd, 100, 15), 0);
	assert_int_equal(access(path_in(folder, TAPE(1)), F_OK), -1);
	assert_int_equal(access(path_in(folder, TAPE(2)), F_OK), 0);
}

static void files_of_others_are_left_alone(void **state)
{
	static const char *const others[] = {
		"incident.tar.zst",
		"guard-.tar.zst",
		"guard-20261201T041000Z-1.tar.zst.txt",
		"guard-../x",
		"guard-2026-my-notes-for-us.tar.zst",
	};
	const char *folder = TREE({ "incident.tar.zst", "x" }, { "guard-.tar.zst", "x" },
				  { "guard-20261201T041000Z-1.tar.zst.txt", "x" },
				  { "guard-2026-my-notes-for-us.tar.zst", "x" });
	auto_fd fd = open_folder(folder);

	(void)state;
	assert_int_equal(tapes_prune(fd, 0, 0), 0);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (!strchr(others[i], '/'))
			assert_int_equal(access(path_in(folder, others[i]), F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_has_the_frames_between_two_moments),
		cmocka_unit_test(without_frames_no_recording_is_left),
		cmocka_unit_test(a_recording_is_never_overwritten),
		cmocka_unit_test(a_recording_is_not_led_elsewhere_by_a_link),
		cmocka_unit_test(frames_older_than_two_minutes_are_forgotten),
		cmocka_unit_test(more_frames_than_there_is_room_for_push_the_oldest_out),
		cmocka_unit_test(a_full_ring_begins_again_at_its_front),
		cmocka_unit_test(the_oldest_recordings_go_first),
		cmocka_unit_test(all_recordings_together_stay_below_their_size),
		cmocka_unit_test(files_of_others_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
