/*
 * Printing what `get` found, once or as it changes.
 */
#ifndef APPLETS_IPUBOX_JOB_GET_PRINT_H
#define APPLETS_IPUBOX_JOB_GET_PRINT_H

#include <stdbool.h>

#include "applets/ipubox-job/get_output.h"
#include "applets/ipubox-job/get_rows.h"
#include "applets/ipubox-job/kube_table.h"

/* How, and how far it is. */
struct get_print {
	struct get_output	 output;
	struct get_rows		 rows;
	struct kube_table	 table;
	bool			 has_header;	/* tables begin with one */
	bool			 has_printed;	/* the header, a first object */
};

/* All of them, with a table for each type.  -1: the reason. */
int	get_print_all(struct get_print *, const struct founds *, bool is_list,
	    struct error *);

/*
 * Print them, and then each that comes, changes or goes, until a signal ends
 * it; the store is open.  An exit status.
 */
int	get_print_changes(struct get_print *, const struct job_call *,
	    const struct resources *);

#endif
