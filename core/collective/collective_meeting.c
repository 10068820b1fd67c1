/*
 * Meetings: finding and ending them, and handling calls.  Read
 * collective_meeting_enter() first.
 */
#include "core/collective/collective_meeting.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/formats/element.h"

enum {
	OPEN_MAX = 65536,	/* most meetings at a time */
	SHOWN_NAME_BYTES = 100, /* most bytes of an id in a message */
	MS_PER_S = 1000
};

void
collective_meeting_init(struct collective_meetings *t,
    collective_table_act *act, void *context)
{
	int i;

	*t = (struct collective_meetings){ .act = act, .context = context };
	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		TAILQ_INIT(&t->lists[i]);
}

/* FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static struct collective_meeting_list *
meetings_of(struct collective_meetings *t, const char *id)
{
	uint32_t hash = 2166136261;

	for (; *id != '\0'; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619;
	return &t->lists[(hash ^ hash >> 16) % COLLECTIVE_MEETING_LISTS];
}

static void
meeting_free(struct collective_meetings *t, struct collective_meeting *m)
{
	TAILQ_REMOVE(meetings_of(t, m->call.id), m, link);
	t->open--;
	collective_group_drop(m->members);
	collective_group_drop(m->set);
	free(m->why);
	free(m);
}

void
collective_meeting_release(struct collective_meetings *t)
{
	struct collective_meeting *m;
	int i;

	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		while ((m = TAILQ_FIRST(&t->lists[i])) != NULL)
			meeting_free(t, m);
}

void
collective_meeting_refuse(struct collective_meetings *t,
    struct collective_request *request, enum collective_code code,
    struct memstream *text)
{
	char *why = memstream_close(text, NULL);
	const struct collective_event event = { .kind = COLLECTIVE_REFUSE,
		.requests = &request,
		.count = 1,
		.code = code,
		.text = why };

	t->act(t->context, &event);
	free(why);
}

static void
put_id(const struct collective_call *c, FILE *out)
{
	fprintf(out, "'%.*s'", SHOWN_NAME_BYTES, c->id);
	if (c->communicator[0] != '\0')
		fprintf(out, " of '%.*s'", SHOWN_NAME_BYTES, c->communicator);
	fprintf(out, ": ");
}

FILE *
collective_meeting_begin(const struct collective_call *c, struct memstream *s)
{
	fprintf(memstream_open(s), "%s ",
	    c->operation == COLLECTIVE_MEETING_REGISTER ?
		"communicator" :
		collective_message_operation_name(c->operation));
	put_id(c, s->file);
	return s->file;
}

/* Print the name of the member at that place. */
static void
put_name(const struct collective_meeting *m, int place, FILE *out)
{
	collective_group_name(m->group, m->members->list[place], out);
}

/* Forget a failed meeting after every member that still can has come. */
static void
collect(struct collective_meetings *t, struct collective_meeting *m)
{
	uint32_t i;

	for (i = 0; i < m->members->count; i++)
		if (!m->places[i].has_come &&
		    !collective_group_is_missing(m->group, m->members->list[i]))
			return;
	meeting_free(t, m);
}

/* Report the outcome of all waiting requests, which then wait no longer. */
static void
tell(struct collective_meetings *t, struct collective_meeting *m,
    struct collective_event *event)
{
	uint32_t i;

	event->requests = xcalloc(m->members->count,
	    sizeof(struct collective_request *));
	for (i = 0; i < m->members->count; i++) {
		if (m->places[i].request == NULL)
			continue;
		event->requests[event->count++] = m->places[i].request;
		m->places[i].request = NULL;
	}
	m->waiting = 0;
	t->act(t->context, event);
	free(event->requests);
}

/* Fail the meeting, for waiting and later members; closes the text. */
static void
fail(struct collective_meetings *t, struct collective_meeting *m,
    enum collective_code code, struct memstream *why)
{
	struct collective_event event = { .kind = COLLECTIVE_REFUSE };

	m->code = event.code = code;
	m->why = memstream_close(why, NULL);
	m->due_ms = 0;
	event.text = m->why;
	tell(t, m, &event);
	collect(t, m);
}

static bool
is_registration(const struct collective_meeting *m)
{
	return m->call.operation == COLLECTIVE_MEETING_REGISTER;
}

