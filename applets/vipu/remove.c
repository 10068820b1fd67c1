/*
 * vipu remove partition.
 */
#include <stddef.h>

#include "applets/vipu/vipu_internal.h"
#include "core/control/control.h"

const struct option_row remove_options[] = {
	{ KEY_FORCE, "force", NULL,
	    "remove it even if a program uses it or its IPUoF files cannot be "
	    "removed" },
	{ 0 },
};

/*
 * The rule refuses a partition that is in use.  The hint is added here, because
 * --force is an option of ours.
 */
int
remove_command(const struct call *call)
{
	struct controller *c;
	struct error error;
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = remove_partition(c, call->name,
	    call->values[KEY_FORCE] != NULL, NULL, &error);
	if (status != 0 && error.code == ERROR_BUSY)
		(void)error_append(&error, ", or use --force");
	call_close(call, c);
	return status == 0 ? call_success(call) : call_failed(call, &error);
}
