/*
 * The life of a partition as a table of phases and events.  The drawing is in
 * lifecycle.h.  Pure: time is a parameter.
 */
#include "core/control/lifecycle.h"

#include <bsd/string.h>

#include <string.h>

#include "core/pod/pod.h"

/* Combinations of state and operation. */
enum phase { NONE, CREATING, RESETTING, READY, WAITING, BROKEN, GONE, PHASES };

static const struct {
	enum partition_state state;
	enum operation_state operation;
} words[PHASES] = {
	[NONE] = { PS_UNDEFINED, POS_UNDEFINED },
	[CREATING] = { PS_PENDING, POS_CREATING },
	[RESETTING] = { PS_PENDING, POS_RESETTING },
	[READY] = { PS_ACTIVE, POS_IDLE },
	[WAITING] = { PS_ERROR, POS_IDLE }, /* for a machine */
	[BROKEN] = { PS_ERROR, POS_FAILED },
	[GONE] = { PS_REMOVED, POS_REMOVING },
};

/* Next phase by event; NONE: impossible here. */
static const enum phase leads_to[PHASES][EVENT_COUNT] = {
	[NONE] = { [EVENT_CREATE] = CREATING },
	[CREATING] = { [EVENT_CONFIGURED] = READY,
	    [EVENT_FAILED] = BROKEN,
	    [EVENT_LOST] = WAITING,
	    [EVENT_MOVED] = CREATING,
	    [EVENT_RESET] = RESETTING,
	    [EVENT_REMOVE] = GONE },
	[RESETTING] = { [EVENT_CONFIGURED] = READY,
	    [EVENT_FAILED] = BROKEN,
	    [EVENT_LOST] = WAITING,
	    [EVENT_MOVED] = RESETTING,
	    [EVENT_RESET] = RESETTING,
	    [EVENT_REMOVE] = GONE },
	[READY] = { [EVENT_LOST] = WAITING,
	    [EVENT_RESET] = RESETTING,
	    [EVENT_REMOVE] = GONE },
	[WAITING] = { [EVENT_BACK] = RESETTING,
	    [EVENT_MOVED] = RESETTING,
	    [EVENT_RESET] = RESETTING,
	    [EVENT_REMOVE] = GONE },
	[BROKEN] = { [EVENT_LOST] = WAITING,
	    [EVENT_RETRY] = RESETTING,
	    [EVENT_RESET] = RESETTING,
	    [EVENT_REMOVE] = GONE },
	[GONE] = { [EVENT_REMOVE] = GONE },
};

/* Other combinations, in a file made by hand, count as the nearest one of their
   state. */
static enum phase
phase_of(const struct partition *p)
{
	switch (p->state) {
	case PS_PENDING:
		return p->operation == POS_CREATING ? CREATING : RESETTING;
	case PS_ACTIVE:
		return READY;
	case PS_ERROR:
		return p->operation == POS_IDLE ? WAITING : BROKEN;
	case PS_REMOVED:
		return GONE;
	default:
		return NONE;
	}
}

/* The change time is the start of the phase, not its last event. */
static void
lifecycle_enter(struct partition *p, enum phase phase, int64_t ms)
{
	if (phase_of(p) != phase)
		p->changed_ms = ms;
	p->state = words[phase].state;
	p->operation = words[phase].operation;
}

/* The last error stays until a user requests a reset. */
static void
note_error(struct partition *p, const struct moment *m)
{
	memset(p->last_error, 0, sizeof(p->last_error));
	(void)strlcpy(p->last_error, m->reason, sizeof(p->last_error));
	p->error_ms = m->ms;
}

/*
 * Count another failed configuration and return the next phase.  With 10
 * retries and 10 periods: failures 1 to 10 retry at once; 11 to 20 make it
 * BROKEN for a period of 10 s; later ones leave it BROKEN until a user acts.
 */
static enum phase
count_failure(struct partition *p, const struct moment *m)
{
	p->attempts++;
	if (p->attempts <= LIFECYCLE_RETRIES) {
		p->due_ms = m->ms + m->takes_ms;
		return phase_of(p);
	}
	note_error(p, m);
	if (!p->no_auto_reset &&
	    p->attempts <= LIFECYCLE_RETRIES + LIFECYCLE_PERIODICS)
		p->due_ms = m->ms + LIFECYCLE_PERIOD_MS;
	else
		p->due_ms = 0;
	return BROKEN;
}

/* Count an automatic reset. */
static void
count_reset(struct partition *p, const struct moment *m)
{
	p->resets++;
	p->reset_ms = m->ms;
}

static void
begin_again(struct partition *p)
{
	p->attempts = 0;
	p->moves = 0;
}

int
lifecycle_apply(struct partition *p, enum partition_event event,
    const struct moment *m)
{
	enum phase from = phase_of(p), to = leads_to[from][event];

	if (to == NONE)
		return -1;
	/* Due in phases with a configuration, or a removal that takes time;
	   otherwise nothing is due. */
	p->due_ms = to == CREATING || to == RESETTING ||
		(to == GONE && m->takes_ms > 0) ?
	    m->ms + m->takes_ms :
	    0;
	switch (event) {
	case EVENT_CREATE:
		p->created = m->ms / 1000;
		p->resets = 0;
		memset(p->last_error, 0, sizeof(p->last_error));
		begin_again(p);
		break;
	case EVENT_FAILED:
		to = count_failure(p, m);
		break;
	case EVENT_LOST:
		note_error(p, m);
		break;
	case EVENT_BACK:
		count_reset(p, m);
		begin_again(p);
		break;
	case EVENT_RETRY:
		count_reset(p, m);
		break;
	case EVENT_MOVED:
		if (from == WAITING) {
			count_reset(p, m);
			begin_again(p);
		} else {
			p->attempts = 0;
			p->moves++;
		}
		break;
	case EVENT_RESET:
		p->reset_ms = m->ms;
		p->error_ms = 0;
		memset(p->last_error, 0, sizeof(p->last_error));
		begin_again(p);
		break;
	default:
		break;
	}
	lifecycle_enter(p, to, m->ms);
	return 0;
}

