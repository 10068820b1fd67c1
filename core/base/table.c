/*
 * Tables of text cells, as V-IPU prints them, and as CSV.  Widths are columns
 * of a screen (terminal_width()).
 */
#include "core/base/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { BETWEEN = 3 }; /* " | " */

/* Count the columns of the headers. */
static int
count_columns(const char *const *headers)
{
	int columns = headers == NULL ? 2 : 0;

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
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t->tones);
	memset(t, 0, sizeof(*t));
}

/* Escape a cell, which may come from a file, a server or another user's
   program, so that it neither steers a terminal nor begins a line.  *copy is to
   be freed; NULL: the cell needs no escapes. */
static const char *
escape_cell(const char *cell, char **copy)
{
	const unsigned char *c = (const unsigned char *)cell;
	size_t size;

	*copy = NULL;
	while (*c >= ' ' && *c < 0x7f)
		c++;
	if (*c == '\0')
		return cell;
	size = 4 * strlen(cell) + 1;
	*copy = xmalloc(size);
	text_escape(cell, "", *copy, size);
	return *copy;
}

void
table_add(struct table *t, const char *fmt, ...)
{
	char cell[128], *copy, **to;
	int len;
	va_list ap;

	if (t->count == t->room) {
		t->room = t->room != 0 ? 2 * t->room : 64;
		t->cells = xreallocarray(t->cells, t->room, sizeof(*t->cells));
		t->tones = xreallocarray(t->tones, t->room, sizeof(*t->tones));
	}
	/* Most cells are short: format once, without measuring before. */
	va_start(ap, fmt);
	len = vsnprintf(cell, sizeof(cell), fmt, ap);
	va_end(ap);
	va_start(ap, fmt);
	to = &t->cells[t->count];
	*to = len >= 0 && (size_t)len < sizeof(cell) ?
	    xstrdup(cell) :
	    xvasprintf(fmt, ap);
	va_end(ap);
	(void)escape_cell(*to, &copy);
	if (copy != NULL) {
		free(*to);
		*to = copy;
	}
	t->tones[t->count] = TONE_PLAIN;
	t->count++;
}

void
table_tone(struct table *t, enum terminal_tone tone)
{
	assert(t->count > 0);
	t->tones[t->count - 1] = (unsigned char)tone;
}

void
table_screen_init(struct table_screen *screen, int fd, bool wide,
    enum terminal_colour colour)
{
	screen->columns = wide ? 0 : terminal_columns(fd);
	screen->colour = terminal_has_colour(fd, colour);
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

/* Widen the columns to their widest cells. */
void
table_form_measure(struct table_form *f, const char *const *cells)
{
	char *copy;
	int i, width;

	for (i = 0; i < f->columns; i++) {
		width = terminal_width(escape_cell(cells[i], &copy));
		free(copy);
		if (width > f->widths[i])
			f->widths[i] = width;
	}
}

/* A rule is two columns wider than the cells with their separators. */
void
table_form_fit(struct table_form *f, const struct fit_rule *rules,
    const struct table_screen *screen)
{
	static const struct fit_rule none[TABLE_COLUMNS_MAX];
	static const struct fit_rule page[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 1, 20, 0, FIT_WRAP } };

	f->rules = rules != NULL ? rules : f->headers == NULL ? page : none;
	f->colour = screen->colour;
	if (screen->columns > 0)
		f->left_out = fit_columns(f->widths, f->columns, f->rules,
		    BETWEEN, screen->columns - 2);
}

/* Print a line of dashes, as wide as a row with " | " between its cells and a
   space at each end. */
static void
table_print_rule(FILE *out, const struct table_form *f)
{
	int i, width = 2 - BETWEEN;

	for (i = 0; i < f->columns; i++)
		if (f->widths[i] != FIT_LEFT_OUT)
			width += f->widths[i] + BETWEEN;
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
	if (f->left_out > 0)
		fprintf(out, "--wide shows %d more column%s\n", f->left_out,
		    f->left_out == 1 ? "" : "s");
}

/* The written part of a row, because many calls of stdio would cost more than
   everything else. */
