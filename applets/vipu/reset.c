/*
 * vipu reset partition, and how a creation or a reset ends.
 */
#include <stddef.h>

#include "applets/vipu/vipu.h"
#include "core/control/controller.h"

const struct option_row reset_options[] = {
	{ KEY_RELOCATABLE, "relocatable", NULL, "it may move to other IPUs "
	    "from now on; its IPUoF files go" },
	{ KEY_FORCE, "force", NULL, "also while a program uses it, which "
	    "loses its IPUs" },
	{ 0 }
};

/* Why it is not ready, and what mends that. */
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

int
wait_partition(const struct call *call, struct controller *c,
    struct partition *p)
{
	struct error	error;

	/* One that is ready may be removed by somebody at any time. */
	if (p->state == PS_PENDING &&
	    wait_configured(c, call->name, -1, p, &error) != 0)
		return cli_failed(call, &error);
	if (p->state == PS_ACTIVE)
		return cli_success(call);
	explain(p, call->applet->name, &error);
	return cli_failed(call, &error);
}

int
reset_command(const struct call *call)
{
	struct controller	*c;
	struct partition	 p;
	struct error		 error;
	int			 status;

	if ((c = controller_open_local(&call->caller, &error)) == NULL)
		return cli_failed(call, &error);
	if (reset_partition(c, call->name,
	    call->values[KEY_RELOCATABLE] != NULL,
	    call->values[KEY_FORCE] != NULL, &p, &error) != 0) {
		if (error.code == ERROR_BUSY)
			(void)error_append(&error, ", or use --force");
		status = cli_failed(call, &error);
	} else {
		status = wait_partition(call, c, &p);
	}
	controller_close(c);
	return status;
}
