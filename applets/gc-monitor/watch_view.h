/*
 * The live view without a terminal: the user's choices (struct watch_view), the
 * rows that follow from them and from a sample, the effects of keys, and the
 * drawing.
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
	WATCH_FOLD_FROM = 65 /* number of IPUs from which on the view begins
				with a row for each machine */
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
	bool show_idle; /* IPUs without a program are shown one by one */
	bool at_processes;
	uint64_t opened[POD_AGENTS_MAX / 64]; /* set of machines with their IPUs
						 below them, if folded */
	char filter[WATCH_INPUT_SIZE], search[WATCH_INPUT_SIZE];
	char input[WATCH_INPUT_SIZE];
	struct watch_pane ipus, processes;
	int choice, choice_top; /* entry with the cursor, first one shown */
	/* Signal and receiver in MODE_SIGNAL, MODE_CONFIRM, WATCH_KILL. */
	int signal;
	struct watch_process victim;
	char trouble[WATCH_MESSAGE_SIZE]; /* why the sample is old, or "" */
	char message[WATCH_MESSAGE_SIZE]; /* about the last key or variables */
	bool failed;			  /* the message is about a failure */
	int page; /* rows on the screen of the table with the cursor */
};

/* Keys without a character; the values follow those of Unicode. */
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

/* Begin with the active partition; with `all`, or if none is active, with
   all. */
void watch_view_init(struct watch_view *, const struct watch_sample *,
    bool all);

/* Take a key: a character or an enum watch_key. */
enum watch_action watch_keys_type(struct watch_view *,
    const struct watch_rows *, const struct watch_sample *, uint32_t key);

/* Draw the view; sets its page, and moves its tables so that the cursors are on
   the screen. */
void watch_draw(struct watch_grid *, struct watch_view *,
    const struct watch_rows *, const struct watch_sample *);

/* Return entry `index` of that mode's menu, or NULL after the last. */
const char *watch_view_entry(enum watch_mode, const struct watch_sample *,
    int index);
/* Return the signal of an entry of MODE_SIGNAL; return a signal's name, such as
   "SIGTERM". */
int watch_view_signal(int index);
const char *watch_view_signal_name(int signal);

#endif
