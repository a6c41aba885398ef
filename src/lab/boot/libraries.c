#include <elf.h>
#include <errno.h>

#include "lab/boot/content.h"
#include "lab/boot/process.h"

#define PROGRAM_MAX ((size_t)1 << 28)

/*
 * The loader that the program names (PT_INTERP): it can list what the program needs without
 * running it. false for a static program, and for what is none.
 */
static bool find_loader(struct span file, char *out, size_t size)
{
	Elf64_Ehdr head;
	Elf64_Phdr part;

	if (span_len(file) < sizeof(head) || !span_starts(file, ELFMAG))
		return false;
	memcpy(&head, file.at, sizeof(head));
	for (size_t i = 0; i < head.e_phnum; i++) {
		uint64_t at = head.e_phoff + i * sizeof(part);

		if (at > span_len(file) || sizeof(part) > span_len(file) - at)
			return false;
		memcpy(&part, file.at + at, sizeof(part));
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_offset > span_len(file) ||
		    part.p_filesz > span_len(file) - part.p_offset || part.p_filesz < 2)
			return false;
		return span_copy(span_of(file.at + part.p_offset, part.p_filesz - 1), out,
				 size);
	}
	return false;
}

static int put_file(const struct content *content, const char *from, const char *path)
{
	char to[4096];
	int r = path_of(to, sizeof(to), "%s/%s", content->tree, path);

	if (r == 0 && !path_is_plain(path))
		r = -EINVAL;
	if (r == 0)
		r = folder_make_above(to);
	if (r < 0 || file_exists(to)) /* two programs need the same library */
		return r;
	return file_copy(from, to, 0755);
}

/* A library of the package lies below its root, and belongs where it would be installed. */
static int put_library(const struct content *content, const char *from, const char *root)
{
	size_t length = root ? strlen(root) : 0;
	const char *path = from;

	if (length > 0 && strncmp(from, root, length) == 0)
		path += length;
	while (*path == '/')
		path++;
	return put_file(content, from, path);
}

/* "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)", "	/lib64/ld-linux… (0x…)" */
static int put_listed(const struct content *content, struct span list, const char *root)
{
	struct span line;
	struct span word;
	char from[4096];
	int r = 0;

	while (r == 0 && span_line(&list, &line))
		while (r == 0 && span_word(&line, &word))
			if (span_starts(word, "/") && span_copy(word, from, sizeof(from)))
				r = put_library(content, from, root);
	return r;
}

static int put_libraries(const struct content *content, const char *loader, const char *program,
			 const char *root)
{
	char folders[2048];
	const char *const argv[] = {
		loader, "--library-path", folders, "--list", program, NULL
	};
	char space[65536];
	struct span list;
	int r = 0;

	folders[0] = '\0';
	if (root)
		r = path_of(folders, sizeof(folders),
			    "%s/usr/lib/x86_64-linux-gnu:%s/lib/x86_64-linux-gnu:%s/usr/lib",
			    root, root, root);
	if (r == 0)
		r = program_read(&(struct program){ .argv = argv }, content->stop,
				 (struct buffer){ space, sizeof(space) }, &list);
	if (r == 0)
		r = put_library(content, loader, root);
	return r < 0 ? r : put_listed(content, list, root);
}

int content_program(const struct content *content, const char *name, const char *program,
		    const char *root)
{
	auto_free char *text = NULL;
	char path[128];
	char loader[512];
	struct span file;
	int r = path_of(path, sizeof(path), "bin/%s", name);

	if (r == 0)
		r = file_read(program, PROGRAM_MAX, &text, &file);
	if (r == 0)
		r = put_file(content, program, path);
	if (r == 0 && find_loader(file, loader, sizeof(loader)))
		r = put_libraries(content, loader, program, root);
	return r;
}
