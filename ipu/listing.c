/*
 * Lines of gc-info's listings in both styles, with aligned columns.
 */
#include "ipu/listing.h"

#include <string.h>

#include "core/base/suggest.h"
#include "core/pod/placement.h"

enum { TYPE_WIDTH = 11 };	/* of "[Multi IPU]" */

int
listing_style_parse(const char *what, const char *word,
    enum listing_style *style, struct error *e)
{
	if (strcmp(word, "old") == 0)
		*style = LISTING_OLD;
	else if (strcmp(word, "new") == 0)
		*style = LISTING_NEW;
	else
		return suggest_refuse(what, word, "old or new", e);
	return 0;
}

int
listing_ipu_machine(int ipu)
{
	return ipu / IPUS_PER_MACHINE;
}

/* IPU 4 of the pod is the first of ag02: IPU# 3; IPU 7 is IPU# 0. */
int
listing_ipu_number(int ipu)
{
	return IPUS_PER_MACHINE - 1 - ipu % IPUS_PER_MACHINE;
}

void
listing_init(struct listing *l, const struct pod *pod,
    enum listing_style style)
{
	memset(l, 0, sizeof(*l));
	l->pod = pod;
	l->style = style;
}

static int
listing_digits(int number)
{
	int	n = 1;

	while ((number /= 10) != 0)
		n++;
	return n;
}

static int
max_of(int a, int b)
{
	return a > b ? a : b;
}

static const char *
host_of(const struct listing *l, const struct partition *p, int routing_id)
{
	int	ipu = placement_ipu(l->pod, &p->placement, routing_id);

	return l->pod->agents[listing_ipu_machine(ipu)].address;
}

/* Widths grow only: a listing of several partitions is measured as a whole. */
void
listing_measure(struct listing *l, const struct partition *p,
    const struct device *devices, int count, int first_id)
{
	const struct device	*d;

	for (d = devices; d < devices + count; d++) {
		l->id_width = max_of(l->id_width, listing_digits(first_id +
		    d->id));
		l->routing_width = max_of(l->routing_width,
		    listing_digits(d->first + d->count - 1));
		if (d->count == 1)
			l->host_width = max_of(l->host_width,
			    (int)strlen(host_of(l, p, d->first)));
	}
}

/* `[text]`, right-aligned so that the bracket takes part. */
static void
put_text(FILE *out, const char *text, int width)
{
	fprintf(out, "%*s[%s]", max_of(0, width - (int)strlen(text)), "",
	    text);
}

static void
listing_put_number(FILE *out, int number, int width)
{
	char	text[16];

	(void)snprintf(text, sizeof(text), "%d", number);
	put_text(out, text, width);
}

/* Where the IPU is: the end of each line but a group's first. */
static void
put_place(const struct listing *l, FILE *out, const struct partition *p,
    int routing_id)
{
	int	ipu = placement_ipu(l->pod, &p->placement, routing_id);

	if (l->style == LISTING_OLD) {
		fprintf(out, "PCI Domain: [%d]\n", listing_ipu_number(ipu));
		return;
	}
	fputs("IPU-M host: ", out);
	put_text(out, host_of(l, p, routing_id), l->host_width);
	fprintf(out, ", IPU#: [%d]\n", listing_ipu_number(ipu));
}

/*
 * An IPU of a group.  The guide's tool numbers members through the whole
 * partition, also where one GCD is seen; the newer one by the view's ids, and
 * DNC ids from 0 in each group.
 */
static void
put_member(const struct listing *l, FILE *out, const struct partition *p,
    const struct device *d, int index, int first_id)
{
	int	routing_id = d->first + index;

	if (l->style == LISTING_OLD) {
		fputs(" |--- PCIe Id: ", out);
		listing_put_number(out, routing_id, l->routing_width);
		fputs(", DNC Id: ", out);
		listing_put_number(out, routing_id, l->routing_width);
	} else {
		fputs(" |--- Id: ", out);
		listing_put_number(out, first_id + d->first_id + index,
		    l->id_width);
		fputs(", DNC Id: ", out);
		listing_put_number(out, index, l->routing_width);
	}
	fputs(", ", out);
	put_place(l, out, p, routing_id);
}

void
listing_header(const struct listing *l, FILE *out)
{
	if (l->style == LISTING_NEW)
		fputs("Graphcore device listing:\n", out);
}

void
listing_partition(FILE *out, const struct partition *p, bool active)
{
	fprintf(out, "Partition: %s%s\n", p->name, active ? " [active]" : "");
}

void
listing_devices(const struct listing *l, FILE *out,
    const struct partition *p, const struct device *devices, int count,
    int first_id)
{
	const struct device	*d;
	const char		*word;
	int			 i;

	for (d = devices; d < devices + count; d++) {
		word = d->count == 1 ? "[Fabric]" : "[Multi IPU]";
		fputs("-+- Id: ", out);
		listing_put_number(out, first_id + d->id, l->id_width);
		if (l->style == LISTING_OLD)
			fprintf(out, ", type: %*s", TYPE_WIDTH, word);
		else
			fprintf(out, ", target: %s", word);
		if (d->count == 1) {
			fputs(", ", out);
			put_place(l, out, p, d->first);
			continue;
		}
		fputc('\n', out);
		for (i = 0; i < d->count; i++)
			put_member(l, out, p, d, i, first_id);
	}
}
