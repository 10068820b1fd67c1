/*
 * The pictures of the page: the schedule, time to scale, tiles, and what the
 * host did.  `pictures` has what they show; ipubox-profile(7) describes it.
 */
const KINDS = ['forward', 'recompute', 'backward', 'update', 'collective',
    'sync', 'host in', 'host out', 'exchange'];
const UPDATE = 3;
/* Columns that pictures show at first. */
const COLUMNS = 128;
/* Pixels: a page, what scrolls, and an IPU's row. */
const WIDTH = 1076, WIDTH_MAX = 16000, RIGHT = 16, LANE = 26, ROW = 34,
    AXIS = 22;
/* What is still drawn: there may be thousands of spans. */
const THINNEST = 0.35;

const legend = (entries, name = 'legend') => h('div', { class: name },
	entries.map(([colour, text]) => h('span', {},
		colour === '' ? null : h('i', { class: colour }), text)));

const picture = (attributes, width, height, ...children) =>
	h('div', { class: 'scroll' }, svg('svg', { role: 'img', width, height,
		viewBox: `0 0 ${width} ${height}`, ...attributes }, children));

const label = (x, y, text, attributes = {}) =>
	svg('text', { x, y, ...attributes }, text);

const hint = (text) => svg('title', {}, text);

/* An axis of times below rows: { ns, ticks, left, right, top, bottom }. */
const timeAxis = (a) => {
	const step = tickStep(a.ns, a.ticks), unit = timeUnit(a.ns);
	const parts = [];

	for (let i = 0; i * step <= a.ns; i++) {
		const x = a.left + i * step * (a.right - a.left) / a.ns;

		parts.push(svg('path', { class: 'grid',
			d: `M${x.toFixed(1)} ${a.top}V${a.bottom}` }),
		    label(x.toFixed(1), a.bottom + 15,
			tick(i * step, step, unit), { class: 'axis',
			'text-anchor': i === 0 ? 'start' : x > a.right - 30 ?
			    'end' : 'middle' }));
	}
	return parts;
};

const lanes = (names, left, width, top) => names.map((name, i) => [
	svg('rect', { class: 'lane', x: left, y: top + i * ROW + 4,
		width: width - left - RIGHT, height: LANE }),
	label(0, top + i * ROW + 21, name)
]);

const ipuNames = () => summary.ipus.map((ipu) => `IPU ${ipu.ipu}`);

/* ---- the schedule ---- */

/* Pixels: a column, its box, the axis above and the phases below. */
const CELL = 36, BOX = 34, BOX_HEIGHT = 28, LEFT = 56, ABOVE = 24, BELOW = 26;

const scheduleWords = () => {
	const c = summary.configuration;

	return `${c.strategy}, N = ${c.stages} stages, ` +
	    `${c.training ? 'G' : 'D'} = ${summary.schedule.micro_batches} ` +
	    'micro-batches';
};

const stageBlocks = (stage) => (summary.stages[stage] || {}).blocks || '';

/* Where forward is computed again a lighter strip stands at the left. */
const scheduleBox = ([kind, ipu, stage, batch, column]) => {
	const c = summary.configuration;
	const again = kind === 1 && c.recompute && stage < c.stages - 1;
	const x = LEFT + (column - 1) * CELL, y = ABOVE + ipu * ROW;
	const update = kind === 2;

	return svg('g', { class: `box ${'fbu'[kind]}`,
		'data-m': update ? undefined : batch },
	    hint(update ? `IPU ${ipu}, weight update` :
		`IPU ${ipu}, stage ${stage} (${stageBlocks(stage)}), ` +
		`column ${column}: ${again ? 'recompute and ' : ''}` +
		`${kind === 0 ? 'forward' : 'backward'} of micro-batch ` +
		batch),
	    svg('rect', { x, y, width: BOX, height: BOX_HEIGHT, rx: 4 }),
	    again ? svg('rect', { class: 'again', x, y, width: 5,
		height: BOX_HEIGHT, rx: 2 }) : null,
	    label(x + BOX / 2 + (again ? 2 : 0), y + BOX_HEIGHT / 2 + 4,
		['FBU'[kind], update ? '' : batch,
		update || summary.ipus.length === c.stages ? null :
		    svg('tspan', { class: 'of' }, `.${stage}`)]));
};

/* A bracket below the columns of each phase: fill, main, flush. */
const schedulePhases = (steps) => {
	const runs = [];
	const y = ABOVE + summary.ipus.length * ROW + 4;

	for (const [, , , , column, phase] of steps) {
		const last = runs[runs.length - 1];

		if (phase === null || column > COLUMNS)
			break;
		if (last === undefined || last.phase !== phase)
			runs.push({ phase, from: column - 1, to: column - 1 });
		else
			last.to = column - 1;
	}
	return runs.map(({ phase, from, to }) => [
		svg('path', { class: 'phase', d: `M${LEFT + from * CELL + 2} ` +
			`${y}v4h${(to - from + 1) * CELL - 6}v-4` }),
		label(LEFT + (from + to + 1) * CELL / 2, y + 17, phase)
	]);
};

