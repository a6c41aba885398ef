#pragma once
/*
 * Where the parts of the lab are: beside the program, as they are installed and as they are
 * built.
 */
#include "base/text.h"

/* The guest program. 0, -ENOENT, or -ENAMETOOLONG. */
must_check int guest_path(char *buffer, size_t size);

/* A program of this build, "refault" or "refault-guard". The same. */
must_check int own_path(const char *name, char *buffer, size_t size);

/* A shipped scenario by its name. The same. */
must_check int scenario_path(const char *name, char *buffer, size_t size);

/* The folder of the shipped scenarios. The same. */
must_check int scenario_folder(char *buffer, size_t size);
