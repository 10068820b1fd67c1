/*
 * Times as the pages show them: one unit for a table or an axis, and ticks at
 * round figures.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memstream.h"
#include "ipu/engine/profile/chart.h"
#include "ipu/engine/profile/markup.h"

static const struct {
	double		 longest_ns;
	const char	*name;
	int		 decimals;
} unit_vectors[] = {
	{ 0, "ns", 0 }, { 999, "ns", 0 },
	{ 1000, "\xc2\xb5s", 3 }, { 12345, "\xc2\xb5s", 2 },
	{ 999999, "\xc2\xb5s", 1 }, { 1e6, "ms", 3 }, { 5e8, "ms", 1 },
	{ 1e9, "s", 3 }, { 3.6e12, "s", 1 }
};

static const struct {
	double		 ns, step_ns, longest_ns;
	const char	*text;
} ticks[] = {
	{ 0, 5e6, 3e7, "0 ms" }, { 1.5e7, 5e6, 3e7, "15 ms" },
	{ 2e5, 2e5, 1.9e6, "0.2 ms" }, { 5e4, 5e4, 2.4e5, "50 \xc2\xb5s" },
	{ 1.25e9, 5e7, 1.3e9, "1.25 s" }, { 300, 100, 640, "300 ns" }
};

static const struct {
	double	length;
	int	ticks;
	double	step;
} steps[] = {
	{ 100, 5, 20 }, { 1000, 5, 200 }, { 22, 4, 10 }, { 0.9, 6, 0.2 },
	{ 1472, 8, 200 }, { 6, 6, 1 }, { 31, 6, 10 }
};

static void
test_figure(void)
{
	const struct markup_unit	unit = markup_time_unit(30000);
	struct memstream		m;
	char				*text;

	markup_figure_time(memstream_open(&m), "a.%.b", 3, 13300, 1 / 1.33,
	    &unit);
	text = memstream_close(&m, NULL);
	ok(strstr(text, "<span data-key=\"a.3.b\" data-value=\"13300\" "
	    "data-scale=\"0.00075187") == text, "a figure of cycles");
	ok(strstr(text, "\">10.00</span>") != NULL, "as a time");
	free(text);
}

int
main(void)
{
	char	text[MARKUP_SIZE];
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(unit_vectors); i++) {
		const struct markup_unit	unit =
		    markup_time_unit(unit_vectors[i].longest_ns);

		is_str(unit.name, unit_vectors[i].name, "unit");
		is_int(unit.decimals, unit_vectors[i].decimals, "decimals");
	}
	for (i = 0; i < ARRAY_SIZE(ticks); i++) {
		const struct markup_unit	unit =
		    markup_time_unit(ticks[i].longest_ns);

		is_str(markup_tick(text, ticks[i].ns, ticks[i].step_ns, &unit),
		    ticks[i].text, "tick");
	}
	for (i = 0; i < ARRAY_SIZE(steps); i++)
		is_near(chart_tick_step(steps[i].length, steps[i].ticks),
		    steps[i].step, 1e-9, "step");
	test_figure();
	return tap_done();
}
