/*
 * Checks of config/report/page.js, which stands before this in a function:
 * times in one unit for a table or an axis, and ticks at round figures.
 * Returns what is wrong.
 */
const UNITS = [[0, 'ns', 0], [999, 'ns', 0], [1000, 'µs', 3],
    [12345, 'µs', 2], [999999, 'µs', 1], [1e6, 'ms', 3], [5e8, 'ms', 1], [1e9, 's', 3],
    [3.6e12, 's', 1]];
/* Nanoseconds, those between two ticks, and of the whole axis. */
const TICKS = [[0, 5e6, 3e7, '0 ms'], [1.5e7, 5e6, 3e7, '15 ms'],
    [2e5, 2e5, 1.9e6, '0.2 ms'], [5e4, 5e4, 2.4e5, '50 µs'],
    [1.25e9, 5e7, 1.3e9, '1.25 s'], [300, 100, 640, '300 ns']];
const STEPS = [[100, 5, 20], [1000, 5, 200], [22, 4, 10], [0.9, 6, 0.2],
    [1472, 8, 200], [6, 6, 1], [31, 6, 10]];
const TEXTS = [[number(1211970), '1,211,970'], [number(0), '0'],
    [bytes(1023), '1023 B'], [bytes(638976), '624.0 kB'],
    [bytes(1572864), '1.5 MB'], [share(10 / 13), '76.9 %'],
    [time(0), '0 ns'], [time(12345), '12.35 µs'], [time(2e9), '2 s'],
    [printable('a\u0007b\u202e'), 'a?b?']];

return [].concat(
    UNITS.filter(([ns, name, decimals]) => timeUnit(ns).name !== name ||
	timeUnit(ns).decimals !== decimals),
    TICKS.filter(([ns, step, all, text]) => tick(ns, step, timeUnit(all)) !==
	text),
    STEPS.filter(([length, ticks, step]) => Math.abs(tickStep(length, ticks) -
	step) > 1e-9),
    TEXTS.filter(([got, wanted]) => got !== wanted));
