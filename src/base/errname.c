#include "base/errname.h"

#include <errno.h>

static const struct {
	int error;
	const char *name;
} NAMES[] = {
	{ EACCES, "EACCES" }, { EPERM, "EPERM" },     { EOPNOTSUPP, "EOPNOTSUPP" },
	{ ENODEV, "ENODEV" }, { EFBIG, "EFBIG" },     { EINVAL, "EINVAL" },
	{ EIO, "EIO" },	      { ESRCH, "ESRCH" },     { ENOTDIR, "ENOTDIR" },
	{ EMFILE, "EMFILE" }, { ENFILE, "ENFILE" },   { ENOMEM, "ENOMEM" },
	{ ELOOP, "ELOOP" },   { EBADMSG, "EBADMSG" }, { ENAMETOOLONG, "ENAMETOOLONG" },
	{ EISDIR, "EISDIR" },
};

const char *errname_of(int error)
{
	for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
		if (NAMES[i].error == error)
			return NAMES[i].name;
	return "EIO";
}

int errname_parse(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
		if (span_eq(name, NAMES[i].name))
			return NAMES[i].error;
	return EIO;
}
