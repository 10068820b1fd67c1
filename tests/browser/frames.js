/*
 * Opens in frames what tests/browser/run has prepared: of profile number N of
 * `profiles` N.html, light and dark.  When all have come to their end, the
 * element "results" holds their results, a line each.
 */
'use strict';
(function () {
	var waiting = 0;

	function open(name, scheme, loaded) {
		var frame = document.createElement('iframe');

		frame.width = 1200;
		frame.height = 900;
		frame.style.border = '0';
		/* What the page in it hears as the preferred scheme. */
		frame.style.colorScheme = scheme;
		frame.src = name;
		frame.onload = function () {
			loaded(frame.contentDocument);
		};
		document.body.appendChild(frame);
	}

	/* The lines that report.js puts into its element, now or soon. */
	function results_of(page, done) {
		var pre = page.getElementById('results');

		if (pre !== null) {
			done(pre.textContent);
			return;
		}
		new MutationObserver(function (ignored, observer) {
			pre = page.getElementById('results');
			if (pre === null)
				return;
			observer.disconnect();
			done(pre.textContent);
		}).observe(page.body, { childList: true });
	}

	/* Of a dark page what it says of its darkness. */
	function about_dark(text) {
		return text.split('\n').filter(function (line) {
			return line.indexOf(' dark: ') > 0;
		}).join('\n') || 'not ok - the page is not dark';
	}

	/* `parts` are the texts of one profile, in the order of the output. */
	function put(parts, at, text) {
		parts[at] = text.replace(/^\n|\n$/g, '');
		waiting--;
		if (waiting === 0)
			finish();
	}

	var texts = profiles.map(function (name, i) {
		var parts = [name];
		var file = String(i + 1);

		waiting += 2;
		open(file + '.html', 'light', function (page) {
			results_of(page, put.bind(null, parts, 1));
		});
		open(file + '.html', 'dark', function (page) {
			results_of(page, function (text) {
				put(parts, 2, about_dark(text));
			});
		});
		return parts;
	});

	function finish() {
		var pre = document.createElement('pre');

		pre.id = 'results';
		pre.textContent = '\n' + texts.map(function (parts) {
			return parts.join('\n');
		}).join('\n') + '\n';
		document.body.appendChild(pre);
	}
})();
