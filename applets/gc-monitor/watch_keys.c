/*
 * The keys of the live view: those of htop and nvtop.
 */
#include <bsd/string.h>

#include <stdio.h>
#include <string.h>

#include "applets/gc-monitor/watch_view.h"

enum {
	CONTROL_C = 0x03,
	CONTROL_Z = 0x1a,
	KEY_ENTER = '\r',
	KEY_ESCAPE = 0x1b,
	KEY_TAB = '\t',
	KEY_BACKSPACE = 0x7f,
	KEY_CONTROL_H = 0x08
};

static void
say(struct watch_view *v, bool failed, const char *text)
{
	v->failed = failed;
	(void)strlcpy(v->message, text, sizeof(v->message));
}

static void
open_menu(struct watch_view *v, enum watch_mode mode, int choice)
{
	v->mode = mode;
	v->choice = choice;
	v->choice_top = 0;
}

/* ---- the rows ---- */

/* Return the row with the cursor, or NULL. */
static const struct watch_row *
find_row(const struct watch_view *v, const struct watch_rows *rows)
{
	if (v->at_processes)
		return v->processes.cursor < rows->process_count ?
		    &rows->processes[v->processes.cursor] :
		    NULL;
	return v->ipus.cursor < rows->count ?
	    &rows->ipus[v->ipus.cursor] :
	    NULL;
}

static void
move(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, int to)
{
	if (v->at_processes)
		watch_rows_move(&v->processes, s, rows->processes,
		    rows->process_count, to);
	else
		watch_rows_move(&v->ipus, s, rows->ipus, rows->count, to);
}

/* Take a key that moves the cursor.  Returns false if it does not. */
static bool
move_key(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, uint32_t key)
{
	const int at = v->at_processes ? v->processes.cursor : v->ipus.cursor;

	switch (key) {
	case KEY_UP:
		move(v, rows, s, at - 1);
		return true;
	case KEY_DOWN:
		move(v, rows, s, at + 1);
		return true;
	case KEY_PAGE_UP:
		move(v, rows, s, at - v->page);
		return true;
	case KEY_PAGE_DOWN:
		move(v, rows, s, at + v->page);
		return true;
	case KEY_HOME:
		move(v, rows, s, 0);
		return true;
	case KEY_END:
		move(v, rows, s, POD_IPUS_MAX * 2);
		return true;
	default:
		return false;
	}
}

/* Open or close the machine with the cursor. */
static void
fold_machine(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, bool open)
{
	const struct watch_row *row = find_row(v, rows);
	int machine;
	uint64_t bit;

	if (!v->fold || row == NULL ||
	    (row->kind != ROW_MACHINE && row->kind != ROW_IPU))
		return;
	machine = s->ipus[row->first].ipu / IPUS_PER_MACHINE;
	bit = (uint64_t)1 << machine % 64;
	if (open)
		v->opened[machine / 64] |= bit;
	else
		v->opened[machine / 64] &= ~bit;
}

/* Put the cursor on the next row with the text, from the one after it on. */
static void
search(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, int from)
{
	const struct watch_row *all = v->at_processes ?
	    rows->processes :
	    rows->ipus;
	const int count = v->at_processes ? rows->process_count : rows->count;
	int i;

	for (i = 0; i < count; i++)
		if (watch_rows_matches(s, &all[(from + i) % count],
			v->search)) {
			move(v, rows, s, (from + i) % count);
			return;
		}
	(void)snprintf(v->message, sizeof(v->message), "%s: not found",
	    v->search);
	v->failed = true;
}

/* ---- signals ---- */

/* Choose the program that the row shows.  Only a process id of this host has a
   meaning here. */
static void
ask_signal(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s)
{
	const struct watch_row *row = find_row(v, rows);
	int process = -1;

	if (row != NULL && row->kind == ROW_PROCESS)
		process = row->first;
	else if (row != NULL && row->kind == ROW_IPU)
		process = s->ipus[row->first].process;
	if (process == -1) {
		say(v, true, "choose a process, or an IPU that has one");
		return;
	}
	v->victim = s->processes[process];
	if (!v->victim.here) {
		(void)snprintf(v->message, sizeof(v->message),
		    "the program runs on %s, outside of this pid namespace; "
		    "send the signal there",
		    v->victim.host);
		v->failed = true;
		return;
	}
	open_menu(v, MODE_SIGNAL, 0);
}

/* ---- modes ---- */

/* Take the entry of a menu. */
static void
choose(struct watch_view *v, const struct watch_sample *s)
{
	const enum watch_mode mode = v->mode;
	const char *entry = watch_view_entry(mode, s, v->choice);

	v->mode = MODE_TABLES;
	if (entry == NULL)
		return;
	if (mode == MODE_SORT) {
		v->sort = (enum watch_sort)v->choice;
		v->reverse = false;
	} else if (mode == MODE_PARTITION) {
		(void)strlcpy(v->partition, v->choice == 0 ? "" : entry,
		    sizeof(v->partition));
	} else {
		v->signal = watch_view_signal(v->choice);
		v->mode = MODE_CONFIRM;
	}
}

