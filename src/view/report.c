#include "view/report.h"

#include "analysis/capability.h"
#include "analysis/facts.h"
#include "view/report_advice.h"
#include "view/report_people.h"
#include "view/words.h"

static const char *const COLORS[] = {
	[SEV_NONE] = "\033[32m", [SEV_INFO] = "\033[36m",   [SEV_NOTE] = "\033[33m",
	[SEV_WARN] = "\033[33m", [SEV_HARM] = "\033[1;31m",
};

/* The distance to trouble. */
static void add_headroom(struct text *text, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;

	text_add(text, ". ");
	words_signal(text, &evidence->machine, SIG_AVAILABLE);
	text_add(text, " available of ");
	words_signal(text, &evidence->machine, SIG_TOTAL);
	if (verdict->culprits == 0) {
		text_add(text, isnan(verdict->domain->grow_rate) ? "; who grows is unknown" :
								   "; nothing grows");
		return;
	}
	text_add(text, "; fastest grower ");
	words_cgroup(text, evidence->pair.now, verdict->culprit[0].member);
	text_add(text, " ");
	text_bytes(text, evidence->members[verdict->culprit[0].member].growth.rate);
	text_add(text, "/s");
	if (verdict->forecast.low_s < HORIZON_S) {
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
	paper_wrap(paper, buffer, text_width(row->word) + 2, 2);
}

static void put_machine(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_machine(&text, verdict->evidence);
	paper_wrap(paper, buffer, 0, 2);
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
	paper_row(paper, "killed", &text);
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

		if (signal_of(&member->signals, SIG_MEM_FULL) < LOSS_NONE &&
		    member->loss.lower > LOSS_HARM) {
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
		paper_row(paper, "not seen by", &text);
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
	paper_row(paper, "evidence", &text);
}

static void put_others(const struct paper *paper, const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->findings; i++) {
		const struct finding *finding = &verdict->finding[i];
		char buffer[LINE_SIZE];
		struct text text = text_on(buffer, sizeof(buffer));

		if (finding->class == verdict->class && finding->domain == verdict->domain)
			continue;
		text_add(&text, "%s in ", class_row(finding->class)->name);
		words_domain(&text, verdict->evidence, finding->domain);
		text_add(&text, ": %s", class_row(finding->class)->title);
		paper_row(paper, "also", &text);
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
		paper_row(paper, "cannot tell", &text);
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
	paper_row(paper, "not seen", &text);
}

static void put_where(const struct paper *paper, const struct verdict *verdict)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	words_domain(&text, verdict->evidence, verdict->domain);
	paper_row(paper, "where", &text);
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
