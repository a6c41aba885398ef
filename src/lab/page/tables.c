#include "lab/page/parts.h"

/* A tag with text in it; class may be NULL. */
static void element(FILE *out, const char *tag, const char *class, const char *text)
{
	if (!text || !text[0])
		return;
	fprintf(out, class ? "<%s class=\"%s\">" : "<%s>", tag, class);
	page_text(out, text);
	fprintf(out, "</%s>", tag);
}

static bool is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

/* How much a run counts, by its status; a word that is not here has no result. */
static const struct {
	const char *status;
	const char *class;
	const char *sign; /* so that colour is not all that tells them apart */
} STATUS[] = {
	{ "done", "good", "✓" },    { "noisy", "warn", "≈" },	 { "timeout", "warn", "⧖" },
	{ "stopped", "warn", "◼" }, { "skipped", "quiet", "–" }, { NULL, "bad", "✕" },
};

static void badge(FILE *out, const char *class, const char *sign, const char *text)
{
	if (!text || !text[0])
		return;
	fprintf(out, "<span class=\"badge %s\">", class);
	element(out, "i", NULL, sign);
	page_text(out, text);
	fputs("</span>\n", out);
}

static void badges(FILE *out, const struct page_run *run)
{
	size_t i = 0;

	while (STATUS[i].status && !is(run->status, STATUS[i].status))
		i++;
	badge(out, STATUS[i].class, STATUS[i].sign, run->status);
	badge(out, is(run->accelerator, "kvm") ? "quiet" : "warn", "", run->accelerator);
	badge(out, "quiet", "", run->kernel);
}

/* The figure of that name; NULL when the run has none. */
static const struct page_figure *figure_of(const struct page_run *run, const char *name)
{
	for (size_t i = 0; i < run->figures; i++)
		if (is(run->figure[i].name, name))
			return &run->figure[i];
	return NULL;
}

/* Is this figure one that no run before has? */
static bool is_new(const struct page *page, size_t run, size_t figure)
{
	for (size_t i = 0; i < run; i++)
		if (figure_of(&page->run[i], page->run[run].figure[figure].name))
			return false;
	return true;
}

/* Calls back for each column: the figures of all runs, each once. */
static void each_column(FILE *out, const struct page *page, const struct page_run *row,
			void (*cell)(FILE *, const struct page_figure *,
				     const struct page_run *))
{
	for (size_t i = 0; i < page->runs; i++)
		for (size_t k = 0; k < page->run[i].figures; k++)
			if (is_new(page, i, k))
				cell(out, &page->run[i].figure[k], row);
}

static void head_cell(FILE *out, const struct page_figure *column, const struct page_run *row)
{
	(void)row;
	fputs("<th scope=\"col\" title=\"", out);
	page_text(out, column->help);
	fputs("\">", out);
	page_text(out, column->name);
	fputs("</th>\n", out);
}

static void body_cell(FILE *out, const struct page_figure *column, const struct page_run *row)
{
	static const struct {
		const char *sign;
		const char *class;
	} MARKS[] = {
		[PAGE_UNMARKED] = { "", "" },
		[PAGE_HOLDS] = { "✓", "mark holds" },
		[PAGE_FAILS] = { "✕", "mark fails" },
	};
	const struct page_figure *figure = figure_of(row, column->name);

	fputs("<td>", out);
	if (figure) {
		element(out, "b", NULL, figure->value);
		element(out, "span", MARKS[figure->mark].class, MARKS[figure->mark].sign);
		element(out, "small", NULL, figure->anchor);
	}
	fputs("</td>\n", out);
}

static bool has_anchors(const struct page *page)
{
	for (size_t i = 0; i < page->runs; i++)
		for (size_t k = 0; k < page->run[i].figures; k++)
			if (page->run[i].figure[k].anchor)
				return true;
	return false;
}

static void summary(FILE *out, const struct page *page)
{
	fputs("<section class=\"summary\">\n<h2>What came out</h2>\n<div "
	      "class=\"wide\"><table>\n"
	      "<thead><tr><th scope=\"col\">Run</th>",
	      out);
	each_column(out, page, NULL, head_cell);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < page->runs; i++) {
		fprintf(out, "<tr><th scope=\"row\"><a href=\"#run-%zu\">", i + 1);
		page_text(out, page->run[i].title);
		fputs("</a> ", out);
		badges(out, &page->run[i]);
		fputs("</th>\n", out);
		each_column(out, page, &page->run[i], body_cell);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
	if (has_anchors(page))
		fputs("<p class=\"key\">Small: the published value. ✓ the shape (order, sign, "
		      "rough "
		      "ratio) holds, ✕ it does not.</p>\n",
		      out);
	element(out, "p", "key", page->note);
	fputs("</section>\n", out);
}

static void fact(FILE *out, const struct page_fact *fact)
{
	if (!fact->text || !fact->text[0])
		return;
	fputs("<div>", out);
	element(out, "dt", NULL, fact->name);
	element(out, "dd", NULL, fact->text);
	fputs("</div>\n", out);
}

