/*
 * Members of the collectives, and the effects of joining and leaving.  Read
 * collective_group.h and collective_meeting.h first.
 */
#include "core/collective/collective_table.h"

#include <bsd/sys/queue.h>
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/collective/collective_group.h"
#include "core/collective/collective_meeting.h"

struct collective_table {
	uint32_t instances;
	struct collective_end *ends; /* one per instance */
	TAILQ_HEAD(, collective_group) groups;
	TAILQ_HEAD(, collective_guest) guests;
	struct collective_meetings meetings;
	int64_t next_ms; /* earliest due report; 0: none */
};

struct collective_table *
collective_table_new(int instances, collective_table_act *act, void *context)
{
	struct collective_table *t = xcalloc(1, sizeof(*t));
	struct collective_group *g = collective_group_new("",
	    (uint32_t)instances);

	t->instances = (uint32_t)instances;
	t->ends = xcalloc(t->instances, sizeof(*t->ends));
	TAILQ_INIT(&t->groups);
	TAILQ_INIT(&t->guests);
	TAILQ_INSERT_TAIL(&t->groups, g, link);
	collective_meeting_init(&t->meetings, act, context);
	return t;
}

void
collective_table_free(struct collective_table *t)
{
	struct collective_group *g;
	struct collective_guest *guest;

	if (t == NULL)
		return;
	collective_meeting_release(&t->meetings);
	while ((guest = TAILQ_FIRST(&t->guests)) != NULL) {
		TAILQ_REMOVE(&t->guests, guest, link);
		free(guest);
	}
	while ((g = TAILQ_FIRST(&t->groups)) != NULL) {
		TAILQ_REMOVE(&t->groups, g, link);
		collective_group_free(g);
	}
	free(t->ends);
	free(t);
}

/* Mark a member as gone; `end` NULL: in an unknown way. */
static void
table_bury(struct collective_table *t, struct collective_group *g,
    uint32_t member, const struct collective_end *end)
{
	if (end != NULL)
		g->seats[member].end = *end;
	collective_group_miss(g, member, COLLECTIVE_DEAD);
	collective_meeting_miss(&t->meetings, g, member);
}

/*
 * Mark the absent members of an ended instance as gone.  It has members in
 * every group, except in groups of some instances, which are listed in the name
 * or smaller than the job.  If none of its members joined, they are among the
 * absent ones.
 */
static void
table_bury_absent(struct collective_table *t, struct collective_group *g,
    const struct collective_end *end)
{
	bool has_one = g->is_listed || g->all->count < (uint32_t)t->instances;
	uint32_t i;

	for (i = 0; i < g->all->count; i++) {
		if (g->seats[i].instance != end->instance)
			continue;
		has_one = true;
		if (g->seats[i].presence == COLLECTIVE_ABSENT)
			table_bury(t, g, i, end);
	}
	for (i = 0; i < g->all->count && !has_one; i++)
		if (g->seats[i].presence == COLLECTIVE_ABSENT)
			table_bury(t, g, i, end);
}

/* Find the group of a hello, or make it for the first one. */
static struct collective_group *
table_group(struct collective_table *t, const struct collective_hello *h)
{
	struct collective_group *g;
	uint32_t i;

	TAILQ_FOREACH(g, &t->groups, link)
		if (strcmp(g->name, h->group) == 0)
			return g;
	g = collective_group_new(h->group, h->members);
	TAILQ_INSERT_TAIL(&t->groups, g, link);
	for (i = 0; i < t->instances; i++)
		if (t->ends[i].known)
			table_bury_absent(t, g, &t->ends[i]);
	return g;
}

/* Check that a hello fits the job and earlier hellos. */
static int
table_check(const struct collective_group *g, const struct collective_hello *h,
    struct error *e)
{
	const char *name = h->group;
	int instance;

	if (h->members != g->all->count && name[0] == '\0')
		return error_set(e, "the job has %lu instances, not %lu",
		    (unsigned long)g->all->count, (unsigned long)h->members);
	if (h->members != g->all->count)
		return error_set(e, "group '%s' has %lu members, not %lu", name,
		    (unsigned long)g->all->count, (unsigned long)h->members);
	instance = g->seats[h->member].instance;
	if (instance == -1 || (uint32_t)instance == h->instance)
		return 0;
	if (name[0] == '\0')
		return error_set(e, "instance %lu is not member %lu",
		    (unsigned long)h->instance, (unsigned long)h->member);
	return error_set(e,
	    "member %lu of group '%s' belongs to instance %d, not to instance "
	    "%lu",
	    (unsigned long)h->member, name, instance,
	    (unsigned long)h->instance);
}

