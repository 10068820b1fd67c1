/* The tables of gc-monitor; samples_test.c has those that were published. */
#include "applets/gc-monitor/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

/* The layout of the row, on no terminal. */
static struct tables_form
form_of(const struct versions *v)
{
	return (struct tables_form){ .versions = v, .layout = v->gc_monitor };
}

static void
test_devices(void)
{
	static const struct tables_device far = { 0, "10.1.5.10",
		"0024.0002.8203321", "M2000", 0, 3, "RINGSWNC", false };
	struct tables_form form = form_of(versions_at(0));
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tables_devices(out, &form, "-", TONE_PLAIN, &far, 1);
	(void)fclose(out);
	ok(strstr(text, "| 0  |  3   |...SWNC|\n") != NULL,
	    "a long routing keeps its end");
	free(text);
}

static void
test_titles(void)
{
	struct partition p = { .name = "p1" };
	char title[128];

	tables_title(title, sizeof(title), VERSIONS_NEW, &p, 0, "active", 8);
	is_str(title, "Partition: p1 (gcd:0) [active] has 8 IPUs",
	    "preconfigured");
	tables_title(title, sizeof(title), VERSIONS_LATEST, &p, -1, "", 1);
	is_str(title, "Partition: p1 has 1 IPU", "whole, not active, one IPU");
	tables_title(title, sizeof(title), VERSIONS_LATEST, &p, 1,
	    "active, ERROR", 2);
	is_str(title, "Partition: p1 (gcd:1) [active, ERROR] has 2 IPUs",
	    "in ERROR");
	p.reconfigurable = 1;
	tables_title(title, sizeof(title), VERSIONS_MID, &p, -1, "", 4);
	is_str(title, "Partition: 'p1' has 4 reconfigurable IPUs", "mid");
}

#define SHORT_RULE \
	"+--------+-----------------------------------------+--------" \
	"+------------+----+----------+--------+--------+--------+\n"
static const struct tables_process processes[] = {
	{ 3, 81816, 14, "gc-hosttraffictest", "justina", "h", "10s", "1300MHz",
	    "33.7 C", "35.0 C", "113.7 W", "" },
	{ 3, 81816, 15, "gc-hosttraffictest", "justina", "h", "10s", "1300MHz",
	    "37.4 C", "35.0 C", "113.7 W", "" },
};

/* The table of those rows, where the terminal has so many columns. */
static char *
process_table_of(const char *release, const char *partition,
    const struct tables_process *p, int count, int columns)
{
	struct versions v;
	struct tables_form form;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)versions_find("sdk", release, &v, NULL);
	form = form_of(&v);
	form.columns = columns;
	tables_processes(out, &form, partition, p, count, true);
	(void)fclose(out);
	return text;
}

static char *
process_table(const char *partition, const struct tables_process *p, int count,
    int columns)
{
	return process_table_of("guide", partition, p, count, columns);
}

/* Two cards of one program, as published but for the place of the title. */
static void
test_cards(void)
{
	static const char wanted[] =
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 14 | 1300MHz  | 33.7 C | 35.0 C |113.7 W |\n"
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 15 | 1300MHz  | 37.4 C |        |        "
	    "|\n" SHORT_RULE
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 12 | 1300MHz  | 31.4 C | 32.8 C |107.1 W |\n"
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 13 | 1300MHz  | 34.7 C |        |        "
	    "|\n" SHORT_RULE;
	static const struct tables_process cards[] = {
		{ 3, 81816, 14, "gc-hosttraffictest", "justina", "h", "10s",
		    "1300MHz", "33.7 C", "35.0 C", "113.7 W", "" },
		{ 3, 81816, 15, "gc-hosttraffictest", "justina", "h", "10s",
		    "1300MHz", "37.4 C", "35.0 C", "113.7 W", "" },
		{ 2, 81816, 12, "gc-hosttraffictest", "justina", "h", "10s",
		    "1300MHz", "31.4 C", "32.8 C", "107.1 W", "" },
		{ 2, 81816, 13, "gc-hosttraffictest", "justina", "h", "10s",
		    "1300MHz", "34.7 C", "32.8 C", "107.1 W", "" },
	};
	char *text = process_table("p1", cards, 4, 117);

	ok(strlen(text) > strlen(wanted), "a table");
	is_str(text + strlen(text) - strlen(wanted), wanted,
	    "a rule between two cards");
	free(text);
}

