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
	bool *ids;    /* owned; the chosen IPUs, by device id; NULL: all */
	int last_id;  /* largest chosen id */
	bool by_line; /* JSON of a look is one line */
};

/* Take the values of --query, --format and -i.  -1, ERROR_INVALID: a value is
   invalid; the error begins with the option's name.  query_release() frees what
   the query owns. */
int query_take_fields(struct query *, const char *list, struct error *);
int query_take_format(struct query *, const char *list, struct error *);
int query_take_ids(struct query *, const char *list, struct error *);
void query_release(struct query *);

/* Print a row for each chosen IPU of the active partition or, with `all`, of
   all partitions.  With `header`, print the line of names first if the format
   has one.  -1: the look lacks a chosen IPU. */
int query_print(FILE *, const struct query *, const struct sample *, bool all,
    bool header, struct error *);

/* Print a table of the fields: name, unit, meaning. */
void query_list_fields(FILE *);

#endif
