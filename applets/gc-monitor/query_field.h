/*
 * The fields of a query: names, units, and how each is read from a sample.
 */
#ifndef APPLETS_GC_MONITOR_QUERY_FIELD_H
#define APPLETS_GC_MONITOR_QUERY_FIELD_H

#include "ipu/device/sample.h"

enum { QUERY_TEXT_SIZE = 256 };

/* The IPU of a row. */
struct query_row {
	const struct sample *sample;
	int id;	 /* device id */
	int ipu; /* number in the pod */
};

enum query_value {
	QUERY_TEXT,
	QUERY_NUMBER,
	QUERY_UNKNOWN, /* a sensor is not read, or the value is not counted */
	QUERY_NOTHING  /* the value does not exist: the user of a free IPU */
};

struct query_field {
	const char *name;
	const char *unit; /* NULL: none */
	const char *help;
	/* Write the value without its unit.  Returns its kind; the text has a
	   meaning only with QUERY_TEXT and QUERY_NUMBER. */
	enum query_value (*read)(const struct query_row *,
	    char text[QUERY_TEXT_SIZE]);
};

/* Return the field at an index, from 0, or NULL after the last. */
const struct query_field *query_field_at(int index);

/* Return the index of the field of that name, or -1.  "utilization" may be
   written for "utilisation". */
int query_field_find(const char *name);

#endif
