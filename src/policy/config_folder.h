#pragma once
/* Which files are the configuration, and in which order. For the reader only. */
#include "policy/config_report.h"

#define DROP_INS_MAX 128

struct config_folder {
	int root; /* borrowed */
	struct config_report *report;
	char name[DROP_INS_MAX][256]; /* of drop-ins */
	size_t names;

	/* Gets each file that holds; 0 or -ENOMEM. */
	int (*take)(void *whom, const char *path, struct span text);
	void *whom;
};

/* 0 or what take() said; what cannot be read is in the report. */
must_check int config_folder_read(struct config_folder *folder);
