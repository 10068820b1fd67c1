'use strict';
/* Following a micro-batch through the schedule; the page is whole without. */
document.querySelectorAll('.tl').forEach(function (picture) {
	function follow(event) {
		var box = event.target.closest('[data-m]');
		picture.classList.toggle('follow', box !== null);
		picture.querySelectorAll('.here').forEach(function (other) {
			other.classList.remove('here');
		});
		if (box === null)
			return;
		picture.querySelectorAll('[data-m="' + box.dataset.m + '"]')
		    .forEach(function (other) {
			other.classList.add('here');
		});
	}
	picture.addEventListener('mouseover', follow);
	picture.addEventListener('mouseleave', follow);
});
