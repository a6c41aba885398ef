#include "lab/boot/results.h"

#include <errno.h>

#include "lab/boot/files.h"
#include "lab/boot/frames.h"
#include "lab/boot/sheet.h"
#include "model/recorder.h"

/* Where a stream goes; without a directory it is only looked at. */
struct writer {
	struct results *results;
	const char *directory; /* NULL none */
	struct frames frames;
	struct recorder recorder;
	struct sheet marks;
	struct sheet loads;
	struct sheet slots; /* of one load after the other */
	bool ended;	    /* what comes at the end of a stream has begun */
};

static void refuse(struct writer *writer)
{
	writer->results->refused++;
}

/* -EINVAL is the guest's mistake: counted, and the rest is read all the same. */
static int forgive(struct writer *writer, int r)
{
	if (r != -EINVAL)
		return r;
	refuse(writer);
	return 0;
}

static int take_frame(void *data, const struct frame *frame)
{
	struct writer *writer = data;
	struct recorder *recorder = &writer->recorder;
	struct span loads = frame->loads;
	struct span line;

	writer->results->frames++;
	if (!writer->directory)
		return 0;
	recorder->frame = (unsigned int)frame->number;
	recorder_next_frame(recorder);
	for (size_t i = 0; i < frame->count; i++)
		recorder->sink.put(&recorder->sink, frame->files[i].path,
				   frame->files[i].bytes);
	while (span_line(&loads, &line)) {
		char prefix[64];
		char whole[1024];

		snprintf(prefix, sizeof(prefix), "%llu %llu ",
			 (unsigned long long)frame->number, (unsigned long long)frame->at_us);
		if (path_of(whole, sizeof(whole), "%s%.*s", prefix,
			    (int)MIN(span_len(line), sizeof(whole)), line.at) < 0 ||
		    !sheet_row(&writer->loads, "nnwwnnnnnr", span_cstr(whole)))
			refuse(writer);
	}
	return recorder->error;
}

static int put_frame(struct writer *writer, const char *name, struct span bytes)
{
	return forgive(writer, frames_put_file(&writer->frames, name, bytes));
}

static int put_loads(struct writer *writer, const char *name, struct span bytes)
{
	return forgive(writer, frames_put_loads(&writer->frames, name, bytes));
}

/* The first reason is the cause of all others. */
static void note_end(struct results *results, bool *flag, struct span reason)
{
	struct text text;

	if (results->skipped || results->failed)
		return;
	*flag = true;
	text = text_on(results->reason, sizeof(results->reason));
	text_name(&text, reason);
}

/* "AT_US KIND TEXT" */
static int put_mark(struct writer *writer, const char *name, struct span bytes)
{
	struct span line = { 0 };
	struct span rest;
	struct span at;
	struct span kind;

	(void)name;
	if (!span_line(&bytes, &line)) {
		refuse(writer);
		return 0;
	}
	rest = line;
	if (span_word(&rest, &at) && span_word(&rest, &kind)) {
		if (span_eq(kind, "skip"))
			note_end(writer->results, &writer->results->skipped, span_trim(rest));
		if (span_eq(kind, "error"))
			note_end(writer->results, &writer->results->failed, span_trim(rest));
	}
	if (writer->directory && !sheet_row(&writer->marks, "nwr", line))
		refuse(writer);
	return 0;
}

/* Letters, digits and a few signs: a name that can be a file, and is seen in a listing. */
static bool is_simple(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.@";
	size_t length = strlen(name);

	return length > 0 && length < 100 && name[0] != '.' && strspn(name, allowed) == length;
}

static int write_slots(struct writer *writer, const char *path, struct span bytes)
{
	static const char header[] = "KIND\tDUE_US\tBEGUN_US\tDONE_US\tVALUE\tFAULTS";
	struct sheet *sheet = &writer->slots;
	struct span line;
	int r = folder_make_above(path);

	if (r == 0)
		r = sheet_open(sheet, path, header);
	if (r < 0)
		return r == -EEXIST ? -EINVAL : r; /* the guest said it twice */
	while (span_line(&bytes, &line))
		if (!sheet_row(sheet, "wnnnnn", line))
			refuse(writer);
	return sheet_close(sheet);
}

static int put_slots(struct writer *writer, const char *name, struct span bytes)
{
	char path[4096];

	if (!is_simple(name)) {
		refuse(writer);
		return 0;
	}
	if (!writer->directory)
		return 0;
	if (path_of(path, sizeof(path), "%s/slots/%s.tsv", writer->directory, name) < 0)
		return -ENAMETOOLONG;
	return forgive(writer, write_slots(writer, path, bytes));
}

static int put_kmsg(struct writer *writer, const char *name, struct span bytes)
{
	char path[4096];
	int r;

	(void)name;
	if (!writer->directory)
		return 0;
	r = path_of(path, sizeof(path), "%s/kmsg.log", writer->directory);
	if (r == 0)
		r = file_write(path, bytes, 0644);
	return forgive(writer, r == -EEXIST ? -EINVAL : r);
}

