/*
 * vipu reset partition.
 */
#include <stddef.h>

#include "applets/vipu/vipu_internal.h"
#include "core/control/control.h"

const struct option_row reset_options[] = {
	{ KEY_RELOCATABLE, "relocatable", NULL,
	    "allow it to move to other IPUs from now on, and remove its IPUoF "
	    "files" },
	{ KEY_FORCE, "force", NULL,
	    "reset it even if a program uses it; the program loses its IPUs" },
	{ 0 },
};

/* Report a missing or unreadable directory, which the user must repair. */
static int
missing_file(const struct call *call, const char *path)
{
	struct error error;

	(void)error_set(&error,
	    "it was reset, but its IPUoF file %s is missing and cannot be "
	    "written; make its directory and reset it again, or set "
	    "IPUOF_VIPU_API_PARTITION_ID",
	    path);
	return call_failed(call, &error);
}

/*
 * The change itself is short; the wait is for the configuration of the IPUs.
 */
int
reset_command(const struct call *call)
{
	struct controller *c;
	struct partition p;
	struct error error;
	char path[IPUOF_PATH_SIZE];
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	if (reset_partition(c, call->name,
		call->values[KEY_RELOCATABLE] != NULL,
		call->values[KEY_FORCE] != NULL, &p, &error) != 0) {
		if (error.code == ERROR_BUSY)
			(void)error_append(&error, ", or use --force");
		status = call_failed(call, &error);
	} else if (ipuof_files_are_missing(&p, path)) {
		status = missing_file(call, path);
	} else {
		status = call_wait(call, c, &p);
	}
	call_close(call, c);
	return status;
}
