/*
 * Text as kubectl lays it out: cells of lines that follow each other stand
 * below each other ("elastic tabstops").  A cell ends with "\v"; the last one
 * of a line ends with the line and is as long as it is:
 *
 *	NAME\vSTATUS\vAGE\n		NAME   STATUS    AGE
 *	bert\vRunning\v95s\n		bert   Running   95s
 *
 * A line without a cell in a column ends that column.  Text from elsewhere is
 * printed by kube_table_put().
 *
 * Source: text/tabwriter of Go, with which kubectl prints.
 */
#ifndef APPLETS_IPUBOX_JOB_KUBE_TABLE_H
#define APPLETS_IPUBOX_JOB_KUBE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "applets/ipubox-job/ipubox-job.h"

enum { KUBE_TABLE_COLUMNS = 64 }; /* that are remembered */

struct kube_table {
	int least;	/* columns of a cell, with the gap */
	int gap;	/* blanks behind the widest */
	bool remembers; /* no column becomes narrower: rows that come later
			   stand below others */
	int widths[KUBE_TABLE_COLUMNS];
};

/* For `get`, whose rows may come in several parts; and for `describe`. */
void kube_table_init_rows(struct kube_table *);
void kube_table_init_sheet(struct kube_table *);

/* Forgets the widths, before another table. */
void kube_table_restart(struct kube_table *);

/* Prints a text of whole lines. */
void kube_table_print(struct kube_table *, const char *text, FILE *);

/* Puts a value into such a text, without what a terminal would obey.  A cell
   has only the first of several lines, and "...". */
void kube_table_put(FILE *, const char *value);
void kube_table_put_cell(FILE *, const char *value);

/* The tables of `get`, with the columns of each type.  Source:
   kubernetes/pkg/printers; additionalPrinterColumns of the CRD. */
struct get_rows {
	bool is_wide;
	bool has_space;	 /* the first column is NAMESPACE (-A) */
	bool has_kind;	 /* "pod/NAME", where there are several */
	bool has_labels; /* --show-labels */
	int64_t now_s;	 /* for ages; 0: the rows of two moments are equal where
			    only the time went on */
};

/* The line of headers, and the row of one. */
void get_rows_put_header(FILE *, const struct get_rows *, enum resource_type);
void get_rows_put(FILE *, const struct get_rows *,
    const struct resource_found *);

/* "5m21s (x3 over 8m41s)": how long ago an Event was. */
void get_rows_put_event_age(FILE *, const struct yaml_node *event,
    int64_t now_s);

#endif
