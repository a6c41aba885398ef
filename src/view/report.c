#include "view/report.h"

#include "analysis/capability.h"
#include "view/words.h"

#define LINE_SIZE 4096
#define LABEL_WIDTH 12

static const char *const COLORS[] = {
	[SEV_NONE] = "\033[32m", [SEV_INFO] = "\033[36m",   [SEV_NOTE] = "\033[33m",
	[SEV_WARN] = "\033[33m", [SEV_HARM] = "\033[1;31m",
};

/* A word that ends at a blank, with the blanks before it. */
static size_t word_length(const char *at)
{
	size_t length = strspn(at, " ");

	return length + strcspn(at + length, " ");
}

/* Breaks at blanks; what follows the first line is indented by indent. */
static void put_wrapped(const struct paper *paper, const char *text, size_t column,
			size_t indent)
{
	while (*text) {
		size_t length = word_length(text);
		size_t width = 0;

		for (size_t i = 0; i < length; i++)
			width += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (paper->width > 0 && column + width > paper->width && column > indent) {
			fprintf(paper->file, "\n%*s", (int)indent, "");
			column = indent;
			while (*text == ' ' && length > 0) {
				text++;
				length--;
				width--;
			}
		}
		fwrite(text, 1, length, paper->file);
		text += length;
		column += width;
	}
	fputc('\n', paper->file);
}

static void put_row(const struct paper *paper, const char *label, const struct text *text)
{
	size_t width = MAX(text_width(label) + 3, (size_t)LABEL_WIDTH + 1);

	fprintf(paper->file, "  %-*s", (int)width - 2, label);
	put_wrapped(paper, text->at, width, LABEL_WIDTH + 1);
}

/* Nobody plans further on a slope of seconds. */
#define DAY_S 86400

/* The distance to trouble. */
static void add_headroom(struct text *text, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;

	text_add(text, ". ");
	words_signal(text, &evidence->machine, SIG_AVAILABLE);
	text_add(text, " available of ");
	words_signal(text, &evidence->machine, SIG_TOTAL);
	if (verdict->culprits == 0) {
		text_add(text, "; nothing grows");
		return;
	}
	text_add(text, "; fastest grower ");
	words_cgroup(text, evidence->pair.now, verdict->culprit[0].member);
	text_add(text, " ");
	text_bytes(text, evidence->members[verdict->culprit[0].member].growth.rate);
	text_add(text, "/s");
	if (verdict->forecast.low_s < DAY_S) {
		text_add(text, "; ");
		words_forecast(text, &verdict->forecast);
	}
}

static void put_heading(const struct paper *paper, const struct verdict *verdict)
{
	const struct class_row *row = class_row(verdict->class);
	const char *on = paper->color ? COLORS[verdict->severity] : "";
	const char *off = paper->color ? "\033[0m" : "";
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	fprintf(paper->file, "%s%s%s: ", on, row->word, off);
	text_add(&text, "%s", row->title);
	if (verdict->class == CLASS_HEALTHY)
		add_headroom(&text, verdict);
	put_wrapped(paper, buffer, text_width(row->word) + 2, 2);
}

static void put_machine(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_machine(&text, verdict->evidence);
	put_wrapped(paper, buffer, 0, 2);
}

static void add_rereads(struct text *text, const struct member *member)
{
	double back = signal_of(&member->signals, SIG_REFAULT_FILE) +
		      signal_of(&member->signals, SIG_REFAULT_ANON);
	double set = signal_of(&member->signals, SIG_FILE_LRU);

	if (!(back >= 64 * 1024))
		return;
	text_add(text, ", re-reads ");
	text_bytes(text, back);
	text_add(text, "/s");
	if (signal_of(&member->signals, SIG_REFAULT_FILE) > 0.5 * back && set / back < 120) {
		text_add(text, ": its ");
		text_bytes(text, set);
		text_add(text, " of files every %.*f s", set / back < 10 ? 1 : 0, set / back);
	}
}