static void facts(FILE *out, const struct page_run *run)
{
	const struct page_fact named[] = {
		{ "scenario", run->scenario },
		{ "arm", run->arm },
		{ "begun", run->begun },
	};

	fputs("<dl>\n", out);
	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		fact(out, &named[i]);
	for (size_t i = 0; i < run->facts; i++)
		fact(out, &run->fact[i]);
	fputs("</dl>\n", out);
}

static void events(FILE *out, const struct page_run *run)
{
	if (run->events == 0)
		return;
	fputs("<details><summary>What happened when</summary>\n<table class=\"events\">\n"
	      "<thead><tr><th scope=\"col\">s</th><th scope=\"col\">what</th>"
	      "<th scope=\"col\"></th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < run->events; i++) {
		fprintf(out, "<tr><td>%.1f</td>", run->event[i].at_s);
		element(out, "td", NULL, run->event[i].kind);
		element(out, "td", NULL, run->event[i].text);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></details>\n", out);
}

static void repeat(FILE *out, const struct page_run *run)
{
	fputs("<details><summary>How to repeat it</summary>\n", out);
	element(out, "pre", "command", run->command);
	element(out, "pre", NULL, run->config);
	fputs("</details>\n", out);
}

static void one_run(FILE *out, const struct page_run *run, size_t number, bool open)
{
	fprintf(out, "<details class=\"run\" id=\"run-%zu\"%s><summary><h2>", number + 1,
		open ? " open" : "");
	page_text(out, run->title);
	fputs("</h2> ", out);
	badges(out, run);
	fputs("</summary>\n", out);
	element(out, "p", "reason", run->reason);
	element(out, "p", "verdict", run->verdict);
	facts(out, run);
	if (run->samples > 0)
		fprintf(out, "<div class=\"charts\" data-run=\"%zu\"></div>\n", number);
	else
		fputs("<p class=\"reason\">No sample came out of this run, so there is nothing "
		      "to "
		      "draw.</p>\n",
		      out);
	events(out, run);
	repeat(out, run);
	fputs("</details>\n", out);
}

/* One word of a run, by where it is in struct page_run. */
static const char *word_of(const struct page_run *run, size_t offset)
{
	const char *word;

	memcpy(&word, (const char *)run + offset, sizeof(word));
	return word ? word : "";
}

static size_t count_of(const struct page *page, size_t end, size_t offset, const char *word)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += strcmp(word_of(&page->run[i], offset), word) == 0;
	return count;
}

/* The different words of all runs, each once: "6.1, 6.12"; with how many have it: "3 done". */
static void distinct(FILE *out, const struct page *page, size_t offset, bool counted)
{
	const char *between = "";

	for (size_t i = 0; i < page->runs; i++) {
		const char *word = word_of(&page->run[i], offset);

		if (!word[0] || count_of(page, i, offset, word) > 0)
			continue;
		fputs(between, out);
		if (counted)
			fprintf(out, "%zu ", count_of(page, page->runs, offset, word));
		page_text(out, word);
		between = ", ";
	}
}

static void header(FILE *out, const struct page *page)
{
	static const struct {
		const char *name;
		size_t offset;
		bool counted;
	} ROWS[] = {
		{ "scenario", offsetof(struct page_run, scenario), false },
		{ "kernel", offsetof(struct page_run, kernel), false },
		{ "machine", offsetof(struct page_run, accelerator), false },
		{ "runs", offsetof(struct page_run, status), true },
	};

	fputs("<header>", out);
	element(out, "h1", NULL, page->title);
	fputs("\n<dl>\n", out);
	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++) {
		fprintf(out, "<div><dt>%s</dt><dd>", ROWS[i].name);
		distinct(out, page, ROWS[i].offset, ROWS[i].counted);
		fputs("</dd></div>\n", out);
	}
	if (page->runs > 0)
		fact(out, &(struct page_fact){ "begun", page->run[0].begun });
	fputs("</dl>\n", out);
	if (count_of(page, page->runs, offsetof(struct page_run, accelerator), "tcg") > 0)
		fputs("<p class=\"reason\">The processor was emulated (tcg): what it computes "
		      "takes "
		      "10 to 30 times as long as on hardware, what the disk does takes as long "
		      "as "
		      "said. Compare it with emulated runs only.</p>\n",
		      out);
	fputs("</header>\n", out);
}

void page_tables(FILE *out, const struct page *page)
{
	header(out, page);
	summary(out, page);
	if (page->runs > 1)
		fputs("<details class=\"run\" id=\"overlaid\" open><summary><h2>The runs "
		      "overlaid"
		      "</h2></summary>\n<div class=\"choice\"></div>\n"
		      "<div class=\"charts\" data-run=\"all\"></div></details>\n",
		      out);
	for (size_t i = 0; i < page->runs; i++)
		one_run(out, &page->run[i], i, page->runs == 1);
}