static void
menu_key(struct watch_view *v, const struct watch_sample *s, uint32_t key)
{
	int last = 0;

	while (watch_view_entry(v->mode, s, last + 1) != NULL)
		last++;
	if (key == KEY_UP && v->choice > 0)
		v->choice--;
	else if (key == KEY_DOWN && v->choice < last)
		v->choice++;
	else if (key == KEY_HOME || key == KEY_PAGE_UP)
		v->choice = 0;
	else if (key == KEY_END || key == KEY_PAGE_DOWN)
		v->choice = last;
	else if (key == KEY_ENTER)
		choose(v, s);
	else if (key == KEY_ESCAPE || key == 'q')
		v->mode = MODE_TABLES;
}

/* Type into the filter or the search.  The filter works while it is typed. */
static void
type(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, uint32_t key)
{
	const size_t length = strlen(v->input);
	const bool filters = v->mode == MODE_FILTER;

	if (key == KEY_ENTER || key == KEY_ESCAPE)
		v->mode = MODE_TABLES;
	if (key == KEY_ESCAPE)
		v->input[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == KEY_CONTROL_H) && length > 0)
		v->input[length - 1] = '\0';
	else if (key >= ' ' && key < KEY_BACKSPACE &&
	    length < sizeof(v->input) - 1)
		v->input[length] = (char)key;
	if (filters)
		(void)strlcpy(v->filter, v->input, sizeof(v->filter));
	else if (key == KEY_ENTER && v->input[0] != '\0') {
		(void)strlcpy(v->search, v->input, sizeof(v->search));
		search(v, rows, s,
		    v->at_processes ? v->processes.cursor : v->ipus.cursor);
	}
}

static void
begin_typing(struct watch_view *v, enum watch_mode mode, const char *text)
{
	v->mode = mode;
	memset(v->input, 0, sizeof(v->input));
	(void)strlcpy(v->input, text, sizeof(v->input));
}

/* Take a key that changes what the tables show. */
static void
show_key(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, uint32_t key)
{
	switch (key) {
	case KEY_TAB:
		v->at_processes = !v->at_processes;
		break;
	case KEY_LEFT:
	case '-':
		fold_machine(v, rows, s, false);
		break;
	case KEY_RIGHT:
	case '+':
		fold_machine(v, rows, s, true);
		break;
	case 'f':
		v->fold = !v->fold;
		break;
	case 'i':
		v->show_idle = !v->show_idle;
		break;
	case 'r':
		v->reverse = !v->reverse;
		break;
	case 'n':
		search(v, rows, s,
		    1 +
			(v->at_processes ? v->processes.cursor :
					   v->ipus.cursor));
		break;
	default:
		break;
	}
}

static enum watch_action
table_key(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, uint32_t key)
{
	switch (key) {
	case 'q':
	case KEY_FUNCTION + 10:
		return WATCH_QUIT;
	case 'h':
	case '?':
	case KEY_FUNCTION + 1:
		v->mode = MODE_HELP;
		break;
	case '/':
	case KEY_FUNCTION + 4:
		begin_typing(v, MODE_FILTER, v->filter);
		break;
	case '\\':
	case KEY_FUNCTION + 3:
		begin_typing(v, MODE_SEARCH, "");
		break;
	case 's':
	case KEY_FUNCTION + 6:
		open_menu(v, MODE_SORT, (int)v->sort);
		break;
	case 'p':
	case KEY_FUNCTION + 2:
		open_menu(v, MODE_PARTITION, watch_rows_partition(v, s) + 1);
		break;
	case 'k':
	case KEY_FUNCTION + 9:
		ask_signal(v, rows, s);
		break;
	default:
		if (!move_key(v, rows, s, key))
			show_key(v, rows, s, key);
		break;
	}
	return WATCH_GO_ON;
}

enum watch_action
watch_keys_type(struct watch_view *v, const struct watch_rows *rows,
    const struct watch_sample *s, uint32_t key)
{
	const enum watch_mode mode = v->mode;

	v->message[0] = '\0';
	if (key == CONTROL_C)
		return WATCH_QUIT;
	if (key == CONTROL_Z)
		return WATCH_SUSPEND;
	switch (mode) {
	case MODE_TABLES:
		return table_key(v, rows, s, key);
	case MODE_HELP:
		v->mode = MODE_TABLES;
		return WATCH_GO_ON;
	case MODE_FILTER:
	case MODE_SEARCH:
		type(v, rows, s, key);
		return WATCH_GO_ON;
	case MODE_CONFIRM:
		v->mode = MODE_TABLES;
		if (key == 'y')
			return WATCH_KILL;
		say(v, false, "no signal was sent");
		return WATCH_GO_ON;
	default:
		menu_key(v, s, key);
		return WATCH_GO_ON;
	}
}
