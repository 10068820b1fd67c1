/*
 * The page of a job: its instances, and the figures to compare.  Another user
 * may have written the summary of another instance, so an impossible figure is
 * shown as 0.
 */
const sane = (format) => (n) =>
	format(Number.isFinite(n) && n >= 0 && n < 1e15 ? n : 0);

/* Engines of an instance that have a profile: "training". */
const enginesOf = (instance) => Object.keys(job.summaries)
    .filter((name) => name.startsWith(`${instance}.`))
    .map((name) => name.slice(name.indexOf('.') + 1));

const endOf = ({ run: { interrupted, complete } }) => printable(interrupted ||
    (complete === true ? 'complete' : 'not complete'));

const instanceRow = (i, engine) => {
	const name = `${i}.${engine}`, one = job.summaries[name];
	const warnings = [].concat(one.findings || []).filter((found) =>
	    found !== null && found.level === 'warning');

	return [h('a', { href: `../${i}/${engine}/report.html` },
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
	const rows = enginesOf(i).map((engine) => instanceRow(i, engine));

	return rows.length > 0 ? rows : job.gaps ? [] : [h('tr', {},
	    h('th', { scope: 'row' }, `instance ${i}`),
	    h('td', { class: 'text state', colspan: 8 }, 'no profile: ' +
		'still running, or ended before it wrote one'))];
};

const index = () => {
	const all = Array.from({ length: job.count }, (_, i) => i);
	const summaries = Object.values(job.summaries);
	const trained = summaries.filter((one) =>
	    (one.configuration || {}).training === true);
	const first = summaries[0] || {};
	const model = printable(first.model || 'Profiles');
	const profiled = all.filter((i) => enginesOf(i).length > 0).length;
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
		how('Each link leads to the report of an instance. ' +
		    'mnist-pipeline and ipubox train test the trained ' +
		    'model in the first instance only.'),
		table(undefined, [left('profile'), 'calls', 'samples',
		    'samples a second,\nthis host',
		    'samples a second,\nmodelled', 'utilisation,\nthis host',
		    'utilisation,\nmodelled', 'warnings',
		    left('run', 'text state')], all.flatMap(instanceRows))),
	    footer('Each report has its own clocks. ipubox-profile(7) ' +
		'explains how the figures are computed.')];
};
