/*
 * Lines of gc-info's listings in their styles, with aligned columns.
 *
 * OLD is the V-IPU user guide's form, without a header.  MID is that of the
 * tools up to SDK 2.3, with an empty line below the header.  NEW is that of the
 * tools from SDK 2.4 on.  Ids are right-aligned to the widest, with their
 * brackets, and in NEW hosts and DNC ids too.
 *
 *	-+- Id: [0], type:    [Fabric], PCI Domain: [3]
 *	-+- Id: [0], target: [Fabric], PCI Domain: [3]
 *	-+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.10], IPU#: [3]
 *
 * A mark follows: ", [in use]".
 */
#include "ipu/device/listing.h"

#include <string.h>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/pod.h"

enum {
	TYPE_WIDTH = 11,   /* of "[Multi IPU]" */
	HOST_WIDTH_MIN = 8 /* part of a cut host: "...5.130" */
};

int
listing_style_parse(const char *what, const char *word,
    enum listing_style *style, struct error *e)
{
	int index;

	if (suggest_choose(what, word, "old, mid or new", &index, e) != 0)
		return -1;
	*style = (enum listing_style)index;
	return 0;
}

int
listing_ipu_machine(int ipu)
{
	return ipu / IPUS_PER_MACHINE;
}

/* Return the IPU#.  IPU 4 of the pod is the first of ag02: IPU# 3; IPU 7 is
   IPU# 0. */
int
listing_ipu_number(int ipu)
{
	return IPUS_PER_MACHINE - 1 - ipu % IPUS_PER_MACHINE;
}

void
listing_init(struct listing *l, const struct pod *pod, enum listing_style style)
{
	memset(l, 0, sizeof(*l));
	l->pod = pod;
	l->style = style;
}

static int
max_of(int a, int b)
{
	return a > b ? a : b;
}

static const char *
host_of(const struct listing *l, int ipu)
{
	return l->pod->agents[listing_ipu_machine(ipu)].address;
}

static int
ipu_of(const struct listing *l, const struct partition *p, int routing_id)
{
	return placement_ipu(l->pod, &p->placement, routing_id);
}

void
listing_measure_ipu(struct listing *l, int ipu, int id)
{
	l->id_width = max_of(l->id_width, text_digits(id));
	l->host_width = max_of(l->host_width, (int)strlen(host_of(l, ipu)));
}

static void
measure_mark(struct listing *l, const struct listing_mark *m)
{
	if (m->word != NULL)
		l->mark_width = max_of(l->mark_width, (int)strlen(m->word));
}

/* Widen only: a listing of several partitions is measured as a whole.  DNC ids
   count through the partition, in the new form through each group. */
void
listing_measure(struct listing *l, const struct partition *p,
    const struct device *devices, int count, int first_id,
    const struct listing_marks *marks)
{
	const struct device *d;
	int i, last;

	for (d = devices; d < devices + count; d++) {
		l->id_width = max_of(l->id_width,
		    text_digits(first_id + d->id));
		last = (l->style == LISTING_NEW ? 0 : d->first) + d->count - 1;
		if (d->count > 1)
			l->routing_width = max_of(l->routing_width,
			    text_digits(last));
		for (i = 0; i < d->count; i++)
			listing_measure_ipu(l, ipu_of(l, p, d->first + i),
			    first_id + d->first_id + i);
		if (marks == NULL)
			continue;
		measure_mark(l, &marks->devices[d - devices]);
		for (i = 0; i < d->count; i++)
			measure_mark(l, &marks->ipus[d->first + i]);
	}
}

/* Print `[text]`, right-aligned including the bracket. */
static void
put_text(FILE *out, const char *text, int width)
{
	fprintf(out, "%*s[%s]", max_of(0, width - (int)strlen(text)), "", text);
}

static void
listing_put_number(FILE *out, int number, int width)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", number);
	put_text(out, text, width);
}

/* Print the mark and end the line. */
static void
put_mark(const struct listing *l, FILE *out, const struct listing_mark *m)
{
	if (m != NULL && m->word != NULL)
		fprintf(out, ", [%s%s%s]", terminal_begin(m->tone, l->colour),
		    m->word, terminal_end(m->tone, l->colour));
	fputc('\n', out);
}

/*
 * Return the room for the host in a line of the new form.  The line of a single
 * IPU has the longer words, so members of groups fit too as long as DNC ids
 * have at most four digits.
 *
 *	-+- Id: [0], target: [Fabric], IPU-M host: [HOST], IPU#: [3], [MARK]
 */
