/*
 * The keys of the live view, which are those of htop and nvtop, and the entries
 * of its help and its menus.
 */
#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "applets/gc-monitor/watch.h"
#include "core/base/alloc.h"

static const char *const sort_words[] = { "id", "utilisation", "power",
	"temperature", "user", "command" };

static const struct {
	int number;
	const char *entry;
} signals[] = {
	{ SIGTERM, "SIGTERM: end" },
	{ SIGINT, "SIGINT: interrupt, as Ctrl-C" },
	{ SIGKILL, "SIGKILL: end at once" },
	{ SIGHUP, "SIGHUP: hang up" },
	{ SIGSTOP, "SIGSTOP: stop" },
	{ SIGCONT, "SIGCONT: continue" },
	{ SIGUSR1, "SIGUSR1" },
	{ SIGUSR2, "SIGUSR2" },
};

/* Begin to type a text, or to choose from a menu. */
static void
begin(struct watch_view *v, enum watch_mode mode)
{
	v->mode = mode;
	(void)strlcpy(v->input, mode == MODE_FILTER ? v->filter : "",
	    sizeof(v->input));
	v->choice_top = 0;
	v->choice = mode == MODE_SORT ? (int)v->sort :
	    mode == MODE_PARTITION    ? watch_rows_partition(v) + 1 :
					0;
}

/* ---- the keys of the tables ---- */

/* Return the line to which a key moves the cursor from line `at`. */
static int
find_line(uint16_t key, int at, int page)
{
	return key == TB_KEY_ARROW_UP ? at - 1 :
	    key == TB_KEY_ARROW_DOWN  ? at + 1 :
	    key == TB_KEY_PGUP	      ? at - page :
	    key == TB_KEY_PGDN	      ? at + page :
	    key == TB_KEY_HOME	      ? 0 :
	    key == TB_KEY_END	      ? POD_IPUS_MAX * 2 :
					at;
}

static void
move(struct watch_view *v, uint16_t key)
{
	struct watch_table *t = &v->tables[v->at];

	watch_rows_move(t, find_line(key, t->cursor, t->lines));
}

/* Open or close the machine with the cursor. */
static void
open_machine(struct watch_view *v, uint16_t key)
{
	const struct watch_table *t = &v->tables[v->at];

	if (v->fold && t->count > 0 && t->kind <= ROW_MACHINE)
		v->opened[t->number / IPUS_PER_MACHINE] =
		    key == TB_KEY_ARROW_RIGHT || key == '+';
}

/* Put the cursor on the next row with the text, from `from` on. */
static void
search(struct watch_view *v, int from)
{
	struct watch_table *t = &v->tables[v->at];
	int i;

	for (i = from; i < from + t->count; i++)
		if (watch_rows_matches(&v->sample, &t->rows[i % t->count],
			v->search)) {
			watch_rows_move(t, i % t->count);
			return;
		}
	(void)snprintf(v->message, sizeof(v->message), "%s: not found",
	    v->search);
}

/* Take a key that works at once. */
static void
change(struct watch_view *v, uint16_t key)
{
	if (key == TB_KEY_TAB)
		v->at = v->at == WATCH_IPUS ? WATCH_PROCESSES : WATCH_IPUS;
	else if (key == 'f')
		v->fold = !v->fold;
	else if (key == 'i')
		v->show_idle = !v->show_idle;
	else if (key == 'r')
		v->reverse = !v->reverse;
	else
		search(v, v->tables[v->at].cursor + 1);
}

/* Choose the program that the row shows.  Only a process id of this host has a
   meaning here. */
static void
choose_program(struct watch_view *v, uint16_t key)
{
	const struct watch_sample *s = &v->sample;
	const struct watch_table *t = &v->tables[v->at];
	const struct watch_row *row = &t->rows[t->cursor];
	int holder = SAMPLE_NONE;

	(void)key;
	if (t->count > 0 && row->kind == ROW_PROCESS)
		holder = row->first;
	else if (t->count > 0 && row->kind == ROW_IPU)
		holder = s->ipus[row->first].values.holder;
	if (holder == SAMPLE_NONE) {
		(void)strlcpy(v->message,
		    "choose a process, or an IPU that has one",
		    sizeof(v->message));
		return;
	}
	v->victim = s->from.holders[holder];
	v->victim_ns = s->from.now_ns - v->victim.attached_ns;
	if (v->victim.is_here)
		begin(v, MODE_SIGNAL);
	else
		(void)snprintf(v->message, sizeof(v->message),
		    "the program runs on %s, outside of this pid namespace; "
		    "send the signal there",
		    v->victim.host);
}

/* Each row is a line of the help, except the last one.  Its keys begin a mode,
   call a function or, without either, quit. */
