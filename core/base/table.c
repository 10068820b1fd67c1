/*
 * Tables of text cells, as V-IPU prints them, and the same as CSV.  Cells are
 * counted in bytes: names are ASCII (name.h).
 */
#include "core/base/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* The number of columns is that of the headers. */
static int
count_columns(const char *const *headers)
{
	int	columns = headers == NULL ? 2 : 0;

	while (headers != NULL && headers[columns] != NULL)
		columns++;
	assert(columns > 0 && columns <= TABLE_COLUMNS_MAX);
	return columns;
}

void
table_init(struct table *t, const char *const *headers)
{
	memset(t, 0, sizeof(*t));
	t->headers = headers;
	t->first_width = TABLE_FIRST_WIDTH;
	t->columns = count_columns(headers);
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

void
table_form_init(struct table_form *f, const char *const *headers,
    int first_width, unsigned flags)
{
	memset(f, 0, sizeof(*f));
	f->headers = headers;
	f->columns = count_columns(headers);
	f->flags = flags;
	f->widths[0] = first_width;
	if (headers != NULL)
		table_form_measure(f, headers);
}

/* A column is as wide as its widest cell. */
void
table_form_measure(struct table_form *f, const char *const *cells)
{
	int	i, len;

	for (i = 0; i < f->columns; i++) {
		len = (int)strlen(cells[i]);
		if (len > f->widths[i])
			f->widths[i] = len;
	}
}

/* A line of dashes: a space at each end, and " | " between two columns. */
static void
table_print_rule(FILE *out, const struct table_form *f)
{
	int	i, width = 2 + 3 * (f->columns - 1);

	for (i = 0; i < f->columns; i++)
		width += f->widths[i];
	while (width-- > 0)
		putc('-', out);
	putc('\n', out);
}

void
table_form_begin(FILE *out, const struct table_form *f)
{
	if ((f->flags & TABLE_TOP_RULE) != 0)
		table_print_rule(out, f);
	if (f->headers != NULL) {
		table_form_row(out, f, f->headers);
		table_print_rule(out, f);
	}
}

void
table_form_end(FILE *out, const struct table_form *f)
{
	if ((f->flags & TABLE_OPEN) == 0)
		table_print_rule(out, f);
}

/* What is written of a row so far: stdio costs more than all the rest. */
struct line {
	FILE	*out;
	size_t	 used;
	char	 text[512];
};

static void
line_flush(struct line *l)
{
	(void)fwrite(l->text, 1, l->used, l->out);
	l->used = 0;
}

static void
line_put(struct line *l, char c)
{
	if (l->used == sizeof(l->text))
		line_flush(l);
	l->text[l->used++] = c;
}

/*
 * Spaces are owed until something stands behind them, so that no line ends in a
 * space.
 */
void
table_form_row(FILE *out, const struct table_form *f, const char *const *cells)
{
	struct line	 l;
	const char	*c;
	int		 i, spaces = (f->flags & TABLE_SPACE) != 0;

	l.out = out;
	l.used = 0;
	for (i = 0; i < f->columns; i++) {
		if (i > 0) {
			for (spaces++; spaces > 0; spaces--)
				line_put(&l, ' ');
			line_put(&l, '|');
			spaces = 1;
		}
		for (; spaces > 0 && cells[i][0] != '\0'; spaces--)
			line_put(&l, ' ');
		for (c = cells[i]; *c != '\0'; c++)
			line_put(&l, *c);
		spaces += f->widths[i] - (int)(c - cells[i]);
	}
	line_put(&l, '\n');
	line_flush(&l);
}

void
table_print(FILE *out, const struct table *t, unsigned flags)
{
	const char *const	*rows = (const char *const *)t->cells;
	struct table_form	 f;
	size_t			 k, columns = (size_t)t->columns;

	assert(t->count % columns == 0);
	table_form_init(&f, t->headers, t->first_width, flags);
	for (k = 0; k < t->count; k += columns)
		table_form_measure(&f, rows + k);
	table_form_begin(out, &f);
	for (k = 0; k < t->count; k += columns)
		table_form_row(out, &f, rows + k);
	table_form_end(out, &f);
}

static bool
needs_quotes(const char *c)
{
	while (*c != '\0' && *c != ',' && *c != '"' && *c != '\r' &&
	    *c != '\n')
		c++;
	return *c != '\0';
}

/*
 * RFC 4180: quotation marks where the cell needs them, and only there; those
 * within are doubled.
 */
void
table_csv_row(FILE *out, int columns, const char *const *cells)
{
	struct line	 l;
	const char	*c;
	bool		 quoted;
	int		 i;

	l.out = out;
	l.used = 0;
	for (i = 0; i < columns; i++) {
		if (i > 0)
			line_put(&l, ',');
		quoted = needs_quotes(cells[i]);
		if (quoted)
			line_put(&l, '"');
		for (c = cells[i]; *c != '\0'; c++) {
			if (*c == '"')
				line_put(&l, '"');
			line_put(&l, *c);
		}
		if (quoted)
			line_put(&l, '"');
	}
	line_put(&l, '\n');
	line_flush(&l);
}

void
table_print_csv(FILE *out, const struct table *t)
{
	size_t	k;

	assert(t->count % (size_t)t->columns == 0);
	if (t->headers != NULL)
		table_csv_row(out, t->columns, t->headers);
	for (k = 0; k < t->count; k += (size_t)t->columns)
		table_csv_row(out, t->columns,
		    (const char *const *)&t->cells[k]);
}