/* Pointing at a box follows its micro-batch. */
const follow = (root) => {
	const show = (event) => {
		const box = event.target.closest('[data-m]');

		root.classList.toggle('follow', box !== null);
		for (const other of root.querySelectorAll('.box'))
			other.classList.toggle('here', box !== null &&
			    other.dataset.m === box.dataset.m);
	};

	root.addEventListener('mouseover', show);
	root.addEventListener('mouseleave', show);
};

const schedulePicture = () => {
	const { columns } = summary.schedule;
	const { training } = summary.configuration;
	const shown = Math.min(columns, COLUMNS);
	const drawn = shown + (training && shown === columns ? 1 : 0);
	const width = LEFT + drawn * CELL;
	const height = ABOVE + summary.ipus.length * ROW + BELOW;
	const middle = { class: 'axis', 'text-anchor': 'middle' };
	const frame = picture({ class: 'tl',
		'aria-labelledby': 'tl-title tl-desc' }, width, height,
	    svg('title', { id: 'tl-title' }, `${printable(summary.model)}, ` +
		`${summary.engine}: ${scheduleWords()}`),
	    svg('desc', { id: 'tl-desc' }, 'A row for each of ' +
		`${summary.ipus.length} IPUs, ${columns} columns, a box for ` +
		'each micro-batch; utilisation ' +
		`${share(summary.utilisation.closed_form)}.` +
		(shown < columns ? ` Columns 1 to ${shown} are drawn.` : '')),
	    ipuNames().map((name, i) => [
		label(0, ABOVE + i * ROW + BOX_HEIGHT / 2 + 4, name),
		svg('path', { class: 'track', d: `M${LEFT} ${ABOVE + i * ROW +
			BOX_HEIGHT + 3}h${drawn * CELL - 2}` })
	    ]),
	    svg('g', middle, Array.from({ length: shown }, (_, i) =>
		label(LEFT + i * CELL + BOX / 2, 14, i + 1))),
	    svg('g', middle, schedulePhases(pictures.steps)),
	    pictures.steps.filter((step) => step[4] <= drawn)
		.map(scheduleBox));

	follow(frame.firstChild);
	return frame;
};

const scheduleLegend = () => {
	const { training, recompute } = summary.configuration;

	return legend([['f', 'forward'], training && ['b', 'backward'],
	    recompute && ['r', 'recompute'], training && ['u',
	    'weight update'], ['', 'blank: idle']].filter(Boolean),
	    'legend tl-legend');
};

/* ---- time to scale ---- */

const timeLegend = () => {
	const { training, recompute, replicas } = summary.configuration;

	return legend([['k0', 'forward'], recompute && ['k1', 'recompute'],
	    training && ['k2', 'backward'], training && ['k3',
	    'weight update'], replicas > 1 && ['k4', 'collective'],
	    ['k8', 'exchange'], ['k6', 'host I/O'],
	    ['k5', 'sync: waiting for other IPUs']].filter(Boolean));
};

/*
 * What is drawn of a clock's spans, and where.  By the model's clock all device
 * iterations are alike: one is drawn and copied.
 */
const viewOf = (clock, whole) => {
	const { columns } = summary.schedule;
	const kept = whole ? pictures.iterations : 1;
	const copies = clock === 'modelled' ? kept : 1;
	const iterations = clock === 'modelled' ? 1 : kept;
	const last = whole || columns <= COLUMNS ? columns + 1 : COLUMNS;
	const wide = kept > 1 ? kept * 360 : columns * 10;
	const v = { clock, copies, iterations, marks: kept,
		top: whole ? 18 : 0,
		width: whole ? Math.min(Math.max(wide, WIDTH), WIDTH_MAX) :
		    WIDTH };

	v.spans = pictures[clock].filter((span) => span[5] < iterations &&
	    span[4] <= last).map(([kind, ipu, stage, batch, , iteration, from,
	    to]) => ({ kind, ipu, stage, batch, iteration, from, to }));
	[v.from, v.to] = copies > 1 ? [0, summary.cycles.iteration] :
	    endsOf(v.spans);
	v.scale = (v.width - LEFT - RIGHT) / ((v.to - v.from) * copies);
	v.bottom = v.top + summary.ipus.length * ROW;
	return v;
};

const endsOf = (spans) => spans.reduce(([from, to], span) =>
	[Math.min(from, span.from), Math.max(to, span.to)],
    [Infinity, -Infinity]);

