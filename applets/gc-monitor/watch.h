/*
 * The live view: what is chosen, sorted, folded and asked (struct watch_view),
 * what a key changes, and how it is drawn.  Keys, cells and styles are those of
 * termbox.
 *
 *	watch_rows_take() -> watch_rows_build() -> watch_draw() -> grid
 *	key -> watch_keys_type()
 */
#ifndef APPLETS_GC_MONITOR_WATCH_H
#define APPLETS_GC_MONITOR_WATCH_H

#include <termbox.h>

#include "applets/gc-monitor/source.h"
#include "applets/gc-monitor/tables.h"
#include "applets/gc-monitor/watch_rows.h"

struct watch_request {
	struct source_request source;
	bool verbose; /* show whole command lines */
	bool colour;
};

/* Return true if stdout is a terminal that the live view can use. */
bool watch_can_run(void);
/* Show the view until the user quits.  SIGINT and SIGTERM restore the screen,
   and then end the program.  -1: the registry, a recording or the terminal
   cannot be used. */
int watch_run(const struct watch_request *, struct error *);

enum { WATCH_INPUT_SIZE = 64, WATCH_MESSAGE_SIZE = 256 };

/* In the order of the menu. */
enum watch_sort {
	SORT_ID,
	SORT_UTILISATION,
	SORT_POWER,
	SORT_TEMPERATURE,
	SORT_USER,
	SORT_COMMAND
};

enum watch_mode {
	MODE_TABLES,
	MODE_FILTER, /* typing into `input` */
	MODE_SEARCH,
	MODE_CONFIRM, /* y or n */
	MODE_HELP,    /* this and the next ones show a box of entries */
	MODE_SORT,
	MODE_PARTITION,
	MODE_SIGNAL
};

/* The caller's task after a key. */
enum watch_action { WATCH_GO_ON, WATCH_QUIT, WATCH_SUSPEND, WATCH_KILL };

struct watch_view {
	struct watch_sample sample;
	struct watch_table tables[WATCH_TABLES];
	int at; /* the table with the cursor */
	enum watch_mode mode;
	char partition[NAME_SIZE]; /* "": all */
	int gcd;		   /* index in the partition; -1: all GCDs */
	enum watch_sort sort;
	bool reverse;
	bool fold;		     /* a row for each machine */
	bool show_idle;		     /* do not summarise idle IPUs */
	bool opened[POD_AGENTS_MAX]; /* machines, if folded */
	char filter[WATCH_INPUT_SIZE], search[WATCH_INPUT_SIZE];
	char input[WATCH_INPUT_SIZE];
	int choice, choice_top; /* in a menu */
	int signal;		/* for the victim */
	char signal_name[8];
	struct sample_holder victim;
	int64_t victim_ns;		  /* when it attached */
	char trouble[WATCH_MESSAGE_SIZE]; /* why the sample is old, or "" */
	char message[WATCH_MESSAGE_SIZE]; /* after the last key, or "" */
	bool failed;			  /* the message is about a failure */
};

/* Take a key, which is a character or a TB_KEY of termbox. */
enum watch_action watch_keys_type(struct watch_view *, uint16_t key);
/* Return an entry of a menu or of the help, or NULL after the last. */
const char *watch_keys_entry(enum watch_mode, const struct watch_view *,
    int index);

/* The screen: texts, bars and sparklines, in UTF-8 or in ASCII. */
struct watch_grid {
	struct tb_cell *cells; /* row by row */
	int columns, rows;
	bool utf8, colour;
};

/* Draw all of the view. */
void watch_draw(struct watch_grid *, struct watch_view *);

/* Write a text, which must be safe for a terminal, with spaces up to `width`
   columns after it or, if the width is negative, before it.  A longer text is
   cut, also at the edge of the grid.  Returns the column after the last one. */
int watch_grid_text(struct watch_grid *, int x, int y, int width,
    const char *text, int style);
/* Draw a bar in brackets, of which a part from 0 to 1 is full. */
int watch_grid_bar(struct watch_grid *, int x, int y, int width, double part,
    int style);
/* Draw a column for each of the last values, from 0 to 100. */
int watch_grid_spark(struct watch_grid *, int x, int y, int width,
    const uint8_t *values, int count, int style);

#endif