/* Complete the meeting after all have come. */
static void
complete(struct collective_meetings *t, struct collective_meeting *m)
{
	const bool registers = is_registration(m);
	struct collective_event event = {
		.kind = registers ? COLLECTIVE_CONFIRM : COLLECTIVE_CARRY_OUT,
		.operation = m->call.operation,
		.type = m->call.type,
		.elements = m->call.count
	};

	if (m->call.operation == COLLECTIVE_BROADCAST)
		event.root = (size_t)collective_group_place(m->members,
		    m->call.root);
	if (registers)
		collective_group_define(m->group, m->call.id, m->set);
	tell(t, m, &event);
	meeting_free(t, m);
}

/* Make a meeting to which no member has come. */
static struct collective_meeting *
new_meeting(struct collective_meetings *t, const struct collective_entry *e)
{
	struct collective_meeting *m = xcalloc(1,
	    sizeof(*m) + e->members->count * sizeof(m->places[0]));

	m->group = e->guest->group;
	m->members = collective_group_hold(e->members);
	if (e->set != NULL)
		m->set = collective_group_hold(e->set);
	m->call = *e->call;
	m->first = -1;
	TAILQ_INSERT_TAIL(meetings_of(t, m->call.id), m, link);
	t->open++;
	return m;
}

/* Find the first meeting of a call's id to which the member at that place has
   not come.  All but the last have failed.  NULL: make a new one; *twice: the
   member already waits in one. */
static struct collective_meeting *
find(struct collective_meetings *t, const struct collective_entry *e, int place,
    bool *twice)
{
	const struct collective_call *c = e->call;
	struct collective_meeting *m;

	*twice = false;
	TAILQ_FOREACH(m, meetings_of(t, c->id), link) {
		if (m->members != e->members ||
		    is_registration(m) !=
			(c->operation == COLLECTIVE_MEETING_REGISTER) ||
		    strcmp(m->call.id, c->id) != 0)
			continue;
		if (!m->places[place].has_come)
			return m;
		if (m->places[place].request != NULL)
			*twice = true;
	}
	return NULL;
}

/* ---- handling a call ---- */

/* Return true for a sum; large ones are chains. */
static bool
is_sum(int operation)
{
	return operation == COLLECTIVE_SUM || operation == COLLECTIVE_CHAIN;
}

/* Return true if the call itself is wrong, with the reason in *s. */
static bool
meeting_is_impossible(const struct collective_meeting *m, struct memstream *s)
{
	const struct collective_call *c = &m->call;

	if (is_registration(m) || c->operation == COLLECTIVE_BARRIER)
		return false;
	if (element_size(c->type) == 0)
		fprintf(collective_meeting_begin(c, s),
		    "element type %d is not valid", c->type);
	else if (is_sum(c->operation) && !element_is_summable(c->type))
		fprintf(collective_meeting_begin(c, s), "%s cannot be added up",
		    element_name(c->type));
	else if (c->operation == COLLECTIVE_BROADCAST &&
	    collective_group_place(m->members, c->root) == -1)
		fprintf(collective_meeting_begin(c, s),
		    "its root, %lu, is not one of its members",
		    (unsigned long)c->root);
	else
		return false;
	return true;
}

static void
put_vector(uint64_t count, int type, FILE *out)
{
	const char *name = element_name(type);

	fprintf(out, "%llu %s", (unsigned long long)count,
	    name != NULL ? name : "of an unknown type");
}

/* Return true if the member's call differs from the first one, with the
   reason. */
static bool
meeting_differs(const struct collective_meeting *m, int place,
    const struct collective_call *c, struct memstream *why)
{
	const struct collective_call *first = &m->call;
	const bool same_vector = c->count == first->count &&
	    c->type == first->type;
	FILE *out;

	/* If two sums have different vectors, only one may be a chain: report
	   the vectors. */
	if (c->operation != first->operation &&
	    (same_vector || !is_sum(c->operation) ||
		!is_sum(first->operation))) {
		/* "'grads': instance 1 calls broadcast, instance 0 barrier" */
		out = memstream_open(why);
		put_id(first, out);
		put_name(m, place, out);
		fprintf(out, " calls %s, ",
		    collective_message_operation_name(c->operation));
		put_name(m, m->first, out);
		fprintf(out, " %s",
		    collective_message_operation_name(first->operation));
		return true;
	}
	if (first->operation == COLLECTIVE_BARRIER ||
	    (same_vector &&
		(c->root == first->root ||
		    first->operation != COLLECTIVE_BROADCAST)))
		return false;
	out = collective_meeting_begin(first, why);
	put_name(m, place, out);
	if (!same_vector) {
		fprintf(out, " brings ");
		put_vector(c->count, c->type, out);
		fprintf(out, ", ");
		put_name(m, m->first, out);
		fprintf(out, " brings ");
		put_vector(first->count, first->type, out);
	} else {
		fprintf(out, " takes it from %lu, ", (unsigned long)c->root);
		put_name(m, m->first, out);
		fprintf(out, " from %lu", (unsigned long)first->root);
	}
	return true;
}

