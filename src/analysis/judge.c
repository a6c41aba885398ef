#include "analysis/judge.h"

static const struct {
	const char *key;
	size_t offset;
	size_t size;
} ROWS[] = {
#define ROW(member)                                            \
	{                                                      \
#member, offsetof(struct truth, member),       \
			sizeof(((struct truth *)NULL)->member) \
	}
	ROW(class),   ROW(domain),	     ROW(sufferer),
	ROW(culprit), ROW(sufferer_process), ROW(culprit_process),
#undef ROW
};

static void parse_line(struct span key, struct span value, struct truth *out)
{
	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++)
		if (span_eq(key, ROWS[i].key))
			span_copy(value, (char *)out + ROWS[i].offset, ROWS[i].size);
	if (span_eq(key, "onset_frame") && span_u64(value, &out->onset_frame) < 0)
		out->onset_frame = 0;
}

bool truth_parse(struct span text, struct truth *out)
{
	struct span line;
	struct span key;
	struct span value;

	*out = (struct truth){ 0 };
	while (span_line(&text, &line))
		if (span_split(line, '=', &key, &value))
			parse_line(span_trim(key), span_trim(value), out);
	return out->class[0];
}

const char *judge_path(const struct verdict *verdict, int32_t member)
{
	return member < 0 ? "machine" : verdict->evidence->pair.now->cgroups[member].path;
}

static const char *member_of(const struct verdict *verdict, const struct party *party,
			     size_t count)
{
	return count > 0 ? judge_path(verdict, party->member) : "none";
}

static const char *process_of(const struct party *party, size_t count)
{
	return count > 0 && party->task ? party->task->name : "none";
}

size_t judge_verdict(const struct verdict *verdict, const struct truth *truth,
		     struct mismatch out[MISMATCHES_MAX])
{
	const struct party *sufferer = verdict->sufferer;
	const struct party *culprit = verdict->culprit;
	/* How severe a verdict must be for the question to make sense. */
	const struct {
		struct mismatch asked;
		enum severity from;
	} questions[] = {
		{ { "class", class_row(verdict->class)->name, truth->class }, SEV_NONE },
		{ { "domain", judge_path(verdict, verdict->domain->cgroup), truth->domain },
		  SEV_NOTE },
		{ { "sufferer", member_of(verdict, sufferer, verdict->sufferers),
		    truth->sufferer },
		  SEV_WARN },
		{ { "culprit", member_of(verdict, culprit, verdict->culprits), truth->culprit },
		  SEV_NOTE },
		{ { "suffering process", process_of(sufferer, verdict->sufferers),
		    truth->sufferer_process },
		  SEV_NOTE },
		{ { "culprit process", process_of(culprit, verdict->culprits),
		    truth->culprit_process },
		  SEV_NOTE },
	};
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
		const struct mismatch *asked = &questions[i].asked;

		if (verdict->severity < questions[i].from || !asked->want[0] ||
		    strcmp(asked->got, asked->want) == 0)
			continue;
		out[count++] = *asked;
		if (i == 0)
			break; /* the rest belongs to another class */
	}
	return count;
}

bool judge_false_alarm(const struct verdict *verdict, const struct truth *truth, bool is_early)
{
	enum verdict_class wanted = class_find(span_cstr(truth->class));

	if (verdict->severity < SEV_WARN || verdict->class == CLASS_UNKNOWN ||
	    verdict->class == wanted)
		return false;
	return is_early || (wanted < CLASSES && class_row(wanted)->severity < SEV_WARN);
}
