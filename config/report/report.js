/*
 * The sections of the page from top to bottom: those of an engine's profile,
 * and those of a job's index.
 */
const CLOCK_NAMES = { modelled: 'modelled', host: 'this host' };

/* For a model that the program computed itself, the host has other times, and
   perhaps no times of steps. */
const isOutline = () => summary.run.host_steps !== undefined;
const clocks = () => summary.run.host_steps === false ? ['modelled'] :
    ['modelled', 'host'];

const head = (title, command, ...more) => {
	document.title = title;
	return h('header', {}, h('h1', {}, title), h('p', { class: 'sub' },
	    command === '' ? null : [h('code', {}, command), h('br', {})],
	    more));
};

const reportHead = () => {
	const c = summary.configuration;
	const device = summary.device === '' ? '' :
	    `${printable(summary.device)} · `;
	const instance = c.replicas > c.local_replicas ?
	    ` · instance ${summary.instance}` : '';

	return [head(`${printable(summary.model)}: ${summary.engine}`,
		printable(summary.command),
		`${device}ipubox ${summary.version}${instance}`),
	    summary.run.interrupted === undefined ? null :
		h('p', { class: 'ended' }, 'The run was ' +
		`${printable(summary.run.interrupted)}. The figures are ` +
		'those of the calls that were completed.')];
};

const cards = () => {
	const unit = timeUnit(summary.cycles.iteration * tickNs('modelled'));

	return [h('div', { class: 'cards' },
		card('samples a second, this host',
		    figure('run.host_samples_per_second', number)),
		card('samples a second, modelled',
		    figure('run.modelled_samples_per_second', number)),
		card('utilisation, closed form',
		    figure('utilisation.closed_form', share)),
		card('utilisation, modelled',
		    figure('utilisation.modelled', share)),
		clocks().length === 1 ? null : card('utilisation, this host',
		    figure('utilisation.host', share)),
		card(summary.configuration.training ?
		    'device iteration with its update, modelled' :
		    'call, modelled',
		    timeFigure('cycles.iteration', 'modelled', unit),
		    ` ${unit.name}`)),
	    summary.utilisation.text === '' ? null :
		h('p', { class: 'how between' }, summary.utilisation.text)];
};

const findings = () => section('findings', 'Findings',
    h('ul', { class: 'findings' }, summary.findings.map((found) =>
	h('li', { class: found.level }, h('b', {}, found.topic),
	    printable(found.text), found.command_line === undefined ? null :
	    [h('br', {}), h('code', {}, printable(found.command_line))]))));

const schedule = () => section('schedule', 'Schedule',
    how(`${scheduleWords()}. Point at a box to follow its micro-batch.` +
	(summary.schedule.columns > COLUMNS ?
	` The first ${COLUMNS} columns are drawn.` : '')),
    scheduleLegend(), schedulePicture());

const hostWords = () => {
	const n = summary.run.host_processors;

	return isOutline() ? 'Measured while this host computed the work of ' +
	    'the IPUs.' : `Measured on this host, where ${n} ` +
	    `processor${n === 1 ? '' : 's'} ran the IPUs. Exchange takes no ` +
	    'host time.';
};

const modelledWords = () => {
	const { iteration, clock_mhz } = summary.cycles;
	const c = summary.configuration;

	return 'An estimate of the chip: ' +
	    `${time(iteration * tickNs('modelled'))}, ${number(iteration)} ` +
	    `cycles at ${clock_mhz.toFixed(0)} MHz. In each column all IPUs ` +
	    'wait for the slowest.' + (c.training && c.device_iterations > 1 ?
	    ' All device iterations take equally long.' : '');
};

const clocksToScale = () => section('clocks', 'One device iteration, to scale',
    timeLegend(), clocks().map((clock) => [
	h('h3', {}, clock === 'host' ? 'Host time' : 'Modelled time'),
	how(clock === 'host' ? hostWords() : modelledWords()),
	iterationPicture(clock), callPicture(clock)]));

const calls = () => {
	const r = summary.run, n = r.calls;
	const part = (name, measured, seconds, each) => [name, measured,
	    time(seconds * 1e9), each ? time(seconds * 1e9 / n) : ''];

	if (!isOutline())
		return null;
	if (n === 0)
		return section('host', 'Calls', h('p', {},
		    'Nothing was run: all figures are modelled.'));
	return section('host', 'Calls',
	    how(`${printable(r.host_computed_by) || 'The program'} computed ` +
		'the model on this host, whose times are measured; the ' +
		`chip's times are modelled. Calls: ${n}.`),
	    table('host-times', [left('part'), left('clock'), 'all calls',
		'a call'], [
		part('compile', 'host, measured', r.host_compile_seconds),
		part('input', 'host, measured', r.host_input_seconds, true),
		part('run', 'host, measured', r.host_seconds, true),
		part('first run', 'host, measured', r.host_first_run_seconds),
		part('output', 'host, measured', r.host_output_seconds, true),
		part('run', 'chip, modelled', r.modelled_seconds, true)]),
	    hostPicture());
};

