/*
 * Tables of text cells, as V-IPU prints them, and the same as CSV.  Cells are
 * counted in bytes: names are ASCII (name.h).
 */
#include "core/base/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* The number of columns is that of the headers. */
void
table_init(struct table *t, const char *const *headers)
{
	memset(t, 0, sizeof(*t));
	t->headers = headers;
	t->first_width = TABLE_FIRST_WIDTH;
	t->columns = 2;
	if (headers != NULL)
		for (t->columns = 0; headers[t->columns] != NULL; t->columns++)
			;
	assert(t->columns > 0 && t->columns <= TABLE_COLUMNS_MAX);
}

void
table_release(struct table *t)
{
	size_t	i;

	for (i = 0; i < t->count; i++)
		free(t->cells[i]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}

/*
 * What a cell shows may come from a file or from another user's program.  CSV
 * puts line breaks between quotation marks, so they stay.
 */
static char *
escape_cell(char *cell)
{
	const unsigned char	*c = (const unsigned char *)cell;
	size_t			 size;
	char			*shown;

	while (*c >= ' ' && *c < 0x7f)
		c++;
	if (*c == '\0')
		return cell;
	size = 4 * strlen(cell) + 1;
	shown = xmalloc(size);
	text_escape(cell, "\n\r\t", shown, size);
	free(cell);
	return shown;
}

void
table_add(struct table *t, const char *fmt, ...)
{
	char	cell[128];
	int	len;
	va_list	ap;

	if (t->count == t->room) {
		t->room = t->room != 0 ? 2 * t->room : 64;
		t->cells = xreallocarray(t->cells, t->room, sizeof(*t->cells));
	}
	/* Most cells are short: format once, not again to measure. */
	va_start(ap, fmt);
	len = vsnprintf(cell, sizeof(cell), fmt, ap);
	va_end(ap);
	va_start(ap, fmt);
	t->cells[t->count] = len >= 0 && (size_t)len < sizeof(cell) ?
	    xstrdup(cell) : xvasprintf(fmt, ap);
	va_end(ap);
	t->cells[t->count] = escape_cell(t->cells[t->count]);
	t->count++;
}

/* A column is as wide as its widest cell. */
static void
widen(int *width, const char *cell)
{
	int	len = (int)strlen(cell);

	if (len > *width)
		*width = len;
}

/* A line of dashes. */
static void
table_print_rule(FILE *out, int width)
{
	while (width-- > 0)
		putc('-', out);
	putc('\n', out);
}

/*
 * Spaces are owed until something stands behind them, so that no line ends in a
 * space.
 */
static void
table_print_row(FILE *out, const struct table *t, const char *const *cells,
    const int *widths, unsigned flags)
{
	int	i, spaces = (flags & TABLE_SPACE) != 0;

	for (i = 0; i < t->columns; i++) {
		if (i > 0) {
			fprintf(out, "%*s|", spaces + 1, "");
			spaces = 1;
		}
		if (cells[i][0] != '\0') {
			fprintf(out, "%*s%s", spaces, "", cells[i]);
			spaces = 0;
		}
		spaces += widths[i] - (int)strlen(cells[i]);
	}
	putc('\n', out);
}

void
table_print(FILE *out, const struct table *t, unsigned flags)
{
	int	widths[TABLE_COLUMNS_MAX] = { t->first_width };
	int	i, rule;
	size_t	k;

	assert(t->count % (size_t)t->columns == 0);
	for (k = 0; k < t->count; k++)
		widen(&widths[k % (size_t)t->columns], t->cells[k]);
	for (i = 0; t->headers != NULL && i < t->columns; i++)
		widen(&widths[i], t->headers[i]);
	/* A space at each end, and " | " between two columns. */
	rule = 2 + 3 * (t->columns - 1);
	for (i = 0; i < t->columns; i++)
		rule += widths[i];

	if ((flags & TABLE_TOP_RULE) != 0)
		table_print_rule(out, rule);
	if (t->headers != NULL) {
		table_print_row(out, t, t->headers, widths, flags);
		table_print_rule(out, rule);
	}
	for (k = 0; k < t->count; k += (size_t)t->columns)
		table_print_row(out, t, (const char *const *)&t->cells[k],
		    widths,
		    flags);
	if ((flags & TABLE_OPEN) == 0)
		table_print_rule(out, rule);
}

/*
 * RFC 4180: quotation marks where the cell needs them, and only there; those
 * within are doubled.
 */
static void
print_csv_row(FILE *out, const struct table *t, const char *const *cells)
{
	const char	*c;
	int		 i;

	for (i = 0; i < t->columns; i++) {
		if (i > 0)
			putc(',', out);
		if (strpbrk(cells[i], ",\"\r\n") == NULL) {
			fputs(cells[i], out);
			continue;
		}
		putc('"', out);
		for (c = cells[i]; *c != '\0'; c++) {
			if (*c == '"')
				putc('"', out);
			putc(*c, out);
		}
		putc('"', out);
	}
	putc('\n', out);
}

void
table_print_csv(FILE *out, const struct table *t)
{
	size_t	k;

	assert(t->count % (size_t)t->columns == 0);
	if (t->headers != NULL)
		print_csv_row(out, t, t->headers);
	for (k = 0; k < t->count; k += (size_t)t->columns)
		print_csv_row(out, t, (const char *const *)&t->cells[k]);
}
