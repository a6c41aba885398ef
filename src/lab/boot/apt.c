#include "lab/boot/apt.h"

#include <errno.h>
#include <fcntl.h>

#include "base/text.h"

#define KEYRING "/usr/share/keyrings/debian-archive-keyring.gpg"
#define PACKAGES_MAX 16

/* The value of KEY=VALUE or KEY="VALUE" in /etc/os-release. */
static int own_release(char *out, size_t size)
{
	auto_free char *text = NULL;
	struct span bytes;
	struct span line;
	struct span key;
	struct span value;
	int r = file_read("/etc/os-release", 65536, &text, &bytes);

	if (r < 0)
		return r;
	while (span_line(&bytes, &line))
		if (span_split(line, '=', &key, &value) && span_eq(key, "VERSION_CODENAME")) {
			if (span_starts(value, "\"") && span_len(value) >= 2)
				value = span_of(value.at + 1, span_len(value) - 2);
			return span_copy(value, out, size) ? 0 : -EINVAL;
		}
	return -ENOENT;
}

static bool ends_with(struct span text, const char *tail)
{
	size_t length = strlen(tail);

	return span_len(text) >= length && memcmp(text.end - length, tail, length) == 0;
}

/* A row "URI CODENAME": Debian's archive, or the one that has this machine's release. */
static bool mirror_fits(struct span uri, struct span codename, const char *own)
{
	if (own)
		return span_eq(codename, own);
	return ends_with(uri, "/debian") || ends_with(uri, "/debian/");
}

static int find_mirror(const struct apt *apt, const char *own, char *out, size_t size)
{
	static const char *const argv[] = { "apt-get", "indextargets", "--format",
					    "$(REPO_URI) $(CODENAME)", NULL };
	char space[65536];
	struct span text;
	struct span line;
	struct span uri;
	struct span codename;
	int r = program_read(&(struct program){ .argv = argv, .err = apt->log }, apt->stop,
			     (struct buffer){ space, sizeof(space) }, &text);

	if (r < 0)
		return r;
	while (span_line(&text, &line))
		if (span_word(&line, &uri) && span_word(&line, &codename) &&
		    mirror_fits(uri, codename, own))
			return span_copy(uri, out, size) ? 0 : -EINVAL;
	return -ENOENT;
}

static int write_in(const struct apt *apt, const char *name, const struct text *text)
{
	char path[600];
	int r = path_of(path, sizeof(path), "%s/%s", apt->folder, name);

	if (r == 0 && text->cut)
		r = -ENAMETOOLONG;
	return r < 0 ? r : file_write(path, span_of(text->at, text->used), 0644);
}

static int write_sources(const struct apt *apt, const char *suite)
{
	char space[2048];
	struct text text = text_on(space, sizeof(space));
	char mirror[1024];
	char own[64];
	int r = suite ? 0 : own_release(own, sizeof(own));

	if (r == 0)
		r = find_mirror(apt, suite ? NULL : own, mirror, sizeof(mirror));
	if (r < 0)
		return r;
	text_add(&text, "deb %s%s %s main\n", suite ? "[signed-by=" KEYRING "] " : "", mirror,
		 suite ? suite : own);
	return write_in(apt, "sources.list", &text);
}

static int write_config(const struct apt *apt)
{
	char space[8192];
	struct text text = text_on(space, sizeof(space));

	text_add(&text,
		 "Dir::State \"%s/state\";\n"
		 "Dir::State::status \"/dev/null\";\n"
		 "Dir::Cache \"%s/cache\";\n"
		 "Dir::Etc::SourceList \"%s/sources.list\";\n"
		 "Dir::Etc::SourceParts \"/dev/null\";\n"
		 "Dir::Etc::Preferences \"/dev/null\";\n"
		 "Dir::Etc::PreferencesParts \"/dev/null\";\n"
		 "APT::Sandbox::User \"root\";\n"
		 "Acquire::Languages \"none\";\n",
		 apt->folder, apt->folder, apt->folder);
#ifdef __x86_64__
	text_add(&text, "APT::Architecture \"amd64\";\n");
#endif
	return write_in(apt, "apt.conf", &text);
}

