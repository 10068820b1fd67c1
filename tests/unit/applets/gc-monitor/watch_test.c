/*
 * The live view of gc-monitor without a terminal: a sample made by hand, keys
 * that are typed, and the rows and cells that follow.
 */
#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/gc-monitor/watch_view.h"
#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { IPUS = 12, COLUMNS = 80, LINES = 24, SCREEN_SIZE = 65536 };

#define NOW_NS INT64_C(1700000000000000000)

static struct watch_ipu ipus[IPUS];
static struct watch_process processes[3];
static struct watch_partition partitions[2];
static struct watch_sample sample;
static struct watch_view view;
static struct watch_rows rows;
static char screen[SCREEN_SIZE];

/* Partition "big" of eight IPUs on two machines, of which mia's program has the
   first two and one on another host the last; "small" of four, one of which
   eva's program has, and one with an error.  Four IPUs are in none. */
static void
make_sample(void)
{
	static const struct watch_process programs[] = {
		{ .here = true,
		    .pid = 11,
		    .attached_ns = 5,
		    .count = 2,
		    .load = 0.75,
		    .user = "mia",
		    .host = "h1",
		    .command = "python3" },
		{ .pid = 12,
		    .count = 1,
		    .user = "tom",
		    .host = "h2",
		    .command = "bert" },
		{ .here = true,
		    .pid = 13,
		    .partition = 1,
		    .count = 1,
		    .load = 1.0,
		    .user = "eva",
		    .host = "h1",
		    .command = "apple" },
	};
	int i;

	memcpy(processes, programs, sizeof(programs));
	memset(ipus, 0, sizeof(ipus));
	for (i = 0; i < IPUS; i++) {
		(void)snprintf(ipus[i].name, sizeof(ipus[i].name), "ag%02d:%d",
		    i / 4 + 1, i % 4);
		ipus[i].ipu = i;
		ipus[i].id = i % 8;
		ipus[i].partition = i / 8;
		ipus[i].process = -1;
		ipus[i].measured = ipus[i].monitored = true;
		ipus[i].power_w = 40.0;
		ipus[i].die_c = 39.0;
		(void)strlcpy(ipus[i].word, "available", 16);
	}
	ipus[0].process = ipus[1].process = 0;
	ipus[0].load = 0.5;
	ipus[0].memory = 0.25;
	ipus[1].load = 0.25;
	ipus[7].process = 1;
	ipus[8].process = 2;
	ipus[8].load = 1.0;
	ipus[8].power_w = 124.0;
	memset(ipus[8].history, 100, STATUS_HISTORY);
	ipus[11].failed = true;
	(void)strlcpy(ipus[11].word, "memory error", sizeof(ipus[11].word));
	partitions[0] = (struct watch_partition){ "big", 0, 8, 3 };
	partitions[1] = (struct watch_partition){ "small", 8, 4, 1 };
	sample = (struct watch_sample){ .now_ns = NOW_NS,
		.pod = "pod16",
		.active = "big",
		.pod_ipus = 16,
		.used = 4,
		.count = IPUS,
		.process_count = 3,
		.partition_count = 2,
		.ipus = ipus,
		.processes = processes,
		.partitions = partitions };
}

static void
build(void)
{
	watch_rows_release(&rows);
	watch_rows_build(&rows, &view, &sample);
}

/* Begin with all partitions, or with the active one. */
static void
begin(bool all)
{
	make_sample();
	watch_view_init(&view, &sample, all);
	build();
}

static enum watch_action
type(uint32_t key)
{
	enum watch_action action = watch_keys_type(&view, &rows, &sample, key);

	build();
	return action;
}

static void
type_text(const char *text)
{
	for (; *text != '\0'; text++)
		(void)type((uint32_t)*text);
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
	for (i = 0; i < rows.count; i++) {
		row = &rows.ipus[i];
		if (row->kind == ROW_UNUSED)
			(void)strlcpy(word, "unused", sizeof(word));
		else
			(void)snprintf(word, sizeof(word), "%s%d",
			    row->kind == ROW_IDLE	 ? "idle" :
				row->kind == ROW_MACHINE ? "m" :
				row->inner		 ? "+" :
							   "",
			    ipus[row->first].ipu);
		if (i > 0)
			(void)strlcat(text, " ", sizeof(text));
		(void)strlcat(text, word, sizeof(text));
	}
	return text;
}

