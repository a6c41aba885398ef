#include <errno.h>

#include "cmd/cmd.h"
#include "model/recorder.h"
#include "model/redact.h"

struct options {
	struct common common;
	const char *path;
	uint64_t frames;
	bool redact;
};

static const struct argp_option OPTIONS[] = {
	{ "frames", 'n', "N", 0, "How many frames to keep (default 6; with --from all)", 1 },
	{ "redact", 'R', NULL, 0,
	  "Rename units, commands, paths and the host, the same way in every frame", 1 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case 'n':
		options->frames = option_count(state, "frames", argument, 1, FRAMES_MAX);
		return 0;
	case 'R':
		options->redact = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			argp_error(state, "'%.64s': only one PATH can be written", argument);
		options->path = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state,
			   "PATH is missing: a new folder, or a name that ends in .tar.zst");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child CHILDREN[] = { { &common_argp, 0, NULL, 0 }, { 0 } };
static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "PATH",
	.doc = "Keep everything that a verdict reads: in a folder of plain files, or in a tar "
	       "when "
	       "PATH ends in .tar, .tar.zst, .tar.gz or .tar.xz. Replay it with --from.",
	.children = CHILDREN,
};

static int keep_frames(struct session *session, struct recorder *recorder, uint64_t frames,
		       uint64_t *kept)
{
	struct arena arena;
	int r = arena_init(&arena, SNAPSHOT_ARENA);

	if (r < 0)
		return out_of_memory();
	while (*kept < frames && r == 0) {
		struct snapshot *snapshot;

		recorder_next_frame(recorder);
		r = session_next(session, SAMPLE_ALL, &arena, &snapshot);
		*kept += r == 0;
	}
	arena_done(&arena);
	return r == SESSION_END ? EXIT_FINE : r;
}

static int keep_redacted(struct session *session, struct recorder *recorder, uint64_t frames,
			 uint64_t *kept)
{
	struct redactor redactor;
	int status;

	if (redactor_init(&redactor, &recorder->sink) < 0)
		return out_of_memory();
	session->source.root.tee = &redactor.sink;
	status = keep_frames(session, recorder, frames, kept);
	session->source.root.tee = NULL;
	redactor_done(&redactor);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .common = COMMON_DEFAULTS };
	struct session session;
	struct recorder recorder;
	uint64_t kept = 0;
	int status;
	int r;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	if (options.frames == 0)
		options.frames = options.common.from ? FRAMES_MAX : 6;
	r = session_open(&options.common, &session);
	if (r != 0)
		return r;
	r = recorder_open(options.path, &recorder);
	if (r < 0) {
		cmd_error("%s: cannot be written: %s", options.path, strerror(-r));
		session_close(&session);
		return EXIT_NOT_MEASURED;
	}
	session.source.root.tee = &recorder.sink;
	if (options.redact)
		status = keep_redacted(&session, &recorder, options.frames, &kept);
	else
		status = keep_frames(&session, &recorder, options.frames, &kept);
	session.source.root.tee = NULL;
	r = recorder_close(&recorder);
	session_close(&session);
	if (r < 0) {
		cmd_error("%s: cannot be written: %s", options.path, strerror(-r));
		return EXIT_NOT_MEASURED;
	}
	fprintf(stderr, "%s: %llu frames, %llu files, %llu bytes\n", options.path,
		(unsigned long long)kept, (unsigned long long)recorder.files,
		(unsigned long long)recorder.bytes);
	return status;
}

const struct command cmd_capture = {
	.name = "capture",
	.summary = "keep everything that a verdict reads, for a bug report or a test",
	.argp = &ARGP,
	.run = run,
};
