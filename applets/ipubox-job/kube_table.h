/*
 * Text in kubectl's layout: cells of consecutive lines are aligned ("elastic
 * tabstops").  A cell ends with "\v"; the last one of a line ends with the line
 * and is not padded:
 *
 *	NAME\vSTATUS\vAGE\n		NAME   STATUS    AGE
 *	bert\vRunning\v95s\n		bert   Running   95s
 *
 * A line without a cell in a column ends that column.  Write values that may
 * contain control characters with kube_table_put() and kube_table_put_cell().
 *
 * Source: text/tabwriter of Go, with which kubectl prints.
 */
#ifndef APPLETS_IPUBOX_JOB_KUBE_TABLE_H
#define APPLETS_IPUBOX_JOB_KUBE_TABLE_H

#include "applets/ipubox-job/ipubox-job.h"

enum { KUBE_TABLE_COLUMNS = 64 }; /* of the remembered widths */

struct kube_table {
	int least;	/* minimum width of a cell, with the gap */
	int gap;	/* blanks after the widest cell */
	bool remembers; /* columns never become narrower from one print to the
			   next, so that later rows line up */
	int widths[KUBE_TABLE_COLUMNS];
};

/* _rows: initialise a table for `get`, which remembers its widths between
   prints.  _sheet: initialise one for `describe`, which does not. */
void kube_table_init_rows(struct kube_table *);
void kube_table_init_sheet(struct kube_table *);

/* Forget the widths before another table. */
void kube_table_restart(struct kube_table *);

/* Align the cells of a text, of lines that each end with a newline, and print
   it. */
void kube_table_print(struct kube_table *, const char *text, FILE *);

/* Write a value into a text for kube_table_print().  Escapes control characters
   except tabs and newlines. */
void kube_table_put(FILE *, const char *value);
/* Write a value as part of one cell: only its first line, then "..." if it has
   more.  Escapes control characters, also tabs.  The caller writes the "\v"
   that ends the cell. */
void kube_table_put_cell(FILE *, const char *value);

/* The tables of `get`, with the columns of each type.  Source:
   kubernetes/pkg/printers; additionalPrinterColumns of the CRD. */
struct get_rows {
	bool is_wide;
	bool has_space;	 /* the first column is NAMESPACE (-A) */
	bool has_kind;	 /* "pod/NAME", for several types */
	bool has_labels; /* --show-labels */
	int64_t now_s;	 /* for ages; 0: every age is "0s" */
};

/* _put_header: write the line of headers.  _put: write the row of an object. */
void get_rows_put_header(FILE *, const struct get_rows *, enum resource_type);
void get_rows_put(FILE *, const struct get_rows *,
    const struct resource_found *);

/* Write the age of an Event: "5m21s (x3 over 8m41s)". */
void get_rows_put_event_age(FILE *, const struct yaml_node *event,
    int64_t now_s);

#endif
