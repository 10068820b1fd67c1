/*
 * How a creation or a reset of a partition ends.
 */
#include "applets/vipu/wait.h"

#include "core/control/wait.h"

/* Why it is not ready, and the remedy. */
static void
explain(const struct partition *p, const char *tool, struct error *e)
{
	(void)error_set(e, "%s; the partition is in state %s", p->last_error,
	    partition_state_name(p->state));
	if (p->operation == POS_IDLE && !p->no_auto_reset)
		(void)error_append(e, " until the machine is up again");
	(void)error_append(e, ": %s reset partition %s tries again, %s remove "
	    "partition %s gives its IPUs back", tool, p->name, tool, p->name);
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
	explain(p, call->applet->name, &error);
	return call_failed(call, &error);
}
