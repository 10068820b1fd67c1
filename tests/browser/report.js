/*
 * Checks of report.html, run in the page itself: what it shows against
 * `summary`, which is summary.json.  The page has kept `errors` of its scripts.
 * The results, a line each, stand in the element "results" at the end.
 */
'use strict';
(function () {
	var lines = [];
	/* Of a model that the program computed perhaps no steps are known. */
	var clocks = summary.run.host_steps === false ? 1 : 2;

	function ok(good, name, got) {
		lines.push((good ? 'ok - ' : 'not ok - ') + name +
		    (good ? '' : ': ' + got));
	}

	function all(selector, root) {
		return Array.from((root || document)
		    .querySelectorAll(selector));
	}

	function value(path) {
		return path.split('.').reduce(function (at, key) {
			return at === undefined ? at : at[key];
		}, summary);
	}

	/* Whether the text says the number, as exactly as it was written. */
	function says(text, number) {
		var parts = text.match(/^([-0-9.,]+)(?: (B|kB|MB|GB|%))?$/);
		var units = { B: 1, kB: 1024, MB: 1048576, GB: 1073741824,
		    '%': 0.01 };
		var unit, digits, last;

		if (parts === null)
			return false;
		unit = parts[2] === undefined ? 1 : units[parts[2]];
		digits = parts[1].replace(/,/g, '');
		last = Math.pow(10, -(digits.split('.')[1] || '').length);
		return Math.abs(Number(digits) * unit - number) <=
		    0.5001 * last * unit;
	}

	function check_figures() {
		var figures = all('[data-key]');
		var wrong = figures.filter(function (f) {
			return !says(f.textContent, value(f.dataset.key) *
			    (f.dataset.scale || 1));
		}).map(function (f) {
			return f.dataset.key + ' ' + f.textContent + ' ' +
			    value(f.dataset.key);
		});

		ok(new Set(figures.map(function (f) {
			return f.dataset.key;
		})).size === figures.length, 'each figure stands once',
		    figures.length);
		ok(figures.length > 30, 'the page has figures',
		    figures.length);
		ok(wrong.length === 0, 'figures are those of summary.json',
		    wrong.slice(0, 3).join('; '));
	}

	function check_schedule() {
		/* Of a long schedule the first 128 columns are drawn. */
		var cut = summary.schedule.columns > 128;
		var n = summary.configuration.stages *
		    summary.schedule.micro_batches;
		var forward = all('#schedule .box.f').length;
		var backward = all('#schedule .box.b').length;
		var outside = all('#schedule .box').filter(function (box) {
			var rect = box.querySelector('rect').getBBox();
			var text = box.querySelector('text').getBBox();

			return text.x < rect.x - 0.5 ||
			    text.x + text.width > rect.x + rect.width + 0.5;
		}).map(function (box) {
			return box.querySelector('text').textContent;
		});

		ok(cut ? forward > 0 : forward === n, 'a blue box a forward',
		    forward + '/' + n);
		ok(cut || backward === (summary.configuration.training ? n :
		    0), 'a red box a backward', backward);
		ok(outside.length === 0, 'numbers fit their boxes',
		    outside.join(' '));
	}

	/* Pointing at a box follows its micro-batch, leaving ends it. */
	function check_following() {
		var picture = document.querySelector('.tl');
		var boxes = all('[data-m="1"]', picture);

		boxes[0].querySelector('rect').dispatchEvent(
		    new MouseEvent('mouseover', { bubbles: true }));
		ok(all('.here', picture).length === boxes.length &&
		    picture.classList.contains('follow'),
		    'a micro-batch can be followed',
		    all('.here', picture).length);
		picture.dispatchEvent(new MouseEvent('mouseleave'));
		ok(all('.here', picture).length === 0 &&
		    !picture.classList.contains('follow'),
		    'and be left again', all('.here', picture).length);
	}

	function check_parts() {
		var ipus = summary.configuration.ipus;
		var ids = ['findings', 'schedule', 'clocks', 'ipus', 'memory',
		    'exchange', 'longest', 'target'];
		var missing = ids.filter(function (id) {
			return document.getElementById(id) === null;
		});
		var bars = all('.bar').filter(function (bar) {
			var sum = all('i', bar).reduce(function (n, part) {
				return n + parseFloat(part.style.width);
			}, 0);

			return sum <= 0 || sum > 100.5;
		});

		ok(missing.length === 0, 'all sections are there',
		    missing.join(' '));
		ok(all('.chart.tiles .area').length === ipus,
		    'a picture of tiles an IPU',
		    all('.chart.tiles .area').length);
		ok(all('#clocks .chart:not(.whole)').length === clocks,
		    'two clocks', all('#clocks .chart:not(.whole)').length);
		ok(bars.length === 0 && all('.bar').length === (1 + clocks) * ipus,
		    'bars are whole', bars.length);
		ok(all('#findings li').length === summary.findings.length &&
		    all('#findings li').every(function (item, i) {
			return item.textContent.indexOf(
			    summary.findings[i].text) > 0;
		    }), 'the findings are those of summary.json',
		    all('#findings li').length);
	}

	/* All device iterations, and all columns, on demand. */
	function check_iterations() {
		var n = summary.configuration.training ?
		    summary.configuration.device_iterations : 1;
		var wholes = all('#clocks details:not([open]) .whole');
		/* Of very many those that the page says it has. */
		var bad = wholes.filter(function (chart) {
			var some = chart.closest('details').textContent
			    .match(/^The first (\d+) of/);

			return all('.mark', chart).length !== (some === null ?
			    n : Number(some[1])) ||
			    all('[class^=k]', chart).length === 0;
		});

		ok(wholes.length === (n === 1 &&
		    summary.schedule.columns <= 128 ? 0 : clocks),
		    'all device iterations on demand', wholes.length);
		ok(bad.length === 0, 'and they are all there', bad.length);
	}

	/* Tiles reach up into the upper quarters and not beyond the axis. */
	function check_axes() {
		var bad = all('.chart.tiles').filter(function (chart) {
			var grid = chart.querySelectorAll('.grid');
			var top = grid[grid.length - 1].getBBox().y;
			var area = chart.querySelector('.area').getBBox();
			var height = grid[0].getBBox().y - top;

			return area.y < top - 0.5 || area.height < height / 2;
		});

		ok(bad.length === 0, 'axes fit the tiles', bad.length);
	}

	/* Who hears the page hears in each row what it is of. */
	function check_tables() {
		var rows = all('tbody tr');
		var nameless = rows.filter(function (row) {
			var head = row.querySelector('th[scope=row]');

			return head === null || head !== row.children[0] ||
			    head.textContent === '' ||
			    getComputedStyle(head).textAlign !== 'left';
		});
		var empty = all('table').filter(function (table) {
			return all('tbody tr', table).length === 0;
		});

		ok(rows.length > 0 && nameless.length === 0,
		    'rows have headers', nameless.length + '/' + rows.length);
		ok(empty.length === 0, 'no table is empty', empty.length);
		ok(all('#longest tbody tr').length ===
		    summary.longest_host.length +
		    summary.longest_modelled.length,
		    'the longest steps are those of summary.json',
		    all('#longest tbody tr').length);
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
		check_figures();
		check_schedule();
		check_following();
		check_parts();
		check_tables();
		check_iterations();
		check_axes();
		check_widths(ok, finish);
	} catch (e) {
		ok(false, 'the checks themselves', e.stack);
		finish();
	}
})();