struct line {
	FILE *out;
	size_t used;
	char text[512];
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

static void
line_put_text(struct line *l, const char *text, size_t len)
{
	while (len-- > 0)
		line_put(l, *text++);
}

/* The rest of a row's cells: text without room continues on the next lines
   (FIT_WRAP) or was cut. */
struct row {
	const char *texts[TABLE_COLUMNS_MAX];
	char *cut[TABLE_COLUMNS_MAX]; /* NULL: neither cut nor escaped */
	const unsigned char *tones;   /* or NULL */
};

/* Cut each cell that is wider than its column and does not wrap. */
static void
row_init(struct row *r, const struct table_form *f, const char *const *cells,
    const unsigned char *tones)
{
	char *cut;
	size_t size;
	int i, width;

	r->tones = f->colour ? tones : NULL;
	for (i = 0; i < f->columns; i++) {
		r->texts[i] = escape_cell(cells[i], &r->cut[i]);
		width = f->widths[i];
		if (width == FIT_LEFT_OUT || f->rules == NULL ||
		    f->rules[i].cut == FIT_WRAP ||
		    terminal_width(r->texts[i]) <= width)
			continue;
		size = strlen(r->texts[i]) + sizeof("...");
		cut = xmalloc(size);
		if (f->rules[i].cut == FIT_KEEP_END && cells != f->headers)
			terminal_cut_start(cut, size, r->texts[i], width);
		else
			terminal_cut_end(cut, size, r->texts[i], width);
		free(r->cut[i]);
		r->texts[i] = r->cut[i] = cut;
	}
}

static void
row_release(struct row *r, const struct table_form *f)
{
	int i;

	for (i = 0; i < f->columns; i++)
		free(r->cut[i]);
}

/* Print the cell's part of this line.  Returns its width. */
static int
row_put_cell(struct row *r, const struct table_form *f, int i, struct line *l)
{
	const enum terminal_tone tone = r->tones != NULL ?
	    (enum terminal_tone)r->tones[i] :
	    TONE_PLAIN;
	const char *sequence, *text = r->texts[i];
	size_t len = strlen(text);
	int width = terminal_width(text);

	if (width > f->widths[i] && f->rules != NULL) {
		len = (size_t)fit_line(text, f->widths[i]);
		width -= terminal_width(text + len);
	}
	sequence = terminal_begin(tone, len > 0);
	line_put_text(l, sequence, strlen(sequence));
	line_put_text(l, text, len);
	sequence = terminal_end(tone, len > 0);
	line_put_text(l, sequence, strlen(sequence));
	r->texts[i] = text + len + strspn(text + len, " ");
	return width;
}

/* Print one line of a row.  Spaces are delayed until text follows, so no line
   ends in a space.  Returns true if more lines are needed. */
static bool
row_put_line(struct row *r, const struct table_form *f, struct line *l)
{
	bool more = false, first = true;
	int i, spaces = (f->flags & TABLE_SPACE) != 0;

	for (i = 0; i < f->columns; i++) {
		if (f->widths[i] == FIT_LEFT_OUT)
			continue;
		if (!first) {
			for (spaces++; spaces > 0; spaces--)
				line_put(l, ' ');
			line_put(l, '|');
			spaces = 1;
		}
		first = false;
		for (; spaces > 0 && r->texts[i][0] != '\0'; spaces--)
			line_put(l, ' ');
		spaces += f->widths[i];
		spaces -= row_put_cell(r, f, i, l);
		more = more || r->texts[i][0] != '\0';
	}
	line_put(l, '\n');
	return more;
}

static void
table_put_row(FILE *out, const struct table_form *f, const char *const *cells,
    const unsigned char *tones)
{
	struct line l;
	struct row r;

	l.out = out;
	l.used = 0;
	row_init(&r, f, cells, tones);
	while (row_put_line(&r, f, &l))
		;
	line_flush(&l);
	row_release(&r, f);
}

void
table_form_row(FILE *out, const struct table_form *f, const char *const *cells)
{
	table_put_row(out, f, cells, NULL);
}

void
table_form_measure_all(struct table_form *f, const struct table *t)
{
	const char *const *rows = (const char *const *)t->cells;
	size_t k, columns = (size_t)t->columns;

	assert(t->count % columns == 0);
	for (k = 0; k < t->count; k += columns)
		table_form_measure(f, rows + k);
}

void
table_form_rows(FILE *out, const struct table_form *f, const struct table *t)
{
	const char *const *rows = (const char *const *)t->cells;
	size_t k, columns = (size_t)t->columns;

	for (k = 0; k < t->count; k += columns)
		table_put_row(out, f, rows + k, t->tones + k);
}

void
table_show(FILE *out, const struct table *t, unsigned flags,
    const struct table_screen *screen)
{
	struct table_form f;

	table_form_init(&f, t->headers, t->first_width, flags);
	table_form_measure_all(&f, t);
	if (screen != NULL)
		table_form_fit(&f, t->rules, screen);
	table_form_begin(out, &f);
	table_form_rows(out, &f, t);
	table_form_end(out, &f);
}

static bool
needs_quotes(const char *c)
{
	while (*c != '\0' && *c != ',' && *c != '"')
		c++;
	return *c != '\0';
}

/* Quote a cell only if needed, and double quotation marks within (RFC 4180). */
void
table_csv_row(FILE *out, int columns, const char *const *cells)
{
	struct line l;
	const char *c;
	char *copy;
	bool quoted;
	int i;

	l.out = out;
	l.used = 0;
	for (i = 0; i < columns; i++) {
		if (i > 0)
			line_put(&l, ',');
		c = escape_cell(cells[i], &copy);
		quoted = needs_quotes(c);
		if (quoted)
			line_put(&l, '"');
		for (; *c != '\0'; c++) {
			if (*c == '"')
				line_put(&l, '"');
			line_put(&l, *c);
		}
		free(copy);
		if (quoted)
			line_put(&l, '"');
	}
	line_put(&l, '\n');
	line_flush(&l);
}

void
table_print_csv(FILE *out, const struct table *t)
{
	size_t k;

	assert(t->count % (size_t)t->columns == 0);
	if (t->headers != NULL)
		table_csv_row(out, t->columns, t->headers);
	for (k = 0; k < t->count; k += (size_t)t->columns)
		table_csv_row(out, t->columns,
		    (const char *const *)&t->cells[k]);
}
