/*
 * How a creation or a reset of a partition ends.
 */
#include "applets/vipu/wait.h"

#include "core/control/control.h"

/* Says why it is not ready, and what helps, which depends on its machines. */
static void
explain(struct controller *c, const struct partition *p, const char *tool,
    struct error *e)
{
	struct snapshot	s;
	const bool	seen = transaction_list(c, &s, NULL) == 0;

	(void)error_set(e, "%s; the partition is in state %s: ",
	    p->last_error, partition_state_name(p->state));
	(void)lifecycle_append_remedy(seen ? &s.pod : NULL, p, tool, e);
	if (seen)
		snapshot_release(&s);
}

/*
 * Three ends: it is ready, it is not, or the wait itself failed (the partition
 * is gone, or the state cannot be read).
 */
int
wait_partition(const struct call *call, struct controller *c,
    struct partition *p)
{
	struct error	error;

	/* One that is ready may be removed by somebody at any time. */
	if (p->state == PS_PENDING &&
	    wait_configured(c, -1, p, &error) != 0)
		return call_failed(call, &error);
	if (p->state == PS_ACTIVE)
		return call_success(call);
	explain(c, p, call->applet->name, &error);
	return call_failed(call, &error);
}
