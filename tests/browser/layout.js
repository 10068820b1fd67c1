/*
 * How a page looks, at the width and in the colours that it has: nothing runs
 * out of the page or of its box, pictures show all their text, and text stands
 * out from its ground.  check_layout(document, name, ok) calls ok() for each;
 * check_widths() does it at the page's width and at 400 pixels.  says() and
 * shown_as() are of the other checks.
 */
'use strict';

/* Whether the text says the number, as exactly as it was written. */
function says(text, number) {
	var parts = text.match(/^([-0-9.,]+)(?: (B|kB|MB|GB|%))?$/);
	var units = { B: 1, kB: 1024, MB: 1048576, GB: 1073741824, '%': 0.01 };
	var unit, digits, last;

	if (parts === null)
		return false;
	unit = parts[2] === undefined ? 1 : units[parts[2]];
	digits = parts[1].replace(/,/g, '');
	last = Math.pow(10, -(digits.split('.')[1] || '').length);
	return Math.abs(Number(digits) * unit - number) <= 0.5001 * last * unit;
}

/* Text from outside as the page has it. */
function shown_as(text) {
	return text.replace(/[\u0000-\u001f\u007f]/g, '?');
}

function check_layout(page, name, ok) {
	var view = page.defaultView;

	function all(selector, root) {
		return Array.from((root || page).querySelectorAll(selector));
	}

	function first_of(elements) {
		return elements.length + ': ' + elements.slice(0, 3)
		    .map(function (e) {
			return e.tagName + ' "' + e.textContent.slice(0, 40) +
			    '"';
		}).join('; ');
	}

	/* What scrolls in a frame of its own may be wider than that. */
	function outside(element) {
		var box = element.parentElement.closest(
		    'section, .card, header, footer, main');
		var a = element.getBoundingClientRect();
		var b = box.getBoundingClientRect();

		return a.width > 0 && element.closest('.scroll, .bar') ===
		    null && (a.left < b.left - 0.5 || a.right > b.right + 0.5 ||
		    a.bottom > b.bottom + 0.5);
	}

	function clipped(text) {
		var box = text.ownerSVGElement.viewBox.baseVal;
		var at = text.getBBox();

		return at.width > 0 && (at.x < box.x - 0.5 || at.y < box.y -
		    0.5 || at.x + at.width > box.x + box.width + 0.5 ||
		    at.y + at.height > box.y + box.height + 0.5);
	}

	/* Labels of an axis side by side leave room between them. */
	function overlapping(svg) {
		var boxes = all('text.axis, .axis text', svg).map(
		    function (text) {
			return text.getBBox();
		});

		return boxes.some(function (a, i) {
			return boxes.slice(i + 1).some(function (b) {
				return a.x < b.x + b.width && b.x < a.x +
				    a.width && a.y < b.y + b.height && b.y <
				    a.y + a.height;
			});
		});
	}

	/* Red, green, blue and, where it is not 1, how opaque. */
	function parts_of(colour) {
		return colour.match(/[\d.]+/g).map(Number);
	}

	/* The ground that is painted behind an element. */
	function ground_of(element) {
		var box = element.closest('.box');
		var parts;

		if (box !== null)
			return parts_of(view.getComputedStyle(
			    box.querySelector('rect')).fill);
		for (; element !== null; element = element.parentElement) {
			parts = parts_of(view.getComputedStyle(element)
			    .backgroundColor);
			if (parts.length === 3)
				return parts;
		}
		return [255, 255, 255];
	}

	/* As the WCAG has it. */
	function light_of(colour) {
		var c = colour.map(function (n) {
			n /= 255;
			return n <= 0.04045 ? n / 12.92 :
			    Math.pow((n + 0.055) / 1.055, 2.4);
		});

		return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
	}

	function is_faint(element) {
		var style = view.getComputedStyle(element);
		var ink = light_of(parts_of(element.ownerSVGElement ?
		    style.fill : style.color));
		var ground = light_of(ground_of(element));

		return (Math.max(ink, ground) + 0.05) /
		    (Math.min(ink, ground) + 0.05) < 4.5;
	}

	function has_text(element) {
		return Array.from(element.childNodes).some(function (node) {
			return node.nodeType === 3 &&
			    node.textContent.trim() !== '';
		}) && ['SCRIPT', 'STYLE', 'title', 'desc', 'style'].indexOf(
		    element.tagName) < 0;
	}

	var root = page.documentElement;
	var out = all('main *').filter(function (e) {
		return e.ownerSVGElement === undefined && outside(e);
	});
	var cut = all('svg text').filter(clipped);
	var over = all('svg').filter(overlapping);
	var faint = all('main *').filter(function (e) {
		return has_text(e) && is_faint(e);
	});

	ok(root.scrollWidth <= root.clientWidth,
	    name + 'nothing runs out of the page',
	    root.scrollWidth + '/' + root.clientWidth);
	ok(out.length === 0, name + 'nothing leaves its box', first_of(out));
	ok(cut.length === 0, name + 'pictures show all their text',
	    first_of(cut));
	ok(over.length === 0, name + 'labels stand apart', first_of(over));
	ok(faint.length === 0, name + 'text can be read', first_of(faint));
}

/* A window is never narrower than 500, so a frame stands for it. */
function check_widths(ok, done) {
	var dark = matchMedia('(prefers-color-scheme: dark)').matches;
	var scheme = dark ? 'dark' : 'light';
	var frame = document.createElement('iframe');

	document.querySelectorAll('details').forEach(function (one) {
		one.open = true;
	});
	check_layout(document, scheme + ': 1200 pixels: ', ok);
	frame.width = 400;
	frame.height = 600;
	frame.style.colorScheme = scheme;
	frame.srcdoc = document.documentElement.outerHTML.replace(
	    /<script[^]*?<\/script>/g, '');
	frame.onload = function () {
		check_layout(frame.contentDocument, scheme + ': 400 pixels: ',
		    ok);
		frame.remove();
		done();
	};
	document.body.appendChild(frame);
}
