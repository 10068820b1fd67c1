/*
 * Checks of a job's index.html, run in the page itself: what it shows against
 * `summaries`, which has each summary.json by "INSTANCE.ENGINE".  As report.js,
 * it leaves its results in the element "results".
 */
'use strict';
(function () {
	var FIGURES = ['run.calls', 'run.samples',
	    'run.host_samples_per_second', 'run.modelled_samples_per_second',
	    'utilisation.host', 'utilisation.modelled'];
	var lines = [];

	function ok(good, name, got) {
		lines.push((good ? 'ok - ' : 'not ok - ') + name +
		    (good ? '' : ': ' + got));
	}

	function all(selector) {
		return Array.from(document.querySelectorAll(selector));
	}

	/* "0.training.run.calls" is .run.calls of "0.training". */
	function value(key) {
		var parts = key.split('.');

		return parts.slice(-2).reduce(function (at, part) {
			return at[part];
		}, summaries[parts.slice(0, -2).join('.')]);
	}

	/* Anyone may have written a summary: what cannot be is shown as 0. */
	function sane(n) {
		return n >= 0 && n < 1e15 ? n : 0;
	}

	/* How each run ended, and instances that have no profile. */
	function find_ends(names) {
		var job = JSON.parse(document.getElementById('data')
		    .textContent).job;
		var ends = names.map(function (name) {
			var run = summaries[name].run;

			return shown_as(run.interrupted || (run.complete ?
			    'complete' : 'not complete'));
		});
		var i;

		for (i = 0; i < job.count && !job.gaps; i++)
			if (!names.some(function (name) {
				return name.split('.')[0] === String(i);
			}))
				ends.push('no profile: still running, or ' +
				    'ended before it wrote one');
		return ends.sort();
	}

	function check_rows() {
		var names = Object.keys(summaries);
		var links = all('tbody th a').map(function (link) {
			return link.getAttribute('href');
		});
		var first = summaries['0.training'] || summaries[names[0]];
		var ends = find_ends(names);
		var words = all('h1, header code').map(function (e) {
			return e.textContent;
		});
		/* The host's utilisation is unknown if no step was measured. */
		var known = names.map(function (name) {
			return FIGURES.map(function (figure) {
				return name + '.' + figure;
			});
		}).flat().filter(function (key) {
			return value(key) !== null;
		});
		var sum = Math.round(names.filter(function (name) {
			return summaries[name].configuration.training;
		}).reduce(function (n, name) {
			return n + sane(summaries[name].run
			    .host_samples_per_second);
		}, 0));
		var wrong = all('[data-key]').filter(function (figure) {
			return !says(figure.textContent,
			    sane(value(figure.dataset.key)));
		});

		ok(links.length === names.length && names.every(
		    function (name) {
			return links.indexOf('../' + name.replace('.', '/') +
			    '/report.html') >= 0;
		    }), 'a link to each profile', links.join(' '));
		ok(all('[data-key]').length === known.length &&
		    wrong.length === 0, 'figures are those of the summaries',
		    wrong.length);
		ok(document.title === shown_as(first.model) + ': instances' &&
		    words[0] === document.title && words[1] ===
		    shown_as(first.command), 'names and the command',
		    words.join(' '));
		ok(all('.card b')[1].textContent === sum.toLocaleString('en'),
		    'the sum of the rates', sum);
		ok(JSON.stringify(ends) === JSON.stringify(all('td.state').map(
		    function (cell) {
			return cell.textContent;
		    }).sort()) && ends.length === all('tbody tr').length,
		    'each says how its run ended', ends.join('; '));
	}

	function finish() {
		var pre = document.createElement('pre');

		ok(errors.length === 0, 'no script fails', errors.join('; '));
		ok(true, 'end');
		pre.id = 'results';
		pre.textContent = '\n' + lines.join('\n') + '\n';
		document.body.appendChild(pre);
	}

	try {
		check_rows();
		check_widths(ok, finish);
	} catch (e) {
		ok(false, 'the checks themselves', e.stack);
		finish();
	}
})();
