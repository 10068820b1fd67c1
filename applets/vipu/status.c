/*
 * vipu status: gathers what is used and free, by which owners, what waits, and
 * where the next partition would go.  status_view.c prints it.
 */
#include "applets/vipu/status.h"

#include <bsd/string.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/pod/placement.h"

const struct option_row status_options[] = {
	{ KEY_SIZE, "size", "N",
	    "also show where a partition of N IPUs would go now; nothing is "
	    "created" },
	{ KEY_FORMAT, "format", "FORM",
	    "print a table, json or csv (default: table)" },
	{ KEY_SHOWJSON, "showjson", NULL, "the same as --format json" },
	{ KEY_WIDE, "wide", NULL,
	    "show all columns, even on a narrow terminal" },
	{ 0 },
};

/* Read the pod, or from a server that reports no more its partitions. */
static int
read_snapshot(struct status *s, struct controller *c, struct error *e)
{
	struct error reason;

	s->has_pod = transaction_list(c, &s->snapshot, &reason) == 0;
	if (s->has_pod)
		return 0;
	return reason.code != ERROR_UNSUPPORTED ?
	    error_copy(e, &reason) :
	    transaction_list_partitions(c, &s->snapshot, e);
}

/* Count the IPUs of the partition that programs hold. */
static int
count_attached(const struct snapshot *s, const struct registry *r,
    const struct partition *p)
{
	struct ipu_slot slot;
	int i, count = 0;

	for (i = 0; i < partition_size(p); i++)
		count += registry_holder(r,
		    placement_ipu(&s->pod, &p->placement, i), &slot);
	return count;
}

/* A server that reports only partitions does not name their owners. */
static void
name_owner(struct status_owner *o, const struct partition *p, bool is_known)
{
	const struct passwd *user = getpwuid(p->owner);

	if (!is_known)
		(void)strlcpy(o->name, "?", sizeof(o->name));
	else if (p->user[0] != '\0')
		(void)strlcpy(o->name, p->user, sizeof(o->name));
	else if (user != NULL)
		(void)strlcpy(o->name, user->pw_name, sizeof(o->name));
	else
		(void)snprintf(o->name, sizeof(o->name), "%lu",
		    (unsigned long)p->owner);
}

/* Return the owner's entry; a new one is added. */
static struct status_owner *
find_owner(struct status *s, const struct partition *p)
{
	struct status_owner *o = s->owners;

	for (; o < s->owners + s->owner_count; o++)
		if (capacity_same_owner(o->like, p))
			return o;
	s->owner_count++;
	o->like = p;
	name_owner(o, p, s->has_pod);
	return o;
}

static void
gather_owners(struct status *s, struct controller *c)
{
	const struct partition *p = s->snapshot.partitions;
	const struct partition *end = p + s->snapshot.partition_count;
	struct registry r;
	struct status_owner *o;

	s->owners = xcalloc((size_t)s->snapshot.partition_count + 1,
	    sizeof(*s->owners));
	s->has_holders = s->has_pod && reader_open_of(c, &r, NULL) == 0;
	if (s->has_holders)
		snapshot_freeze(&s->snapshot, &r, clock_real_ns());
	for (; p < end; p++) {
		o = find_owner(s, p);
		o->partitions++;
		o->ipus += partition_size(p);
		if (s->has_holders)
			o->attached += count_attached(&s->snapshot, &r, p);
	}
	if (s->has_holders)
		registry_close(&r);
}

/* Choose as a creation does.  A user's allocations are tried in turn. */
static void
find_place(struct status *s, const struct partition_request *asked)
{
	const struct pod *pod = &s->snapshot.pod;
	struct partition_request r = *asked;
	int i;

	for (i = 0; s->snapshot.limited && i < pod->allocation_count; i++) {
		(void)strlcpy(r.allocation, pod->allocations[i].name,
		    sizeof(r.allocation));
		s->has_place = placement_choose(pod, s->snapshot.owner, &r,
				   &s->place, NULL) == 0;
		if (s->has_place)
			return;
	}
	s->has_place = placement_choose(pod, s->snapshot.owner, asked,
			   &s->place, &s->no_place) == 0;
}

/* A limited user's view has other users' machines without an allocation. */
static void
leave_out_unseen(struct status *s)
{
	int i, kept = 0;

	for (i = 0; i < s->capacity_count; i++)
		if (s->capacity[i].allocation != -1)
			s->capacity[kept++] = s->capacity[i];
	s->capacity_count = kept;
}

static int
gather(struct status *s, struct controller *c, struct error *e)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, "new", sizeof(r.name));
	r.size = s->size;
	if ((s->size != 0 && request_check(&r, e) != 0) ||
	    read_snapshot(s, c, e) != 0)
		return -1;
	gather_owners(s, c);
	s->queue_count = queue_list(c, &s->queue, &s->queue_error);
	if (s->has_pod)
		s->capacity_count = capacity_list(&s->snapshot.pod,
		    s->snapshot.owner, &s->capacity);
	else
		(void)error_set(&s->no_place,
		    "the server does not say which IPUs are free");
	if (s->snapshot.limited)
		leave_out_unseen(s);
	if (s->has_pod && s->size != 0)
		find_place(s, &r);
	return 0;
}

static void
release(struct status *s)
{
	free(s->capacity);
	free(s->owners);
	free(s->queue);
	snapshot_release(&s->snapshot);
}

int
status_command(const struct call *call)
{
	struct status s = { .size = 0 };
	struct table_screen screen;
	enum output_format format;
	struct controller *c;
	struct error error;
	int status;

	if (output_format(call, &format) != 0 ||
	    call_number(call, KEY_SIZE, 1, POD_IPUS_MAX, &s.size) != 0)
		return EXIT_USAGE;
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = gather(&s, c, &error);
	call_close(call, c);
	if (status != 0)
		return call_failed(call, &error);
	if (s.snapshot.damaged > 0)
		fprintf(stderr, "%s: warning: a partition is not shown: %s\n",
		    call->applet->name, s.snapshot.damage);
	output_screen(call, &screen);
	if (format == FORMAT_TABLE)
		status_print(&s, &screen);
	else
		output_get(call, format, &status_view, &s);
	release(&s);
	return EXIT_DONE;
}