/* Draw, and return the screen as lines without trailing spaces; non-ASCII
   characters are '#'. */
static const char *
draw(int columns, int lines, bool utf8)
{
	struct watch_grid g;
	size_t n = 0, end;
	int x, y;

	watch_grid_init(&g, columns, lines, utf8);
	watch_draw(&g, &view, &rows, &sample);
	for (y = 0; y < g.rows; y++) {
		for (x = 0, end = n; x < g.columns; x++) {
			const uint32_t c = g.cells[y * g.columns + x].character;

			screen[n++] = c < 0x80 ? (char)c : '#';
			if (c != ' ')
				end = n;
		}
		n = end;
		screen[n++] = '\n';
	}
	screen[n] = '\0';
	watch_grid_release(&g);
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
	char text[64];

	begin(true);
	is_str(words(), "0 1 7 8 11 idle0 idle8 unused",
	    "idle IPUs share a row for each partition");
	watch_rows_idle_text(&view, &sample, &rows.ipus[5], text, sizeof(text));
	is_str(text, "5 idle IPUs: 2-6", "their ids");
	watch_rows_idle_text(&view, &sample, &rows.ipus[6], text, sizeof(text));
	is_str(text, "2 idle IPUs: 1-2", "and those of another partition");
	ipus[4].failed = true;
	build();
	watch_rows_idle_text(&view, &sample, &rows.ipus[6], text, sizeof(text));
	is_str(text, "4 idle IPUs: 2-3,5-6", "ids with a gap");
	begin(false);
	is_str(words(), "0 1 7 idle0", "the active partition alone");
	(void)type('i');
	is_str(words(), "0 1 2 3 4 5 6 7", "idle IPUs one by one");
	sample.active[0] = '\0';
	watch_view_init(&view, &sample, false);
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
			(void)type(KEY_DOWN);
		(void)type('\r');
		is_str(words(), sorts[i].ipus,
		    watch_view_entry(MODE_SORT, &sample, (int)view.sort));
		is_int(processes[rows.processes[0].first].pid, sorts[i].process,
		    "and its programs");
	}
	(void)type('r');
	is_str(words(), "11 1 0 7 8 idle0 idle8 unused", "reversed");
	(void)type('s');
	(void)type(KEY_HOME);
	(void)type(0x1b);
	is_int(view.sort, SORT_COMMAND, "Esc leaves the order");
}

static void
test_fold(void)
{
	begin(true);
	(void)type(KEY_END);
	(void)type(KEY_HOME);
	(void)type(KEY_DOWN); /* to IPU 1 */
	(void)type('f');
	is_str(words(), "m0 m4 m8 unused", "a row for each machine");
	is_int(view.ipus.cursor, 0, "the cursor is on the IPU's machine");
	(void)type(KEY_DOWN);
	(void)type(KEY_RIGHT);
	is_str(words(), "m0 m4 +4 +5 +6 +7 m8 unused", "an opened machine");
	(void)type(KEY_DOWN);
	(void)type(KEY_DOWN);
	(void)type(KEY_LEFT);
	is_str(words(), "m0 m4 m8 unused", "closed from an IPU of it");
	is_int(view.ipus.cursor, 1, "the cursor is on the machine");
	ipus[7].process = -1;
	build();
	is_str(words(), "m0 m8 idle0 unused", "a machine without programs");
	is_str(line(4),
	    "big        0-3   ag01    [||      ]  19%   6%  160.0W"
	    "  39.0C mia      python3",
	    "mean, sum and highest value");
	sample.pod_ipus = WATCH_FOLD_FROM;
	sample.count = WATCH_FOLD_FROM;
	watch_view_init(&view, &sample, true);
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
	(void)type(0x7f);
	(void)type('\r');
	is_str(words(), "0 1", "IPUs of a user");
	is_int(rows.process_count, 1, "and the programs");
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
	is_int(view.ipus.cursor, 4, "a search goes to the row");
	(void)type('\\');
	type_text("big\r");
	is_int(view.ipus.cursor, 5, "from the cursor on");
	(void)type('n');
	is_int(view.ipus.cursor, 0, "and on from the beginning");
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
	(void)type(KEY_DOWN);
	(void)type('\r');
	is_str(words(), "8 11 idle8", "another partition");
	ok(strncmp(line(0),
	       "pod16  partition small  IPUs: 1 used, 3 idle, 4 in no "
	       "partition",
	       62) == 0,
	    "its title");
	is_int(rows.process_count, 1, "its programs");
	(void)type('p');
	(void)type(KEY_HOME);
	(void)type('\r');
	is_str(words(), "0 1 7 8 11 idle0 idle8 unused", "all again");
	(void)strlcpy(view.partition, "gone", sizeof(view.partition));
	build();
	is_str(words(), "", "a removed partition has no rows");
	ok(shows("partition gone (does not exist)"), "and the title says why");
}

