/*
 * Meetings: finding them, and their ends.  Read collective_meeting_fail()
 * first.
 */
#include "core/process/collective_meeting.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/number_set.h"

enum {
	SHOWN_NAME_BYTES = 100,		/* of an id, in a sentence */
	MS_PER_S = 1000
};

void
collective_meeting_init(struct collective_meetings *t,
    collective_table_act *act, void *context)
{
	int	i;

	*t = (struct collective_meetings){ .act = act, .context = context };
	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		TAILQ_INIT(&t->lists[i]);
}

/* FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static struct collective_meeting_list *
meetings_of(struct collective_meetings *t, const char *id)
{
	uint32_t	hash = 2166136261;

	for (; *id != '\0'; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619;
	return &t->lists[(hash ^ hash >> 16) % COLLECTIVE_MEETING_LISTS];
}

static void
meeting_free(struct collective_meetings *t, struct collective_meeting *m)
{
	TAILQ_REMOVE(meetings_of(t, m->id), m, link);
	t->open--;
	collective_group_drop(m->members);
	collective_group_drop(m->set);
	free(m->why);
	free(m);
}

void
collective_meeting_release(struct collective_meetings *t)
{
	struct collective_meeting	*m;
	int				 i;

	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		while ((m = TAILQ_FIRST(&t->lists[i])) != NULL)
			meeting_free(t, m);
}

void
collective_meeting_refuse(struct collective_meetings *t,
    struct collective_request *request, enum collective_code code,
    struct memstream *text)
{
	char				*why = memstream_close(text, NULL);
	const struct collective_event	 event = {
		.kind = COLLECTIVE_REFUSE, .requests = &request, .count = 1,
		.code = code, .text = why
	};

	t->act(t->context, &event);
	free(why);
}

void
collective_meeting_put_id(const char *id, const char *communicator, FILE *out)
{
	fprintf(out, "'%.*s'", SHOWN_NAME_BYTES, id);
	if (communicator[0] != '\0')
		fprintf(out, " of '%.*s'", SHOWN_NAME_BYTES, communicator);
	fprintf(out, ": ");
}

static void
put_operation(FILE *out, int operation, const char *communicator,
    const char *id)
{
	fprintf(out, "%s ", operation == COLLECTIVE_MEETING_REGISTER ?
	    "communicator" : collective_message_operation_name(operation));
	collective_meeting_put_id(id, communicator, out);
}

FILE *
collective_meeting_begin(const struct collective_call *c, struct memstream *s)
{
	put_operation(memstream_open(s), c->operation, c->communicator,
	    c->id);
	return s->file;
}

FILE *
collective_meeting_begin_text(const struct collective_meeting *m,
    struct memstream *s)
{
	put_operation(memstream_open(s), m->operation, m->communicator,
	    m->id);
	return s->file;
}

void
collective_meeting_name(const struct collective_meeting *m, int place,
    FILE *out)
{
	collective_group_name(m->group, m->members->list[place], out);
}

void
collective_meeting_collect(struct collective_meetings *t,
    struct collective_meeting *m)
{
	uint32_t	i;

	for (i = 0; i < m->members->count; i++)
		if (!m->places[i].has_come &&
		    !collective_group_is_missing(m->group,
		    m->members->list[i]))
			return;
	meeting_free(t, m);
}

/* Tell of those who wait, who do not any more. */
static void
tell(struct collective_meetings *t, struct collective_meeting *m,
    struct collective_event *event)
{
	uint32_t	i;

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

void
collective_meeting_fail(struct collective_meetings *t,
    struct collective_meeting *m, enum collective_code code,
    struct memstream *why)
{
	struct collective_event	event = { .kind = COLLECTIVE_REFUSE };

	m->code = event.code = code;
	m->why = memstream_close(why, NULL);
	m->due_ms = 0;
	event.text = m->why;
	tell(t, m, &event);
	collective_meeting_collect(t, m);
}

void
collective_meeting_complete(struct collective_meetings *t,
    struct collective_meeting *m)
{
	const bool		registers = m->operation ==
	    COLLECTIVE_MEETING_REGISTER;
	struct collective_event	event = {
		.kind = registers ? COLLECTIVE_CONFIRM : COLLECTIVE_CARRY_OUT,
		.operation = m->operation, .type = m->type,
		.elements = m->count
	};

