/*
 * Puts web/ and uPlot into one page and writes it as a C file.
 *
 *   node assemble.mjs WEB_FOLDER UPLOT_FOLDER OUTPUT.c
 *
 * Scripts and styles are allowed by their hash only (Content-Security-Policy), so nothing that
 * a run brings along could ever act as one.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [web, uplot, output] = process.argv.slice(2);
const read = (folder, name) => readFileSync(`${folder}/${name}`, "utf8").trim();
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const style = `${read(uplot, "dist/uPlot.min.css")}\n${read(web, "page.css")}`;
const script = `${read(uplot, "dist/uPlot.iife.min.js")}\n${read(web, "page.js")}`;
if (/<\/(script|style)|<!--/i.test(script + style))
	throw new Error("a script or style would end its own element");

const policy = [
	"default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`,
	"base-uri 'none'", "form-action 'none'",
].join("; ");
const parts = {
	POLICY: policy,
	STYLE: style,
	SCRIPT: script,
	UPLOT_VERSION: JSON.parse(read(uplot, "package.json")).version,
	UPLOT_LICENSE: escape(read(uplot, "LICENSE")),
};
const page = read(web, "page.html").replace(/%%([A-Z_]+)%%/g, (_, name) => {
	if (!(name in parts))
		throw new Error(`page.html: %%${name}%% is unknown`);
	return parts[name];
});
/* What src/lab/page/page.c fills in. */
for (const mark of ["@@TITLE@@", "@@BODY@@", "@@DATA@@"])
	if (page.split(mark).length !== 2)
		throw new Error(`page.html: ${mark} has to stand there once`);

const bytes = [...Buffer.from(`${page}\n`, "utf8")];
writeFileSync(output, `#include "lab/page/page.h"

static const unsigned char bytes[] = {
${bytes.join(",").replace(/(.{90}\d*,)/g, "$1\n")}
};

struct span page_template(void)
{
	return span_of((const char *)bytes, sizeof(bytes));
}
`);