/* Refuse a member that is gone or has left for good. */
static enum collective_code
table_check_member(const struct collective_group *g, uint32_t member,
    struct error *e)
{
	const enum collective_presence p = g->seats[member].presence;
	enum collective_code code;
	struct memstream s;
	char *text;

	if (p == COLLECTIVE_ABSENT || p == COLLECTIVE_PRESENT ||
	    p == COLLECTIVE_AWAY)
		return 0;
	code = collective_group_explain(g, member, memstream_open(&s));
	text = memstream_close(&s, NULL);
	(void)error_set(e, "%s", text);
	free(text);
	return code;
}

struct collective_guest *
collective_table_join(struct collective_table *t,
    const struct collective_hello *h, pid_t pid, enum collective_code *code,
    struct error *e)
{
	struct collective_group *g;
	struct collective_guest *guest;
	struct collective_seat *seat;

	*code = COLLECTIVE_MISMATCH;
	if (h->instance >= t->instances) {
		(void)error_set(e,
		    "instance %lu does not exist in a job of %lu",
		    (unsigned long)h->instance, (unsigned long)t->instances);
		return NULL;
	}
	g = table_group(t, h);
	if (table_check(g, h, e) != 0)
		return NULL;
	*code = table_check_member(g, h->member, e);
	if (*code != 0)
		return NULL;
	seat = &g->seats[h->member];
	seat->presence = COLLECTIVE_PRESENT;
	seat->instance = (int)h->instance;
	seat->pid = pid;
	seat->guests++;
	guest = xcalloc(1, sizeof(*guest));
	guest->group = g;
	guest->member = h->member;
	guest->pid = pid;
	TAILQ_INSERT_TAIL(&t->guests, guest, link);
	return guest;
}

/* Refuse a guest if its member was lost with another connection. */
static bool
table_is_over(struct collective_table *t, const struct collective_entry *e)
{
	const struct collective_guest *guest = e->guest;
	const struct collective_seat *seat =
	    &guest->group->seats[guest->member];
	enum collective_code code;
	struct memstream s;

	if (seat->presence == COLLECTIVE_PRESENT)
		return false;
	code = collective_group_explain(guest->group, guest->member,
	    collective_meeting_begin(e->call, &s));
	collective_meeting_refuse(&t->meetings, e->request, code, &s);
	return true;
}

/* Find the members of a call's communicator, and check that the guest is
   one. */
static void
table_enter(struct collective_table *t, struct collective_entry *e)
{
	const struct collective_guest *guest = e->guest;
	const char *name = e->call->communicator;
	struct memstream s;

	if (table_is_over(t, e))
		return;
	e->members = collective_group_find(guest->group, name);
	if (e->members != NULL &&
	    collective_group_place(e->members, guest->member) != -1) {
		collective_meeting_enter(&t->meetings, e);
		return;
	}
	(void)collective_meeting_begin(e->call, &s);
	if (e->members != NULL) {
		collective_group_name(guest->group, guest->member, s.file);
		fprintf(s.file, " is not a member of this communicator");
	} else
		fprintf(s.file,
		    "the communicator does not exist; all members have to "
		    "register it first");
	collective_meeting_refuse(&t->meetings, e->request,
	    COLLECTIVE_NO_COMMUNICATOR, &s);
}

void
collective_table_call(struct collective_table *t,
    struct collective_guest *guest, const struct collective_call *c,
    struct collective_request *request, int64_t now_ms, const char *no_room)
{
	struct collective_entry e = { .guest = guest,
		.call = c,
		.request = request,
		.now_ms = now_ms,
		.reason = no_room,
		.code = no_room != NULL ? COLLECTIVE_NO_ROOM : 0 };

	table_enter(t, &e);
}

void
collective_table_register(struct collective_table *t,
    struct collective_guest *guest, const struct collective_set *set,
    struct collective_request *request)
{
	struct collective_call c = {
		.operation = COLLECTIVE_MEETING_REGISTER,
	};
	struct error why;
	struct collective_entry e = { .guest = guest,
		.call = &c,
		.request = request,
		.members = guest->group->all };

	(void)strlcpy(c.id, set->name, sizeof(c.id));
	if (table_is_over(t, &e))
		return;
	e.set = collective_group_read(guest->group, set, &why);
	if (e.set == NULL) {
		e.code = COLLECTIVE_MISMATCH;
		e.reason = why.text;
	}
	collective_meeting_enter(&t->meetings, &e);
	collective_group_drop(e.set);
}

uint32_t
collective_table_size(const struct collective_guest *guest,
    const char *communicator)
{
	const struct collective_members *m = collective_group_find(guest->group,
	    communicator);

	return m != NULL ? m->count : 0;
}

bool
collective_table_is_member(const struct collective_guest *guest,
    uint32_t member)
{
	return guest->member == member;
}