static void add_collapse(struct text *text, const struct verdict *verdict, int32_t index)
{
	const struct evidence *evidence = verdict->evidence;

	if (!evidence->members[index].loss.collapsed)
		return;
	text_add(text, ", mapped files shrank from ");
	text_bytes(text, evidence->window->track[index].calm_mapped);
	text_add(text, " to ");
	words_signal(text, &evidence->members[index].signals, SIG_MAPPED);
}

static void add_task(struct text *text, const struct party *party)
{
	if (!party->task)
		return;
	text_add(text, ", process ");
	text_name(text, span_cstr(party->task->name));
	text_add(text, " (%u)", party->task->pid);
}

static void put_sufferer(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	const struct evidence *evidence = verdict->evidence;
	int32_t index = verdict->sufferer[i].member;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_cgroup(&text, evidence->pair.now, index);
	text_add(&text, "  ");
	words_loss(&text, &evidence->members[index].loss);
	add_rereads(&text, &evidence->members[index]);
	add_collapse(&text, verdict, index);
	add_task(&text, &verdict->sufferer[i]);
	put_row(paper, i == 0 ? "suffers" : "", &text);
}

static void add_swap_reason(struct text *text, const struct verdict *verdict)
{
	const struct signals *domain = verdict->domain->signals;

	if (signal_of(&verdict->evidence->machine, SIG_SWAP_FREE) +
		    signal_of(&verdict->evidence->machine, SIG_SWAP_USED) <=
	    0)
		text_add(text, ", cannot be swapped (no swap)");
	else if (signal_of(domain, SIG_SWAP_FREE) < 1024 * 1024)
		text_add(text, ", cannot be swapped (swap is full, or none is allowed)");
}

/* Nobody is accused on no evidence. */
static bool is_accused(const struct verdict *verdict)
{
	return verdict->severity >= SEV_WARN && verdict->class != CLASS_UNKNOWN;
}

static void put_culprit(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	const struct evidence *evidence = verdict->evidence;
	const struct party *party = &verdict->culprit[i];
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	double level = party->task_level;
	double rate = party->task_rate;

	if (party->member >= 0) {
		level = evidence->members[party->member].growth.level;
		rate = evidence->members[party->member].growth.rate;
	}
	words_cgroup(&text, evidence->pair.now, party->member);
	text_add(&text, "  anonymous ");
	text_bytes(&text, level);
	if (rate > 0) {
		text_add(&text, ", growing ");
		text_bytes(&text, rate);
		text_add(&text, "/s");
	}
	if (i == 0)
		add_swap_reason(&text, verdict);
	add_task(&text, party);
	put_row(paper, i == 0 ? (is_accused(verdict) ? "caused by" : "grows") : "", &text);
}

static void put_charged(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	if (verdict->charged < 0)
		return;
	text_add(&text, "what is re-read is charged to ");
	words_cgroup(&text, verdict->evidence->pair.now, verdict->charged);
	text_add(&text, ", which touched it first");
	put_row(paper, "shared", &text);
}

static void put_oom(const struct paper *paper, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	double kills = signal_of(&evidence->machine, SIG_OOM_KILL) * evidence->pair.seconds;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	if (!(kills >= 0.5))
		return;
	text_add(&text, "the kernel's OOM killer took %.0f %s in these %.0f s", kills,
		 kills < 1.5 ? "process" : "processes", evidence->pair.seconds);
	put_row(paper, "killed", &text);
}