static const struct {
	uint16_t keys[6];
	const char *help;
	enum watch_mode mode;
	void (*act)(struct watch_view *, uint16_t key);
} table_keys[] = {
	{ { TB_KEY_ARROW_UP, TB_KEY_ARROW_DOWN, TB_KEY_PGUP, TB_KEY_PGDN,
	      TB_KEY_HOME, TB_KEY_END },
	    "Arrows, PgUp, PgDn  move", .act = move },
	{ { TB_KEY_TAB }, "Tab                 IPUs or processes",
	    .act = change },
	{ { TB_KEY_ARROW_LEFT, TB_KEY_ARROW_RIGHT, '-', '+' },
	    "Left, Right         close or open a machine",
	    .act = open_machine },
	{ { 'f' },
	    "f                   a row for each machine, or for each IPU",
	    .act = change },
	{ { 'i' }, "i                   summarise idle IPUs, or show them",
	    .act = change },
	{ { 's', TB_KEY_F6 },
	    "s, F6               choose the column to sort by",
	    .mode = MODE_SORT },
	{ { 'r' }, "r                   reverse the order", .act = change },
	{ { '/', TB_KEY_F4 }, "/, F4               show only what has a text",
	    .mode = MODE_FILTER },
	{ { '\\', TB_KEY_F3 }, "\\, F3               search; n: the next one",
	    .mode = MODE_SEARCH },
	{ { 'p', TB_KEY_F2 }, "p, F2               choose a partition",
	    .mode = MODE_PARTITION },
	{ { 'k', TB_KEY_F9 }, "k, F9               send a signal to a program",
	    .act = choose_program },
	{ { 'h', '?', TB_KEY_F1 }, "h, ?, F1            this help",
	    .mode = MODE_HELP },
	{ { 'q', TB_KEY_F10 }, "q, F10              quit",
	    .mode = MODE_TABLES },
	{ { 'n' }, NULL, .act = change },
};

static enum watch_action
table_key(struct watch_view *v, uint16_t key)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(table_keys); i++)
		for (k = 0; k < ARRAY_SIZE(table_keys[i].keys); k++) {
			if (key == 0 || key != table_keys[i].keys[k])
				continue;
			if (table_keys[i].act != NULL)
				table_keys[i].act(v, key);
			else if (table_keys[i].mode == MODE_TABLES)
				return WATCH_QUIT;
			else
				begin(v, table_keys[i].mode);
		}
	return WATCH_GO_ON;
}

/* ---- the other modes ---- */

const char *
watch_keys_entry(enum watch_mode mode, const struct watch_view *v, int index)
{
	const size_t i = (size_t)index;

	if (mode == MODE_HELP)
		return table_keys[i].help;
	if (mode == MODE_SORT)
		return i < ARRAY_SIZE(sort_words) ? sort_words[i] : NULL;
	if (mode == MODE_SIGNAL)
		return i < ARRAY_SIZE(signals) ? signals[i].entry : NULL;
	if (index > v->sample.from.look.view.snapshot.partition_count)
		return NULL;
	return index == 0 ? "all partitions" :
			    watch_rows_name(&v->sample, index - 1);
}

/* Take the entry of a menu. */
static void
choose(struct watch_view *v)
{
	const char *entry = watch_keys_entry(v->mode, v, v->choice);

	if (v->mode == MODE_SIGNAL) {
		v->signal = signals[v->choice].number;
		(void)snprintf(v->signal_name, sizeof(v->signal_name), "%.*s",
		    (int)strcspn(entry, ":"), entry);
		v->mode = MODE_CONFIRM;
		return;
	}
	if (v->mode == MODE_SORT) {
		v->sort = (enum watch_sort)v->choice;
		v->reverse = false;
	} else if (entry != NULL) {
		(void)strlcpy(v->partition, v->choice == 0 ? "" : entry,
		    sizeof(v->partition));
		v->gcd = -1;
	}
	v->mode = MODE_TABLES;
}

static void
menu_key(struct watch_view *v, uint16_t key)
{
	int last = 0;

	while (watch_keys_entry(v->mode, v, last + 1) != NULL)
		last++;
	v->choice = find_line(key, v->choice, last);
	if (v->choice > last)
		v->choice = last;
	if (v->choice < 0)
		v->choice = 0;
	if (key == TB_KEY_ENTER)
		choose(v);
	else if (key == TB_KEY_ESC || key == 'q')
		v->mode = MODE_TABLES;
}

/* Type into the filter or the search.  The filter works while it is typed. */
static void
type(struct watch_view *v, uint16_t key)
{
	const size_t length = strlen(v->input);

	if (key == TB_KEY_ESC)
		v->input[0] = '\0';
	else if ((key == TB_KEY_BACKSPACE2 || key == TB_KEY_BACKSPACE) &&
	    length > 0)
		v->input[length - 1] = '\0';
	else if (key >= ' ' && key < TB_KEY_BACKSPACE2 &&
	    length < sizeof(v->input) - 1) {
		v->input[length] = (char)key;
		v->input[length + 1] = '\0';
	}
	if (v->mode == MODE_FILTER) {
		(void)strlcpy(v->filter, v->input, sizeof(v->filter));
	} else if (key == TB_KEY_ENTER && v->input[0] != '\0') {
		(void)strlcpy(v->search, v->input, sizeof(v->search));
		search(v, v->tables[v->at].cursor);
	}
	if (key == TB_KEY_ENTER || key == TB_KEY_ESC)
		v->mode = MODE_TABLES;
}

enum watch_action
watch_keys_type(struct watch_view *v, uint16_t key)
{
	const enum watch_mode mode = v->mode;

	v->message[0] = '\0';
	v->failed = true;
	if (key == TB_KEY_CTRL_C)
		return WATCH_QUIT;
	if (key == TB_KEY_CTRL_Z)
		return WATCH_SUSPEND;
	if (mode == MODE_TABLES)
		return table_key(v, key);
	if (mode == MODE_FILTER || mode == MODE_SEARCH)
		type(v, key);
	else if (mode > MODE_HELP)
		menu_key(v, key);
	else
		v->mode = MODE_TABLES;
	if (mode != MODE_CONFIRM)
		return WATCH_GO_ON;
	if (key == 'y')
		return WATCH_KILL;
	v->failed = false;
	(void)strlcpy(v->message, "no signal was sent", sizeof(v->message));
	return WATCH_GO_ON;
}
