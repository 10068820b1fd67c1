/*
 * The page of a job: its instances, and the figures that one compares.  Anyone
 * may have written a summary of another instance, so a figure that cannot be
 * is shown as none.
 */
const ENGINES = ['training', 'inference'];

const sane = (format) => (n) =>
	format(Number.isFinite(n) && n >= 0 && n < 1e15 ? n : 0);

const summaryOf = (instance, engine) => job.summaries[`${instance}.${engine}`];

const endOf = ({ run: { interrupted, complete } }) => printable(interrupted ||
    (complete === true ? 'complete' : 'not complete'));

const instanceRow = (i, engine) => {
	const name = `${i}.${engine}`, one = job.summaries[name];
	const warnings = [].concat(one.findings || []).filter((found) =>
	    found !== null && found.level === 'warning');

	return [h('a', { href: `${i}/${engine}/report.html` },
		`instance ${i}, ${engine}`),
	    figure(`${name}.run.calls`, sane(number)),
	    figure(`${name}.run.samples`, sane(number)),
	    figure(`${name}.run.host_samples_per_second`, sane(number)),
	    figure(`${name}.run.modelled_samples_per_second`, sane(number)),
	    figure(`${name}.utilisation.host`, sane(share)),
	    figure(`${name}.utilisation.modelled`, sane(share)),
	    number(warnings.length), endOf(one)];
};

/* Reports an instance without a profile, where all numbers up to the job's
   count are instances. */
const instanceRows = (i) => {
	const rows = ENGINES.filter((engine) => summaryOf(i, engine) !==
	    undefined).map((engine) => instanceRow(i, engine));

	return rows.length > 0 ? rows : job.gaps ? [] : [h('tr', {},
	    h('th', { scope: 'row' }, `instance ${i}`),
	    h('td', { class: 'text state', colspan: 8 }, 'no profile: it ' +
		'still runs, or it ended before it could write one'))];
};

const index = () => {
	const all = Array.from({ length: job.count }, (_, i) => i);
	const trained = all.map((i) => summaryOf(i, 'training'))
	    .filter(Boolean);
	const first = Object.values(job.summaries)[0] || {};
	const model = printable(first.model || 'Profiles');
	const profiled = all.filter((i) => ENGINES.some((engine) =>
	    summaryOf(i, engine) !== undefined)).length;
	const sum = (key) => number(trained.reduce((n, one) => n +
	    sane(Number)(one.run[key]), 0));

	return [head(`${model}: instances`, printable(first.command || ''),
		`ipubox ${job.version}`),
	    h('div', { class: 'cards' },
		card('instances with a profile', profiled +
		    (job.gaps ? '' : ` of ${job.count}`)),
		card('training samples a second, all, this host',
		    sum('host_samples_per_second')),
		card('training samples a second, all, modelled',
		    sum('modelled_samples_per_second'))),
	    section('instances', 'Instances',
		how('Each link leads to the report of an instance. Only ' +
		    'the first instance tests the trained model.'),
		table(undefined, [left('profile'), 'calls', 'samples',
		    'samples a second,\nthis host',
		    'samples a second,\nmodelled', 'utilisation,\nthis host',
		    'utilisation,\nmodelled', 'warnings',
		    left('run', 'text state')], all.flatMap(instanceRows))),
	    footer('Each report has its own clocks. ipubox-profile(7) says ' +
		'how the figures are worked out.')];
};
