#pragma once
/* One value of a configuration file, from text to what is kept. For the reader only. */
#include "policy/config_file.h"

/* 0, or -EINVAL and what was expected in words. */
must_check int option_parse(const struct option_row *row, struct span text, uint64_t *out,
			    struct text *expected);

/* One key of a [policy NAME] section. */
must_check int policy_parse(struct policy_row *row, struct span key, struct span value,
			    struct text *expected);