/* The usual indicators that show nothing of it. */
static void put_blind(const struct paper *paper, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	if (verdict->severity < SEV_HARM)
		return;
	if (verdict->sufferers > 0) {
		const struct member *member = &evidence->members[verdict->sufferer[0].member];

		if (signal_of(&member->signals, SIG_MEM_FULL) < 0.05 &&
		    member->loss.lower > 0.1) {
			text_add(&text, "memory PSI of the sufferer (full ");
			words_signal(&text, &member->signals, SIG_MEM_FULL);
			text_add(&text, ")");
		}
	}
	if (verdict->domain->cgroup >= 0) {
		text_add(&text, "%sthe machine: MemAvailable ", text.used ? ", " : "");
		words_signal(&text, &evidence->machine, SIG_AVAILABLE);
		text_add(&text, ", memory PSI ");
		words_signal(&text, &evidence->machine, SIG_MEM_SOME);
	}
	if (text.used)
		put_row(paper, "not seen by", &text);
}

static const char *unit_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return length > 8 && strcmp(name + length - 8, ".service") == 0 ? name : NULL;
}

static void put_now(const struct paper *paper, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	const struct party *party = verdict->culprits > 0 ? &verdict->culprit[0] : NULL;
	const char *unit = party && party->member >= 0 ?
				   unit_of(evidence->pair.now->cgroups[party->member].path) :
				   NULL;

	text_add(&text, "%s", class_row(verdict->class)->now);
	if (is_accused(verdict) && unit) {
		text_add(&text, ": systemctl restart ");
		text_name(&text, span_cstr(unit));
	} else if (is_accused(verdict) && party && party->task) {
		text_add(&text, ": kill %u", party->task->pid);
	}
	if (is_accused(verdict) && party && party->member >= 0) {
		text_add(&text, "  frees about ");
		text_bytes(&text, evidence->members[party->member].growth.level);
	}
	put_row(paper, "now", &text);
}

/* The sufferer's working set: what memory.min would have to hold. */
static double working_set(const struct verdict *verdict, int32_t index)
{
	const struct evidence *evidence = verdict->evidence;
	const struct signals *signals = &evidence->members[index].signals;

	return signal_of(signals, SIG_ANON) + 1.1 * evidence->window->track[index].calm_mapped;
}

static void put_good(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	double set;

	text_add(&text, "%s", class_row(verdict->class)->good);
	if ((verdict->class == CLASS_FILE_REFAULT || verdict->class == CLASS_HIGH_THROTTLE) &&
	    verdict->sufferers > 0) {
		set = working_set(verdict, verdict->sufferer[0].member);
		if (set > 0) {
			text_add(&text, "; memory.min of at least ");
			text_bytes(&text, set);
			text_add(&text, " on ");
			words_cgroup(&text, verdict->evidence->pair.now,
				     verdict->sufferer[0].member);
			text_add(&text, " and the slices above it (mapped files and anonymous "
					"memory seen so far)");
		}
	}
	put_row(paper, "for good", &text);
}

static void put_evidence(const struct paper *paper, const struct verdict *verdict,
			 const struct finding *finding)
{
	const struct evidence *evidence = verdict->evidence;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	for (size_t i = 0; i < finding->cites; i++) {
		const struct cite *cite = &finding->cite[i];

		text_add(&text, "%s%s ", i > 0 ? " · " : "", signal_row(cite->signal)->name);
		words_signal(&text, finding->domain->signals, cite->signal);
	}
	if (verdict->sufferers > 0) {
		const struct signals *own =
			&evidence->members[verdict->sufferer[0].member].signals;

		text_add(&text, " · of the sufferer: psi.memory.full ");
		words_signal(&text, own, SIG_MEM_FULL);
		text_add(&text, ", psi.io.full ");
		words_signal(&text, own, SIG_IO_FULL);
	}
	put_row(paper, "evidence", &text);
}

static void put_others(const struct paper *paper, const struct verdict *verdict)
{
	for (size_t i = 1; i < verdict->findings; i++) {
		const struct finding *finding = &verdict->finding[i];
		char buffer[LINE_SIZE];
		struct text text = text_on(buffer, sizeof(buffer));

		if (finding->class == verdict->class && finding->domain == verdict->domain)
			continue;
		text_add(&text, "%s in ", class_row(finding->class)->name);
		words_domain(&text, verdict->evidence, finding->domain);
		text_add(&text, ": %s", class_row(finding->class)->title);
		put_row(paper, "also", &text);
	}
}

