/*
 * The two tables of the live view: a sample of the pod, and the rows that
 * follow from it and from what is chosen, sorted and folded.
 */
#ifndef APPLETS_GC_MONITOR_WATCH_ROWS_H
#define APPLETS_GC_MONITOR_WATCH_ROWS_H

#include "ipu/device/device.h"
#include "ipu/device/sample.h"

struct watch_ipu {
	struct sample_ipu values;
	int number;		  /* in the pod */
	char name[NAME_SIZE + 8]; /* "ag06:3" */
	bool failed;		  /* `word` names what is wrong */
	bool idle;		  /* counted by a row of kind ROW_IDLE */
	char word[CONDITION_WORD_SIZE];
	uint8_t history[STATUS_HISTORY]; /* load in percent, oldest first */
};

/* The IPUs of a partition. */
struct watch_part {
	int first, count; /* in ipus[] */
	int used;	  /* with a program */
	int idle;	  /* counted by a row of kind ROW_IDLE */
};

struct watch_sample {
	struct sample from;
	struct watch_ipu *ipus;	  /* owned; by partition, and in it by id */
	struct watch_part *parts; /* owned; by index of the partition */
	struct watch_part all;
};

/* A line of one of the two tables. */
enum watch_kind { ROW_IPU, ROW_MACHINE, ROW_IDLE, ROW_UNUSED, ROW_PROCESS };
struct watch_row {
	enum watch_kind kind;
	int first;  /* index in the sample: an IPU; ROW_PROCESS: the holder */
	int count;  /* number of IPUs */
	int number; /* first IPU's number in the pod, or the process id */
	int partition; /* ROW_PROCESS: index, or SAMPLE_NONE */
	double load;   /* ROW_PROCESS: sum over its IPUs */
	bool inner;    /* an IPU below its opened machine */
	double key;    /* to sort by: this, then the word */
	const char *word;
};

enum { WATCH_IPUS, WATCH_PROCESSES, WATCH_TABLES };
struct watch_table {
	struct watch_row *rows; /* owned */
	int count, cursor;
	int top, lines; /* the rows on the screen, set by drawing */
	/* The row with the cursor, which keeps its place by what it shows. */
	enum watch_kind kind;
	int number;
};

struct watch_view;

/* Replace the sample by one of a look, which then belongs to the view.  With
   `verbose`, show whole command lines where the reader may see them. */
void watch_rows_take(struct watch_view *, const struct device_look *,
    bool verbose);
/* Begin with the active partition, or with all if there is none. */
void watch_rows_begin(struct watch_view *, bool all);
void watch_rows_release(struct watch_view *);
/* Make the rows of both tables, and find their cursors again. */
void watch_rows_build(struct watch_view *);
/* Return the index of the chosen partition, or -1: all, or it is gone. */
int watch_rows_partition(const struct watch_view *);
/* Return the name of a partition, "" for SAMPLE_NONE. */
const char *watch_rows_name(const struct watch_sample *, int partition);
/* Move the cursor to a row, or to the nearest one that exists. */
void watch_rows_move(struct watch_table *, int to);
/* Return true if an IPU, its machine, its partition or its program have the
   text in a name, ignoring case. */
bool watch_rows_matches(const struct watch_sample *, const struct watch_row *,
    const char *text);

#endif
