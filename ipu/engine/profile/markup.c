/*
 * Numbers and texts as the profile's HTML and SVG show them.
 */
#include "ipu/engine/profile/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

void
markup_text(FILE *f, const char *text)
{
	const size_t	 size = 4 * strlen(text) + 1;
	char		*copy = xmalloc(size), *c;

	text_printable(text, copy, size);
	for (c = copy; *c != '\0'; c++) {
		switch (*c) {
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '&':
			fputs("&amp;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			putc(*c, f);
			break;
		}
	}
	free(copy);
}

/* From the left: a comma stands where a multiple of three digits is left. */
const char *
markup_number(char out[MARKUP_SIZE], long long n)
{
	char	digits[24];
	size_t	size, i, to = 0;

	(void)snprintf(digits, sizeof(digits), "%lld", n < 0 ? -n : n);
	size = strlen(digits);
	if (n < 0)
		out[to++] = '-';
	for (i = 0; i < size; i++) {
		if (i > 0 && (size - i) % 3 == 0)
			out[to++] = ',';
		out[to++] = digits[i];
	}
	out[to] = '\0';
	return out;
}

/* The largest unit that leaves a figure of 1 and more. */
static const char *
largest_unit(double *value, double step, const char *const *units)
{
	while (units[1] != NULL && *value >= step) {
		*value /= step;
		units++;
	}
	return *units;
}

const char *
markup_bytes(char out[MARKUP_SIZE], double bytes)
{
	static const char *const	units[] = { "B", "kB", "MB", "GB",
					    NULL };
	const char			*unit;

	/* As Poplar: 1,024 bytes are a kB. */
	unit = largest_unit(&bytes, 1024, units);
	(void)snprintf(out, MARKUP_SIZE, "%.*f %s", unit == units[0] ? 0 : 1,
	    bytes, unit);
	return out;
}

const char *
markup_ns(char out[MARKUP_SIZE], double ns)
{
	static const char *const	units[] = { "ns", "\xc2\xb5s", "ms",
					    "s", NULL };
	const char			*unit;

	unit = largest_unit(&ns, 1000, units);
	(void)snprintf(out, MARKUP_SIZE, "%.4g %s", ns, unit);
	return out;
}

struct markup_unit
markup_time_unit(double longest_ns)
{
	static const struct markup_unit	units[] = {
		{ "s", 1e9, 0 }, { "ms", 1e6, 0 }, { "\xc2\xb5s", 1e3, 0 },
		{ "ns", 1, 0 }
	};
	const struct markup_unit	*unit = units;
	struct markup_unit		 found;

	while (longest_ns < unit->ns && unit->ns > 1)
		unit++;
	found = *unit;
	found.decimals = longest_ns < 10 * unit->ns ? 3 :
	    longest_ns < 100 * unit->ns ? 2 : 1;
	if (unit->ns <= 1)
		found.decimals = 0;
	return found;
}

const char *
markup_tick(char out[MARKUP_SIZE], double ns, double step_ns,
    const struct markup_unit *unit)
{
	double	step = step_ns / unit->ns;
	int	decimals = 0;

	for (; step < 0.999 && decimals < 6; step *= 10)
		decimals++;
	(void)snprintf(out, MARKUP_SIZE, "%.*f %s", decimals, ns / unit->ns,
	    unit->name);
	return out;
}

const char *
markup_share(char out[MARKUP_SIZE], double share)
{
	(void)snprintf(out, MARKUP_SIZE, "%.1f %%", 100 * share);
	return out;
}

/* The key's '%' becomes the index; the value keeps all digits of a double. */
static void
begin_figure(FILE *f, const char *key, int index, double value)
{
	const char	*c;

	fputs("<span data-key=\"", f);
	for (c = key; *c != '\0'; c++) {
		if (*c == '%')
			fprintf(f, "%d", index);
		else
			putc(*c, f);
	}
	fprintf(f, "\" data-value=\"%.17g\"", value);
}

static void
figure(FILE *f, const char *key, int index, double value, const char *text)
{
	begin_figure(f, key, index, value);
	fprintf(f, ">%s</span>", text);
}

void
markup_figure_number(FILE *f, const char *key, int index, double n)
{
	char	text[MARKUP_SIZE];

	figure(f, key, index, n, markup_number(text, llround(n)));
}

void
markup_figure_bytes(FILE *f, const char *key, int index, double bytes)
{
	char	text[MARKUP_SIZE];

	figure(f, key, index, bytes, markup_bytes(text, bytes));
}

void
markup_figure_share(FILE *f, const char *key, int index, double share)
{
	char	text[MARKUP_SIZE];

	figure(f, key, index, share, markup_share(text, share));
}

void
markup_figure_time(FILE *f, const char *key, int index, double ticks,
    double tick_ns, const struct markup_unit *unit)
{
	begin_figure(f, key, index, ticks);
	fprintf(f, " data-scale=\"%.17g\">%.*f</span>", tick_ns / unit->ns,
	    unit->decimals, ticks * tick_ns / unit->ns);
}