const xOf = (v, at) => LEFT + (at - v.from) * v.scale;

const timePicture = (v, name, text, ...children) => picture({ class: name,
	'aria-label': `${text}, ${v.clock === 'host' ? 'host' : 'modelled'} ` +
	    'time' }, v.width, v.bottom + AXIS,
    timeAxis({ ns: (v.to - v.from) * v.copies * tickNs(v.clock),
	ticks: Math.floor(v.width / 170), left: LEFT, right: v.width - RIGHT,
	top: v.top, bottom: v.bottom }),
    lanes(ipuNames(), LEFT, v.width, v.top), children);

const iterationPicture = (clock) => {
	const v = viewOf(clock, false);

	if (v.to <= v.from)
		return h('p', {}, 'Nothing was recorded.');
	return timePicture(v, 'chart', 'One device iteration', v.spans
	    .filter((span) => (span.to - span.from) * v.scale >= THINNEST)
	    .map((span) => {
		const length = span.to - span.from;

		return svg('rect', { class: `k${span.kind}`,
			x: xOf(v, span.from).toFixed(2),
			y: v.top + span.ipu * ROW + 4,
			width: (length * v.scale).toFixed(2), height: LANE },
		    hint(`IPU ${span.ipu}, ${KINDS[span.kind]}` +
			(span.stage < 0 ? '' : `, stage ${span.stage}, ` +
			    `micro-batch ${span.batch}`) +
			`: ${time(length * tickNs(clock))}` +
			(clock === 'host' ? '' :
			    `, ${number(length)} cycles`)));
	    }));
};

/* An IPU's spans of a kind are one path: there may be thousands. */
const callPaths = (v) => {
	const paths = new Map();

	for (const span of v.spans) {
		const width = (span.to - span.from) * v.scale;
		const key = `IPU ${span.ipu}, ${KINDS[span.kind]}`;

		if (width < THINNEST)
			continue;
		if (!paths.has(key))
			paths.set(key, { kind: span.kind, d: [] });
		paths.get(key).d.push(`M${xOf(v, span.from).toFixed(1)} ` +
		    `${v.top + span.ipu * ROW + 4}h${width.toFixed(1)}` +
		    `v${LANE}h-${width.toFixed(1)}z`);
	}
	return Array.from(paths, ([name, { kind, d }]) =>
		svg('path', { class: `k${kind}`, d: d.join('') }, hint(name)));
};

/* A line at the begin of each iteration, with as much of its number and time
   as fits.  The time of an iteration that is cut is not known here. */
const callMarks = (v) => {
	const ends = Array.from({ length: v.marks }, (_, i) => v.copies > 1 ?
	    [i * v.to, (i + 1) * v.to] :
	    endsOf(v.spans.filter((span) => span.iteration === i)));

	return ends.map(([from, to], i) => {
		const x = xOf(v, from);
		const room = (i + 1 < ends.length ? xOf(v, ends[i + 1][0]) :
		    v.width - RIGHT) - x;
		const cut = pictures.columns < summary.schedule.columns;
		const text = room < 26 ? '' : room < 150 || cut ? i + 1 :
		    `iteration ${i + 1}: ${time((to - from) *
		    tickNs(v.clock))}`;

		return [svg('path', { class: 'mark',
			d: `M${x.toFixed(1)} 0V${v.bottom}` }),
		    text === '' ? null : label((x + 4).toFixed(1), 12, text,
			{ class: 'axis' })];
	});
};

/* All device iterations of a call and all columns, where the picture of one
   does not show them. */
const callPicture = (clock) => {
	const { columns } = summary.schedule;
	const { training, device_iterations } = summary.configuration;
	const all = training ? device_iterations : 1;
	const v = viewOf(clock, true);
	const id = `call-${clock}`;
	const cut = pictures.columns < columns ?
	    `, columns 1 to ${pictures.columns} of ${columns}` : '';
	const what = all === 1 ? `${cut ? 'The first' : 'All'} ` +
	    `${pictures.columns} columns` : v.marks === all && !cut ?
	    `All ${all} device iterations of the call` :
	    `The first ${v.marks} of ${all} device iterations of the call` +
	    cut;

	if ((v.marks === 1 && columns <= COLUMNS) || v.to <= v.from)
		return null;
	return h('details', {}, h('summary', {}, what, cut || v.marks < all ?
		'; trace.json has the first calls in detail' : ''),
	    timePicture(v, 'chart whole', 'Device iterations of a call',
		svg('g', { id }, callPaths(v)),
		Array.from({ length: v.copies - 1 }, (_, i) =>
		    svg('use', { href: `#${id}`, x: ((i + 1) * v.to *
			v.scale).toFixed(2) })),
		callMarks(v)));
};

/* ---- what the host did ---- */

