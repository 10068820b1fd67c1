/*
 * The live view without a terminal: what is chosen, sorted, folded and asked
 * (struct watch_view), the rows that follow from it and from a sample, what a
 * key changes, and how all of it is drawn.
 *
 *	sample, view -> watch_rows_build() -> rows -> watch_draw() -> grid
 *	key -> watch_keys_type() -> view
 */
#ifndef APPLETS_GC_MONITOR_WATCH_VIEW_H
#define APPLETS_GC_MONITOR_WATCH_VIEW_H

#include "applets/gc-monitor/watch_grid.h"
#include "applets/gc-monitor/watch_rows.h"

enum {
	WATCH_INPUT_SIZE = 64,
	WATCH_MESSAGE_SIZE = 256,
	WATCH_FOLD_FROM = 65 /* so many IPUs are shown by machine at first */
};

enum watch_sort {
	SORT_ID,
	SORT_UTILISATION,
	SORT_POWER,
	SORT_TEMPERATURE,
	SORT_USER,
	SORT_COMMAND,
	WATCH_SORTS
};

enum watch_mode {
	MODE_TABLES,
	MODE_HELP,
	MODE_FILTER, /* typing into `input` */
	MODE_SEARCH,
	MODE_SORT, /* choosing from a menu */
	MODE_PARTITION,
	MODE_SIGNAL,
	MODE_CONFIRM /* y or n */
};

/* The caller's task after a key. */
enum watch_action { WATCH_GO_ON, WATCH_QUIT, WATCH_SUSPEND, WATCH_KILL };

struct watch_view {
	enum watch_mode mode;
	char partition[NAME_SIZE]; /* "": all */
	enum watch_sort sort;
	bool reverse;
	bool fold;	/* a row for each machine */
	bool show_idle; /* do not summarise IPUs without a program */
	bool at_processes;
	uint64_t opened[POD_AGENTS_MAX / 64]; /* set of machines, if folded */
	char filter[WATCH_INPUT_SIZE], search[WATCH_INPUT_SIZE];
	char input[WATCH_INPUT_SIZE];
	struct watch_pane ipus, processes;
	int choice, choice_top; /* in a menu */
	/* The signal of MODE_SIGNAL, MODE_CONFIRM and WATCH_KILL. */
	int signal;
	struct watch_process victim;
	char trouble[WATCH_MESSAGE_SIZE]; /* why the sample is old, or "" */
	char message[WATCH_MESSAGE_SIZE]; /* after the last key, or "" */
	bool failed;			  /* the message is about a failure */
	int page; /* lines of the table with the cursor, set by drawing */
};

/* Keys without a character. */
enum watch_key {
	KEY_UP = 0x110000,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_FUNCTION /* F1 is KEY_FUNCTION + 1 */
};

/* Begin with the active partition, or with all if there is none. */
void watch_view_init(struct watch_view *, const struct watch_sample *,
    bool all);

/* Take a character or an enum watch_key. */
enum watch_action watch_keys_type(struct watch_view *,
    const struct watch_rows *, const struct watch_sample *, uint32_t key);

/* Draw all of it. */
void watch_draw(struct watch_grid *, struct watch_view *,
    const struct watch_rows *, const struct watch_sample *);

/* The entries of the menus.  Returns entry `index`, or NULL after the last. */
const char *watch_view_entry(enum watch_mode, const struct watch_sample *,
    int index);
/* Return the signal of an entry, and its name ("SIGTERM"). */
int watch_view_signal(int index);
const char *watch_view_signal_name(int signal);

#endif
