/*
 * The live view of gc-monitor without a terminal: a sample made by hand, keys
 * that are typed, and the rows and cells that follow.
 */
#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/gc-monitor/watch.h"
#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { IPUS = 12, COLUMNS = 80, LINES = 24, SCREEN_SIZE = 65536 };

#define NOW_NS INT64_C(1700000000000000000)

static struct watch_ipu ipus[TABLES_FOLD_FROM];
static struct sample_holder holders[3];
static struct partition partitions[2];
static struct watch_part parts[2];
static struct watch_view view;
static const struct watch_table *const rows = &view.tables[WATCH_IPUS];
static const struct watch_table *const programs = &view.tables[WATCH_PROCESSES];
static char screen[SCREEN_SIZE];
static struct tb_cell cells[SCREEN_SIZE];

/* Partition "big" of eight IPUs on two machines, of which mia's program has the
   first two and one on another host the last; "small" of four, one of which
   eva's program has, and one with an error.  Four IPUs are in none. */
static void
make_ipus(void)
{
	struct sample_ipu *values;
	int i;

	memset(ipus, 0, sizeof(ipus));
	for (i = 0; i < IPUS; i++) {
		(void)snprintf(ipus[i].name, sizeof(ipus[i].name), "ag%02d:%d",
		    i / 4 + 1, i % 4);
		ipus[i].number = i;
		(void)strlcpy(ipus[i].word, "available", 16);
		values = &ipus[i].values;
		values->routing_id = i % 8;
		values->partition = i / 8;
		values->holder = SAMPLE_NONE;
		values->sensors.measured = values->monitored = true;
		values->sensors.power_w = 40.0;
		values->sensors.die_c = 39.0;
	}
	ipus[0].values.holder = ipus[1].values.holder = 0;
	ipus[0].values.sensors.recent = 0.5;
	ipus[0].values.memory_bytes = (uint64_t)TILE_COUNT * TILE_BYTES / 4;
	ipus[1].values.sensors.recent = 0.25;
	ipus[7].values.holder = 1;
	ipus[8].values.holder = 2;
	ipus[8].values.sensors.recent = 1.0;
	ipus[8].values.sensors.power_w = 124.0;
	memset(ipus[8].history, 100, STATUS_HISTORY);
	ipus[11].failed = true;
	(void)strlcpy(ipus[11].word, "memory error", sizeof(ipus[11].word));
}

static void
make_sample(void)
{
	static const struct sample_holder all[] = {
		{ .is_here = true,
		    .pid = 11,
		    .user = "mia",
		    .host = "h1",
		    .command = "python3" },
		{ .pid = 12, .user = "tom", .host = "h2", .command = "bert" },
		{ .is_here = true,
		    .pid = 13,
		    .user = "eva",
		    .host = "h1",
		    .command = "apple" },
	};
	struct sample *s = &view.sample.from;
	struct snapshot *snapshot = &s->look.view.snapshot;

	make_ipus();
	memcpy(holders, all, sizeof(holders));
	(void)strlcpy(partitions[0].name, "big", NAME_SIZE);
	(void)strlcpy(partitions[1].name, "small", NAME_SIZE);
	parts[0] = (struct watch_part){ .count = 8, .used = 3 };
	parts[1] = (struct watch_part){ .first = 8, .count = 4, .used = 1 };
	view.sample = (struct watch_sample){ .ipus = ipus,
		.parts = parts,
		.all = { .count = IPUS, .used = 4 } };
	s->now_ns = NOW_NS;
	s->ipu_count = 16;
	s->holders = holders;
	s->holder_count = 3;
	(void)strlcpy(snapshot->pod.name, "pod16", NAME_SIZE);
	snapshot->partitions = partitions;
	snapshot->partition_count = 2;
	s->look.view.partition = &partitions[0];
}

