/*
 * The rows of the live view's two tables.  They follow from a sample and from
 * the user's choices (struct watch_view).
 */
#ifndef APPLETS_GC_MONITOR_WATCH_ROWS_H
#define APPLETS_GC_MONITOR_WATCH_ROWS_H

#include "applets/gc-monitor/watch_sample.h"

struct watch_view;

/* A line of one of the two tables. */
enum watch_kind { ROW_IPU, ROW_MACHINE, ROW_IDLE, ROW_UNUSED, ROW_PROCESS };
struct watch_row {
	enum watch_kind kind;
	int first, count; /* IPUs in the sample; ROW_PROCESS: the process */
	bool inner;	  /* an IPU below its opened machine */
	double key;	  /* value to sort by, the greatest first */
	const char *word; /* text to sort by among equal values */
};

struct watch_rows {
	struct watch_row *ipus, *processes; /* owned */
	int count, process_count;
};

/* The cursor of a table.  After a new sample it stays on the row that shows the
   same as before: `kind` and `number`. */
struct watch_pane {
	int cursor, top; /* row with the cursor, first row on the screen */
	enum watch_kind kind;
	int number; /* of the row's first IPU in the pod, or process id */
};

/* Make the rows, which the caller releases, and find the cursors again. */
void watch_rows_build(struct watch_rows *, struct watch_view *,
    const struct watch_sample *);
void watch_rows_release(struct watch_rows *);
/* Return the index of the chosen partition.  -1: all are chosen, or the chosen
   one does not exist any more. */
int watch_rows_partition(const struct watch_view *,
    const struct watch_sample *);
/* Put the cursor on the row that it was on, else near it; or move it to row
   `to`, or to the nearest that exists. */
void watch_rows_find(struct watch_pane *, const struct watch_sample *,
    const struct watch_row *, int count);
void watch_rows_move(struct watch_pane *, const struct watch_sample *,
    const struct watch_row *, int count, int to);
/* Return true if the machine's IPUs are shown below it. */
bool watch_rows_is_open(const struct watch_view *, int machine);
/* Write "12 idle IPUs: 4-15" for a row of kind ROW_IDLE. */
void watch_rows_idle_text(const struct watch_view *,
    const struct watch_sample *, const struct watch_row *, char *, size_t);
/* Return true if a word about the row contains the text, ignoring case: the
   name or condition of an IPU, its partition, or the program's user, command or
   host. */
bool watch_rows_matches(const struct watch_sample *, const struct watch_row *,
    const char *text);

#endif