/* In the colours of what an IPU does; two iterations in a row differ. */
const ACTIVITIES = { compile: 3, attach: 5, detach: 5, input: 6, run: 0,
	output: 7, 'device iteration': 1 };

/* Up to the end of the last call that was recorded. */
const hostPicture = () => {
	const left = 72, bottom = 3 * ROW;
	const end = Math.max(0, ...pictures.activities
	    .filter((a) => a[2] > 0).map((a) => a[5]));
	const scale = (WIDTH - left - RIGHT) / end;

	if (end <= 0)
		return null;
	return [h('p', { class: 'how between' }, 'The first calls, as ' +
		'measured. The rows show, from the top: compiling, ' +
		'attaching and copies of weights; input, run and output of ' +
		'each call; and the device iterations of its run.'),
	    picture({ id: 'host-timeline', class: 'chart', 'aria-label':
		'Activities of this host, measured' }, WIDTH, bottom + AXIS,
		timeAxis({ ns: end * 1e9, ticks: 6, left,
		    right: WIDTH - RIGHT, top: 0, bottom }),
		lanes(['program', 'calls', 'iterations'], left, WIDTH, 0),
		pictures.activities.filter(([, , , , from, to]) => from < end &&
		    (to - from) * scale >= THINNEST)
		    .map(([name, row, call, iteration, from, to]) => {
			const kind = name in ACTIVITIES ? ACTIVITIES[name] : 4;

			return svg('rect', { class: `k${iteration > 0 &&
				iteration % 2 === 0 ? 0 : kind}`,
				x: (left + from * scale).toFixed(2),
				y: row * ROW + 4, height: LANE,
				width: ((to - from) * scale).toFixed(2) },
			    hint((call > 0 ? `call ${call}, ` : '') + name +
				(iteration > 0 ? ` ${iteration}` : '') +
				`: ${time((to - from) * 1e9)}`));
		    }))];
};

/* ---- tiles ---- */

/* Ticks at round figures of the unit that their labels have. */
const bytesStep = (most) => {
	const unit = most < 1024 ? 1 : most < 1048576 ? 1024 : 1048576;

	return tickStep(most / unit, 4) * unit;
};

/* Tiles from left to right, bytes upwards: pairs of bytes and a count of
   tiles that hold as many. */
const tilesPicture = (ipu) => {
	const { memory } = summary.ipus[ipu];
	const { tiles } = summary.configuration;
	const limit = memory.tile_limit_bytes, most = memory.fullest_tile_bytes;
	const step = bytesStep(most || limit);
	const end = Math.ceil((most || limit) / step) * step;
	const left = 68, bottom = 114, width = WIDTH - left - RIGHT;
	const yOf = (n) => bottom - n * 96 / end;
	const xOfTile = (n) => left + n * width / tiles;
	const every = tiles < 8 ? 1 : tickStep(tiles, 8);
	const parts = [];
	let d = `M${left} ${bottom}`, at = 0;

	for (let i = 0; i * step <= end * 1.001; i++)
		parts.push(svg('path', { class: 'grid',
			d: `M${left} ${yOf(i * step).toFixed(1)}h${width}` }),
		    label(left - 6, (yOf(i * step) + 4).toFixed(1),
			bytes(i * step), { class: 'axis',
			'text-anchor': 'end' }));
	for (const [held, count] of pictures.tiles[ipu]) {
		at += count;
		d += `V${yOf(held).toFixed(2)}H${xOfTile(at).toFixed(2)}`;
	}
	parts.push(svg('path', { class: 'area', d: `${d}V${bottom}Z` }));
	if (limit <= end)
		parts.push(svg('path', { class: 'limit',
			d: `M${left} ${yOf(limit).toFixed(1)}h${width}` }),
		    label(WIDTH - RIGHT, (yOf(limit) - 4).toFixed(1),
			`limit ${bytes(limit)}`, { class: 'axis',
			'text-anchor': 'end' }));
	/* One too near to the last tile's is left out. */
	for (let tile = 0; tile < tiles - every / 2; tile += every)
		parts.push(label(xOfTile(tile).toFixed(1), bottom + 15,
		    tile === 0 ? 'tile 0' : tile, { class: 'axis',
		    'text-anchor': tile === 0 ? 'start' : 'middle' }));
	parts.push(label(WIDTH - RIGHT, bottom + 15, tiles - 1, {
		class: 'axis', 'text-anchor': 'end' }));
	return [how(`The fullest tile, ${memory.fullest_tile}, holds ` +
		`${bytes(most)} of ${bytes(limit)} (${share(most / limit)}).`),
	    picture({ class: 'chart tiles', 'aria-label':
		`Bytes on each tile of IPU ${ipu}` }, WIDTH, bottom + AXIS,
		parts)];
};
