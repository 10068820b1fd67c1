/*
 * A pod with its partitions, from a text.  The sections are read first, then
 * the pod is made of them, then each partition's request is checked.
 */
#include "core/pod/document/document.h"

#include "core/base/alloc.h"
#include "core/base/ini.h"
#include "core/pod/document/pod_build.h"

/* The request of a section, with what was left out. */
static int
take_partition(struct document_partition *out,
    const struct partition_section *s, const char *origin, struct error *e)
{
	struct error	reason;

	out->request = s->request;
	out->request.no_auto_reset = !s->auto_reset;
	out->line = s->line;
	if (request_check(&out->request, &reason) != 0)
		return ini_refuse(e, origin, s->line, "partition %s: %s",
		    s->request.name, reason.text);
	return 0;
}

int
document_parse(struct document *d, const char *origin, const char *text,
    struct error *e)
{
	struct pod_file	f;
	int		status;

	*d = (struct document){ .origin = origin };
	pod_init(&d->pod);
	status = pod_file_read(&f, origin, text, e);
	if (status == 0)
		status = pod_build(&d->pod, &f, e);
	d->partitions = xcalloc((size_t)f.partition_count + 1,
	    sizeof(*d->partitions));
	for (; d->partition_count < f.partition_count && status == 0;
	    d->partition_count++)
		status = take_partition(&d->partitions[d->partition_count],
		    &f.partitions[d->partition_count], origin, e);
	pod_file_release(&f);
	return status;
}

void
document_release(struct document *d)
{
	pod_release(&d->pod);
	free(d->partitions);
	*d = (struct document){ .origin = NULL };
}
