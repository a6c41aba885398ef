#include "lab/scenario/paths.h"

#include <errno.h>

/* refault itself needs no search: it is what runs. */
static const char *const GUARDS[] = {
	"../libexec/refault/refault-guard",
	"../guard/refault-guard",
};
/* Below the folder of the program: first as installed, then as built. */
static const char *const GUESTS[] = {
	"../libexec/refault/refault-guest",
	"../guest/refault-guest",
};
static const char *const SCENARIOS[] = {
	"../share/refault/scenarios",
	"../lab/scenarios",
};

static int program_folder(char *buffer, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
	const char *slash;

	if (length < 0)
		return -errno;
	buffer[length] = '\0';
	slash = strrchr(buffer, '/');
	if ((size_t)length == size - 1 || !slash)
		return -ENAMETOOLONG;
	buffer[slash - buffer] = '\0';
	return 0;
}

static int find(const char *const places[2], const char *name, char *buffer, size_t size)
{
	char folder[1024];
	int r = program_folder(folder, sizeof(folder));

	if (r < 0)
		return r;
	for (size_t i = 0; i < 2; i++) {
		struct text path = text_on(buffer, size);

		text_add(&path, "%s/%s%s", folder, places[i], name);
		if (path.cut)
			return -ENAMETOOLONG;
		if (access(buffer, R_OK) == 0)
			return 0;
	}
	return -ENOENT;
}

int guest_path(char *buffer, size_t size)
{
	return find(GUESTS, "", buffer, size);
}

int own_path(const char *name, char *buffer, size_t size)
{
	ssize_t length;

	if (strcmp(name, "refault-guard") == 0)
		return find(GUARDS, "", buffer, size);
	if (strcmp(name, "refault") != 0)
		return -ENOENT;
	length = readlink("/proc/self/exe", buffer, size);
	if (length < 0)
		return -errno;
	if ((size_t)length == size)
		return -ENAMETOOLONG;
	buffer[length] = '\0';
	return 0;
}

int scenario_folder(char *buffer, size_t size)
{
	return find(SCENARIOS, "", buffer, size);
}

int scenario_path(const char *name, char *buffer, size_t size)
{
	char file[256];
	struct text text = text_on(file, sizeof(file));

	text_add(&text, "/%s.ini", name);
	return text.cut ? -ENAMETOOLONG : find(SCENARIOS, file, buffer, size);
}
