/*
 * Waiting until a configuration ends.  Nobody works on it meanwhile: each look
 * at the state lets happen what is due, so this one sleeps until something is.
 */

#include "core/control/wait.h"

#include "core/control/controller_internal.h"
#include "core/control/transaction.h"

/* How soon to look again where what was due has not happened, and for how
   long: who cannot write the state, because the disk is full, waits in vain. */
enum { LATE_MS = 20, LATE_MAX_MS = 5000 };

/* How the partition is now. */
static int
wait_find(struct controller *c, const char *name, struct partition *p,
    struct error *e)
{
	struct snapshot	s;
	int		found;

	if (transaction_list(c, &s, e) != 0)
		return -1;
	found = login_find(c, &s, name, e);
	if (found != -1)
		*p = s.partitions[found];
	snapshot_release(&s);
	return found != -1 ? 0 : -1;
}

int
wait_configured(struct controller *c, const char *name, int64_t timeout_ms,
    struct partition *p, struct error *e)
{
	int64_t	start_ms = c->now_ms(), now_ms, left_ms;

	for (;;) {
		if (wait_find(c, name, p, e) != 0)
			return -1;
		if (p->state != PS_PENDING)
			return 0;
		now_ms = c->now_ms();
		left_ms = p->due_ms - now_ms;
		if (left_ms < -LATE_MAX_MS)
			break;
		if (left_ms <= 0)
			left_ms = LATE_MS;
		if (timeout_ms >= 0 &&
		    left_ms > start_ms + timeout_ms - now_ms)
			left_ms = start_ms + timeout_ms - now_ms;
		if (left_ms <= 0)
			break;
		c->sleep_ms(left_ms);
	}
	return error_set_code(e, ERROR_TIMED_OUT, "partition %s is still "
	    "being configured after %lld ms; vipu get partition %s shows how "
	    "it fares", name, (long long)(now_ms - start_ms), name);
}
