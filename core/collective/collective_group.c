/*
 * Groups of members, sets of them, and the descriptions of lost members.
 */
#include "core/collective/collective_group.h"

#include <sys/wait.h>

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"

struct collective_communicator {
	TAILQ_ENTRY(collective_communicator) link;
	struct collective_members *members;
	char name[COLLECTIVE_NAME_MAX + 1];
};

static struct collective_members *
new_members(uint32_t count)
{
	struct collective_members *m =
	    xmalloc(sizeof(*m) + count * sizeof(m->list[0]));

	m->holders = 1;
	m->count = count;
	return m;
}

/* Read the members' instances if the name lists them after an '@'. */
static void
read_instances(struct collective_group *g)
{
	const char *list = strrchr(g->name, '@');
	struct number_set set;
	int instance = -1;
	uint32_t i;

	if (list == NULL || number_set_parse(&set, list + 1) != 0 ||
	    (uint32_t)number_set_count(&set) != g->all->count)
		return;
	for (i = 0; i < g->all->count; i++) {
		instance = number_set_next(&set, instance + 1);
		g->seats[i].instance = instance;
	}
	g->is_listed = true;
}

struct collective_group *
collective_group_new(const char *name, uint32_t members)
{
	struct collective_group *g = xcalloc(1, sizeof(*g));
	uint32_t i;

	(void)strlcpy(g->name, name, sizeof(g->name));
	g->all = new_members(members);
	g->seats = xcalloc(members, sizeof(*g->seats));
	for (i = 0; i < members; i++) {
		g->all->list[i] = i;
		g->seats[i].instance = name[0] == '\0' ? (int)i : -1;
	}
	TAILQ_INIT(&g->communicators);
	read_instances(g);
	return g;
}

void
collective_group_free(struct collective_group *g)
{
	struct collective_communicator *c;

	while ((c = TAILQ_FIRST(&g->communicators)) != NULL) {
		TAILQ_REMOVE(&g->communicators, c, link);
		collective_group_drop(c->members);
		free(c);
	}
	collective_group_drop(g->all);
	free(g->seats);
	free(g);
}

static int
compare_members(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct collective_members *
collective_group_read(const struct collective_group *g,
    const struct collective_set *set, struct error *e)
{
	struct collective_members *m = new_members(set->count);
	uint32_t i;

	for (i = 0; i < set->count; i++)
		m->list[i] = collective_message_member(set, i);
	qsort(m->list, m->count, sizeof(m->list[0]), compare_members);
	for (i = 0; i < m->count; i++) {
		if (m->list[i] >= g->all->count)
			(void)error_set_code(e, ERROR_INVALID,
			    "%s %lu does not exist",
			    g->name[0] == '\0' ? "instance" : "member",
			    (unsigned long)m->list[i]);
		else if (i > 0 && m->list[i] == m->list[i - 1])
			(void)error_set_code(e, ERROR_INVALID,
			    "%s %lu is named twice",
			    g->name[0] == '\0' ? "instance" : "member",
			    (unsigned long)m->list[i]);
		else
			continue;
		collective_group_drop(m);
		return NULL;
	}
	return m;
}

struct collective_members *
collective_group_hold(struct collective_members *m)
{
	m->holders++;
	return m;
}

void
collective_group_drop(struct collective_members *m)
{
	if (m != NULL && --m->holders == 0)
		free(m);
}

bool
collective_group_same(const struct collective_members *a,
    const struct collective_members *b)
{
	return a->count == b->count &&
	    memcmp(a->list, b->list, a->count * sizeof(a->list[0])) == 0;
}

int
collective_group_place(const struct collective_members *m, uint32_t member)
{
	const uint32_t *found;

	/* In the set of all, each member is at the index of its number. */
	if (member < m->count && m->list[member] == member)
		return (int)member;
	found = bsearch(&member, m->list, m->count, sizeof(m->list[0]),
	    compare_members);
	return found != NULL ? (int)(found - m->list) : -1;
}

static struct collective_communicator *
find_communicator(const struct collective_group *g, const char *name)
{
	struct collective_communicator *c;

	TAILQ_FOREACH(c, &g->communicators, link)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

struct collective_members *
collective_group_find(const struct collective_group *g, const char *name)
{
	const struct collective_communicator *c;

	if (name[0] == '\0')
		return g->all;
	c = find_communicator(g, name);
	return c != NULL ? c->members : NULL;
}

void
collective_group_define(struct collective_group *g, const char *name,
    struct collective_members *members)
{
	struct collective_communicator *c = find_communicator(g, name);

	if (c == NULL) {
		c = xcalloc(1, sizeof(*c));
		(void)strlcpy(c->name, name, sizeof(c->name));
		TAILQ_INSERT_TAIL(&g->communicators, c, link);
	}
	(void)collective_group_hold(members);
	collective_group_drop(c->members);
	c->members = members;
}

bool
collective_group_is_missing(const struct collective_group *g, uint32_t member)
{
	const enum collective_presence p = g->seats[member].presence;

	return p == COLLECTIVE_DEAD || p == COLLECTIVE_RETIRED;
}

int64_t
collective_group_missing(const struct collective_group *g,
    const struct collective_members *m)
{
	const struct collective_seat *seats = g->seats;
	int64_t first = -1;
	uint32_t i;

	for (i = 0; i < m->count && g->missing > 0; i++)
		if (collective_group_is_missing(g, m->list[i]) &&
		    (first == -1 ||
			seats[m->list[i]].missing_since <
			    seats[first].missing_since))
			first = m->list[i];
	return first;
}

void
collective_group_miss(struct collective_group *g, uint32_t member,
    enum collective_presence presence)
{
	if (!collective_group_is_missing(g, member))
		g->seats[member].missing_since = ++g->missing;
	g->seats[member].presence = presence;
}

void
collective_group_name(const struct collective_group *g, uint32_t member,
    FILE *out)
{
	const int instance = g->seats[member].instance;

	if (g->name[0] == '\0' || g->is_listed)
		fprintf(out, "instance %d", instance);
	else if (instance == -1)
		fprintf(out, "member %lu", (unsigned long)member);
	else
		fprintf(out, "member %lu of instance %d", (unsigned long)member,
		    instance);
}

enum collective_code
collective_group_explain(const struct collective_group *g, uint32_t member,
    FILE *out)
{
	const struct collective_seat *s = &g->seats[member];
	const int status = s->end.status;

	/* Without a connection the member of that process is unknown. */
	if (s->instance == -1 && s->end.known)
		fprintf(out, "instance %d", s->end.instance);
	else
		collective_group_name(g, member, out);
	if (s->presence == COLLECTIVE_RETIRED) {
		fprintf(out, " has left the job's collectives");
		return COLLECTIVE_LEFT;
	}
	fprintf(out, " (pid %ld) ", (long)(s->end.known ? s->end.pid : s->pid));
	if (!s->end.known)
		fprintf(out, "ended, or closed its connection");
	else if (WIFSIGNALED(status))
		fprintf(out, "was killed by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		fprintf(out, "exited with status %d", WEXITSTATUS(status));
	return COLLECTIVE_GONE;
}