static void
test_processes(void)
{
	static const struct tables_process busy[] = {
		{ 1, 268525, 7, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "34.8 C", "27.2 C", "114.7 W", "" },
		{ 2, 268525, 8, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "N/A", "N/A", "N/A", "" },
	};
	char *text = process_table("p1", processes, 2, 0);

	is_int((int)strlen(text), 8 * 118, "no terminal: 117 columns");
	free(text);
	text = process_table_of("2.x", "p1", processes, 2, 0);
	is_int((int)strlen(text), 8 * 101,
	    "2.x without a terminal: 100 columns");
	free(text);
	text = process_table("p64", busy, 2, 163);
	ok(strstr(text, "| 8  | 1850MHz  |  N/A   |  N/A   |  N/A   |\n") !=
		NULL,
	    "each machine has the readings of its board");
	free(text);
}

/* Command gives first, and keeps its end; then User and the others. */
static void
test_narrow(void)
{
	char *text = process_table("p1", processes, 1, 80);

	is_str(text,
	    "+-----------------------------------+------------------------+----"
	    "-------------+\n"
	    "|Attached processes in partition p1 |          IPU           |    "
	    "  Board      |\n"
	    "+--------+----+--------+------------+----+----------+--------+----"
	    "----+--------+\n"
	    "|  PID   |...d|  Time  |    User    | ID |  Clock   |  Temp  |  "
	    "Temp  | Power  |\n"
	    "+--------+----+--------+------------+----+----------+--------+----"
	    "----+--------+\n"
	    "| 81816  |...t|  10s   |  justina   | 14 | 1300MHz  | 33.7 C | "
	    "35.0 C |113.7 W |\n"
	    "+--------+----+--------+------------+----+----------+--------+----"
	    "----+--------+\n",
	    "80 columns");
	free(text);
	text = process_table("p1", processes, 1, 74);
	ok(strstr(text, "\n| 81816  |...t|  10s   |...ina| 14 | 1300MHz  ") !=
		NULL,
	    "User gives way");
	is_int((long long)strcspn(text, "\n"), 74, "74 columns");
	free(text);
	text = process_table("pt-trainee01", processes, 1, 60);
	ok(strstr(text, "\n|...partition pt-trainee01|") != NULL,
	    "the title keeps its end as well");
	free(text);
	text = process_table("p1", processes, 1, 20);
	is_int((long long)strcspn(text, "\n"), 44, "44 columns at the least");
	free(text);
}

static void
test_long_words(void)
{
	struct tables_process p = processes[0];
	char *text;

	memset(p.command, 'x', 60);
	p.command[59] = 'y';
	(void)snprintf(p.user, sizeof(p.user), "j\xc3\xb6rg");
	text = process_table("p1", &p, 1, 0);
	ok(strstr(text, "|...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy|") != NULL,
	    "a long command keeps its end");
	ok(strstr(text, "|    j\xc3\xb6rg    |") != NULL,
	    "a letter of two bytes is one column");
	free(text);
	(void)snprintf(p.user, sizeof(p.user), "trainee01-of-korea");
	(void)snprintf(p.command, sizeof(p.command),
	    "\xe8\xa8\x93\xe7\xb7\xb4.py");
	p.id = 12345;
	text = process_table("p1", &p, 1, 0);
	ok(strstr(text, "|...-of-korea|") != NULL, "and so does a user");
	ok(strstr(text,
	       "|                 \xe8\xa8\x93\xe7\xb7\xb4.py                 "
	       "|") != NULL,
	    "wide letters are two columns");
	ok(strstr(text, "|12345|") != NULL, "an id is never cut");
	free(text);
}

int
main(void)
{
	test_devices();
	test_titles();
	test_cards();
	test_processes();
	test_narrow();
	test_long_words();
	return tap_done();
}