static void
table_remove(struct collective_table *t, struct collective_guest *guest)
{
	guest->group->seats[guest->member].guests--;
	TAILQ_REMOVE(&t->guests, guest, link);
	free(guest);
}

void
collective_table_leave(struct collective_table *t,
    struct collective_guest *guest, bool for_good)
{
	struct collective_group *g = guest->group;
	const uint32_t member = guest->member;
	struct collective_seat *seat = &g->seats[member];
	const struct collective_end *end = &t->ends[seat->instance];

	collective_meeting_drop(&t->meetings, guest, true);
	table_remove(t, guest);
	if (seat->presence != COLLECTIVE_PRESENT)
		return;
	if (for_good) {
		collective_group_miss(g, member, COLLECTIVE_RETIRED);
		collective_meeting_miss(&t->meetings, g, member);
	} else if (seat->guests == 0 && end->known)
		table_bury(t, g, member, end);
	else if (seat->guests == 0)
		seat->presence = COLLECTIVE_AWAY;
}

/* A connection that ends without leaving is the end of its member.  If its
   process was the instance itself, the launch soon reports how it ended. */
void
collective_table_lose(struct collective_table *t,
    struct collective_guest *guest, int64_t now_ms)
{
	struct collective_group *g = guest->group;
	const uint32_t member = guest->member;
	const pid_t pid = guest->pid;
	struct collective_seat *seat = &g->seats[member];
	const struct collective_end *end = &t->ends[seat->instance];

	collective_meeting_drop(&t->meetings, guest, false);
	table_remove(t, guest);
	if (seat->presence != COLLECTIVE_PRESENT)
		return;
	seat->pid = pid;
	if (end->known) {
		table_bury(t, g, member, end->pid == pid ? end : NULL);
		return;
	}
	seat->presence = COLLECTIVE_LOST;
	seat->due_ms = now_ms + COLLECTIVE_TABLE_WORD_MS;
	if (t->next_ms == 0 || seat->due_ms < t->next_ms)
		t->next_ms = seat->due_ms;
}

/* Return true if the process has a connection of this member; after a fork
   another process may hold it open. */
static bool
table_has_guest(const struct collective_table *t,
    const struct collective_group *g, uint32_t member, pid_t pid)
{
	const struct collective_guest *guest;

	TAILQ_FOREACH(guest, &t->guests, link)
		if (guest->group == g && guest->member == member &&
		    guest->pid == pid)
			return true;
	return false;
}

/* Apply the end of an instance to one of its members. */
static void
table_end_member(struct collective_table *t, struct collective_group *g,
    uint32_t member, const struct collective_end *end)
{
	switch (g->seats[member].presence) {
	case COLLECTIVE_ABSENT:
	case COLLECTIVE_AWAY:
	case COLLECTIVE_LOST:
		table_bury(t, g, member, end);
		break;
	case COLLECTIVE_PRESENT:
		if (table_has_guest(t, g, member, end->pid))
			table_bury(t, g, member, end);
		break;
	case COLLECTIVE_RETIRED:
	case COLLECTIVE_DEAD:
		break;
	}
}

void
collective_table_ended(struct collective_table *t, int instance, pid_t pid,
    int status)
{
	const struct collective_end end = { .known = true,
		.instance = instance,
		.pid = pid,
		.status = status };
	struct collective_group *g;
	uint32_t i;

	t->ends[instance] = end;
	TAILQ_FOREACH(g, &t->groups, link) {
		for (i = 0; i < g->all->count; i++)
			if (g->seats[i].instance == instance)
				table_end_member(t, g, i, &end);
		table_bury_absent(t, g, &end);
	}
}

/* Mark lost members with an overdue report as gone. */
static void
table_expire_lost(struct collective_table *t, int64_t now_ms)
{
	struct collective_group *g;
	struct collective_seat *seat;
	uint32_t i;

	if (t->next_ms == 0 || now_ms < t->next_ms)
		return;
	t->next_ms = 0;
	TAILQ_FOREACH(g, &t->groups, link)
		for (i = 0; i < g->all->count; i++) {
			seat = &g->seats[i];
			if (seat->presence != COLLECTIVE_LOST)
				continue;
			if (seat->due_ms <= now_ms)
				table_bury(t, g, i, NULL);
			else if (t->next_ms == 0 || seat->due_ms < t->next_ms)
				t->next_ms = seat->due_ms;
		}
}

void
collective_table_expire(struct collective_table *t, int64_t now_ms)
{
	table_expire_lost(t, now_ms);
	collective_meeting_expire(&t->meetings, now_ms);
}

int64_t
collective_table_deadline(const struct collective_table *t)
{
	const int64_t a = t->next_ms, b = t->meetings.next_ms;

	if (a == 0 || b == 0)
		return a + b == 0 ? -1 : a + b;
	return a < b ? a : b;
}