static void
test_signal(void)
{
	begin(true);
	(void)type('k');
	is_int(view.mode, MODE_SIGNAL, "a menu of signals");
	(void)type(KEY_DOWN);
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
	(void)type(KEY_DOWN);
	(void)type('k');
	is_int(view.mode, MODE_TABLES, "a program of another host");
	ok(shows("runs on h2"), "and the reason");
	(void)type(KEY_DOWN);
	(void)type('k');
	is_int(view.victim.pid, 13, "a program of the other table");
	(void)type('q');
	is_int(view.mode, MODE_TABLES, "q closes a menu");
	(void)type('\t');
	(void)type(KEY_END);
	(void)type('k');
	ok(shows("choose a process"), "a row without a program");
}

static void
test_cursor(void)
{
	begin(true);
	(void)type(KEY_DOWN);
	(void)type(KEY_DOWN); /* to IPU 7 */
	ipus[2].process = 0;
	build();
	is_int(view.ipus.cursor, 3, "the cursor stays on its IPU");
	ipus[7].process = -1;
	build();
	is_int(view.ipus.cursor, 3, "or near it");
	(void)type(KEY_PAGE_DOWN);
	(void)type(KEY_UP + 100);
	ok(view.ipus.cursor < rows.count, "it stays in the table");
	sample.count = sample.process_count = sample.partition_count = 0;
	build();
	is_str(words(), "unused", "no partition is left");
	is_int(type('q'), WATCH_QUIT, "q quits");
	is_int(type(0x03), WATCH_QUIT, "so does Ctrl-C");
	is_int(type(KEY_FUNCTION + 10), WATCH_QUIT, "and F10");
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
		(void)type((uint32_t)*key);
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
	struct watch_grid g;
	char text[16];
	int i;

	watch_grid_init(&g, 15, 2, false);
	is_int(watch_grid_bar(&g, 0, 0, 6, 0.5, TONE_GOOD), 6, "a bar's end");
	is_int(watch_grid_spark(&g, 6, 0, 5, values, 4, TONE_GOOD), 11,
	    "a line's end");
	(void)watch_grid_text(&g, 11, 0, 4, "\xe6\x97\xa5\xc3\xa9xyz",
	    TONE_PLAIN);
	for (i = 0; i < 15; i++)
		text[i] = (char)g.cells[i].character;
	text[15] = '\0';
	is_str(text, "[||  ] _.=#???x", "ASCII");
	g.utf8 = true;
	(void)watch_grid_bar(&g, 0, 1, 4, 0.69, TONE_GOOD);
	is_int(g.cells[16].character, 0x2588, "a full block");
	is_int(g.cells[17].character, 0x258d, "a part of a block");
	(void)watch_grid_text(&g, 0, 1, 4, "\xe6\x97\xa5\xc3\xa9", TONE_PLAIN);
	is_int(g.cells[15].character, 0x65e5, "a wide character");
	is_int(g.cells[16].character, 0, "has two cells");
	is_int(g.cells[17].character, 0xe9, "before the next");
	(void)watch_grid_number(&g, 10, 1, 9, "123", TONE_PLAIN);
	(void)watch_grid_text(&g, 3, 1, 3, "a\nb", TONE_PLAIN);
	is_int(g.cells[19].character, ' ', "no line break");
	(void)watch_grid_text(&g, -3, -1, 40, "outside", TONE_PLAIN);
	(void)watch_grid_text(&g, 0, 2, 40, "outside", TONE_PLAIN);
	is_int(g.cells[29].character, ' ', "nothing is drawn outside");
	watch_grid_release(&g);
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
	watch_rows_release(&rows);
	return tap_done();
}
