/*
 * Elastic tabstops: a column is as wide as its widest cell in consecutive lines
 * that have a cell in it.
 */
#include "applets/ipubox-job/kube_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

struct kube_cell {
	const char *text;
	size_t length;
	int width; /* width of the text */
	int room;  /* width of its column; 0: the last cell */
};

struct kube_line {
	size_t first; /* index of the first cell */
	size_t count;
};

struct kube_text {
	struct kube_cell *cells;
	struct kube_line *lines;
	size_t cell_count;
	size_t line_count;
	size_t columns; /* of the longest line */
};

void
kube_table_init_rows(struct kube_table *t)
{
	*t = (struct kube_table){ .least = 6, .gap = 3, .remembers = true };
}

void
kube_table_init_sheet(struct kube_table *t)
{
	*t = (struct kube_table){ .least = 0, .gap = 2 };
}

void
kube_table_restart(struct kube_table *t)
{
	memset(t->widths, 0, sizeof(t->widths));
}

static int
cell_width(const char *text, size_t length)
{
	const char *end = text + length;
	int sum = 0, width;

	while (text < end) {
		text += text_next(text, &width);
		sum += width;
	}
	return sum;
}

static size_t
count_bytes(const char *text, const char *bytes)
{
	size_t count = 0;

	for (; (text = strpbrk(text, bytes)) != NULL; text++)
		count++;
	return count;
}

/* Split a text into lines and cells; text after the last line break is a line
   too. */
static void
split_text(const char *text, struct kube_text *k)
{
	struct kube_line *line;
	size_t length;

	k->cells = xcalloc(count_bytes(text, "\v\n") + 1, sizeof(*k->cells));
	k->lines = xcalloc(count_bytes(text, "\n") + 1, sizeof(*k->lines));
	while (*text != '\0') {
		line = &k->lines[k->line_count++];
		line->first = k->cell_count;
		for (;; text++) {
			length = strcspn(text, "\v\n");
			k->cells[k->cell_count++] =
			    (struct kube_cell){ .text = text,
				    .length = length,
				    .width = cell_width(text, length) };
			line->count++;
			text += length;
			if (*text != '\v')
				break;
		}
		if (line->count > k->columns)
			k->columns = line->count;
		text += *text == '\n';
	}
}

/* Whether the line has a cell there that is not its last. */
static bool
has_column(const struct kube_text *k, size_t line, size_t column)
{
	return column + 1 < k->lines[line].count;
}

/* Set the widths of one column's cells in these lines. */
static void
fit_run(struct kube_table *t, struct kube_text *k, size_t begin, size_t end,
    size_t column)
{
	int room = t->least, width;
	size_t i;

	for (i = begin; i < end; i++) {
		width = k->cells[k->lines[i].first + column].width + t->gap;
		if (width > room)
			room = width;
	}
	if (t->remembers && column < KUBE_TABLE_COLUMNS) {
		if (t->widths[column] > room)
			room = t->widths[column];
		t->widths[column] = room;
	}
	for (i = begin; i < end; i++)
		k->cells[k->lines[i].first + column].room = room;
}

static void
fit_column(struct kube_table *t, struct kube_text *k, size_t column)
{
	size_t begin = 0, end;

	for (; begin < k->line_count; begin = end + 1) {
		for (end = begin;
		     end < k->line_count && has_column(k, end, column); end++)
			continue;
		if (end > begin)
			fit_run(t, k, begin, end, column);
	}
}

void
kube_table_print(struct kube_table *t, const char *text, FILE *out)
{
	struct kube_text k = { .cells = NULL };
	const struct kube_cell *cell;
	size_t i, column;

	split_text(text, &k);
	for (column = 0; column < k.columns; column++)
		fit_column(t, &k, column);
	for (i = 0; i < k.line_count; i++) {
		for (column = 0; column < k.lines[i].count; column++) {
			cell = &k.cells[k.lines[i].first + column];
			(void)fwrite(cell->text, 1, cell->length, out);
			if (cell->room > cell->width)
				fprintf(out, "%*s", cell->room - cell->width,
				    "");
		}
		fputc('\n', out);
	}
	free(k.cells);
	free(k.lines);
}

static void
put_kept(FILE *f, const char *value, const char *keep)
{
	const size_t size = strlen(value) * 4 + 1;
	char *shown = xmalloc(size);

	text_escape(value, keep, shown, size);
	fputs(shown, f);
	free(shown);
}

void
kube_table_put(FILE *f, const char *value)
{
	put_kept(f, value, "\t\n");
}

void
kube_table_put_cell(FILE *f, const char *value)
{
	const size_t length = strcspn(value, "\f\n\r");
	char *first;

	if (value[length] == '\0') {
		put_kept(f, value, "");
		return;
	}
	first = xasprintf("%.*s...", (int)length, value);
	put_kept(f, first, "");
	free(first);
}