/*
 * Examine a machine of the partition.  A reboot that ended by `seen_ms`, the
 * partition's last change, counts as up, because its consequences happened
 * then.
 */
static void
lifecycle_look_at(const struct pod *pod, int index, int64_t seen_ms,
    struct machines *m)
{
	const struct agent *a = &pod->agents[index];
	bool up = a->state == MACHINE_UP ||
	    (a->state == MACHINE_REBOOTING && a->up_ms <= seen_ms);
	int64_t ms = a->state == MACHINE_REBOOTING && up ?
	    a->up_ms :
	    a->changed_ms;

	m->lost_count += !up;
	if (!up && (m->lost == -1 || ms < m->lost_ms)) {
		m->lost = index;
		m->lost_ms = ms;
	}
	if (up && ms > m->up_ms)
		m->up_ms = ms;
	if (m->failing == -1 && a->fail_config > 0)
		m->failing = index;
	if (a->slow_ms > m->takes_ms)
		m->takes_ms = a->slow_ms;
}

/* Each ILD of the placement is a range of adjacent IPUs, and so of machines. */
void
lifecycle_look(const struct pod *pod, const struct partition *p,
    struct machines *m)
{
	const struct placement *place = &p->placement;
	int ild, first, last, i;

	*m = (struct machines){ .lost = -1, .failing = -1 };
	for (ild = 0; ild < place->ild_count; ild++) {
		first = placement_ipu(pod, place, ild * place->per_ild);
		last = first + place->per_ild - 1;
		for (i = first / IPUS_PER_MACHINE; i <= last / IPUS_PER_MACHINE;
		     i++)
			lifecycle_look_at(pod, i, p->changed_ms, m);
	}
}

/* A reset before the machines are up ends in the same state again. */
int
lifecycle_append_remedy(const struct pod *pod, const struct partition *p,
    const char *tool, struct error *e)
{
	struct machines m = { .lost = -1 };

	if (phase_of(p) == WAITING && pod != NULL)
		lifecycle_look(pod, p, &m);
	if (m.lost != -1 && !p->no_auto_reset)
		(void)error_append(e, "it recovers by itself");
	else
		(void)error_append(e, "%s reset partition %s tries again", tool,
		    p->name);
	if (m.lost != -1)
		(void)error_append(e, " when %s%s up", pod->agents[m.lost].name,
		    m.lost_count == 1 ? " is" : " and others are");
	return error_append(e, ", %s remove partition %s gives its IPUs back",
	    tool, p->name);
}

/* Find the next event other than expiry.  A loss counts at the earliest from
   the partition's last change, which took earlier losses into account. */
static int64_t
next_in_phase(const struct partition *p, const struct machines *m,
    int64_t move_ms, enum partition_event *event)
{
	enum phase phase = phase_of(p);
	int64_t lost_ms = m->lost == -1 ? INT64_MAX :
	    m->lost_ms > p->changed_ms	? m->lost_ms :
					  p->changed_ms;
	int64_t due_ms = INT64_MAX;

	if (phase == WAITING) {
		if (p->no_auto_reset || (m->lost != -1 && !p->relocatable))
			return INT64_MAX;
		*event = m->lost == -1 ? EVENT_BACK : EVENT_MOVED;
		due_ms = m->lost == -1 ? m->up_ms : move_ms;
		return due_ms > p->changed_ms ? due_ms : p->changed_ms;
	}
	if (phase == NONE)
		return INT64_MAX;
	if (phase == BROKEN && p->due_ms != 0)
		due_ms = p->due_ms;
	if (phase == CREATING || phase == RESETTING)
		due_ms = p->due_ms;
	*event = phase == BROKEN ? EVENT_RETRY :
	    m->failing != -1	 ? EVENT_FAILED :
				   EVENT_CONFIGURED;
	if (lost_ms > due_ms)
		return due_ms;
	/* A machine was lost before that, or then. */
	*event = EVENT_LOST;
	return lost_ms;
}

/* At expiry the removal comes before other events; a postponed one comes when
   the delay is over. */
int64_t
lifecycle_next(const struct partition *p, const struct machines *m,
    const struct backoff *off, enum partition_event *event)
{
	int64_t ms, end = p->expires_ms;

	*event = EVENT_COUNT;
	if (phase_of(p) == GONE) {
		*event = EVENT_REMOVE;
		end = p->due_ms != 0 ? p->due_ms : INT64_MAX;
		return end > off->remove_ms ? end : off->remove_ms;
	}
	ms = next_in_phase(p, m, off->move_ms, event);
	if (end == 0)
		return ms;
	if (end < off->remove_ms)
		end = off->remove_ms;
	if (end > ms)
		return ms;
	*event = EVENT_REMOVE;
	return end;
}
