/*
 * Output forms of the list and get commands: a table for people; JSON, CSV and
 * plain names for programs.
 *
 * JSON has the field names and the constants of the published contract
 * (graphcore/vipu-protos), like the original's --showjson.  Fields that the
 * contract lacks are in an object "ipubox".  CSV has one line per entity, with
 * the same names and words.  Both only ever gain fields.
 */
#ifndef APPLETS_VIPU_OUTPUT_H
#define APPLETS_VIPU_OUTPUT_H

#include <yyjson.h>

#include "applets/vipu/call.h"
#include "core/base/clock.h"
#include "core/base/table.h"

enum output_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV, FORMAT_NAMES };

/* The options that select the form: rows of every list and get command. */
#define OUTPUT_OPTIONS \
	{ KEY_FORMAT, "format", "FORM", \
		"print a table, json or csv " \
		"(default: table)" }, \
	    { KEY_SHOWJSON, "showjson", NULL, "the same as --format json" }, \
	    { KEY_WIDE, "wide", NULL, \
		    "show all columns, even on a narrow " \
		    "terminal" }, \
	{ \
		'q', "quiet", NULL, "print only the names, one per line" \
	}

/* The table of a command with these options alone. */
extern const struct option_row output_options[];

/* Functions that show the objects in `source`.  `table` and `csv` must call
   table_init(); output_list() and output_get() release the table. */
struct output_view {
	/* Fill the table for people. */
	void (*table)(const void *source, struct table *);
	unsigned flags; /* of table_show() */
	/* Add one object per entity.  Texts that it does not copy must outlive
	   the document. */
	void (*json)(const void *source, yyjson_mut_doc *,
	    yyjson_mut_val *array);
	/* Fill the table for CSV.  Its headers are the field names, and its
	   first column is the entity's id. */
	void (*csv)(const void *source, struct table *);
};

/* Find the requested form; the default is the table.  Returns 0, or -1 after
   call_misuse(). */
int output_format(const struct call *, enum output_format *);

/* Describe the screen for the call's tables: stdout, --wide, --color. */
void output_screen(const struct call *, struct table_screen *);

/* Print all entities, possibly zero.  FORMAT_NAMES prints the first column of
   the CSV; consecutive equal names appear once. */
void output_list(const struct call *, enum output_format,
    const struct output_view *, const void *source);

/* Print a single entity in the same way; JSON is its object, not an array. */
void output_get(const struct call *, enum output_format,
    const struct output_view *, const void *source);

/* A list to which lines are added for its changes.  The caller zeroes it, and
   sets `format` and `view`. */
struct output_stream {
	enum output_format format;
	const struct output_view *view;
	bool has_begun;
	struct table_form form; /* widths of FORMAT_TABLE, not yet fitted */
};

/* Print these entities; only the first call prints the head of the table or of
   the CSV.  JSON is an object for each entity, not an array. */
void output_stream_put(const struct call *, struct output_stream *,
    const void *source);
/* Return all values that the format shows of an entity, to find out if it has
   changed.  The caller frees the text. */
char *output_stream_text(const struct output_stream *, const void *source);

/* The source of the views below: some entities of one kind in a pod. */
struct output_range {
	const struct snapshot *snapshot;
	const struct pod *pod;
	int first, count;
};

/* A kind of entity in a pod, such as clusters.  `count` is the offset in
   struct pod of the int that counts them.  `find` returns the index of a
   name, or -1. `nearest` appends the existing name nearest to a mistyped one
   to an error. */
struct output_part {
	struct output_view list, get;
	size_t count;
	int (*find)(const struct pod *, const char *name);
	int (*nearest)(const struct pod *, const char *typed, struct error *);
};

/* Run a get command for that kind if the call has a name, else a list command.
   Returns the exit status. */
int output_of_pod(const struct call *, const struct output_part *);

/* Write the UTC time "2026-11-21T06:44:00Z" into `text`, or "" for 0 (never).
   Returns `text`. */
enum { OUTPUT_TIME_SIZE = CLOCK_TEXT_SIZE };
const char *output_time(int64_t time_ms, char text[OUTPUT_TIME_SIZE]);

#endif
