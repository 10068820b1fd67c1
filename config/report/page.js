/*
 * The parts of the page's sections and pictures: its data, elements, and
 * numbers in the form that a person reads.  All text goes in as text, never as
 * markup.
 */
const data = JSON.parse(document.getElementById('data').textContent);
const { summary, pictures, job } = data;

/* ---- elements ---- */

const fill = (element, attributes, children) => {
	for (const name of Object.keys(attributes))
		if (attributes[name] !== undefined)
			element.setAttribute(name, attributes[name]);
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined)
			element.append(child);
	return element;
};

const h = (tag, attributes, ...children) =>
	fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
	fill(document.createElementNS('http://www.w3.org/2000/svg', tag),
	    attributes, children);

const how = (...text) => h('p', { class: 'how' }, text);

const section = (id, title, ...children) =>
	h('section', { id }, h('h2', {}, title), children);

/* Text from outside, whose control characters would show as nothing. */
const printable = (text) =>
	String(text).replace(/[\p{Cc}\p{Cf}]/gu, '?');

const lines = (text) =>
	text.split('\n').flatMap((line, i) =>
		i === 0 ? [line] : [h('br', {}), line]);

/* The head of a column of text; those of numbers are strings. */
const left = (text, name = 'text') => ({ text, name });

/* The first cell of a row is its head; a row may also be an element. */
const table = (id, heads, rows) => {
	const columns = heads.map((head) =>
		head.text === undefined ? { text: head } : head);
	const row = (cells) => h('tr', {}, cells.map((cell, i) => i === 0 ?
		h('th', { scope: 'row' }, cell) :
		h('td', { class: columns[i].name }, cell)));

	return h('div', { class: 'scroll' }, h('table', { id },
		h('thead', {}, h('tr', {}, columns.map((c) =>
			h('th', { class: c.name && 'text' }, lines(c.text))))),
		h('tbody', {}, rows.map((r) => Array.isArray(r) ? row(r) :
			r))));
};

/* ---- numbers ---- */

const number = (n) => Math.round(n).toLocaleString('en-US');

/* The largest unit that leaves a figure of 1 and more. */
const largest = (value, step, units) => {
	let i = 0;

	for (; i + 1 < units.length && value >= step; i++)
		value /= step;
	return { value, unit: units[i], first: i === 0 };
};

/* As Poplar: 1,024 bytes are a kB. */
const bytes = (n) => {
	const { value, unit, first } = largest(n, 1024,
	    ['B', 'kB', 'MB', 'GB']);

	return `${value.toFixed(first ? 0 : 1)} ${unit}`;
};

const time = (ns) => {
	const { value, unit } = largest(ns, 1000, ['ns', 'µs', 'ms', 's']);

	return `${Number(value.toPrecision(4))} ${unit}`;
};

const share = (n) => `${(100 * n).toFixed(1)} %`;

/*
 * The unit in which all times of a table or an axis stand, and the decimals
 * that give the longest one three digits or more.
 */
const timeUnit = (longest) => {
	const [name, ns] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]]
	    .find((unit) => longest >= unit[1] || unit[1] === 1);
	const decimals = ns === 1 ? 0 : longest < 10 * ns ? 3 :
	    longest < 100 * ns ? 2 : 1;

	return { name, ns, decimals };
};

/* 1, 2 or 5 times a power of ten, so that about `ticks` make the length. */
const tickStep = (length, ticks) => {
	const raw = length / ticks;
	const power = Math.pow(10, Math.floor(Math.log10(raw)));

	return power * [1, 2, 5, 10].find((n) => raw <= n * power || n === 10);
};

/* "0.05 ms", with the decimals that the steps of its axis need. */
const tick = (ns, step, unit) => {
	let decimals = 0;

	for (let n = step / unit.ns; n < 0.999 && decimals < 6; n *= 10)
		decimals++;
	return `${(ns / unit.ns).toFixed(decimals)} ${unit.name}`;
};

/* A nanosecond of the host, a cycle of the chip. */
const tickNs = (clock) => clock === 'host' ? 1 : 1000 /
    summary.cycles.clock_mhz;

/* ---- figures ---- */

/* "ipus.0.stash.seen" of the summary, "1.training.run.calls" of a job's. */
const valueOf = (key) => {
	const parts = key.split('.');
	const root = job === undefined ? summary :
	    job.summaries[parts.splice(0, parts.length - 2).join('.')];

	return parts.reduce((at, part) => at === undefined || at === null ?
	    undefined : at[part], root);
};

/* A figure carries its name in summary.json.  If it is shown in another unit,
   it also carries how many of that unit make one of the summary's. */
const figure = (key, format, scale) => {
	const value = valueOf(key);

	return typeof value !== 'number' ? null : h('span', {
		'data-key': key, 'data-scale': scale
	}, format(value * (scale === undefined ? 1 : scale)));
};

const timeFigure = (key, clock, unit) =>
	figure(key, (n) => n.toFixed(unit.decimals), tickNs(clock) / unit.ns);

const card = (label, ...children) => h('div', { class: 'card' },
	h('span', { class: 'label' }, label), h('b', {}, children));
