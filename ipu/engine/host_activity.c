/*
 * The names of a host's activities.
 */
#include "ipu/engine/trace.h"

#include <stddef.h>

const char *const	host_activity_words[] = {
	[HOST_COMPILE] = "compile",
	[HOST_ATTACH] = "attach",
	[HOST_WEIGHTS_IN] = "weights_in",
	[HOST_WEIGHTS_OUT] = "weights_out",
	[HOST_DETACH] = "detach",
	[HOST_INPUT] = "input",
	[HOST_RUN] = "run",
	[HOST_OUTPUT] = "output",
	[HOST_ITERATION] = "iteration",
	NULL
};

const char *const	host_activity_names[] = {
	[HOST_COMPILE] = "compile",
	[HOST_ATTACH] = "attach",
	[HOST_WEIGHTS_IN] = "weights to the device",
	[HOST_WEIGHTS_OUT] = "weights to the host",
	[HOST_DETACH] = "detach",
	[HOST_INPUT] = "input",
	[HOST_RUN] = "run",
	[HOST_OUTPUT] = "output",
	[HOST_ITERATION] = "device iteration"
};

const char *const	host_activity_row_names[] = { "program", "calls",
	"iterations" };

int
host_activity_row(enum host_activity_kind kind)
{
	return kind < HOST_INPUT ? 0 : kind < HOST_ITERATION ? 1 : 2;
}
