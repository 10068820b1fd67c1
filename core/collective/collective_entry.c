/*
 * A call comes to its meeting.  Read collective_entry_enter() first.
 */
#include "core/collective/collective_entry.h"

#include <string.h>

#include "core/base/formats/element.h"

/* A large sum is a chain, and a small one is not. */
static bool
is_sum(int operation)
{
	return operation == COLLECTIVE_SUM || operation == COLLECTIVE_CHAIN;
}

/* What is wrong with the call itself, whatever the others say. */
static bool
meeting_is_impossible(const struct collective_meeting *m, struct memstream *s)
{
	const bool	plain = m->operation == COLLECTIVE_MEETING_REGISTER ||
	    m->operation == COLLECTIVE_BARRIER;

	if (!plain && element_size(m->type) == 0)
		fprintf(collective_meeting_begin_text(m, s), "there is no "
		    "type %d", m->type);
	else if (is_sum(m->operation) && !element_is_summable(m->type))
		fprintf(collective_meeting_begin_text(m, s), "%s cannot be "
		    "added up", element_name(m->type));
	else if (m->operation == COLLECTIVE_BROADCAST &&
	    collective_group_place(m->members, m->root) == -1)
		fprintf(collective_meeting_begin_text(m, s), "its root, %lu, "
		    "is not one of its members", (unsigned long)m->root);
	else
		return false;
	return true;
}

/* "'grads': instance 1 calls broadcast, instance 0 all-reduce" */
static void
put_other_operation(const struct collective_meeting *m, int place,
    int operation, FILE *out)
{
	collective_meeting_put_id(m->id, m->communicator, out);
	collective_meeting_name(m, place, out);
	fprintf(out, " calls %s, ",
	    collective_message_operation_name(operation));
	collective_meeting_name(m, m->first, out);
	fprintf(out, " %s", collective_message_operation_name(m->operation));
}

static void
put_vector(uint64_t count, int type, FILE *out)
{
	const char	*name = element_name(type);

	fprintf(out, "%llu %s", (unsigned long long)count,
	    name != NULL ? name : "of an unknown type");
}

/* Of two sums with other vectors one may be a chain: then these are told. */
static bool
is_other_operation(const struct collective_meeting *m,
    const struct collective_call *c)
{
	return c->operation != m->operation && (!is_sum(c->operation) ||
	    !is_sum(m->operation) || (c->count == m->count &&
	    c->type == m->type));
}

/* How the call of that one differs from the first one's; false: it does not. */
static bool
meeting_differs(const struct collective_meeting *m, int place,
    const struct collective_call *c, struct memstream *why)
{
	FILE	*out;

	if (is_other_operation(m, c)) {
		put_other_operation(m, place, c->operation,
		    memstream_open(why));
		return true;
	}
	if (m->operation == COLLECTIVE_BARRIER || (c->count == m->count &&
	    c->type == m->type && (c->root == m->root ||
	    m->operation != COLLECTIVE_BROADCAST)))
		return false;
	out = collective_meeting_begin_text(m, why);
	collective_meeting_name(m, place, out);
	if (c->count != m->count || c->type != m->type) {
		fprintf(out, " brings ");
		put_vector(c->count, c->type, out);
		fprintf(out, ", ");
		collective_meeting_name(m, m->first, out);
		fprintf(out, " brings ");
		put_vector(m->count, m->type, out);
	} else {
		fprintf(out, " takes it from %lu, ", (unsigned long)c->root);
		collective_meeting_name(m, m->first, out);
		fprintf(out, " from %lu", (unsigned long)m->root);
	}
	return true;
}

/* The same of a registration: it has another set. */
static bool
meeting_set_differs(const struct collective_meeting *m, int place,
    const struct collective_members *set, struct memstream *why)
{
	FILE	*out;

	if (set == NULL || collective_group_same(set, m->set))
		return false;
	out = collective_meeting_begin_text(m, why);
	collective_meeting_name(m, place, out);
	fprintf(out, " and ");
	collective_meeting_name(m, m->first, out);
	fprintf(out, " name other members");
	return true;
}

/*
 * Why a new meeting would be in vain: somebody is gone, or there are too many.
 * Then the request has failed.
 */
static bool
meeting_is_vain(struct collective_meetings *t,
    const struct collective_entry *e)
{
	const struct collective_group	*g = e->guest->group;
	const int64_t		 missing = collective_group_missing(g,
	    e->members);
	enum collective_code		 code = COLLECTIVE_NO_ROOM;
	struct memstream		 s;

	if (missing == -1 && t->open < COLLECTIVE_ENTRY_OPEN_MAX)
		return false;
	(void)collective_meeting_begin(e->call, &s);
	if (missing != -1)
		code = collective_group_explain(g, (uint32_t)missing, s.file);
	else
		fprintf(s.file, "%d operations are open already",
		    COLLECTIVE_ENTRY_OPEN_MAX);
	collective_meeting_refuse(t, e->request, code, &s);
	return true;
}

/* The member waits there from now on; its time limit may be the next one. */
static void
meeting_take_place(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_entry *e)
{
	const uint32_t	limit_ms = e->call->timeout_ms;
	const int64_t	due_ms = e->now_ms + limit_ms;

	m->places[place] = (struct collective_place){
		.has_come = true, .guest = e->guest, .request = e->request
	};
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

/* The member waits for its first call's end. */
static void
meeting_refuse_second(struct collective_meetings *t,
    const struct collective_entry *e)
{
	struct memstream	s;
	FILE			*out = collective_meeting_begin(e->call, &s);

	collective_group_name(e->guest->group, e->guest->member, out);
	fprintf(out, " has called it already and waits for its end; use "
	    "another id");
	collective_meeting_refuse(t, e->request, COLLECTIVE_TWICE, &s);
}

/* It failed before this member came, which learns the same. */
static void
meeting_refuse_late(struct collective_meetings *t,
    struct collective_meeting *m, int place,
    struct collective_request *request)
{
	struct memstream	s;

	fprintf(memstream_open(&s), "%s", m->why);
	collective_meeting_refuse(t, request, m->code, &s);
	m->places[place].has_come = true;
	collective_meeting_collect(t, m);
}

/*
 * Whether the call of the member at that place spoils the meeting; then *s has
 * the reason.
 */
static enum collective_code
meeting_check(const struct collective_meeting *m,
    const struct collective_entry *e, int place, struct memstream *s)
{
	if (e->code != 0) {
		fprintf(collective_meeting_begin_text(m, s), "%s", e->reason);
		return e->code;
	}
	if (meeting_differs(m, place, e->call, s) ||
	    meeting_set_differs(m, place, e->set, s))
		return COLLECTIVE_MISMATCH;
	return meeting_is_impossible(m, s) ? COLLECTIVE_MISMATCH : 0;
}

void
collective_entry_enter(struct collective_meetings *t,
    const struct collective_entry *e)
{
	const struct collective_guest	*guest = e->guest;
	const int			 place = collective_group_place(
	    e->members, guest->member);
	struct collective_meeting	*m;
	struct memstream		 s;
	enum collective_code		 code;
	bool				 twice;

	m = collective_meeting_find(t, e->members, e->call, place, &twice);
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
		m = collective_meeting_new(t, guest->group, e->members, e->call,
		    e->set);
	meeting_take_place(t, m, place, e);
	code = meeting_check(m, e, place, &s);
	if (code != 0)
		collective_meeting_fail(t, m, code, &s);
	else if (m->waiting == m->members->count)
		collective_meeting_complete(t, m);
}