/* Begin again with the sample. */
static void
restart(bool all)
{
	const struct watch_sample sample = view.sample;

	free(view.tables[WATCH_IPUS].rows);
	free(view.tables[WATCH_PROCESSES].rows);
	memset(&view, 0, sizeof(view));
	view.sample = sample;
	watch_rows_begin(&view, all);
	watch_rows_build(&view);
}

/* Begin with all partitions, or with the active one. */
static void
begin(bool all)
{
	make_sample();
	restart(all);
}

static enum watch_action
type(uint16_t key)
{
	enum watch_action action = watch_keys_type(&view, key);

	watch_rows_build(&view);
	return action;
}

static void
type_text(const char *text)
{
	for (; *text != '\0'; text++)
		(void)type((uint16_t)*text);
}

/* Return the rows as words: the numbers of IPUs in the pod, "m" before a
   machine's, "+" before one below its machine, and "idle" and "unused". */
static const char *
words(void)
{
	static char text[1024];
	const struct watch_row *row;
	char word[32];
	int i;

	text[0] = '\0';
	for (i = 0; i < rows->count; i++) {
		row = &rows->rows[i];
		if (row->kind == ROW_UNUSED)
			(void)strlcpy(word, "unused", sizeof(word));
		else
			(void)snprintf(word, sizeof(word), "%s%d",
			    row->kind == ROW_IDLE	 ? "idle" :
				row->kind == ROW_MACHINE ? "m" :
				row->inner		 ? "+" :
							   "",
			    ipus[row->first].number);
		if (i > 0)
			(void)strlcat(text, " ", sizeof(text));
		(void)strlcat(text, word, sizeof(text));
	}
	return text;
}

static void
clear(void)
{
	int i;

	for (i = 0; i < SCREEN_SIZE; i++)
		cells[i] = (struct tb_cell){ .ch = ' ' };
}

/* Draw, and return the screen as lines without trailing spaces; non-ASCII
   characters are '#'. */
static const char *
draw(int columns, int lines, bool utf8)
{
	struct watch_grid g = { cells, columns, lines, utf8, false };
	size_t n = 0, end;
	int x, y;

	clear();
	watch_draw(&g, &view);
	for (y = 0; y < g.rows; y++) {
		for (x = 0, end = n; x < g.columns; x++) {
			const uint32_t c = cells[y * g.columns + x].ch;

			screen[n++] = c < 0x80 ? (char)c : '#';
			if (c != ' ')
				end = n;
		}
		n = end;
		screen[n++] = '\n';
	}
	screen[n] = '\0';
	return screen;
}

/* Return a line of the screen, from 0. */
static const char *
line(int number)
{
	static char text[512];
	const char *from = draw(COLUMNS, LINES, false);

	while (number-- > 0)
		from = strchr(from, '\n') + 1;
	(void)snprintf(text, sizeof(text), "%.*s", (int)strcspn(from, "\n"),
	    from);
	return text;
}

static bool
shows(const char *text)
{
	return strstr(draw(COLUMNS, LINES, false), text) != NULL;
}

static void
test_rows(void)
{
	int i;

	begin(true);
	is_str(words(), "0 1 7 8 11 idle0 idle8 unused",
	    "idle IPUs share a row for each partition");
	ok(shows("big        5 idle IPUs: 2-6\n"), "their ids");
	ok(shows("small      2 idle IPUs: 1-2\n"),
	    "and those of another partition");
	ipus[4].failed = true;
	watch_rows_build(&view);
	ok(shows("big        4 idle IPUs: 2-3,5-6\n"), "ids with a gap");
	begin(false);
	is_str(words(), "0 1 7 idle0", "the active partition alone");
	(void)type('i');
	is_str(words(), "0 1 2 3 4 5 6 7", "idle IPUs one by one");
	partitions[0].num_gcds = 2;
	view.sample.from.look.view.gcd = 1;
	for (i = 4; i < 8; i++)
		ipus[i].values.gcd = 1;
	restart(false);
	is_str(words(), "7 idle4", "a GCD alone");
	ok(shows("partition big (gcd:1)  IPUs: 1 used, 3 idle"), "its numbers");
	ok(shows("3 idle IPUs: 0-2\n"), "its ids begin with 0");
	is_int(programs->count, 1, "its program");
	(void)type('p');
	(void)type(TB_KEY_ENTER);
	is_str(words(), "0 1 7 idle0", "then all of its partition");
	partitions[0].num_gcds = 1;
	view.sample.from.look.view.partition = NULL;
	restart(false);
	is_str(view.partition, "", "without an active partition: all");
}

