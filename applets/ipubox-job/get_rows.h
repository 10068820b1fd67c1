/*
 * The tables of `get`: the columns of each type, as the API server and the CRD
 * of IPUJobs have them, as text for kube_table.h.
 *
 * Source: kubernetes/pkg/printers; additionalPrinterColumns of the CRD.
 */
#ifndef APPLETS_IPUBOX_JOB_GET_ROWS_H
#define APPLETS_IPUBOX_JOB_GET_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "applets/ipubox-job/resource.h"

struct get_rows {
	bool	is_wide;
	bool	has_space;	/* the first column is NAMESPACE (-A) */
	bool	has_kind;	/* "pod/NAME", where there are several */
	bool	has_labels;	/* --show-labels */
	int64_t	now_s;		/* for ages; 0: the rows of two moments are
				   equal where only the time went on */
};

/* The line of headers, and the row of one. */
void	get_rows_put_header(FILE *, const struct get_rows *,
	    enum resource_type);
void	get_rows_put(FILE *, const struct get_rows *,
    const struct resource_found *);

/* "5m21s (x3 over 8m41s)": how long ago an Event was. */
void	get_rows_put_event_age(FILE *, const struct yaml_node *event,
	    int64_t now_s);

#endif