static int
host_room(const struct listing *l)
{
	const int words = (int)
	    strlen("-+- Id: [], target: [Fabric], IPU-M host: [], IPU#: [3]");

	return l->columns - words - l->id_width -
	    (l->mark_width > 0 ? l->mark_width + (int)strlen(", []") : 0);
}

/* Print "IPU-M host: [10.1.5.10], ".  If a host does not fit, keep its end,
   which tells machines apart; omit it if too little would be left. */
static void
put_host(const struct listing *l, FILE *out, int ipu)
{
	char cut[ADDRESS_SIZE];
	int width = l->host_width;

	if (l->columns > 0 && width > host_room(l))
		width = host_room(l);
	if (width < l->host_width && width < HOST_WIDTH_MIN)
		return;
	terminal_cut_start(cut, sizeof(cut), host_of(l, ipu), width);
	fputs("IPU-M host: ", out);
	put_text(out, cut, width);
	fputs(", ", out);
}

/* Print the place of the IPU: the end of each line except a group's first. */
static void
put_place(const struct listing *l, FILE *out, int ipu,
    const struct listing_mark *mark)
{
	if (l->style == LISTING_NEW) {
		put_host(l, out, ipu);
		fprintf(out, "IPU#: [%d]", listing_ipu_number(ipu));
	} else
		fprintf(out, "PCI Domain: [%d]", listing_ipu_number(ipu));
	put_mark(l, out, mark);
}

/* Print an IPU of a group.  The guide's tool numbers members through the whole
   partition, even in the view of one GCD.  The newer one uses the view's ids,
   and DNC ids from 0 in each group. */
static void
put_member(const struct listing *l, FILE *out, const struct partition *p,
    const struct device *d, int index, int first_id,
    const struct listing_marks *marks)
{
	int routing_id = d->first + index;

	if (l->style != LISTING_NEW) {
		fputs(" |--- PCIe Id: ", out);
		listing_put_number(out, routing_id, l->routing_width);
		fprintf(out, ", DNC Id: [%d]", routing_id);
	} else {
		fputs(" |--- Id: ", out);
		listing_put_number(out, first_id + d->first_id + index,
		    l->id_width);
		fputs(", DNC Id: ", out);
		listing_put_number(out, index, l->routing_width);
	}
	fputs(", ", out);
	put_place(l, out, ipu_of(l, p, routing_id),
	    marks != NULL ? &marks->ipus[routing_id] : NULL);
}

void
listing_header(const struct listing *l, FILE *out)
{
	if (l->style != LISTING_OLD)
		fputs("Graphcore device listing:\n", out);
	if (l->style == LISTING_MID)
		fputc('\n', out);
}

void
listing_partition(const struct listing *l, FILE *out, const struct partition *p,
    bool active, const struct listing_mark *m)
{
	const bool marked = m != NULL && m->word != NULL;

	fprintf(out, "Partition: %s", p->name);
	if (active || marked)
		fprintf(out, " [%s%s%s%s%s]", active ? "active" : "",
		    active && marked ? ", " : "",
		    marked ? terminal_begin(m->tone, l->colour) : "",
		    marked ? m->word : "",
		    marked ? terminal_end(m->tone, l->colour) : "");
	fputc('\n', out);
}

/* Begin a line; `word` is "[Fabric]" or "[Multi IPU]". */
static void
put_target(const struct listing *l, FILE *out, int id, const char *word)
{
	fputs("-+- Id: ", out);
	listing_put_number(out, id, l->id_width);
	if (l->style == LISTING_OLD)
		fprintf(out, ", type: %*s", TYPE_WIDTH, word);
	else
		fprintf(out, ", target: %s", word);
}

void
listing_ipu(const struct listing *l, FILE *out, int ipu, int id,
    const struct listing_mark *mark)
{
	put_target(l, out, id, "[Fabric]");
	fputs(", ", out);
	put_place(l, out, ipu, mark);
}

void
listing_devices(const struct listing *l, FILE *out, const struct partition *p,
    const struct device *devices, int count, int first_id,
    const struct listing_marks *marks)
{
	const struct listing_mark *mark = NULL;
	const struct device *d;
	int i;

	for (d = devices; d < devices + count; d++) {
		if (marks != NULL)
			mark = &marks->devices[d - devices];
		if (d->count == 1) {
			listing_ipu(l, out, ipu_of(l, p, d->first),
			    first_id + d->id, mark);
			continue;
		}
		put_target(l, out, first_id + d->id, "[Multi IPU]");
		put_mark(l, out, mark);
		for (i = 0; i < d->count; i++)
			put_member(l, out, p, d, i, first_id, marks);
	}
}