static void
test_sort(void)
{
	static const struct {
		int down;
		const char *ipus;
		int process; /* pid of the first one */
	} sorts[] = {
		{ 0, "0 1 7 8 11 idle0 idle8 unused", 11 },
		{ 1, "8 0 1 7 11 idle0 idle8 unused", 13 },
		{ 1, "8 0 1 7 11 idle0 idle8 unused", 11 },
		{ 1, "0 1 7 8 11 idle0 idle8 unused", 11 },
		{ 1, "8 0 1 7 11 idle0 idle8 unused", 13 },
		{ 1, "8 7 0 1 11 idle0 idle8 unused", 13 },
	};
	size_t i;
	int n;

	begin(true);
	for (i = 0; i < ARRAY_SIZE(sorts); i++) {
		(void)type('s');
		for (n = 0; n < sorts[i].down; n++)
			(void)type(TB_KEY_ARROW_DOWN);
		(void)type('\r');
		is_str(words(), sorts[i].ipus,
		    watch_keys_entry(MODE_SORT, &view, (int)view.sort));
		is_int(holders[programs->rows[0].first].pid, sorts[i].process,
		    "and its programs");
	}
	(void)type('r');
	is_str(words(), "11 1 0 7 8 idle0 idle8 unused", "reversed");
	(void)type('s');
	(void)type(TB_KEY_HOME);
	(void)type(0x1b);
	is_int(view.sort, SORT_COMMAND, "Esc leaves the order");
}

static void
test_fold(void)
{
	begin(true);
	(void)type(TB_KEY_END);
	(void)type(TB_KEY_HOME);
	(void)type(TB_KEY_ARROW_DOWN); /* to IPU 1 */
	(void)type('f');
	is_str(words(), "m0 m4 m8 unused", "a row for each machine");
	is_int(rows->cursor, 0, "the cursor is on the IPU's machine");
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type(TB_KEY_ARROW_RIGHT);
	is_str(words(), "m0 m4 +4 +5 +6 +7 m8 unused", "an opened machine");
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type(TB_KEY_ARROW_LEFT);
	is_str(words(), "m0 m4 m8 unused", "closed from an IPU of it");
	is_int(rows->cursor, 1, "the cursor is on the machine");
	ipus[7].values.holder = -1;
	watch_rows_build(&view);
	is_str(words(), "m0 m8 idle0 unused", "a machine without programs");
	is_str(line(4),
	    "big        0-3   ag01    [||      ]  19%   6%  160.0W"
	    "  39.0C mia      python3",
	    "mean, sum and highest value");
	view.sample.all.count = TABLES_FOLD_FROM;
	watch_rows_begin(&view, true);
	ok(view.fold, "many IPUs are folded at first");
}

