#include "cmd/guard_front.h"
#include "policy/rehearsal.h"

/* The live guard's engine over a recording; only the hand differs: it does nothing. */
struct replayed {
	struct session session;
	struct rehearsal rehearsal;
	struct guard_config config;
	struct says says;
};

static int look(struct replayed *replayed)
{
	struct rehearsal *rehearsal = &replayed->rehearsal;
	struct snapshot *snapshot;
	int r = session_next(&replayed->session, SAMPLE_ALL, rehearsal_arena(rehearsal),
			     &snapshot);

	if (r != 0)
		return r;
	r = rehearsal_next(rehearsal, &replayed->config, snapshot);
	if (r < 0)
		return out_of_memory();
	for (size_t i = 0; i < rehearsal->out.records; i++) {
		rehearsal->out.record[i].dry = true;
		says_record(&replayed->says, &rehearsal->out.record[i]);
	}
	return 0;
}

static int replay(struct replayed *replayed, const struct guard_arguments *arguments)
{
	struct common common = COMMON_DEFAULTS;
	int r;

	common.from = arguments->from ? arguments->from : arguments->root;
	r = session_open(&common, &replayed->session);
	if (r != 0)
		return r;
	if (rehearsal_init(&replayed->rehearsal) < 0) {
		session_close(&replayed->session);
		return out_of_memory();
	}
	do
		r = look(replayed);
	while (r == 0);
	rehearsal_done(&replayed->rehearsal);
	session_close(&replayed->session);
	return r == SESSION_END ? EXIT_FINE : r;
}

int guard_replay(const struct guard_arguments *arguments)
{
	struct replayed *replayed = xalloc(1, sizeof(*replayed));
	char buffer[512];
	struct text complaint = text_on(buffer, sizeof(buffer));
	int status;

	if (!guard_config_load(arguments, &replayed->config, &complaint)) {
		cmd_error("%s", buffer);
		free(replayed);
		return EXIT_USAGE;
	}
	says_init(&replayed->says, arguments->json);
	status = replay(replayed, arguments);
	says_done(&replayed->says);
	free(replayed);
	return status;
}
