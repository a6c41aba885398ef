/*
 * Draws the charts from the data that the page carries. What it did is written to the root
 * element (data-charts, data-errors, data-violations, data-requests), for the test that opens
 * the page.
 */
(() => {
"use strict";

const root = document.documentElement;
const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = 8; /* --c0 to --c7 */
const HEIGHT = 170;
const LABELS = 30; /* room above the first chart for the names of phases and events */
const groups = new Map(); /* folder of charts -> those that are drawn in it */

root.dataset.charts = 0;
root.dataset.errors = "";
root.dataset.violations = 0;
window.addEventListener("error", (event) => {
	root.dataset.errors += `${event.message}\n`;
});
document.addEventListener("securitypolicyviolation", () => {
	root.dataset.violations++;
});

const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

const make = (tag, text, parent) => {
	const element = document.createElement(tag);
	element.textContent = text;
	parent?.append(element);
	return element;
};

const number = (value) => {
	if (value == null)
		return "–";
	const size = Math.abs(value);
	const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
	return value.toLocaleString("en", {
		minimumFractionDigits: digits, maximumFractionDigits: digits,
	});
};

/* Phases one after the other: { from, to, name } */
function phases(run) {
	const begins = run.events.filter((event) => event.kind === "phase");
	const end = run.time.at(-1);
	return begins.map((event, i) => ({
		from: event.at, to: begins[i + 1]?.at ?? end, name: event.text,
	}));
}

/* The part of [from, to] that the plot shows, in pixels of the canvas; null when it is none. */
function visible(u, from, to) {
	const { left, width } = u.bbox;
	const a = Math.max(u.valToPos(from, "x", true), left);
	const b = Math.min(u.valToPos(to, "x", true), left + width);
	return b > a ? [a, b] : null;
}

function fillBand(u, from, to, fill) {
	const band = visible(u, from, to);
	if (!band)
		return;
	u.ctx.fillStyle = fill;
	u.ctx.fillRect(band[0], u.bbox.top, band[1] - band[0], u.bbox.height);
}

/* Behind the lines: every second phase, and the time of pressure. */
function drawBands(u, run) {
	u.ctx.save();
	phases(run).forEach((phase, i) => {
		if (i % 2 === 1)
			fillBand(u, phase.from, phase.to, colour("band"));
	});
	const [from, to] = run.pressure;
	if (from != null && to != null)
		fillBand(u, from, to, colour("pressure"));
	u.ctx.restore();
}

function drawLine(u, at, stroke, dash) {
	const x = Math.round(u.valToPos(at, "x", true));
	if (x < u.bbox.left || x > u.bbox.left + u.bbox.width)
		return false;
	u.ctx.strokeStyle = stroke;
	u.ctx.lineWidth = devicePixelRatio;
	u.ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
	u.ctx.beginPath();
	u.ctx.moveTo(x, u.bbox.top);
	u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
	u.ctx.stroke();
	return true;
}

/* Puts names side by side on one line; one that has no room is left out. */
function drawNames(u, names, y, fill) {
	const right = u.bbox.left + u.bbox.width;
	let free = u.bbox.left;
	u.ctx.fillStyle = fill;
	u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
	u.ctx.textAlign = "left";
	u.ctx.textBaseline = "bottom";
	for (const { at, to, name } of names) {
		const width = u.ctx.measureText(name).width;
		let x = Math.max(u.valToPos(at, "x", true), u.bbox.left);
		if (to == null)
			x = Math.max(u.bbox.left, Math.min(x, right - width));
		const end = to == null ? right : Math.min(u.valToPos(to, "x", true), right);
		if (x < free || x + width > end + 1)
			continue;
		u.ctx.fillText(name, x, y);
		free = x + width + 8 * devicePixelRatio;
	}
}

const EVENTS = { start: [1, 3], stop: [4, 3], ended: [] }; /* dashes */

/* Over the lines: what began and ended. Names stand above the first chart only. */
function drawEvents(u, run, named) {
	const shown = run.events.filter((event) => event.kind in EVENTS)
		.filter((event) => visible(u, event.at - 1e-6, event.at + 1e-6));
	u.ctx.save();
	for (const event of shown)
		drawLine(u, event.at, colour("event"), EVENTS[event.kind]);
	if (named) {
		const line = 14 * devicePixelRatio;
		const label = (event) =>
			`${event.kind === "ended" ? "" : `${event.kind} `}${event.text}`;
		drawNames(u, phases(run).map((phase) => (
			{ at: phase.from, to: phase.to, name: phase.name })),
			u.bbox.top - line, colour("soft"));
		drawNames(u, shown.map((event) => ({ at: event.at, name: label(event) })),
			u.bbox.top, colour("event"));
		const [from, to] = run.pressure;
		if (from != null && to != null)
			drawNames(u, [{ at: from + 4 / u.bbox.width * (to - from), to, name: "pressure" }],
				u.bbox.top + 1.6 * line, colour("event"));
	}
	u.ctx.restore();
}

/* Samples of several runs do not fall together: the nearest one that this series has. */
function nearest(u, series, index) {
	const values = u.data[series];
	const reach = Math.max(16, u.data[0].length / 50);
	for (let step = 0; step < reach; step++) {
		if (values[index - step] !== undefined)
			return index - step;
		if (values[index + step] !== undefined)
			return index + step;
	}
	return index;
}

const axis = (extra) => ({
	stroke: colour("soft"),
	font: "11px system-ui, sans-serif",
	grid: { stroke: colour("grid"), width: 1 },
	ticks: { show: false },
	...extra,
});

const fromZero = (_, low, high) => [Math.min(low ?? 0, 0), high > 0 ? high * 1.05 : 1];

function options(plan, width, first) {
	let drawn = false;
	return {
		width,
		height: HEIGHT + (first ? LABELS : 0),
		padding: [plan.named ? LABELS : 6, 8, null, null],
		scales: {
			x: { time: false },
			y: plan.logarithmic ? { distr: 3 } : { range: fromZero },
		},
		axes: [
			axis({ size: 26, gap: 6, values: (_, ticks) => ticks.map((t) => `${t} s`) }),
			axis({ size: 44, gap: 4, values: (_, ticks) => ticks.map((t) => t ?? "") }),
		],
		cursor: {
			sync: { key: plan.key },
			y: false,
			drag: { x: true, y: false },
			dataIdx: plan.joined ? nearest : (_, __, index) => index,
		},
		series: [
			{ label: "at", value: (_, v) => (v == null ? "–" : `${v.toFixed(1)} s`) },
			...plan.series.map((series) => ({
				label: series.label,
				stroke: series.stroke,
				width: series.reference ? 1 : 1.6,
				dash: series.dash,
				spanGaps: false,
				points: { size: 4 },
				value: (_, v) => number(v),
			})),
		],
		hooks: {
			drawClear: [(u) => plan.under?.(u)],
			draw: [(u) => {
				plan.over?.(u);
				if (!drawn)
					root.dataset.charts++;
				drawn = true;
			}],
		},
	};
}

const known = (values) => values.some((value) => value != null);

function drawChart(folder, panel, plan, first) {
	const figure = make("figure", "", folder);
	const caption = make("figcaption", panel.title, figure);
	make("span", `, ${panel.unit}`, caption);
	make("small", panel.help, caption);
	if (plan.series.length === 0 || !plan.data.slice(1).some(known)) {
		const nothing = make("p", "Nothing was measured here.", figure);
		nothing.className = "nothing";
		return null;
	}
	const chart = new uPlot(options(plan, figure.clientWidth, first), plan.data, figure);
	const canvas = figure.querySelector("canvas");
	canvas.setAttribute("role", "img");
	canvas.setAttribute("aria-label", `${panel.title}, ${panel.unit}`);
	return chart;
}

/* All series of one run in one panel. */
function planOfRun(index, panel) {
	const run = data.runs[index];
	const list = run.series.filter((series) => series.panel === panel);
	let next = 0;
	let dashes = 0;
	return {
		key: `run-${index}`,
		named: panel === 0,
		data: [run.time, ...list.map((series) => series.values)],
		series: list.map((series) => ({
			label: series.label,
			reference: series.reference,
			stroke: series.reference ? colour("reference") : colour(`c${next++ % COLOURS}`),
			dash: series.reference ? [[6, 3], [2, 3], [10, 3, 2, 3]][dashes++ % 3] : [],
		})),
		under: (u) => drawBands(u, run),
		over: (u) => drawEvents(u, run, panel === 0),
	};
}

/* One line for each chosen run: the first series of the panel. */
function planOfAll(chosen, panel) {
	const list = [];
	for (const [index, slot] of chosen) {
		const run = data.runs[index];
		const series = run.series.find((one) => one.panel === panel && !one.reference);
		if (series)
			list.push({ run, series, stroke: colour(`c${slot}`) });
	}
	const tables = list.map(({ run, series }) => [run.time, series.values]);
	return {
		key: "all",
		joined: true,
		data: tables.length > 1 ? uPlot.join(tables) : tables[0] ?? [[]],
		series: list.map(({ run, stroke }) => ({ label: run.title, stroke })),
		over: (u) => {
			u.ctx.save();
			for (const { run, stroke } of list)
				for (const event of run.events)
					if (event.kind === "ended")
						drawLine(u, event.at, stroke, [4, 3]);
			u.ctx.restore();
		},
	};
}

const chosen = new Map(); /* run -> its colour */

function draw(folder) {
	erase(folder);
	const all = folder.dataset.run === "all";
	const index = Number(folder.dataset.run);
	const charts = [];
	data.panels.forEach((panel, i) => {
		const plan = all ? planOfAll(chosen, i) : planOfRun(index, i);
		plan.logarithmic = panel.logarithmic;
		const chart = drawChart(folder, panel, plan, i === 0);
		if (chart)
			charts.push(chart);
	});
	groups.set(folder, charts);
	resized.observe(folder);
}

function erase(folder) {
	for (const chart of groups.get(folder) ?? []) {
		chart.destroy();
		root.dataset.charts--;
	}
	groups.delete(folder);
	folder.replaceChildren();
}

const resized = new ResizeObserver((entries) => {
	for (const { target } of entries)
		for (const chart of groups.get(target) ?? []) {
			const width = chart.root.parentElement.clientWidth;
			if (width > 0 && width !== chart.width)
				chart.setSize({ width, height: chart.height });
		}
});

/* A part that is closed is drawn when it is opened. */
for (const part of document.querySelectorAll("details.run")) {
	const folder = part.querySelector(".charts");
	if (!folder)
		continue;
	part.addEventListener("toggle", () => {
		if (part.open && !groups.has(folder))
			draw(folder);
	});
}

for (const link of document.querySelectorAll("a[href^='#run-']"))
	link.addEventListener("click", () => {
		document.querySelector(link.getAttribute("href")).open = true;
	});

function freeColour() {
	const taken = new Set(chosen.values());
	for (let slot = 0; slot < COLOURS; slot++)
		if (!taken.has(slot))
			return slot;
	return -1;
}

function choose(index, wanted) {
	const slot = freeColour();
	if (!wanted)
		chosen.delete(index);
	else if (slot >= 0)
		chosen.set(index, slot);
}

/* The swatches, and no more runs than there are colours. */
function paintChoice(choice) {
	for (const box of choice.querySelectorAll("input")) {
		const slot = chosen.get(Number(box.value));
		box.checked = slot !== undefined;
		box.disabled = slot === undefined && freeColour() < 0;
		box.nextSibling.style.background = slot === undefined ? "" : colour(`c${slot}`);
	}
}

function offerChoice(choice) {
	const arms = new Set();
	data.runs.forEach((run, index) => {
		if (run.time.length === 0)
			return;
		if (!arms.has(run.arm) && arms.size < 6)
			choose(index, true);
		arms.add(run.arm);
		const label = make("label", "", choice);
		const box = make("input", "", label);
		box.type = "checkbox";
		box.value = index;
		make("i", "", label);
		label.append(run.title);
		box.addEventListener("change", () => {
			choose(index, box.checked);
			paintChoice(choice);
			draw(choice.parentElement.querySelector(".charts"));
		});
	});
	paintChoice(choice);
}

function drawAgain() {
	for (const folder of [...groups.keys()])
		draw(folder);
	for (const choice of document.querySelectorAll(".choice"))
		paintChoice(choice);
}

for (const choice of document.querySelectorAll(".choice"))
	offerChoice(choice);
for (const folder of document.querySelectorAll("details[open] > .charts"))
	draw(folder);
for (const query of ["print", "(prefers-color-scheme: dark)"])
	matchMedia(query).addEventListener("change", drawAgain);
if (location.hash.startsWith("#run-"))
	document.getElementById(location.hash.slice(1))?.setAttribute("open", "");
window.addEventListener("load", () => {
	root.dataset.requests = performance.getEntriesByType("resource").length;
});
})();