static void
test_filter(void)
{
	begin(true);
	(void)type('/');
	type_text("MIAx");
	is_str(words(), "", "nothing has this text");
	ok(shows("filter: MIAx_"), "the text is shown");
	ok(shows("no process has this text"), "nor has a process");
	(void)type(0x7f);
	(void)type('\r');
	is_str(words(), "0 1", "IPUs of a user");
	is_int(programs->count, 1, "and the programs");
	ok(shows("by id, filter: MIA"), "the filter stays in sight");
	(void)type('/');
	(void)type(0x1b);
	is_str(words(), "0 1 7 8 11 idle0 idle8 unused", "Esc clears it");
	(void)type('/');
	type_text("ag02\r");
	is_str(words(), "7 idle0", "IPUs of a machine, also idle ones");
	(void)type('/');
	(void)type(0x1b);
	(void)type('\\');
	type_text("memory err\r");
	is_int(rows->cursor, 4, "a search goes to the row");
	(void)type('\\');
	type_text("big\r");
	is_int(rows->cursor, 5, "from the cursor on");
	(void)type('n');
	is_int(rows->cursor, 0, "and on from the beginning");
	(void)type('\\');
	type_text("none\r");
	is_str(line(LINES - 1), "none: not found",
	    "or says that nothing has it");
}

static void
test_partition(void)
{
	begin(false);
	(void)type('p');
	is_int(view.choice, 1, "the menu begins at the chosen partition");
	ok(shows("all partitions") && shows("small"), "it has all of them");
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type('\r');
	is_str(words(), "8 11 idle8", "another partition");
	ok(strncmp(line(0),
	       "pod16  partition small  IPUs: 1 used, 3 idle, 4 in no "
	       "partition",
	       62) == 0,
	    "its title");
	is_int(programs->count, 1, "its programs");
	(void)type('p');
	(void)type(TB_KEY_HOME);
	(void)type('\r');
	is_str(words(), "0 1 7 8 11 idle0 idle8 unused", "all again");
	(void)type('p');
	(void)type(TB_KEY_END);
	view.sample.from.look.view.snapshot.partition_count = 1;
	watch_rows_build(&view);
	ok(shows("all partitions") && !shows(" small"),
	    "an open menu follows its partitions");
	is_int(view.choice, 1, "and so does the chosen entry");
	(void)type(0x1b);
	view.sample.from.look.view.snapshot.partition_count = 2;
	(void)strlcpy(view.partition, "gone", sizeof(view.partition));
	watch_rows_build(&view);
	is_str(words(), "", "a removed partition has no rows");
	ok(shows("partition gone (does not exist)"), "and the title says why");
}

static void
test_signal(void)
{
	begin(true);
	(void)type('k');
	is_int(view.mode, MODE_SIGNAL, "a menu of signals");
	(void)type(TB_KEY_ARROW_DOWN);
	is_int(type('\r'), WATCH_GO_ON, "Enter sends nothing yet");
	is_str(line(LINES - 1),
	    "send SIGINT to pid 11 (python3 of mia)? y or n", "the question");
	is_int(type('n'), WATCH_GO_ON, "no");
	is_str(line(LINES - 1), "no signal was sent", "nothing is sent");
	(void)type('k');
	(void)type('\r');
	is_int(type('\r'), WATCH_GO_ON, "Enter is not yes");
	(void)type('k');
	(void)type('\r');
	is_int(type('y'), WATCH_KILL, "yes");
	is_int(view.victim.pid, 11, "the program of the row");
	is_int(view.signal, SIGTERM, "the first signal");
	(void)type('\t');
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type('k');
	is_int(view.mode, MODE_TABLES, "a program of another host");
	ok(shows("runs on h2"), "and the reason");
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type('k');
	is_int(view.victim.pid, 13, "a program of the other table");
	(void)type('q');
	is_int(view.mode, MODE_TABLES, "q closes a menu");
	(void)type('\t');
	(void)type(TB_KEY_END);
	(void)type('k');
	ok(shows("choose a process"), "a row without a program");
}

