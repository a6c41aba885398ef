#pragma once
/*
 * Debian packages through the user's own apt, with a state of its own: nothing is installed,
 * the machine's lists stay as they are, and apt verifies the checksums. The mirror is the one
 * that this machine uses.
 */
#include "lab/boot/process.h"

/* A workplace for one suite; all of it lies in one folder. */
struct apt {
	char folder[512];
	char variable[600]; /* APT_CONFIG=… */
	int log;	    /* borrowed */
	stop_flag stop;
};

/*
 * Which packages come from where. suite NULL: this machine's own release, with the keys that
 * this machine trusts.
 */
must_check int apt_open(struct apt *apt, const char *folder, const char *suite);

/* The dependencies of a package that begin so, separated by newlines. */
must_check int apt_depends(const struct apt *apt, const char *package, const char *prefix,
			   struct buffer buffer);

/* Fetches packages (separated by white space) and unpacks them all into the folder "tree". */
must_check int apt_unpack(const struct apt *apt, const char *packages);
