/*
 * The rows of the live view's two tables, as they follow from a sample and from
 * what is chosen, sorted and folded (struct watch_view).
 */
#ifndef APPLETS_GC_MONITOR_WATCH_ROWS_H
#define APPLETS_GC_MONITOR_WATCH_ROWS_H

#include "applets/gc-monitor/watch_sample.h"

struct watch_view;

/* A line of one of the two tables. */
enum watch_kind { ROW_IPU, ROW_MACHINE, ROW_IDLE, ROW_UNUSED, ROW_PROCESS };
struct watch_row {
	enum watch_kind kind;
	int first, count; /* IPUs in the sample; of ROW_PROCESS the process */
	bool inner;	  /* an IPU below its opened machine */
	double key;	  /* to sort by: this, then the word */
	const char *word;
};

struct watch_rows {
	struct watch_row *ipus, *processes; /* owned */
	int count, process_count;
};

/* The place in a table.  The row keeps its place by what it shows. */
struct watch_pane {
	int cursor, top;
	enum watch_kind kind;
	int number; /* of the first IPU in the pod, or the process id */
};

/* Make the rows, which the caller releases, and find the cursors again. */
void watch_rows_build(struct watch_rows *, struct watch_view *,
    const struct watch_sample *);
void watch_rows_release(struct watch_rows *);
/* Return the index of the chosen partition, or -1: all. */
int watch_rows_partition(const struct watch_view *,
    const struct watch_sample *);
/* Put the cursor on the row that it was on, or near it; move it to a row. */
void watch_rows_find(struct watch_pane *, const struct watch_sample *,
    const struct watch_row *, int count);
void watch_rows_move(struct watch_pane *, const struct watch_sample *,
    const struct watch_row *, int count, int to);
/* Return true if the machine's IPUs are shown below it. */
bool watch_rows_is_open(const struct watch_view *, int machine);
/* Write "12 idle IPUs: 4-15" for a row of kind ROW_IDLE. */
void watch_rows_idle_text(const struct watch_view *,
    const struct watch_sample *, const struct watch_row *, char *, size_t);
/* Return true if an IPU, its machine, its partition or its program have the
   text in a name, ignoring case. */
bool watch_rows_matches(const struct watch_sample *, const struct watch_row *,
    const char *text);

#endif