static void
test_cursor(void)
{
	begin(true);
	(void)type(TB_KEY_ARROW_DOWN);
	(void)type(TB_KEY_ARROW_DOWN); /* to IPU 7 */
	ipus[2].values.holder = 0;
	watch_rows_build(&view);
	is_int(rows->cursor, 3, "the cursor stays on its IPU");
	ipus[7].values.holder = -1;
	watch_rows_build(&view);
	is_int(rows->cursor, 3, "or near it");
	(void)type(TB_KEY_PGDN);
	(void)type(0xf000);
	ok(rows->cursor < rows->count, "it stays in the table");
	view.sample.all.count = view.sample.from.holder_count = 0;
	view.sample.from.look.view.snapshot.partition_count = 0;
	watch_rows_build(&view);
	is_str(words(), "unused", "no partition is left");
	is_int(type('q'), WATCH_QUIT, "q quits");
	is_int(type(0x03), WATCH_QUIT, "so does Ctrl-C");
	is_int(type(TB_KEY_F10), WATCH_QUIT, "and F10");
	is_int(type(0x1a), WATCH_SUSPEND, "Ctrl-Z suspends");
}

/* Every size, with every menu, stays in the grid. */
static void
test_sizes(void)
{
	static const char modes[] = "h\033s\033p\033k\033/\033f";
	const char *key;
	int columns, lines;

	begin(true);
	for (key = modes; *key != '\0'; key++) {
		(void)type((uint16_t)*key);
		for (columns = 1; columns < 220; columns += 17)
			for (lines = 1; lines < 64; lines += 7)
				(void)draw(columns, lines, true);
	}
	begin(true);
	ok(strstr(draw(120, 40, true), "MEMORY") != NULL && !shows("MEMORY") &&
		shows("MEM"),
	    "a bar of memory where there is room");
	is_str(line(3),
	    "PARTITION  ID    IPU     UTILISATION      MEM   POWER"
	    "   TEMP USER     COMMAND",
	    "the columns of 80");
	is_str(line(8),
	    "small      3     ag03:3  [        ]   0%    -   40.0W"
	    "  39.0C          memory err",
	    "a problem in place of the program");
}

static void
test_grid(void)
{
	static const uint8_t values[] = { 0, 1, 50, 100 };
	struct watch_grid g = { cells, 15, 2, false, true };
	char text[16];
	int i;

	clear();
	is_int(watch_grid_bar(&g, 0, 0, 6, 0.5, TB_GREEN), 6, "a bar's end");
	is_int(watch_grid_spark(&g, 6, 0, 5, values, 4, TB_GREEN), 11,
	    "a line's end");
	(void)watch_grid_text(&g, 11, 0, 4, "\xe6\x97\xa5\xc3\xa9xyz",
	    TB_DEFAULT);
	for (i = 0; i < 15; i++)
		text[i] = (char)cells[i].ch;
	text[15] = '\0';
	is_str(text, "[||  ] _.=#???x", "ASCII");
	g.utf8 = true;
	(void)watch_grid_bar(&g, 0, 1, 4, 0.69, TB_GREEN);
	is_int(cells[16].ch, 0x2588, "a full block");
	is_int(cells[17].ch, 0x258d, "a part of a block");
	(void)watch_grid_text(&g, 0, 1, 4, "\xe6\x97\xa5\xc3\xa9", TB_DEFAULT);
	is_int(cells[15].ch, 0x65e5, "a wide character");
	is_int(cells[16].ch, 0, "has two cells");
	is_int(cells[17].ch, 0xe9, "before the next");
	(void)watch_grid_text(&g, 10, 1, -9, "123", TB_DEFAULT);
	(void)watch_grid_text(&g, 3, 1, 3, "a\nb", TB_DEFAULT);
	is_int(cells[19].ch, ' ', "no line break");
	(void)watch_grid_text(&g, -3, -1, 40, "outside", TB_DEFAULT);
	(void)watch_grid_text(&g, 0, 2, 40, "outside", TB_DEFAULT);
	is_int(cells[29].ch, ' ', "nothing is drawn outside");
}

int
main(void)
{
	test_rows();
	test_sort();
	test_fold();
	test_filter();
	test_partition();
	test_signal();
	test_cursor();
	test_sizes();
	test_grid();
	free(view.tables[WATCH_IPUS].rows);
	free(view.tables[WATCH_PROCESSES].rows);
	return tap_done();
}
