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

	/*
	 * Figures of summary.json by their paths, '%' for a place in a list
	 * and '*' for the rest: those that the page shows, and those that it
	 * does not, for they stand there as words, in pictures or as what is
	 * left of another.
	 */
	var shown = pattern(['run.host_samples_per_second',
	    'run.modelled_samples_per_second', 'run.calls', 'run.samples',
	    'utilisation.*', 'cycles.iteration', 'ipus.%.utilisation.*',
	    'ipus.%.modelled.cycles.forward', 'ipus.%.modelled.cycles.backward',
	    'ipus.%.stash.*', 'ipus.%.memory.kinds.*', 'ipus.%.memory.total',
	    'ipus.%.memory.streaming', 'ipus.%.memory.fullest_tile_bytes',
	    'ipus.%.memory.tile_balance', 'links.%.iteration_*',
	    'operations.%.forward_cycles', 'operations.%.backward_cycles',
	    'operations.%.share', 'longest_host.%.ns',
	    'longest_modelled.%.cycles'].concat(
	    summary.run.host_steps === undefined ? ['links.%.host_*'] : []));
	var not_shown = pattern(['instance', 'configuration.*',
	    'run.host_processors', 'run.planned_calls', 'run.host_*',
	    'run.modelled_seconds', 'bubble.*', 'cycles.clock_mhz',
	    'cycles.update', 'cycles.call', 'cycles.per_sample',
	    'findings.%.*', 'schedule.*', 'stages.%.*', 'ipus.%.ipu',
	    'ipus.%.host.ns.*', 'ipus.%.host.share.*',
	    'ipus.%.modelled.cycles.*', 'ipus.%.modelled.share.*',
	    'ipus.%.memory.fullest_tile', 'ipus.%.memory.tile_limit_bytes',
	    'links.%.from', 'links.%.to', 'links.%.host_*',
	    'operations.%.ipu', 'longest_host.%.*', 'longest_modelled.%.*']);

	function pattern(paths) {
		return new RegExp('^(' + paths.join('|').replace(/[.]/g, '\\.')
		    .replace(/%/g, '\\d+').replace(/\*/g, '.*') + ')$');
	}

	/* The paths of all numbers below a value. */
	function numbers(at, path) {
		if (typeof at === 'number')
			return [path];
		if (at === null || typeof at !== 'object')
			return [];
		return Object.keys(at).reduce(function (all, key) {
			return all.concat(numbers(at[key], path === '' ? key :
			    path + '.' + key));
		}, []);
	}

	/* Each figure that the page should have, and no other is forgotten. */
	function check_shown() {
		var counts = {};
		var wrong;

		all('[data-key]').forEach(function (figure) {
			var key = figure.dataset.key;

			counts[key] = (counts[key] || 0) + 1;
		});
		wrong = numbers(summary, '').filter(function (path) {
			return shown.test(path) ? counts[path] !== 1 :
			    !not_shown.test(path);
		});
		ok(wrong.length === 0, 'figures of summary.json stand once',
		    wrong.slice(0, 3).join('; '));
	}

	/* Names, the command and how the run ended, letter by letter. */
	function check_words() {
		var title = shown_as(summary.model) + ': ' + summary.engine;
		var ended = document.querySelector('p.ended');
		var words = all('h1, header code').map(function (e) {
			return e.textContent;
		});

		ok(document.title === title && words[0] === title &&
		    words[1] === shown_as(summary.command),
		    'names and the command',
		    words.join(' '));
		ok(summary.run.interrupted === undefined ? ended === null :
		    ended.textContent === 'The run was ' +
		    shown_as(summary.run.interrupted) + '. The figures are ' +
		    'those of the calls that were completed.',
		    'how the run ended', ended && ended.textContent);
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

		ok(wrong_numbers.length === 0, 'numbers as a person reads them',
		    wrong_numbers.join('; '));
		ok(figures.length > 30, 'the page has figures',
		    figures.length);
		ok(wrong.length === 0, 'figures are those of summary.json',
		    wrong.slice(0, 3).join('; '));
	}

	function is_last_stage(box) {
		return box.querySelector('title').textContent.indexOf(
		    'stage ' + (summary.configuration.stages - 1) + ' ') >= 0;
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
		ok(all('#schedule .again').length === (summary.configuration
		    .recompute ? all('#schedule .box.b').length -
		    all('#schedule .box.b').filter(is_last_stage).length : 0),
		    'strips where forward is computed again',
		    all('#schedule .again').length);
		ok(all('#schedule .phase').length === (cut ? 2 : ['sharded',
		    'one-ipu'].indexOf(summary.configuration.strategy) >= 0 ?
		    1 : 3), 'phases', all('#schedule .phase').length);
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

	/* Whether a cell says that time, "" none. */
	function says_time(cell, seconds) {
		var units = { ns: 1e-9, '\u00b5s': 1e-6, ms: 1e-3, s: 1 };
		var parts = cell.textContent.split(' ');

		return seconds === null ? cell.textContent === '' :
		    Math.abs(Number(parts[0]) * units[parts[1]] - seconds) <=
		    0.0006 * seconds;
	}

	/* Times of all calls, and of one where a part is of each. */
	function wrong_times() {
		var run = summary.run;
		var wanted = [[run.host_compile_seconds, false],
		    [run.host_input_seconds, true], [run.host_seconds, true],
		    [run.host_first_run_seconds, false],
		    [run.host_output_seconds, true],
		    [run.modelled_seconds, true]];

		return all('#host-times tbody tr').filter(function (row, i) {
			return !says_time(row.children[2], wanted[i][0]) ||
			    !says_time(row.children[3], wanted[i][1] ?
			    wanted[i][0] / run.calls : null);
		});
	}

	/* Of an outline: what was measured, and the operations. */
	function check_outline() {
		var outline = summary.run.host_steps !== undefined;
		var ran = outline && summary.run.calls > 0;
		var parts = all('#host-times tbody tr').map(function (row) {
			return row.children[0].textContent;
		}).join(' ');

		ok(outline === (document.getElementById('host') !== null) &&
		    parts === (ran ? 'compile input run first run output run' :
		    '') && wrong_times().length === 0,
		    'what the host measured', parts);
		ok(all('#operation-cycles tbody tr').length === (outline ?
		    summary.operations.length : 0), 'operations of an outline',
		    all('#operation-cycles tbody tr').length);
		/* Of an outline that ran there is a picture of its calls. */
		ok(!ran || all('#host-timeline rect[class^=k]').length > 0,
		    'what the host did, as a picture', ran);
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
		/* Of very many steps the first ones, and no time of all. */
		wholes.filter(function (chart) {
			return / columns 1 to /.test(chart.closest('details')
			    .textContent) || /^The first \d+ columns/.test(
			    chart.closest('details').textContent);
		}).forEach(function (chart) {
			if (/iteration 1: /.test(chart.textContent))
				bad.push(chart);
		});
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
		ok(empty.length === 0 && all('table > thead > tr').length ===
		    all('table').length, 'tables have heads and rows',
		    empty.length);
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
		check_words();
		check_figures();
		check_shown();
		check_schedule();
		check_following();
		check_parts();
		check_tables();
		check_outline();
		check_iterations();
		check_axes();
		check_widths(ok, finish);
	} catch (e) {
		ok(false, 'the checks themselves', e.stack);
		finish();
	}
})();
