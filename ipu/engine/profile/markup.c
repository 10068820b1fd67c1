/*
 * Numbers and texts as the profile's HTML and SVG show them.
 */
#include "ipu/engine/profile/markup.h"

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
markup_share(char out[MARKUP_SIZE], double share)
{
	(void)snprintf(out, MARKUP_SIZE, "%.1f %%", 100 * share);
	return out;
}
