#pragma once
/*
 * Reads guard.conf and its drop-ins. The first guard.conf of /etc/refault, /run/refault and
 * /usr/lib/refault holds; of the files guard.conf.d/NAME.conf each NAME is taken from the first
 * of these folders that has it, and they come after guard.conf in the order of their names.
 */
#include "base/text.h"
#include "policy/config.h"

#define CONFIG_ERRORS 20
#define CONFIG_WARNINGS 8
#define CONFIG_ORIGIN 320 /* the longest name of a file, its folder and a line */
#define CONFIG_OPTIONS 64

struct config_error {
	char text[512]; /* "FILE:LINE: what is wrong; what is expected" */
};

struct config_report {
	struct config_error error[CONFIG_ERRORS];
	size_t errors; /* at most CONFIG_ERRORS: there may be more */
	struct config_error warning[CONFIG_WARNINGS];
	size_t warnings;
	size_t files;
	size_t set; /* options that stand in a file */
	char origin[CONFIG_OPTIONS]
		   [CONFIG_ORIGIN]; /* of each option, "FILE:LINE"; "" the default */
	char policy_origin[POLICY_ROWS_MAX][CONFIG_ORIGIN];
};

/*
 * Below that root, "/" on this machine. 0; -EBADMSG with at least one error in the report, and
 * out is not to be used; -ENOMEM.
 */
must_check int config_read(const char *root, struct guard_config *out,
			   struct config_report *report);

/* The same of one text, as if it were the only file and had that name. */
must_check int config_parse(const char *name, struct span file, struct guard_config *out,
			    struct config_report *report);

/* A value as it stands in a file: "50%", "100ms", "yes", "act". */
void config_value(const struct option_row *row, uint64_t value, struct text *out);

extern const char *const POLICY_KIND_WORDS[POLICY_KINDS];

/* What a [policy NAME] section may say. */
struct policy_key {
	const char *key;
	const char *form; /* of its value, for the manual */
	const char *help;

	/* 0, or -EINVAL and what was expected in words. */
	int (*put)(struct policy_row *row, struct span value, struct text *expected);
};
#define POLICY_KEYS 10
extern const struct policy_key POLICY_KEY_ROWS[POLICY_KEYS];