/* The utilisation of each IPU in three ways, one row for each IPU. */
const utilisation = () => {
	const unit = timeUnit(tickNs('modelled') * Math.max(
	    ...summary.ipus.flatMap((ipu) => [ipu.modelled.cycles.forward,
	    ipu.modelled.cycles.backward])));

	return table('utilisation', [left('IPU'), left('blocks'),
	    'closed form', 'modelled', 'this host', 'bubble,\nmodelled',
	    `forward,\nmodelled, ${unit.name}`,
	    `backward,\nmodelled, ${unit.name}`, 'stash\nplanned',
	    'stash\nseen'], summary.ipus.map((ipu, i) => [`IPU ${i}`,
	    printable(ipu.blocks),
	    figure(`ipus.${i}.utilisation.closed_form`, share),
	    figure(`ipus.${i}.utilisation.modelled`, share),
	    figure(`ipus.${i}.utilisation.host`, share),
	    share(1 - ipu.utilisation.modelled),
	    timeFigure(`ipus.${i}.modelled.cycles.forward`, 'modelled', unit),
	    timeFigure(`ipus.${i}.modelled.cycles.backward`, 'modelled', unit),
	    figure(`ipus.${i}.stash.planned`, number),
	    figure(`ipus.${i}.stash.seen`, number)]));
};

/* Rows of a name, a bar of [class, length, what it says], and a figure. */
const bars = (rows) => h('div', { class: 'bars' }, rows.map(
    ([name, parts, figured]) => [h('span', {}, name), h('div', {
	class: 'bar' }, parts.filter((part) => part[1] > 0).map(
	([kind, length, title]) => h('i', { class: kind, title,
	    style: `width:${(100 * length).toFixed(3)}%` }))),
	h('span', { class: 'n' }, figured)]));

/* An IPU's whole time; the rest of it is idle. */
const timeBar = (ipu, clock) => {
	const order = [0, 1, 2, 3, 4, 8, 6, 7, 5];
	const part = (kind) => ipu[clock].share[KINDS[kind].replace(' ', '_')];

	return [`IPU ${ipu.ipu}`, order.map((kind) => [`k${kind}`, part(kind),
	    `${KINDS[kind]}: ${share(part(kind))}`]),
	    share(order.filter((kind) => kind <= UPDATE)
		.reduce((sum, kind) => sum + part(kind), 0))];
};

const ipus = () => section('ipus', 'Utilisation and bubble',
    how('The time of forward and backward, divided by all time except the ' +
	'weight update. The closed form counts columns of the schedule, as ' +
	'if all stages took equally long. The modelled figure weighs them in ' +
	'cycles. ' + (clocks().length === 2 ?
	'The figure of this host is measured.' :
	'No steps were measured on this host.')),
    utilisation(), timeLegend(), h('div', { class: 'two' }, clocks().map(
	(clock) => h('div', {}, h('h3', {}, 'Where the time goes: ' +
	    CLOCK_NAMES[clock]), bars(summary.ipus.map((ipu) =>
	    timeBar(ipu, clock)))))));

const operations = () => summary.operations === undefined ? null :
    section('operations', 'Operations',
	how(`The ${summary.operations.length} operations that take the most ` +
	    'cycles of a micro-batch, modelled.'),
	table('operation-cycles', [left('name'), left('operation'),
	    left('class'), left('IPU'), 'forward,\ncycles',
	    'backward,\ncycles', 'of all'], summary.operations.map((o, i) => [
	    printable(o.name), printable(o.operation), o.class, `IPU ${o.ipu}`,
	    figure(`operations.${i}.forward_cycles`, number),
	    figure(`operations.${i}.backward_cycles`, number),
	    figure(`operations.${i}.share`, share)])));

const memory = () => {
	const kinds = Object.keys(summary.ipus[0].memory.kinds);
	const words = kinds.map((kind) => kind.replace(/_/g, ' '));
	const most = Math.max(1, ...summary.ipus.map((ipu) =>
	    ipu.memory.total));

	return section('memory', 'Device memory',
	    how('The memory that the plan uses on each IPU, computed before ' +
		'the run. The size of the code is an estimate.'),
	    summary.notes.map((note) => how(`${printable(note)}.`)),
	    legend(words.map((word, k) => [`m${k}`, word])),
	    bars(summary.ipus.map(({ memory: m }, i) => [`IPU ${i}`,
		kinds.map((kind, k) => [`m${k}`, m.kinds[kind] / most,
		    `${words[k]}: ${bytes(m.kinds[kind])}`]),
		figure(`ipus.${i}.memory.total`, bytes)])),
	    table('memory-kinds', [left('IPU'), ...words, 'off the\nchip',
		'fullest\ntile', 'tile\nbalance'], summary.ipus.map((_, i) => [
		`IPU ${i}`, ...kinds.map((kind) =>
		    figure(`ipus.${i}.memory.kinds.${kind}`, bytes)),
		figure(`ipus.${i}.memory.streaming`, bytes),
		figure(`ipus.${i}.memory.fullest_tile_bytes`, bytes),
		figure(`ipus.${i}.memory.tile_balance`, share)])),
	    summary.ipus.map((_, i) => [h('h3', {}, `Tiles of IPU ${i}`),
		tilesPicture(i)]));
};

