/*
 * The topology table.  A replica's cell is its index, centred in `width`
 * columns, with a space at each side; a cell over k replicas is as wide as
 * k of them and the k-1 bars between.  Checked against four published
 * tables.
 */
#include "core/job/topology.h"

#include "core/base/text.h"

enum {
	NAME_WIDTH = 9,			/* "instances" */
	LABEL_SIZE = 16
};

/* Room for a label in a cell over `span` replicas. */
static int
cell_room(int span, int width)
{
	return span * (width + 2) + span - 1 - 2;
}

/* The text in the middle; the odd space stands right of it. */
static void
print_centred(FILE *out, const char *text, int room)
{
	int	spaces = room - (int)strlen(text);
	int	left = spaces > 0 ? spaces / 2 : 0;

	fprintf(out, "%*s%s%*s", left, "", text,
	    spaces > 0 ? spaces - left : 0, "");
}

static void
print_fill(FILE *out, char c, int count)
{
	while (count-- > 0)
		fputc(c, out);
}

/* A row of `count` cells; labels are their numbers where `labels` is NULL. */
static void
topology_print_row(FILE *out, const struct layout *l, const char *name,
    int count,
    const char *const *labels, int width)
{
	char	number[LABEL_SIZE];
	int	i;

	fprintf(out, "| %-*s |", NAME_WIDTH, name);
	for (i = 0; i < count; i++) {
		(void)snprintf(number, sizeof(number), "%d", i);
		fputc(' ', out);
		print_centred(out, labels != NULL ? labels[i] : number,
		    cell_room(l->num_replicas / count, width));
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

/* The least width of a replica's cell that leaves room for every label. */
static int
topology_cell_width(const struct layout *l, const char *const *hosts)
{
	int	width = text_digits(l->num_replicas - 1), i;

	for (i = 0; i < l->num_hosts; i++)
		while (cell_room(l->num_replicas / l->num_hosts, width) <
		    (int)strlen(hosts[i]))
			width++;
	return width;
}

void
topology_print(FILE *out, const struct layout *l, const char *const *hosts)
{
	int	width = topology_cell_width(l, hosts);
	int	inner = NAME_WIDTH + 3 + cell_room(l->num_replicas, width) + 2;

	fputc(' ', out);
	print_fill(out, '=', inner);
	fputs("\n|", out);
	print_centred(out, "poprun topology", inner);
	fputs("|\n|", out);
	print_fill(out, '=', inner);
	fputs("|\n", out);
	topology_print_row(out, l, "hosts", l->num_hosts, hosts, width);
	topology_print_rule(out, inner);
	topology_print_row(out, l, "ILDs", l->num_ilds, NULL, width);
	topology_print_rule(out, inner);
	topology_print_row(out, l, "instances", l->num_instances, NULL, width);
	topology_print_rule(out, inner);
	topology_print_row(out, l, "replicas", l->num_replicas, NULL, width);
	fputc(' ', out);
	print_fill(out, '-', inner);
	fputc('\n', out);
}