/* As it was said: it is foreign text, and whoever shows it has to see to that. */
static int put_output(struct writer *writer, const char *name, struct span bytes)
{
	char path[4096];
	int r;

	if (!is_simple(name)) {
		refuse(writer);
		return 0;
	}
	if (!writer->directory)
		return 0;
	if (path_of(path, sizeof(path), "%s/output/%s.log", writer->directory, name) < 0)
		return -ENAMETOOLONG;
	r = folder_make_above(path);
	if (r == 0)
		r = file_write(path, bytes, 0644);
	return forgive(writer, r == -EEXIST ? -EINVAL : r);
}

/* Lines of an INI file: the key must not look like a section or a comment. */
static int put_guest(struct writer *writer, const char *name, struct span bytes)
{
	struct results *results = writer->results;
	struct text text = text_on(results->guest, sizeof(results->guest));
	struct span line;
	struct span key;
	struct span value;
	char word[64];

	(void)name;
	while (span_line(&bytes, &line)) {
		if (!span_split(line, '=', &key, &value) ||
		    !span_copy(key, word, sizeof(word)) || !is_simple(word) ||
		    span_len(value) > 256 || text.used > sizeof(results->guest) - 2048) {
			refuse(writer);
			continue;
		}
		text_add(&text, "%s=", word);
		text_name(&text, value);
		text_put(&text, "\n", 1);
	}
	return 0;
}

static int put_done(struct writer *writer, const char *name, struct span bytes)
{
	(void)name;
	(void)bytes;
	writer->results->done = true;
	return 0;
}

/* What a stream may hold; a name that ends with a slash is a folder. */
static const struct {
	const char *name;
	int (*put)(struct writer *writer, const char *name, struct span bytes);
	bool at_end;
} MEMBERS[] = {
	{ "frames/", put_frame, false }, { "loads/", put_loads, false },
	{ "mark/", put_mark, false },	 { "slots/", put_slots, true },
	{ "output/", put_output, true }, { "kmsg", put_kmsg, true },
	{ "guest", put_guest, true },	 { "done", put_done, true },
};

static int put_member(void *data, const char *path, struct span bytes)
{
	struct writer *writer = data;

	for (size_t i = 0; i < ARRAY_LEN(MEMBERS); i++) {
		size_t length = strlen(MEMBERS[i].name);
		bool folder = MEMBERS[i].name[length - 1] == '/';

		if (strncmp(path, MEMBERS[i].name, length) != 0 || (!folder && path[length]))
			continue;
		writer->ended |= MEMBERS[i].at_end;
		return MEMBERS[i].put(writer, path + length, bytes);
	}
	refuse(writer);
	return 0;
}

static int read_stream(struct writer *writer, struct span stream)
{
	int r = frames_init(&writer->frames, take_frame, writer);
	bool cut;

	if (r < 0)
		return r;
	r = stream_read(stream, put_member, writer);
	cut = r == STREAM_CUT;
	if (r >= 0)
		r = frames_end(&writer->frames, !cut || writer->ended);
	frames_done(&writer->frames);
	return r;
}

int results_read(struct span stream, struct results *out)
{
	struct writer writer = { .results = out };

	*out = (struct results){ 0 };
	return read_stream(&writer, stream);
}

static int open_all(struct writer *writer)
{
	char path[4096];
	int r = path_of(path, sizeof(path), "%s/marks.tsv", writer->directory);

	if (r == 0)
		r = sheet_open(&writer->marks, path, "AT_US\tKIND\tTEXT");
	if (r == 0)
		r = path_of(path, sizeof(path), "%s/loads.tsv", writer->directory);
	if (r == 0)
		r = sheet_open(&writer->loads, path,
			       "FRAME\tAT_US\tNAME\tSTATE\tDUE\tDONE\tLATE\tLONGEST_US"
			       "\tSIZE_BYTES\tEXTRA");
	if (r == 0)
		r = path_of(path, sizeof(path), "%s/frames.tar.zst", writer->directory);
	return r < 0 ? r : recorder_open(path, &writer->recorder);
}

static int close_all(struct writer *writer, int r)
{
	int closed[] = {
		sheet_close(&writer->marks),
		sheet_close(&writer->loads),
		recorder_close(&writer->recorder),
	};

	for (size_t i = 0; i < ARRAY_LEN(closed); i++)
		r = r < 0 ? r : closed[i];
	return r;
}

int results_write(struct span stream, const char *directory, struct results *out)
{
	struct writer *writer = calloc(1, sizeof(*writer));
	int r;

	if (!writer)
		return -ENOMEM;
	*out = (struct results){ 0 };
	*writer = (struct writer){
		.results = out,
		.directory = directory,
		.recorder = { .directory = -1 },
		.marks = { .fd = -1 },
		.loads = { .fd = -1 },
		.slots = { .fd = -1 },
	};
	r = open_all(writer);
	if (r == 0)
		r = read_stream(writer, stream);
	r = close_all(writer, r);
	free(writer);
	return r;
}
