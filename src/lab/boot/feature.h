#pragma once
/*
 * What a kernel can do, as far as its files tell before it is booted: its configuration, its
 * modules, the list of what is built in, its version.
 */
#include "lab/boot/kernels.h"

enum feature_state {
	FEATURE_UNKNOWN, /* its files do not tell; the guest asks again when it runs */
	FEATURE_NO,
	FEATURE_YES,
};

struct feature {
	const char *name;   /* as in "need" of a plan */
	const char *config; /* the symbol, without CONFIG_ */
	const char *module; /* NULL: it can only be built in */
	unsigned int major; /* the first release that has it; 0: older than all that matter */
	unsigned int minor;
	const char *help;
};

/* NULL after the last. */
const struct feature *feature_at(size_t index);

/* A kernel's files, read once. */
struct kernel_facts {
	char *config; /* owned; NULL not found */
	size_t config_size;
	char *builtin; /* owned: modules.builtin; NULL not found */
	size_t builtin_size;
	const struct kernel *kernel; /* borrowed */
};

must_check int kernel_facts_read(const struct kernel *kernel, struct kernel_facts *out);
void kernel_facts_done(struct kernel_facts *facts);
enum feature_state feature_of(const struct kernel_facts *facts, const struct feature *feature);
