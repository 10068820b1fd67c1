/*
 * Checks of a job's index.html, run in the page itself: what it shows against
 * `summaries`, which has each summary.json by "INSTANCE.ENGINE".  As report.js,
 * it leaves its results in the element "results".
 */
'use strict';
(function () {
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

		return parts.slice(2).reduce(function (at, part) {
			return at[part];
		}, summaries[parts.slice(0, 2).join('.')]);
	}

	function check_rows() {
		var names = Object.keys(summaries);
		var links = all('tbody th a').map(function (link) {
			return link.getAttribute('href');
		});
		var wrong = all('[data-key]').filter(function (figure) {
			return Number(figure.dataset.value) !==
			    value(figure.dataset.key);
		});

		ok(links.length === names.length && names.every(
		    function (name) {
			return links.indexOf(name.replace('.', '/') +
			    '/report.html') >= 0;
		    }), 'a link to each profile', links.join(' '));
		ok(all('[data-key]').length === 6 * names.length &&
		    wrong.length === 0, 'figures are those of the summaries',
		    wrong.length);
		ok(all('td.state').length === all('tbody tr').length,
		    'each says how its run ended', all('td.state').length);
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
