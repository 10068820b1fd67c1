/*
 * Waiting until a configuration or a removal ends.  No process works on it
 * meanwhile: each look at the state applies due events, so this sleeps until
 * one is due.
 */

#include "core/control/control.h"

#include "core/control/controller_internal.h"
#include "core/pod/pod.h"

/*
 * Interval and limit of retries for an overdue event, which never happens if
 * the state cannot be written, as on a full disk.  And the longest sleep, in
 * case the host's clock was set.
 */
enum { LATE_MS = 20, LATE_MAX_MS = 5000, LOOK_MS = 1000 };

/* Set the reason why it is missing, and say if it expired meanwhile. */
static int
wait_gone(const struct controller *c, const struct partition *p,
    const struct error *reason, struct error *e)
{
	if (reason->code != ERROR_NOT_FOUND || p->expires_ms == 0 ||
	    p->expires_ms > c->now_ms())
		return error_copy(e, reason);
	return error_set_code(e, ERROR_NOT_FOUND,
	    "partition %s was %s and has already expired: its --ttl ended "
	    "before it was configured",
	    p->name, p->operation == POS_CREATING ? "created" : "reset");
}

/* Read the partition again; a later one of its name is another. */
static int
wait_find(struct controller *c, struct partition *p, struct error *e)
{
	struct error reason;
	struct snapshot s;
	int found;

	if (transaction_list_partitions(c, false, &s, e) != 0)
		return -1;
	found = login_find(c, &s, p->name, &reason);
	if (found != -1 && identity_is_set(p->id) &&
	    !identity_is_same(&s.partitions[found], p)) {
		found = error_set_code(&reason, ERROR_NOT_FOUND,
		    "partition %s was removed, and a new partition has its "
		    "name",
		    p->name);
	}
	if (found != -1)
		*p = s.partitions[found];
	snapshot_release(&s);
	return found != -1 ? 0 : wait_gone(c, p, &reason, e);
}

int
wait_look(struct controller *c, struct partition *p, struct error *e)
{
	const int32_t before = p->state;

	if (wait_find(c, p, e) != 0)
		return -1;
	return p->state == before &&
		(before == PS_PENDING || before == PS_REMOVED) ?
	    1 :
	    0;
}

/* A wait: durations by the monotonic clock, due times by the host's. */
struct patience {
	int64_t start_ms;
	int64_t late_ms; /* since when an event is overdue, or -1 */
	int64_t waited_ms;
};

/* Return the sleep before the next look; 0: the time limit is over. */
static int64_t
next_look(struct patience *w, int64_t now_ms, int64_t due_in_ms,
    int64_t timeout_ms)
{
	int64_t left_ms = due_in_ms < LOOK_MS ? due_in_ms : LOOK_MS;

	w->waited_ms = now_ms - w->start_ms;
	if (due_in_ms > 0) {
		w->late_ms = -1;
	} else {
		if (w->late_ms == -1)
			w->late_ms = now_ms;
		left_ms = now_ms - w->late_ms < LATE_MAX_MS ? LATE_MS : 0;
	}
	if (timeout_ms >= 0 && left_ms > timeout_ms - w->waited_ms)
		left_ms = timeout_ms - w->waited_ms;
	return left_ms > 0 ? left_ms : 0;
}

/* Wait until the partition leaves the state.  0: it has; 1: it stays; -1: it
   cannot be found, or the state cannot be read. */
static int
wait_while(struct controller *c, enum partition_state state, int64_t timeout_ms,
    struct patience *w, struct partition *p, struct error *e)
{
	int64_t left_ms;

	*w = (struct patience){ c->monotonic_ms(), -1, 0 };
	for (;;) {
		if (wait_find(c, p, e) != 0)
			return -1;
		if (p->state != (int)state)
			return 0;
		left_ms = next_look(w, c->monotonic_ms(),
		    p->due_ms - c->now_ms(), timeout_ms);
		if (left_ms == 0)
			return 1;
		c->sleep_ms(left_ms);
	}
}

int
wait_configured(struct controller *c, int64_t timeout_ms, struct partition *p,
    struct error *e)
{
	struct patience w;
	int status = wait_while(c, PS_PENDING, timeout_ms, &w, p, e);

	if (status != 1)
		return status;
	return error_set_code(e, ERROR_TIMED_OUT,
	    "partition %s is still being configured after %lld ms; vipu get "
	    "partition %s shows its state",
	    p->name, (long long)w.waited_ms, p->name);
}

int
wait_removed(struct controller *c, const struct partition *asked,
    struct error *e)
{
	struct partition p = *asked;
	struct patience w;
	struct error reason;
	int status = wait_while(c, PS_REMOVED, -1, &w, &p, &reason);

	/* Its name may have been reused. */
	if (status == 0 || (status == -1 && reason.code == ERROR_NOT_FOUND))
		return 0;
	if (status == -1)
		return error_copy(e, &reason);
	return error_set_code(e, ERROR_TIMED_OUT,
	    "partition %s is still being removed after %lld ms; vipu get "
	    "partition %s shows its state",
	    p.name, (long long)w.waited_ms, p.name);
}
