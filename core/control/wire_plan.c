/*
 * Documents of pods and plans for them on the wire.
 */
#include "core/control/wire_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/name.h"
#include "core/control/wire_field.h"
#include "core/control/wire_partition.h"
#include "core/control/wire_pod.h"

static const struct wire_field line_fields[] = {
	WIRE_NUMBER(struct document_partition, ipubox_v1_DocumentPartition,
	    line, 0, INT32_MAX),
	WIRE_END
};

/* A request in a document or a plan was checked where that was made. */
static int
get_checked(const ipubox_v1_PartitionRequest *m, struct partition_request *r,
    struct error *e)
{
	if (wire_partition_get_request(m, r, e) != 0)
		return -1;
	return request_check(r, e);
}

static int
plan_check_count(pb_size_t count, struct error *e)
{
	return count <= PARTITIONS_MAX ? 0 : error_set_code(e, ERROR_INVALID,
	    "%u partitions, the limit is %d", (unsigned)count,
	    PARTITIONS_MAX);
}

/* ---- documents ---- */

void
wire_plan_put_document(const struct document *d, ipubox_v1_Document *m)
{
	int	i;

	m->origin = wire_field_text(d->origin);
	m->has_pod = true;
	wire_pod_put(&d->pod, &m->pod);
	m->partitions_count = (pb_size_t)d->partition_count;
	m->partitions = xcalloc(m->partitions_count + 1,
	    sizeof(*m->partitions));
	for (i = 0; i < d->partition_count; i++) {
		wire_field_put(line_fields, &d->partitions[i],
		    &m->partitions[i]);
		m->partitions[i].has_request = true;
		wire_partition_put_request(&d->partitions[i].request,
		    &m->partitions[i].request);
	}
}

int
wire_plan_get_document(const ipubox_v1_Document *m, struct document *d,
    struct error *e)
{
	pb_size_t	i;

	memset(d, 0, sizeof(*d));
	d->origin = m->origin != NULL ? m->origin : "";
	if (wire_pod_get(&m->pod, &d->pod, e) != 0 ||
	    plan_check_count(m->partitions_count, e) != 0)
		return -1;
	d->partitions = xcalloc((size_t)m->partitions_count + 1,
	    sizeof(*d->partitions));
	d->partition_count = (int)m->partitions_count;
	for (i = 0; i < m->partitions_count; i++)
		if (wire_field_get(line_fields, "partition",
		    &m->partitions[i], &d->partitions[i], e) != 0 ||
		    get_checked(&m->partitions[i].request,
		    &d->partitions[i].request, e) != 0)
			return -1;
	return 0;
}

/* ---- plans ---- */

void
wire_plan_put(const struct pod_plan *plan, ipubox_v1_Plan *m)
{
	size_t	i;
	int	n;

	m->lines_count = (pb_size_t)plan->lines.count;
	m->lines = xcalloc(plan->lines.count + 1, sizeof(*m->lines));
	for (i = 0; i < plan->lines.count; i++)
		m->lines[i] = plan->lines.items[i][0] != '\0' ?
		    wire_field_text(plan->lines.items[i]) : xstrdup("");
	m->pod_changes = plan->pod_changes;
	m->has_pod = true;
	wire_pod_put(&plan->pod, &m->pod);
	m->removals_count = (pb_size_t)plan->removal_count;
	m->removals = xcalloc(m->removals_count + 1, sizeof(*m->removals));
	for (n = 0; n < plan->removal_count; n++)
		m->removals[n] = xstrdup(plan->removals[n]);
	m->creations_count = (pb_size_t)plan->creation_count;
	m->creations = xcalloc(m->creations_count + 1, sizeof(*m->creations));
	for (n = 0; n < plan->creation_count; n++)
		wire_partition_put_request(&plan->creations[n],
		    &m->creations[n]);
}

static int
get_removals(const ipubox_v1_Plan *m, struct pod_plan *plan, struct error *e)
{
	pb_size_t	i;

	if (plan_check_count(m->removals_count, e) != 0)
		return -1;
	plan->removals = xcalloc((size_t)m->removals_count + 1,
	    sizeof(*plan->removals));
	plan->removal_count = (int)m->removals_count;
	for (i = 0; i < m->removals_count; i++)
		if (name_parse("partition", m->removals[i],
		    plan->removals[i], e) != 0)
			return -1;
	return 0;
}

static int
get_creations(const ipubox_v1_Plan *m, struct pod_plan *plan,
    struct error *e)
{
	pb_size_t	i;

	if (plan_check_count(m->creations_count, e) != 0)
		return -1;
	plan->creations = xcalloc((size_t)m->creations_count + 1,
	    sizeof(*plan->creations));
	plan->creation_count = (int)m->creations_count;
	for (i = 0; i < m->creations_count; i++)
		if (get_checked(&m->creations[i], &plan->creations[i],
		    e) != 0)
			return -1;
	return 0;
}

int
wire_plan_get(const ipubox_v1_Plan *m, struct pod_plan *plan,
    struct error *e)
{
	pb_size_t	i;

	memset(plan, 0, sizeof(*plan));
	strvec_init(&plan->lines);
	pod_init(&plan->pod);
	for (i = 0; i < m->lines_count; i++)
		strvec_add(&plan->lines, m->lines[i]);
	plan->pod_changes = m->pod_changes;
	if (wire_pod_get(&m->pod, &plan->pod, e) != 0 ||
	    get_removals(m, plan, e) != 0)
		return -1;
	return get_creations(m, plan, e);
}
