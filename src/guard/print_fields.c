#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "analysis/evidence.h"
#include "guard/print.h"
#include "policy/victim.h"

/* A member of the record; the journal's name is the key in capitals behind REFAULT_. */
enum field_type {
	FIELD_U64,
	FIELD_WRITTEN, /* a number that only records of a file that was written have */
	FIELD_ERROR,   /* an errno; 0 is none */
	FIELD_BOOL,
	FIELD_DOUBLE,
	FIELD_TEXT,
	FIELD_KIND,
	FIELD_BECAUSE,
	FIELD_CLASS,
	FIELD_LIMIT,
};

#define ROW(key, type, member)                                   \
	{                                                        \
		key, type, offsetof(struct guard_record, member) \
	}
static const struct {
	const char *key;
	enum field_type type;
	size_t offset;
} FIELDS[] = {
	ROW("record", FIELD_KIND, kind),
	ROW("decision", FIELD_U64, id),
	ROW("at_us", FIELD_U64, at_us),
	ROW("wall_us", FIELD_U64, wall_us),
	ROW("because", FIELD_BECAUSE, because),
	ROW("dry", FIELD_BOOL, dry),
	ROW("errno", FIELD_ERROR, error),
	ROW("class", FIELD_CLASS, class),
	ROW("limit", FIELD_LIMIT, limit),
	ROW("domain_id", FIELD_U64, domain_id),
	ROW("domain", FIELD_TEXT, domain),
	ROW("sufferer", FIELD_TEXT, sufferer),
	ROW("lost_lower", FIELD_DOUBLE, loss),
	ROW("lost_upper", FIELD_DOUBLE, loss_upper),
	ROW("culprit", FIELD_TEXT, culprit),
	ROW("growth_bytes_per_s", FIELD_DOUBLE, growth),
	ROW("available_bytes", FIELD_DOUBLE, available),
	ROW("free_bytes", FIELD_DOUBLE, free),
	ROW("reread_bytes_per_s", FIELD_DOUBLE, reread),
	ROW("memory_some", FIELD_DOUBLE, psi_memory),
	ROW("io_some", FIELD_DOUBLE, psi_io),
	ROW("left_s", FIELD_DOUBLE, left_s),
	ROW("value_from", FIELD_WRITTEN, value_from),
	ROW("value_to", FIELD_WRITTEN, value_to),
	ROW("freed_bytes", FIELD_DOUBLE, freed),
	ROW("effect_us", FIELD_DOUBLE, effect_us),
	ROW("text", FIELD_TEXT, text),
};
/* MESSAGE, MESSAGE_ID, PRIORITY and the victim are not in the table. */
static_assert(ARRAY_LEN(FIELDS) + 6 <= RECORD_FIELDS, "RECORD_FIELDS is too small");

static const char *limit_word(uint32_t limit)
{
	static const char *const WORDS[] = {
		[LIMIT_RAM] = "machine",
		[LIMIT_HIGH] = "memory.high",
		[LIMIT_MAX] = "memory.max",
	};

	return limit < ARRAY_LEN(WORDS) ? WORDS[limit] : "unknown";
}

/* The members of the table, which differ in type only. */
struct value {
	enum {
		VALUE_NONE,
		VALUE_NUMBER,
		VALUE_DOUBLE,
		VALUE_TEXT,
		VALUE_BOOL
	} is;
	uint64_t number;
	double real;
	const char *text;
};

static struct value of_text(const char *text)
{
	return (struct value){ .is = VALUE_TEXT, .text = text };
}

static struct value of_number(const char *at)
{
	struct value out = { .is = VALUE_NUMBER };

	memcpy(&out.number, at, sizeof(out.number));
	return out;
}

static struct value of_error(int32_t error)
{
	return (struct value){ .is = error == 0 ? VALUE_NONE : VALUE_NUMBER,
			       .number = (uint64_t)(error < 0 ? -(int64_t)error : error) };
}

static bool is_write(enum record_kind kind)
{
	return kind == RECORD_PROTECT || kind == RECORD_RELAX || kind == RECORD_RESTORE;
}

static struct value value_of(const struct guard_record *record, size_t i)
{
	const char *at = (const char *)record + FIELDS[i].offset;
	struct value out = { .is = VALUE_NONE };
	bool truth;

	switch (FIELDS[i].type) {
	case FIELD_U64:
		return of_number(at);
	case FIELD_WRITTEN:
		return is_write(record->kind) ? of_number(at) : out;
	case FIELD_ERROR:
		return of_error(record->error);
	case FIELD_BOOL:
		memcpy(&truth, at, sizeof(truth));
		return (struct value){ .is = VALUE_BOOL, .number = truth };
	case FIELD_DOUBLE:
		out.is = VALUE_DOUBLE;
		memcpy(&out.real, at, sizeof(out.real));
		return out;
	case FIELD_TEXT:
		return of_text(at);
	case FIELD_KIND:
		return of_text(record_row(record->kind)->word);
	case FIELD_BECAUSE:
		return of_text(because_words(record->because));
	case FIELD_CLASS:
		return of_text(class_row(record->class)->name);
	case FIELD_LIMIT:
		return of_text(limit_word(record->limit));
	}
	return out;
}

