/*
 * gc-monitor --query: the fields that the user names, a row for each IPU, as
 * CSV or JSON; nvidia-smi's --query-gpu is the model.
 */
#ifndef APPLETS_GC_MONITOR_QUERY_H
#define APPLETS_GC_MONITOR_QUERY_H

#include "ipu/device/sample.h"

enum { QUERY_FIELDS_MAX = 64 };

struct query_field;

struct query {
	const struct query_field *fields[QUERY_FIELDS_MAX];
	int field_count; /* 0: no query */
	bool json;
	bool no_header;
	bool no_units;
	bool *ids;    /* owned, by device id; NULL: all */
	int last_id;  /* the largest of them */
	bool by_line; /* each look is one line of JSON */
};

/* Take the values of --query, --format and -i.  -1, ERROR_INVALID: wrong; the
   error begins with the option's name.  query_release() frees what the query
   owns. */
int query_take_fields(struct query *, const char *list, struct error *);
int query_take_format(struct query *, const char *list, struct error *);
int query_take_ids(struct query *, const char *list, struct error *);
void query_release(struct query *);

/* Print the rows of a look, of the active partition or of all partitions; with
   `header` first the line of names, if the format has it.  -1: the look does
   not have an IPU of the list. */
int query_print(FILE *, const struct query *, const struct sample *, bool all,
    bool header, struct error *);

/* Print a table of the fields: name, unit, meaning. */
void query_list_fields(FILE *);

#endif
