/*
 * Checks of report.html, run in the page itself: what it shows against
 * `summary`, which is summary.json.  The page has kept `errors` of its scripts.
 * The results, a line each, stand in the element "results" at the end.
 */
'use strict';
(function () {
	var lines = [];

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
			return !says(f.textContent, value(f.dataset.key));
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

		ok(cut ? forward > 0 : forward === n, 'a blue box a forward', forward + '/' + n);
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
		ok(all('.chart.tiles .area').length === ipus &&
		    all('.chart.tiles .limit').length === ipus,
		    'a picture of tiles an IPU',
		    all('.chart.tiles .area').length);
		ok(all('#clocks .chart').length === 2, 'two clocks',
		    all('#clocks .chart').length);
		ok(bars.length === 0 && all('.bar').length === 3 * ipus,
		    'bars are whole', bars.length);
		ok(all('#findings li').length === summary.findings.length &&
		    all('#findings li').every(function (item, i) {
			return item.textContent.indexOf(
			    summary.findings[i].text) > 0;
		    }), 'the findings are those of summary.json',
		    all('#findings li').length);
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

	function light_of(colour) {
		var c = colour.match(/\d+/g).map(Number);

		return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
	}

	/* Text stands out from its ground, whichever is the lighter one. */
	function check_colours() {
		var dark = matchMedia('(prefers-color-scheme: dark)').matches;
		var ground = light_of(getComputedStyle(document.querySelector(
		    'section')).backgroundColor);
		var ink = [document.body, document.querySelector('.tl text'),
		    document.querySelector('.chart text')].map(function (e) {
			var style = getComputedStyle(e);

			return light_of(e === document.body ? style.color :
			    style.fill);
		});

		ok(ink.every(function (one) {
			return dark ? one - ground > 120 : ground - one > 120;
		}), (dark ? 'dark' : 'light') + ': text can be read',
		    ground + ' ' + ink.join(' '));
	}

	/* Tables and pictures scroll in their frames, the page does not. */
	function check_width(page, name) {
		var root = page.documentElement;

		ok(root.scrollWidth <= root.clientWidth,
		    name + ': nothing runs out of the page',
		    root.scrollWidth + '/' + root.clientWidth);
	}

	function finish() {
		var pre = document.createElement('pre');

		ok(errors.length === 0, 'no script fails', errors.join('; '));
		ok(true, 'end');
		pre.id = 'results';
		pre.textContent = '\n' + lines.join('\n') + '\n';
		document.body.appendChild(pre);
	}

	/* A window is never narrower than 500, so a frame stands for it. */
	function check_narrow() {
		var frame = document.createElement('iframe');

		frame.width = 400;
		frame.height = 600;
		frame.srcdoc = document.documentElement.outerHTML.replace(
		    /<script[^]*?<\/script>/g, '');
		frame.onload = function () {
			check_width(frame.contentDocument, '400 pixels');
			frame.remove();
			finish();
		};
		document.body.appendChild(frame);
	}

	try {
		check_figures();
		check_schedule();
		check_following();
		check_parts();
		check_tables();
		check_colours();
		check_width(document, '1200 pixels');
		check_narrow();
	} catch (e) {
		ok(false, 'the checks themselves', e.stack);
		finish();
	}
})();
