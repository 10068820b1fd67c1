/*
 * The places that a partition could have, as a table, as JSON and as CSV.
 */
#ifndef APPLETS_VIPU_PLACEMENTS_H
#define APPLETS_VIPU_PLACEMENTS_H

#include "applets/vipu/output.h"
#include "core/control/control.h"

/*
 * create partition --options: print where a partition as requested could lie
 * now; nothing is created.  Returns the exit status.
 */
int	placements_print(const struct call *, enum output_format,
	    struct controller *, const struct partition_request *);

#endif
