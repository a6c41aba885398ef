#pragma once
/*
 * The files and programs of a scenario's disks: what is declared, and what the loads name.
 */
#include "lab/scenario/scenario.h"

/* Each file is on a disk, and each file that a load names is declared. */
must_check int check_files(const struct scenario *scenario, struct lab_error *error);
must_check int check_programs(const struct scenario *scenario, struct lab_error *error);

/* Fills file and program of the machine in; the scenario was checked. */
void files_fill(const struct scenario *scenario, struct machine *out);

/* The file disk that this path in the guest is on: "data", "big", "scratch", or NULL. */
const char *disk_of(const char *path);
