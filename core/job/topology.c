/*
 * The topology table.  A replica's cell is its index, centred in `width`
 * columns, with a space on each side.  A cell over k replicas is as wide as k
 * of these and the k-1 bars between.  Checked against four published tables.
 */
#include "core/job/layout.h"

#include "core/base/alloc.h"
#include "core/base/terminal.h"
#include "core/base/text.h"

enum {
	NAME_WIDTH = 9, /* "instances" */
	LABEL_SIZE = 16,
	HOST_LABEL_SIZE = 256,
	SCREEN_LABEL_WIDTH = 24
};

/* Return the room for a label in a cell over `span` replicas. */
static int
cell_room(int span, int width)
{
	return span * (width + 2) + span - 1 - 2;
}

/* Print the text centred; an odd space goes to the right. */
static void
print_centred(FILE *out, const char *text, int room)
{
	int spaces = room - (int)strlen(text);
	int left = spaces > 0 ? spaces / 2 : 0;

	fprintf(out, "%*s%s%*s", left, "", text, spaces > 0 ? spaces - left : 0,
	    "");
}

static void
print_fill(FILE *out, char c, int count)
{
	while (count-- > 0)
		fputc(c, out);
}

/* Replicas from `first` up to `end`, which share a table: all, or as many as
   fit the screen. */
struct band {
	const struct layout *layout;
	int first, end;
	int width; /* width of a replica's cell */
};

static int
replicas_of_host(const struct layout *l, int host)
{
	return layout_host_instances(l, host) *
	    (l->num_replicas / l->num_instances);
}

/* Print a row of the band from `count` cells in all.  Labels are numbers if
   `labels` is NULL, else hosts.  A cell may continue in the next band. */
static void
topology_print_row(FILE *out, const struct band *b, const char *name, int count,
    const char *const *labels)
{
	char number[LABEL_SIZE], label[HOST_LABEL_SIZE];
	int i, begin, first, end, next, room;

	fprintf(out, "| %-*s |", NAME_WIDTH, name);
	for (i = 0, begin = 0; begin < b->end; i++, begin = next) {
		next = begin +
		    (labels != NULL ? replicas_of_host(b->layout, i) :
				      b->layout->num_replicas / count);
		if (next <= b->first)
			continue;
		first = begin > b->first ? begin : b->first;
		end = next < b->end ? next : b->end;
		room = cell_room(end - first, b->width);
		(void)snprintf(number, sizeof(number), "%d", i);
		terminal_cut_end(label, sizeof(label),
		    labels != NULL ? labels[i] : number, room);
		fputc(' ', out);
		print_centred(out, label, room);
		fputs(" |", out);
	}
	fputc('\n', out);
}

static void
topology_print_rule(FILE *out, int inner)
{
	fputc('|', out);
	print_fill(out, '-', NAME_WIDTH + 2);
	fputc('|', out);
	print_fill(out, '-', inner - NAME_WIDTH - 3);
	fputs("|\n", out);
}

/* Return the least width of a replica's cell that fits every label, up to
   label_max columns. */
static int
topology_cell_width(const struct layout *l, const char *const *hosts,
    int label_max)
{
	int width = text_digits(l->num_replicas - 1), i, label;

	for (i = 0; i < l->num_hosts; i++) {
		label = (int)strlen(hosts[i]);
		label = label < label_max ? label : label_max;
		while (cell_room(replicas_of_host(l, i), width) < label)
			width++;
	}
	return width;
}

static void
print_band(FILE *out, const struct band *b, const char *const *hosts)
{
	const struct layout *l = b->layout;
	const int inner = NAME_WIDTH + 3 +
	    cell_room(b->end - b->first, b->width) + 2;

	fputc(' ', out);
	print_fill(out, '=', inner);
	fputs("\n|", out);
	print_centred(out, "poprun topology", inner);
	fputs("|\n|", out);
	print_fill(out, '=', inner);
	fputs("|\n", out);
	topology_print_row(out, b, "hosts", l->num_hosts, hosts);
	topology_print_rule(out, inner);
	topology_print_row(out, b, "ILDs", l->num_ilds, NULL);
	topology_print_rule(out, inner);
	topology_print_row(out, b, "instances", l->num_instances, NULL);
	topology_print_rule(out, inner);
	topology_print_row(out, b, "replicas", l->num_replicas, NULL);
	fputc(' ', out);
	print_fill(out, '-', inner);
	fputc('\n', out);
}

/* A band has whole instances or hosts, unless that wastes more than half of the
   screen. */
static int
band_replicas(const struct layout *l, int width, int columns)
{
	const int share = l->num_replicas / l->num_instances;
	const int units[] = {
		l->shares != NULL ? share : l->num_replicas / l->num_hosts,
		share
	};
	int fits = (columns - NAME_WIDTH - 4) / (width + 3);
	size_t i;

	if (fits < 1)
		return 1;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (fits / units[i] * units[i] * 2 > fits)
			return fits / units[i] * units[i];
	return fits;
}

void
topology_print(FILE *out, const struct layout *l, const char *const *hosts,
    int columns)
{
	struct band b = { .layout = l };
	int step = l->num_replicas;

	b.width = topology_cell_width(l, hosts,
	    columns > 0 ? SCREEN_LABEL_WIDTH : HOST_LABEL_SIZE - 1);
	if (columns > 0)
		step = band_replicas(l, b.width, columns);
	for (; b.first < l->num_replicas; b.first = b.end) {
		b.end = b.first + step;
		if (b.end > l->num_replicas)
			b.end = l->num_replicas;
		print_band(out, &b, hosts);
	}
}
