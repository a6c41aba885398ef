#include <errno.h>

#include "audit/guards.h"
#include "config/arguments.h"

#define DEFAULT_CENTI 1000 /* earlyoom(1), 1.8: -m 10 -s 10 */

/* Of "5,2" only where SIGTERM is sent counts. */
static bool centi_of(const char *text, uint64_t *centi)
{
	return span_fixed(span_of(text, strcspn(text, ",")), 2, centi) == 0 && *centi <= 10000;
}

/* -M and -S are in KiB. */
static bool kib_of(const char *text, uint64_t total, uint64_t *centi)
{
	uint64_t kib;

	if (span_u64(span_of(text, strcspn(text, ",")), &kib) < 0 || kib > UINT64_MAX >> 24)
		return false;
	*centi = total ? MIN(kib * 1024 / (total / 10000 + 1), (uint64_t)10000) : 0;
	return true;
}

/* One of -m and -s, with -M or -S: of both the lower counts. False when it is no number. */
static bool threshold(const struct words *words, const char *share, const char *size,
		      uint64_t total, uint64_t *out)
{
	const char *percent = words_option(words->word, words->count, share);
	const char *kib = words_option(words->word, words->count, size);
	uint64_t centi = DEFAULT_CENTI;
	uint64_t other;

	if (percent && !centi_of(percent, &centi))
		return false;
	if (kib && !kib_of(kib, total, &other))
		return false;
	if (kib)
		centi = percent ? MIN(centi, other) : other;
	*out = centi;
	return true;
}

static void take_words(const struct facts *facts, const struct words *words,
		       struct earlyoom *out)
{
	const struct snapshot *now = facts->snapshot;
	uint64_t swap = now->state[MI_SWAP_TOTAL] == OK ? now->value[MI_SWAP_TOTAL] : 0;

	if (!threshold(words, "-m", "-M", facts_ram(facts), &out->memory_centi) ||
	    !threshold(words, "-s", "-S", swap, &out->swap_centi))
		out->state = GARBLED;
	out->dry_run = words_option(words->word, words->count, "--dryrun") != NULL;
}

void earlyoom_read(struct facts *facts, uint32_t pid, struct earlyoom *out)
{
	struct words words = { 0 };
	struct config config = { 0 };

	*out = (struct earlyoom){ .memory_centi = DEFAULT_CENTI, .swap_centi = DEFAULT_CENTI };
	out->state = OK;
	if (assignments_read(&facts->reader, "etc/default/earlyoom", &config) == 0)
		out->row = config_find(&config, "", "EARLYOOM_ARGS");
	if (pid && process_words(facts, pid, &words) == 0 && words.count) {
		take_words(facts, &words, out);
		return;
	}
	if (config.notes)
		out->state = config.note[0].error == EBADMSG ? GARBLED : DENIED;
	else if (!out->row)
		out->state = pid ? DENIED : OK;
	else if (words_cut(&facts->reader, span_cstr(out->row->value), &words) < 0)
		out->state = GARBLED;
	else
		take_words(facts, &words, out);
}
