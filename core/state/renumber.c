/*
 * Machines that keep their places when the pod changes.  An IPU's number is
 * four times its machine's place plus the IPU's index, so a machine that moves
 * gets other IPU numbers:
 *
 *	place        0     1     2              0     1     2
 *	old pod   [ ag1 | ag2 | ag3 ]  new   [ ag1 | ag3 | ag4 ]
 *	from[]                                  0     2    -1
 *
 * Here places 1 and 2 are away: IPUs 4 to 11 become other machines' numbers, so
 * programs must not be attached to them meanwhile.
 */
#include "core/state/mirror.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/holder.h"

static int
renumber_by_address(const void *a, const void *b)
{
	const struct agent *const *x = a, *const *y = b;

	return strcmp((*x)->address, (*y)->address);
}

/* Find the machine with this address among the old ones, because its place has
   another machine.  -1: new. */
static int32_t
look_for(const struct agent *a, const struct agent *old,
    const struct agent **sorted, int count)
{
	const struct agent **found;

	found = bsearch(&a, sorted, (size_t)count, sizeof(*sorted),
	    renumber_by_address);
	return found == NULL ? -1 : (int32_t)(*found - old);
}

/* Match machines with changed addresses: the same name in the same place is the
   same machine, unless that place already belongs to another. */
static void
match_names(struct renumber *m, const struct pod *old, const struct pod *pod)
{
	bool *taken = xcalloc((size_t)m->old_count + 1, sizeof(*taken));
	int i;

	for (i = 0; i < m->count; i++)
		if (m->from[i] != -1)
			taken[m->from[i]] = true;
	for (i = 0; i < m->count && i < m->old_count; i++)
		if (m->from[i] == -1 && !taken[i] &&
		    strcmp(pod->agents[i].name, old->agents[i].name) == 0)
			m->from[i] = i;
	free(taken);
}

/* Most changes move nothing, so the old machines are sorted only at the first
   that moved: usually O(machines), at worst O(machines log machines). */
void
renumber_find(struct renumber *m, const struct pod *from, const struct pod *pod)
{
	const struct agent **sorted = NULL, *a;
	const struct agent *old = from->agents;
	int i, k, n = from->agent_count;

	m->count = pod->agent_count;
	m->old_count = n;
	m->from = xcalloc((size_t)m->count + 1, sizeof(*m->from));
	for (i = 0; i < m->count; i++) {
		a = &pod->agents[i];
		if (i < n && strcmp(a->address, old[i].address) == 0) {
			m->from[i] = i;
			continue;
		}
		if (sorted == NULL) {
			sorted = xcalloc((size_t)n + 1, sizeof(*sorted));
			for (k = 0; k < n; k++)
				sorted[k] = &old[k];
			qsort(sorted, (size_t)n, sizeof(const struct agent *),
			    renumber_by_address);
		}
		m->from[i] = look_for(a, old, sorted, n);
	}
	free(sorted);
	match_names(m, from, pod);
}

void
renumber_release(struct renumber *m)
{
	free(m->from);
	m->from = NULL;
}

/* Whether the IPUs at that old place become another machine's, or vanish. */
static bool
renumber_away(const struct renumber *m, int place)
{
	return place < m->old_count &&
	    (place >= m->count || m->from[place] != place);
}

/* Find the next adjacent places that are away, from *place on, as one range to
   lock.  Returns their count, with the first in *place; 0: no more. */
static int
next_range(const struct renumber *m, int *place)
{
	int count = 0;

	while (*place < m->old_count && !renumber_away(m, *place))
		++*place;
	while (renumber_away(m, *place + count))
		count++;
	return count;
}

/* Refuse because of the program on that IPU. */
static int
renumber_in_use(const struct registry *r, const struct pod *pod, int ipu,
    uid_t reader, struct error *e)
{
	struct holder_place place;
	struct ipu_slot slot;
	char name[NAME_SIZE + 4];
	char described[HOLDER_TEXT_SIZE];

	if (ipu < 0 || ipu >= pod_ipu_count(pod) ||
	    !registry_holder(r, ipu, &slot))
		return error_set_code(e, ERROR_BUSY,
		    "a program was attached to an IPU just now; try again");
	pod_ipu_name(pod, ipu, name, sizeof(name));
	holder_place_init(&place);
	place.reader = reader;
	holder_text(&place, &slot, described);
	return error_set_code(e, ERROR_BUSY,
	    "%s is in use by %s and would become another IPU; end the program "
	    "first",
	    name, described);
}

/* Unlock the ranges below the place `end`, which were locked before it. */
static void
renumber_unlock_ipus(const struct renumber *m, struct registry *r, int end)
{
	int count, place;

	for (place = 0; (count = next_range(m, &place)) > 0 && place < end;
	     place += count)
		(void)registry_detach(r, place * IPUS_PER_MACHINE,
		    count * IPUS_PER_MACHINE);
}

int
renumber_lock(const struct renumber *m, struct registry *r,
    const struct pod *from, uid_t reader, struct error *e)
{
	struct error reason;
	int count, holder, place;

	for (place = 0; (count = next_range(m, &place)) > 0; place += count) {
		if (registry_attach(r, place * IPUS_PER_MACHINE,
			count * IPUS_PER_MACHINE, &holder, &reason) == 0)
			continue;
		if (reason.code == ERROR_BUSY)
			(void)renumber_in_use(r, from, holder, reader, &reason);
		else
			(void)error_prefix(&reason,
			    "cannot lock the IPUs in %s", r->path);
		renumber_unlock_ipus(m, r, place);
		return error_copy(e, &reason);
	}
	return 0;
}

void
renumber_unlock(const struct renumber *m, struct registry *r)
{
	renumber_unlock_ipus(m, r, m->old_count);
}

/* Return the slots of a machine, or NULL. */
static struct ipu_slot *
machine_slots(const struct slots *slots, int place)
{
	return place >= slots->count / IPUS_PER_MACHINE ?
	    NULL :
	    slots_at(slots, place * IPUS_PER_MACHINE);
}

/*
 * The old slots are copied first: a machine's new place may be another's old
 * one.  If nothing moved nothing is touched, because running programs write the
 * counters.
 */
void
renumber_slots(const struct renumber *m, const struct slots *slots)
{
	const size_t group = IPUS_PER_MACHINE * sizeof(struct ipu_slot);
	int end = m->count > m->old_count ? m->count : m->old_count;
	struct ipu_slot *to;
	char *old = xcalloc((size_t)end + 1, group);
	int i, from;

	for (i = 0; i < end; i++)
		if ((to = machine_slots(slots, i)) != NULL)
			memcpy(old + (size_t)i * group, to, group);
	for (i = 0; i < end; i++) {
		from = i < m->count ? m->from[i] : -1;
		to = machine_slots(slots, i);
		if (to != NULL && from == -1)
			memset(to, 0, group);
		else if (to != NULL && from != i)
			memcpy(to, old + (size_t)from * group, group);
	}
	free(old);
}