static int make_folders(const struct apt *apt)
{
	static const char *const folders[] = { "state/lists/partial", "cache/archives/partial",
					       "debs", "tree" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(folders) && r == 0; i++) {
		char path[600];

		r = path_of(path, sizeof(path), "%s/%s", apt->folder, folders[i]);
		if (r == 0)
			r = folder_make(path);
	}
	return r;
}

static int run(const struct apt *apt, const char *const *argv)
{
	char debs[600];
	int r = path_of(debs, sizeof(debs), "%s/debs", apt->folder);

	if (r < 0)
		return r;
	return program_run(
		&(struct program){
			.argv = argv,
			.folder = debs,
			.variable = apt->variable,
			.out = apt->log,
			.err = apt->log,
		},
		apt->stop);
}

int apt_open(struct apt *apt, const char *folder, const char *suite)
{
	static const char *const update[] = { "apt-get", "-qq", "update", NULL };
	int r = path_of(apt->folder, sizeof(apt->folder), "%s", folder);

	if (r == 0)
		r = make_folders(apt);
	if (r == 0)
		r = path_of(apt->variable, sizeof(apt->variable), "APT_CONFIG=%s/apt.conf",
			    folder);
	if (r == 0)
		r = write_sources(apt, suite);
	if (r == 0)
		r = write_config(apt);
	return r < 0 ? r : run(apt, update);
}

/* "  Depends: linux-image-6.12.95-cloud-amd64" */
int apt_depends(const struct apt *apt, const char *package, const char *prefix,
		struct buffer buffer)
{
	const char *const argv[] = { "apt-cache", "depends", package, NULL };
	char space[65536];
	struct text found = text_on(buffer.at, buffer.size);
	struct span text;
	struct span line;
	struct span word;
	int r = program_read(
		&(struct program){ .argv = argv, .variable = apt->variable, .err = apt->log },
		apt->stop, (struct buffer){ space, sizeof(space) }, &text);

	if (r < 0)
		return r;
	while (span_line(&text, &line)) {
		if (!span_word(&line, &word) || !span_eq(word, "Depends:") ||
		    !span_word(&line, &word) || !span_starts(word, prefix))
			continue;
		text_put(&found, word.at, span_len(word));
		text_put(&found, "\n", 1);
	}
	return found.cut ? -EFBIG : 0;
}

static int download(const struct apt *apt, const char *packages)
{
	const char *argv[4 + PACKAGES_MAX] = { "apt-get", "-qq", "download" };
	char names[4096];
	struct span rest = span_cstr(packages);
	struct span word;
	size_t count = 0;
	char *at = names;

	while (span_word(&rest, &word)) {
		size_t room = (size_t)(names + sizeof(names) - at);

		if (count == PACKAGES_MAX || !span_copy(word, at, room))
			return -EFBIG;
		argv[3 + count++] = at;
		at += strlen(at) + 1;
	}
	return count == 0 ? -ENOENT : run(apt, argv);
}

static int unpack_one(void *data, const struct tree_entry *entry)
{
	const struct apt *apt = data;
	char tree[600];
	const char *const argv[] = { "dpkg-deb", "-x", entry->path, tree, NULL };
	int r = path_of(tree, sizeof(tree), "%s/tree", apt->folder);

	return r < 0 || entry->folder ? r : run(apt, argv);
}

int apt_unpack(const struct apt *apt, const char *packages)
{
	char debs[600];
	struct apt copy = *apt;
	int r = path_of(debs, sizeof(debs), "%s/debs", apt->folder);

	if (r == 0)
		r = download(apt, packages);
	return r < 0 ? r : tree_walk(debs, 1, unpack_one, &copy);
}
