#pragma once
/*
 * Names of the errors that reading a kernel file can give, for captured trees.
 */
#include "base/span.h"

/* "EACCES" for EACCES; "EIO" for one that has no row. */
const char *errname_of(int error);

/* EACCES for "EACCES"; EIO for an unknown name. */
int errname_parse(struct span name);
