/*
 * Reading a pod with its partitions from a text: first the sections, then the
 * pod is made of them, then each partition's request is checked and placed.
 */
#include "core/pod/document/document.h"

#include <bsd/string.h>

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/ini.h"
#include "core/pod/pod.h"

/* Places of the partitions. */
struct places {
	const struct document *document;
	const char *origin;
	int32_t *owner; /* by IPU: a partition's index, or -1 */
};

static int
refuse(const char *origin, const struct partition_section *s,
    const struct error *reason, struct error *e)
{
	return ini_refuse(e, origin, s->line, "partition %s: %s",
	    s->request.name, reason->text);
}

/* Name the first partition that has IPUs from first_ipu on. */
static void
name_holder(const struct places *all, const char *first_ipu,
    struct error *reason)
{
	const struct pod *pod = &all->document->pod;
	const struct partition_section *holder;
	char name[NAME_SIZE + 16];
	int i, n = pod_ipu_count(pod);

	for (i = 0; i < n; i++) {
		pod_ipu_name(pod, i, name, sizeof(name));
		if (strcmp(name, first_ipu) == 0)
			break;
	}
	while (i < n && all->owner[i] == -1)
		i++;
	if (i == n)
		return;
	holder = &all->document->partitions[all->owner[i]];
	(void)error_append(reason, "; partition %s uses them, see line %d",
	    holder->request.name, holder->line);
}

/* Choose the place by the rules of placement.h, and record it in the
   request. */
static int
place_one(struct places *all, int index, struct error *e)
{
	const struct pod *pod = &all->document->pod;
	struct partition_section *s = &all->document->partitions[index];
	struct partition_request *r = &s->request;
	struct placement place;
	struct error reason;
	int i, routing, gateway_routing;

	if (placement_choose(pod, all->owner, r, &place, &reason) != 0) {
		if (reason.code == ERROR_NO_ROOM && r->first_ipu[0] != '\0')
			name_holder(all, r->first_ipu, &reason);
		return refuse(all->origin, s, &reason, e);
	}
	if (routing_choose(pod, &place, r, &routing, &gateway_routing,
		&reason) != 0)
		return refuse(all->origin, s, &reason, e);
	for (i = 0; i < place.per_ild * place.ild_count; i++)
		all->owner[placement_ipu(pod, &place, i)] = index;
	r->num_ilds = place.ild_count;
	(void)strlcpy(r->cluster, pod->clusters[place.cluster].name,
	    sizeof(r->cluster));
	pod_ipu_name(pod, placement_ipu(pod, &place, 0), r->first_ipu,
	    sizeof(r->first_ipu));
	return 0;
}

static int
place_all(struct document *d, const char *origin, struct error *e)
{
	size_t ipus = (size_t)pod_ipu_count(&d->pod);
	struct places all = { .document = d, .origin = origin };
	int i, status = 0;

	all.owner = xcalloc(ipus + 1, sizeof(*all.owner));
	memset(all.owner, -1, ipus * sizeof(*all.owner));
	for (i = 0; i < d->partition_count && status == 0; i++)
		if (d->partitions[i].request.first_ipu[0] != '\0')
			status = place_one(&all, i, e);
	for (i = 0; i < d->partition_count && status == 0; i++)
		if (d->partitions[i].request.first_ipu[0] == '\0')
			status = place_one(&all, i, e);
	free(all.owner);
	return status;
}

/* Check each partition independently of the others. */
static int
check_requests(struct document *d, const char *origin, struct error *e)
{
	struct partition_section *s;
	struct error reason;
	int i;

	for (i = 0; i < d->partition_count; i++) {
		s = &d->partitions[i];
		s->request.no_auto_reset = !s->auto_reset;
		if (request_check(&s->request, &reason) != 0)
			return refuse(origin, s, &reason, e);
	}
	return 0;
}

int
document_parse(struct document *d, const char *origin, const char *text,
    struct error *e)
{
	struct pod_file f;
	int status;

	*d = (struct document){ .partition_count = 0 };
	pod_init(&d->pod);
	status = pod_file_read(&f, origin, text, e);
	if (status == 0)
		status = pod_build(&d->pod, &f, e);
	d->partitions = f.partitions;
	d->partition_count = f.partition_count;
	f.partitions = NULL;
	pod_file_release(&f);
	if (status != 0 || check_requests(d, origin, e) != 0)
		return -1;
	return place_all(d, origin, e);
}

void
document_release(struct document *d)
{
	pod_release(&d->pod);
	free(d->partitions);
	*d = (struct document){ .partition_count = 0 };
}