/* Return true if the member registers another set than the first one. */
static bool
meeting_set_differs(const struct collective_meeting *m, int place,
    const struct collective_members *set, struct memstream *why)
{
	FILE *out;

	if (set == NULL || collective_group_same(set, m->set))
		return false;
	out = collective_meeting_begin(&m->call, why);
	put_name(m, place, out);
	fprintf(out, " and ");
	put_name(m, m->first, out);
	fprintf(out, " name different members");
	return true;
}

/* Refuse a request if a new meeting could not succeed: a member is gone, or too
   many meetings are open. */
static bool
meeting_is_vain(struct collective_meetings *t, const struct collective_entry *e)
{
	const struct collective_group *g = e->guest->group;
	const int64_t missing = collective_group_missing(g, e->members);
	enum collective_code code = COLLECTIVE_NO_ROOM;
	struct memstream s;

	if (missing == -1 && t->open < OPEN_MAX)
		return false;
	(void)collective_meeting_begin(e->call, &s);
	if (missing != -1)
		code = collective_group_explain(g, (uint32_t)missing, s.file);
	else
		fprintf(s.file, "%d operations are open already", OPEN_MAX);
	collective_meeting_refuse(t, e->request, code, &s);
	return true;
}

/* Let the member wait in the meeting; its time limit may be the next one. */
static void
meeting_take_place(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_entry *e)
{
	const uint32_t limit_ms = e->call->timeout_ms;
	const int64_t due_ms = e->now_ms + limit_ms;

	m->places[place] = (struct collective_place){ .has_come = true,
		.guest = e->guest,
		.request = e->request };
	m->waiting++;
	if (m->first == -1)
		m->first = place;
	if (limit_ms == 0)
		return;
	if (m->due_ms == 0 || due_ms < m->due_ms) {
		m->due_ms = due_ms;
		m->timeout_ms = limit_ms;
	}
	if (t->next_ms == 0 || due_ms < t->next_ms)
		t->next_ms = due_ms;
}

/* Refuse a second call of a member that still waits for its first. */
static void
meeting_refuse_second(struct collective_meetings *t,
    const struct collective_entry *e)
{
	struct memstream s;
	FILE *out = collective_meeting_begin(e->call, &s);

	collective_group_name(e->guest->group, e->guest->member, out);
	fprintf(out,
	    " has called it already and waits for its end; use another id");
	collective_meeting_refuse(t, e->request, COLLECTIVE_TWICE, &s);
}

/* Refuse a member that comes after the failure, with the same reason. */
static void
meeting_refuse_late(struct collective_meetings *t, struct collective_meeting *m,
    int place, struct collective_request *request)
{
	struct memstream s;

	fprintf(memstream_open(&s), "%s", m->why);
	collective_meeting_refuse(t, request, m->code, &s);
	m->places[place].has_come = true;
	collect(t, m);
}

/* Check the call of the member at that place.  Returns 0, or a code with the
   reason in *s. */
static enum collective_code
meeting_check(const struct collective_meeting *m,
    const struct collective_entry *e, int place, struct memstream *s)
{
	if (e->code != 0) {
		fprintf(collective_meeting_begin(&m->call, s), "%s", e->reason);
		return e->code;
	}
	if (meeting_differs(m, place, e->call, s) ||
	    meeting_set_differs(m, place, e->set, s))
		return COLLECTIVE_MISMATCH;
	return meeting_is_impossible(m, s) ? COLLECTIVE_MISMATCH : 0;
}

void
collective_meeting_enter(struct collective_meetings *t,
    const struct collective_entry *e)
{
	const int place = collective_group_place(e->members, e->guest->member);
	struct collective_meeting *m;
	struct memstream s;
	enum collective_code code;
	bool twice;

	m = find(t, e, place, &twice);
	if (m == NULL && twice) {
		meeting_refuse_second(t, e);
		return;
	}
	if (m != NULL && m->code != 0) {
		meeting_refuse_late(t, m, place, e->request);
		return;
	}
	if (m == NULL && meeting_is_vain(t, e))
		return;
	if (m == NULL)
		m = new_meeting(t, e);
	meeting_take_place(t, m, place, e);
	code = meeting_check(m, e, place, &s);
	if (code != 0)
		fail(t, m, code, &s);
	else if (m->waiting == m->members->count)
		complete(t, m);
}