static void value_json(struct json *json, const char *key, const struct value *value)
{
	switch (value->is) {
	case VALUE_NONE:
		json_null(json, key);
		break;
	case VALUE_NUMBER:
		json_u64(json, key, value->number);
		break;
	case VALUE_DOUBLE:
		json_double(json, key, value->real);
		break;
	case VALUE_BOOL:
		json_bool(json, key, value->number != 0);
		break;
	case VALUE_TEXT:
		json_text(json, key, value->text);
		break;
	}
}

void candidate_json(struct json *json, const struct record_candidate *candidate)
{
	json_open(json, NULL, '{');
	json_text(json, "cgroup", candidate->path);
	if (candidate->pid > 0) {
		json_u64(json, "pid", candidate->pid);
		json_text(json, "name", candidate->comm);
	} else {
		json_null(json, "pid");
		json_null(json, "name");
	}
	json_double(json, "gain_bytes", candidate->gain);
	json_double(json, "growth_bytes_per_s", candidate->growth);
	json_double(json, "score", candidate->score);
	json_text(json, "exempt", exempt_words(candidate->exempt));
	json_close(json, '}');
}

void record_json(struct json *json, const char *name, const struct guard_record *record)
{
	json_open(json, name, '{');
	json_text(json, "schema", "refault.guard/1");
	for (size_t i = 0; i < ARRAY_LEN(FIELDS); i++) {
		struct value value = value_of(record, i);

		value_json(json, FIELDS[i].key, &value);
	}
	json_open(json, "candidates", '[');
	for (size_t i = 0; i < MIN(record->candidates, (uint32_t)RECORD_CANDIDATES); i++)
		candidate_json(json, &record->candidate[i]);
	json_close(json, ']');
	json_close(json, '}');
}

/* Fields of the journal one behind the other in one buffer. */
struct fields {
	struct text *text;
	struct iovec *out;
	size_t count;
	size_t start;
};

static void field_end(struct fields *fields)
{
	struct text *text = fields->text;

	if (!text->cut && fields->count < RECORD_FIELDS)
		fields->out[fields->count++] =
			(struct iovec){ text->at + fields->start, text->used - fields->start };
	fields->start = text->used;
}

static void field_name(struct text *text, const char *key)
{
	text_add(text, "REFAULT_");
	for (; *key; key++)
		text_add(text, "%c", *key >= 'a' && *key <= 'z' ? *key - 'a' + 'A' : *key);
	text_add(text, "=");
}

/* What is not known or not there makes no field. */
static void field_add(struct fields *fields, const char *key, const struct value *value)
{
	struct text *text = fields->text;

	if (value->is == VALUE_NONE || (value->is == VALUE_DOUBLE && !isfinite(value->real)) ||
	    (value->is == VALUE_TEXT && !value->text[0]))
		return;
	field_name(text, key);
	if (value->is == VALUE_TEXT)
		text_name(text, span_cstr(value->text));
	else if (value->is == VALUE_DOUBLE)
		text_add(text, "%.6g", value->real);
	else
		text_add(text, "%" PRIu64, value->number);
	field_end(fields);
}

static void add_victim(struct fields *fields, const struct guard_record *record)
{
	const struct record_candidate *victim = &record->candidate[0];
	struct value pid = { .is = VALUE_NUMBER, .number = victim->pid };
	struct value path = of_text(victim->path);
	struct value comm = of_text(victim->comm);

	if (record->candidates == 0)
		return;
	field_add(fields, "victim", &path);
	if (victim->pid == 0)
		return;
	field_add(fields, "victim_pid", &pid);
	field_add(fields, "victim_comm", &comm);
}

size_t record_journal(struct text *text, const struct guard_record *record,
		      struct iovec out[RECORD_FIELDS])
{
	struct fields fields = { .text = text, .out = out, .start = text->used };

	text_add(text, "MESSAGE=");
	record_line(text, record);
	field_end(&fields);
	text_add(text, "MESSAGE_ID=%s", record_row(record->kind)->message_id);
	field_end(&fields);
	text_add(text, "PRIORITY=%d", record_row(record->kind)->level);
	field_end(&fields);
	for (size_t i = 0; i < ARRAY_LEN(FIELDS); i++) {
		struct value value = value_of(record, i);

		field_add(&fields, FIELDS[i].key, &value);
	}
	add_victim(&fields, record);
	return fields.count;
}