	if (m->operation == COLLECTIVE_BROADCAST)
		event.root = (size_t)collective_group_place(m->members,
		    m->root);
	if (registers)
		collective_group_define(m->group, m->id, m->set);
	tell(t, m, &event);
	meeting_free(t, m);
}

struct collective_meeting *
collective_meeting_new(struct collective_meetings *t,
    struct collective_group *g, struct collective_members *members,
    const struct collective_call *c, struct collective_members *set)
{
	struct collective_meeting	*m = xcalloc(1, sizeof(*m) +
	    members->count * sizeof(m->places[0]));

	m->group = g;
	m->members = collective_group_hold(members);
	if (set != NULL)
		m->set = collective_group_hold(set);
	m->operation = c->operation;
	m->type = c->type;
	m->root = c->root;
	m->count = c->count;
	m->first = -1;
	(void)strlcpy(m->communicator, c->communicator,
	    sizeof(m->communicator));
	(void)strlcpy(m->id, c->id, sizeof(m->id));
	TAILQ_INSERT_TAIL(meetings_of(t, c->id), m, link);
	t->open++;
	return m;
}

struct collective_meeting *
collective_meeting_find(struct collective_meetings *t,
    const struct collective_members *members, const struct collective_call *c,
    int place, bool *twice)
{
	const bool			 registers = c->operation ==
	    COLLECTIVE_MEETING_REGISTER;
	struct collective_meeting	*m;

	*twice = false;
	TAILQ_FOREACH(m, meetings_of(t, c->id), link) {
		if (m->members != members || registers != (m->operation ==
		    COLLECTIVE_MEETING_REGISTER) || strcmp(m->id, c->id) != 0)
			continue;
		if (!m->places[place].has_come)
			return m;
		if (m->places[place].request != NULL)
			*twice = true;
	}
	return NULL;
}

/*
 * Do something to each meeting of a group that has the member, which may be
 * freed by that.
 */
static void
for_meetings(struct collective_meetings *t, const struct collective_group *g,
    uint32_t member, void (*act)(struct collective_meetings *,
    struct collective_meeting *, int place, const struct collective_guest *),
    const struct collective_guest *guest)
{
	struct collective_meeting	*m, *next;
	int				 i, place;

	for (i = 0; i < COLLECTIVE_MEETING_LISTS; i++)
		TAILQ_FOREACH_SAFE(m, &t->lists[i], link, next)
			if (m->group == g && (place = collective_group_place(
			    m->members, member)) != -1)
				act(t, m, place, guest);
}

static void
meeting_miss(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_guest *nobody)
{
	const uint32_t		member = m->members->list[place];
	enum collective_code	code;
	struct memstream	s;

	(void)nobody;
	if (m->code != 0) {
		collective_meeting_collect(t, m);
		return;
	}
	/* What it came to before it left goes on. */
	if (m->group->seats[member].presence == COLLECTIVE_RETIRED &&
	    m->places[place].request != NULL)
		return;
	code = collective_group_explain(m->group, member,
	    collective_meeting_begin_text(m, &s));
	collective_meeting_fail(t, m, code, &s);
}

void
collective_meeting_miss(struct collective_meetings *t,
    const struct collective_group *g, uint32_t member)
{
	for_meetings(t, g, member, meeting_miss, NULL);
}

static void
meeting_leave(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_guest *guest)
{
	struct memstream	s;

	if (m->places[place].request == NULL ||
	    m->places[place].guest != guest)
		return;
	(void)collective_meeting_begin_text(m, &s);
	collective_meeting_name(m, place, s.file);
	fprintf(s.file, " has left the job's collectives");
	collective_meeting_fail(t, m, COLLECTIVE_LEFT, &s);
}

void
collective_meeting_leave(struct collective_meetings *t,
    const struct collective_guest *guest)
{
	for_meetings(t, guest->group, guest->member, meeting_leave, guest);
}

static void
meeting_forget(struct collective_meetings *t, struct collective_meeting *m,
    int place, const struct collective_guest *guest)
{
	(void)t;
	if (m->places[place].request == NULL ||
	    m->places[place].guest != guest)
		return;
	m->places[place].request = NULL;
	m->waiting--;
}

void
collective_meeting_forget(struct collective_meetings *t,
    const struct collective_guest *guest)
{
	for_meetings(t, guest->group, guest->member, meeting_forget, guest);
}

/* "instance 3", "instances 3-5,7": those who have not come.  False: all have,
   and one of them is lost, of which its death will tell. */
static bool
put_absent(const struct collective_meeting *m, FILE *out)
{
	const bool		named = m->group->name[0] != '\0';
	struct number_set	absent = {{ 0 }};
	uint32_t		i;

	for (i = 0; i < m->members->count; i++)
		if (!m->places[i].has_come)
			number_set_add(&absent, (int)m->members->list[i]);
	if (number_set_is_empty(&absent))
		return false;
	if (number_set_count(&absent) == 1)
		collective_group_name(m->group, (uint32_t)number_set_next(
		    &absent, 0), out);
	else {
		fprintf(out, named ? "members " : "instances ");
		number_set_print(out, &absent);
	}
	return true;
}

static void
meeting_expire(struct collective_meetings *t, struct collective_meeting *m)
{
	struct memstream	s;

	if (put_absent(m, collective_meeting_begin_text(m, &s))) {
		fprintf(s.file, " did not come within %g s",
		    (double)m->timeout_ms / MS_PER_S);
		collective_meeting_fail(t, m, COLLECTIVE_TIMED_OUT, &s);
		return;
	}
	m->due_ms = 0;
	free(memstream_close(&s, NULL));
}

void
collective_meeting_expire(struct collective_meetings *t, int64_t now_ms)
{
	struct collective_meeting	*m, *next;
	int				 i;

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