/* ---- members that leave ---- */

/* Call a function for each meeting of a group that includes the member; it may
   free the meeting. */
static void
for_meetings(struct collective_meetings *t, const struct collective_group *g,
    uint32_t member,
    void (*act)(struct collective_meetings *, struct collective_meeting *,
	int place, const struct collective_guest *, bool left),
    const struct collective_guest *guest, bool left)
{
	struct collective_meeting *m, *next;
	int i, place;

	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		TAILQ_FOREACH_SAFE(m, &t->lists[i], link, next)
			if (m->group == g &&
			    (place = collective_group_place(m->members,
				 member)) != -1)
				act(t, m, place, guest, left);
}

static void
meeting_miss(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_guest *unused, bool left)
{
	const uint32_t member = m->members->list[place];
	enum collective_code code;
	struct memstream s;

	(void)unused;
	(void)left;
	if (m->code != 0) {
		collect(t, m);
		return;
	}
	/* A meeting that it came to before it left continues. */
	if (m->group->seats[member].presence == COLLECTIVE_RETIRED &&
	    m->places[place].request != NULL)
		return;
	code = collective_group_explain(m->group, member,
	    collective_meeting_begin(&m->call, &s));
	fail(t, m, code, &s);
}

void
collective_meeting_miss(struct collective_meetings *t,
    const struct collective_group *g, uint32_t member)
{
	for_meetings(t, g, member, meeting_miss, NULL, false);
}

/* Forget the guest's requests, and fail them if it has left. */
static void
meeting_drop(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_guest *guest, bool left)
{
	struct memstream s;

	if (m->places[place].request == NULL || m->places[place].guest != guest)
		return;
	if (!left) {
		m->places[place].request = NULL;
		m->waiting--;
		return;
	}
	put_name(m, place, collective_meeting_begin(&m->call, &s));
	fprintf(s.file, " has left the job's collectives");
	fail(t, m, COLLECTIVE_LEFT, &s);
}

void
collective_meeting_drop(struct collective_meetings *t,
    const struct collective_guest *guest, bool left)
{
	for_meetings(t, guest->group, guest->member, meeting_drop, guest, left);
}

/* Print "instance 3" or "instances 3-5,7": the absent members.  Returns false
   if all have come but one is lost; its death will be reported. */
static bool
put_absent(const struct collective_meeting *m, FILE *out)
{
	const bool named = m->group->name[0] != '\0';
	struct number_set absent = { { 0 } };
	uint32_t i;

	for (i = 0; i < m->members->count; i++)
		if (!m->places[i].has_come)
			number_set_add(&absent, (int)m->members->list[i]);
	if (number_set_is_empty(&absent))
		return false;
	if (number_set_count(&absent) == 1)
		collective_group_name(m->group,
		    (uint32_t)number_set_next(&absent, 0), out);
	else {
		fprintf(out, named ? "members " : "instances ");
		number_set_print(out, &absent);
	}
	return true;
}

static void
meeting_expire(struct collective_meetings *t, struct collective_meeting *m)
{
	struct memstream s;

	if (put_absent(m, collective_meeting_begin(&m->call, &s))) {
		fprintf(s.file, " did not come within %g s",
		    (double)m->timeout_ms / MS_PER_S);
		fail(t, m, COLLECTIVE_TIMED_OUT, &s);
		return;
	}
	m->due_ms = 0;
	free(memstream_close(&s, NULL));
}

void
collective_meeting_expire(struct collective_meetings *t, int64_t now_ms)
{
	struct collective_meeting *m, *next;
	int i;

	if (t->next_ms == 0 || now_ms < t->next_ms)
		return;
	t->next_ms = 0;
	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		TAILQ_FOREACH_SAFE(m, &t->lists[i], link, next) {
			if (m->due_ms == 0)
				continue;
			if (m->due_ms <= now_ms)
				meeting_expire(t, m);
			else if (t->next_ms == 0 || m->due_ms < t->next_ms)
				t->next_ms = m->due_ms;
		}
}