const exchange = () => {
	const ours = !isOutline();
	const kinds = [['iteration_activation', 'activations,\nan iteration'],
	    ['iteration_gradient', 'gradients,\nan iteration']];

	if (ours)
		kinds.push(['host_activation', 'activations,\nthis run'],
		    ['host_gradient', 'gradients,\nthis run']);
	return section('exchange', 'Exchange between IPUs',
	    how('Tensors of a device iteration' + (ours ? ', and all tensors ' +
		'that this run passed on, with the lanes that the host\'s ' +
		'kernels leave empty' : '') + '.'),
	    summary.links.length === 0 ? h('p', {},
		'No tensors pass from one IPU to another.') :
	    table('links', [left('from'), left('to'), ...kinds.map((kind) =>
		kind[1])], summary.links.map((link, i) => [`IPU ${link.from}`,
		`IPU ${link.to}`, ...kinds.map((kind) =>
		    figure(`links.${i}.${kind[0]}_bytes`, bytes))])));
};

/* Cells that identify a step.  With the model's clock all steps of a stage are
   equal. */
const whichStep = (step, clock) => clock === 'host' ?
    [step.step === 'update' ? '' : step.micro_batch, step.call] :
    [printable(step.step === 'update' ? summary.ipus[step.ipu].blocks :
	stageBlocks(step.stage))];

const longestOf = (clock) => {
	const host = clock === 'host', key = `longest_${clock}`;
	const field = host ? 'ns' : 'cycles', steps = summary[key];
	const unit = timeUnit(tickNs(clock) * (steps.length === 0 ? 0 :
	    steps[0][field]));
	const frame = table(undefined, [left('step'), left('IPU'),
	    ...(host ? ['micro-batch', 'call'] : [left('blocks')]), unit.name],
	    steps.map((step, i) => [step.step, `IPU ${step.ipu}`,
	    ...whichStep(step, clock),
	    timeFigure(`${key}.${i}.${field}`, clock, unit)]));

	frame.prepend(h('h3', {}, host ? 'Host time' :
	    'Modelled, a micro-batch'));
	return frame;
};

const longest = () => section('longest', 'The longest steps',
    h('div', { class: 'two' }, clocks().map(longestOf)));

const list = (title, rows) => h('div', {}, h('h3', {}, title), h('dl', {},
    rows.filter(Boolean).map(([name, value]) => [h('dt', {}, name),
	h('dd', {}, value)])));

/* The target block that Poplar's programs print, and the configuration. */
const run = () => {
	const c = summary.configuration;
	const tile = summary.ipus[0].memory.tile_limit_bytes;
	const tenths = (n) => (Math.floor(n * 10) / 10).toLocaleString('en-US',
	    { minimumFractionDigits: 1 });

	return section('target', 'Run', h('div', { class: 'two' },
	    list('Target', [
		['Number of IPUs', number(c.ipus)],
		['Tiles per IPU', number(c.tiles)],
		['Total Tiles', number(c.tiles * c.ipus)],
		['Memory Per-Tile', `${(tile / 1024).toFixed(1)} kB`],
		['Total Memory', `${tenths(tile * c.tiles * c.ipus /
		    1048576)} MB`],
		['Clock Speed (approx)', `${tenths(summary.cycles.clock_mhz)}` +
		    ' MHz'],
		['Number of Replicas', number(c.replicas)],
		['IPUs per Replica', number(c.ipus)]]),
	    list('Configuration', [
		['Program', printable(summary.program)],
		['Model', printable(summary.model)],
		['Parameters', number(c.parameters)],
		['Strategy', c.strategy],
		['Micro-batch (samples)', number(c.micro_batch)],
		c.training && ['Gradient accumulation',
		    number(c.gradient_accumulation)],
		['Device iterations', number(c.device_iterations)],
		c.training && ['Recomputation', c.recompute ? 'on' : 'off'],
		c.training && ['Optimiser state', c.offload_optimiser ?
		    'off the chip' : 'on the chip'],
		['Calls', figure('run.calls', number)],
		['Samples', figure('run.samples', number)]])));
};

const footer = (text) => h('footer', {}, text);

const report = () => [reportHead(), cards(), findings(), schedule(),
    clocksToScale(), calls(), ipus(), operations(), memory(), exchange(),
    longest(), run(), footer('In the same directory: trace.json for ' +
	'Perfetto, schedule.txt, and summary.json with the figures. ' +
	'ipubox-profile(7) explains how they are computed.')];

document.querySelector('main').append(
    ...[job === undefined ? report() : index()].flat(Infinity)
	.filter((part) => part !== null));