static void put_untold(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	for (size_t i = 0; i < verdict->untolds; i++) {
		const struct untold *untold = &verdict->untold[i];

		text_add(&text, "%s%s (%s)", i > 0 ? ", " : "", class_row(untold->class)->name,
			 signal_row(untold->cite.signal)->name);
	}
	if (text.used)
		put_row(paper, "cannot tell", &text);
}

/* Names only: refault explain tells the rest. */
static void put_missing(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	for (enum capability i = 0; i < CAPABILITIES; i++) {
		enum state state = capability_state(i, verdict->evidence);

		if (state != OK)
			text_add(&text, "%s%s (%s)", text.used ? ", " : "",
				 capability_row(i)->name, state_name(state));
	}
	if (!text.used)
		return;
	text_add(&text, "; see refault explain NAME");
	put_row(paper, "not seen", &text);
}

static void put_forecast(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_forecast(&text, &verdict->forecast);
	put_row(paper, "next", &text);
}

static void put_where(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_domain(&text, verdict->evidence, verdict->domain);
	put_row(paper, "where", &text);
}

static void put_confidence(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "%s: %s. It would change when %s.",
		 confidence_name(verdict->confidence), verdict->confidence_why,
		 class_row(verdict->class)->flips);
	put_row(paper, "sure?", &text);
}

/* Where memory is not the matter: who waits, reads or writes. */
static void put_busy(const struct paper *paper, const struct verdict *verdict, size_t i)
{
	static const struct {
		enum class class;
		enum signal signal[2];
	} rows[] = {
		{ CLASS_CPU_STARVED, { SIG_CPU_SOME, SIG_CPU_THROTTLED } },
		{ CLASS_FIRST_READ, { SIG_READ, SIG_IO_SOME } },
		{ CLASS_DIRTY_THROTTLE, { SIG_DIRTY, SIG_IO_SOME } },
	};
	int32_t index = verdict->culprit[i].member;
	const struct signals *signals = &verdict->evidence->members[index].signals;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_cgroup(&text, verdict->evidence->pair.now, index);
	for (size_t j = 0; j < 2 * ARRAY_LEN(rows); j++) {
		enum signal signal = rows[j / 2].signal[j % 2];

		if (rows[j / 2].class != verdict->class || signals->why[signal] != WHY_KNOWN)
			continue;
		text_add(&text, "%s%s ", j % 2 ? ", " : "  ", signal_row(signal)->name);
		words_signal(&text, signals, signal);
	}
	put_row(paper, i == 0 ? "who" : "", &text);
}

static void put_body(const struct paper *paper, const struct verdict *verdict)
{
	put_where(paper, verdict);
	for (size_t i = 0; i < verdict->sufferers; i++)
		put_sufferer(paper, verdict, i);
	for (size_t i = 0; i < verdict->culprits; i++) {
		if (verdict->severity == SEV_INFO)
			put_busy(paper, verdict, i);
		else
			put_culprit(paper, verdict, i);
	}
	put_charged(paper, verdict);
	put_oom(paper, verdict);
	put_blind(paper, verdict);
	if (verdict->severity > SEV_INFO)
		put_forecast(paper, verdict);
	put_now(paper, verdict);
	put_good(paper, verdict);
	put_confidence(paper, verdict);
	if (verdict->findings > 0)
		put_evidence(paper, verdict, &verdict->finding[0]);
	put_others(paper, verdict);
}

void report_print(const struct paper *paper, const struct verdict *verdict)
{
	put_machine(paper, verdict);
	if (verdict->class != CLASS_HEALTHY)
		fputc('\n', paper->file);
	put_heading(paper, verdict);
	if (verdict->class != CLASS_HEALTHY)
		put_body(paper, verdict);
	else
		put_oom(paper, verdict);
	put_untold(paper, verdict);
	put_missing(paper, verdict);
}
