/*
 * The forms in which the commands list and get answer: a table for people;
 * JSON, CSV and plain names for machines.
 *
 * JSON has the field names and the constants of the published contract
 * (graphcore/vipu-protos), as the original's --showjson; what the contract
 * lacks stands in an object "ipubox".  CSV has one line per entity, with the
 * same names and words.  Both only ever gain fields.
 */
#ifndef APPLETS_VIPU_OUTPUT_H
#define APPLETS_VIPU_OUTPUT_H

#include <stdint.h>

#include <yyjson.h>

#include "applets/vipu/call.h"
#include "core/base/clock.h"
#include "core/base/table.h"

enum output_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV, FORMAT_NAMES };

/* The options that say which: rows of every list and get command's table. */
#define OUTPUT_OPTIONS \
	{ KEY_FORMAT, "format", "FORM", \
		"table, json or csv (default: " \
		"table)" }, \
	    { KEY_SHOWJSON, "showjson", NULL, "the same as --format json" }, \
	    { KEY_WIDE, "wide", NULL, \
		    "all of a table, however wide the " \
		    "terminal is" }, \
	{ \
		'q', "quiet", NULL, "print only the names, a line each" \
	}

/* Of a command that has no options but these. */
extern const struct option_row output_options[];

/*
 * How to show what `source` holds.  A table is begun by the function that
 * fills it and released by the caller.
 */
struct output_view {
	/* What a person reads. */
	void (*table)(const void *source, struct table *);
	unsigned flags; /* of table_show() */
	/* One object per entity; its texts outlive the document. */
	void (*json)(const void *source, yyjson_mut_doc *,
	    yyjson_mut_val *array);
	/* Headers: the field names; the first column is the entity's id. */
	void (*csv)(const void *source, struct table *);
};

/* The form that the call asks for; -1 after telling of misuse. */
int output_format(const struct call *, enum output_format *);

/* What the call's tables are shown on: stdout, --wide, --color. */
void output_screen(const struct call *, struct table_screen *);

/*
 * Print all entities, of which there may be none.  NAMES are the first
 * column of the CSV, once where lines that follow each other have the same.
 */
void output_list(const struct call *, enum output_format,
    const struct output_view *, const void *source);

/* Print the one entity there is: the same, but the JSON is its object. */
void output_get(const struct call *, enum output_format,
    const struct output_view *, const void *source);

/* The source of the views below: some of what a pod has, of one kind. */
struct output_range {
	const struct snapshot *snapshot;
	const struct pod *pod;
	int first, count;
};

/* What a pod has of one kind, such as clusters: its views, the offset of their
   number in struct pod, and how one is found, or the nearest name. */
struct output_part {
	struct output_view list, get;
	size_t count;
	int (*find)(const struct pod *, const char *name);
	int (*nearest)(const struct pod *, const char *typed, struct error *);
};

/* Answers a list or get command about them; the exit status. */
int output_of_pod(const struct call *, const struct output_part *);

/* "2026-11-21T06:44:00Z", or "" for 0: never. */
enum { OUTPUT_TIME_SIZE = CLOCK_TEXT_SIZE };
const char *output_time(int64_t time_ms, char text[OUTPUT_TIME_SIZE]);

#endif
