/* The tables of gc-monitor, against samples of the real tool. */
#include "applets/gc-monitor/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

#define TABLE_RULE \
	"+-------------+--------------------+--------+--------------" \
	"+----------+------+----+------+-------+\n"
#define DEVICE_TOP \
	"+---------------+------------------------------------------" \
	"--------------------------------------+\n"
#define DEVICE_HEAD \
	TABLE_RULE \
	"|    IPU-M    |       Serial       |IPU-M SW|Server version" \
	"|  ICU FW  | Type | ID | IPU# |Routing|\n" TABLE_RULE
#define ROW(host, serial, id, number) \
	"|" host "| " serial "  | 2.5.0  |    1.9.0     " \
	"|  2.4.4   |M2000 | " id "  |  " number "   |  DNC  |\n"

static const struct tables_device devices[] = {
	{ 0, "10.1.5.10", "0024.0002.8203321", "M2000", 0, 3, "DNC", false },
	{ 0, "10.1.5.10", "0024.0002.8203321", "M2000", 1, 2, "DNC", false },
	{ 0, "10.1.5.10", "0024.0001.8203321", "M2000", 2, 1, "DNC", false },
	{ 0, "10.1.5.10", "0024.0001.8203321", "M2000", 3, 0, "DNC", false },
	{ 1, "10.1.5.11", "0013.0002.8204921", "M2000", 4, 3, "DNC", false },
	{ 1, "10.1.5.11", "0013.0002.8204921", "M2000", 5, 2, "DNC", false },
	{ 1, "10.1.5.11", "0013.0001.8204921", "M2000", 6, 1, "DNC", false },
	{ 1, "10.1.5.11", "0013.0001.8204921", "M2000", 7, 0, "DNC", false },
};

static const char device_sample[] = DEVICE_TOP
    "|  gc-monitor   |            Partition: p1 (gcd:0) [active] has 8 "
    "reconfigurable IPUs            |\n" DEVICE_HEAD ROW("  10.1.5.10  ",
	"0024.0002.8203321", "0", "3") ROW("  10.1.5.10  ", "0024.0002.8203321",
	"1", "2") ROW("  10.1.5.10  ", "0024.0001.8203321", "2",
	"1") ROW("  10.1.5.10  ", "0024.0001.8203321", "3",
	"0") TABLE_RULE ROW("  10.1.5.11  ", "0013.0002.8204921", "4", "3")
	ROW("  10.1.5.11  ", "0013.0002.8204921", "5", "2")
	    ROW("  10.1.5.11  ", "0013.0001.8204921", "6", "1")
		ROW("  10.1.5.11  ", "0013.0001.8204921", "7", "0") TABLE_RULE;

/* The layout of the row, on no terminal. */
static struct tables_form
form_of(const struct versions *v)
{
	return (struct tables_form){ .versions = v, .layout = v->gc_monitor };
}

static void
test_devices(void)
{
	struct tables_form form = form_of(versions_at(0));
	struct partition p = { .name = "p1", .reconfigurable = 1 };
	struct tables_device far = devices[0];
	char title[128], *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tables_title(title, sizeof(title), VERSIONS_NEW, &p, 0, "active", 8);
	tables_devices(out, &form, title, TONE_PLAIN, devices, 8);
	(void)fclose(out);
	is_str(text, device_sample, "two machines");
	free(text);

	far.routing = "RINGSWNC";
	out = open_memstream(&text, &size);
	tables_devices(out, &form, "-", TONE_PLAIN, &far, 1);
	(void)fclose(out);
	ok(strstr(text, "| 0  |  3   |...SWNC|\n") != NULL,
	    "a long routing keeps its end");
	free(text);

	far.routing = "DNC";
	(void)snprintf(far.host, sizeof(far.host), "172.31.100.130");
	out = open_memstream(&text, &size);
	tables_devices(out, &form,
	    "Partition: ipuof [active] has 4 reconfigurable IPUs", TONE_PLAIN,
	    &far, 1);
	(void)fclose(out);
	is_str(text,
	    DEVICE_TOP
	    "|  gc-monitor   |              Partition: ipuof [active] has 4 "
	    "reconfigurable IPUs               |\n" DEVICE_HEAD ROW(
		"...31.100.130", "0024.0002.8203321", "0", "3") TABLE_RULE,
	    "a long address keeps its tail");
	free(text);

	out = open_memstream(&text, &size);
	tables_devices(out, &form, "none", TONE_PLAIN, NULL, 0);
	(void)fclose(out);
	ok(strcmp(text + strlen(text) - strlen(DEVICE_HEAD), DEVICE_HEAD) == 0,
	    "an empty table ends with its head");
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
#define SHORT_TOP \
	"+-----------------------------------------------------------" \
	"-------------+------------------------+-----------------+\n"
#define LONG_RULE \
	"+--------+--------------------------------------------------" \
	"-------------------------------------+--------+------------+----" \
	"+----------+--------+--------+--------+\n"

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
		{ 1, 268524, 6, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "34.5 C", "27.2 C", "114.7 W", "" },
		{ 1, 268525, 7, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "34.8 C", "27.2 C", "114.7 W", "" },
		{ 2, 268525, 8, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "N/A", "N/A", "N/A", "" },
	};
	/* The published sample of this table was edited: its title does not
	   stand in the middle, as in those that are as printed. */
	char *text = process_table("p1", processes, 2, 0);

	is_str(text,
	    SHORT_TOP
	    "|                   Attached processes in partition p1            "
	    "       |          IPU           |      Board      |\n" SHORT_RULE
	    "|  PID   |                 Command                 |  Time  |    "
	    "User    | ID |  Clock   |  Temp  |  Temp  | Power  |\n" SHORT_RULE
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 14 | 1300MHz  | 33.7 C | 35.0 C |113.7 W |\n"
	    "| 81816  |           gc-hosttraffictest            |  10s   |  "
	    "justina   | 15 | 1300MHz  | 37.4 C |        |        "
	    "|\n" SHORT_RULE,
	    "no terminal: 117 columns");
	free(text);

	text = process_table_of("2.x", "p1", processes, 2, 0);
	is_int((int)strlen(text), 8 * 101,
	    "2.x without a terminal: 100 columns");
	free(text);

	text = process_table("p64", busy, 3, 163);
	ok(strstr(text,
	       "|                                         Attached processes "
	       "in partition p64                                          |    "
	       "      IPU           |      Board      |\n") != NULL,
	    "the title of a wide table");
	ok(strstr(text,
	       LONG_RULE
	       "| 268524 |                                        python3      "
	       "                                  |  4m1s  |  wilsonb   | 6  | "
	       "1850MHz  | 34.5 C | 27.2 C |114.7 W |\n") != NULL,
	    "Command takes the rest of the terminal");
	ok(strstr(text,
	       "| 7  | 1850MHz  | 34.8 C |        |        |\n" LONG_RULE) !=
		NULL,
	    "the board's readings stand once, whichever program has its other "
	    "IPUs, and a rule below the machine");
	ok(strstr(text, "| 8  | 1850MHz  |  N/A   |  N/A   |  N/A   |\n") !=
		NULL,
	    "and again for the next machine");
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

static void
test_elsewhere(void)
{
	static const char wanted[] =
	    "+--------------------------------------------------------------+--"
	    "---------------------+\n"
	    "|      IPUs in slurm_2616 attached from other namespaces       |  "
	    "       Board         |\n"
	    "+----+------------------------------+--------------+-----------+--"
	    "---------+-----------+\n"
	    "| ID |       Application host       |    Clock     |   Temp    |  "
	    " Temp    |   Power   |\n"
	    "+----+------------------------------+--------------+-----------+--"
	    "---------+-----------+\n"
	    "| 0  |         gc-poplar-02         |   1850MHz    |  24.2 C   |  "
	    "21.1 C   |  92.3 W   |\n"
	    "+----+------------------------------+--------------+-----------+--"
	    "---------+-----------+\n";
	static const struct tables_process p = { 0, 7, 0, "python", "x",
		"gc-poplar-02", "1s", "1850MHz", "24.2 C", "21.1 C", "92.3 W",
		"" };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct tables_form form = form_of(versions_at(0));

	tables_processes(out, &form, "slurm_2616", &p, 1, false);
	(void)fclose(out);
	is_str(text, wanted, "from other namespaces");
	free(text);
}

static void
test_frame(void)
{
	static const char wanted[] =
	    "+-----------------------------------------------------------------"
	    "---------------------------------+\n"
	    "|                             No attached processes in partition "
	    "ipuof                             |\n"
	    "+-----------------------------------------------------------------"
	    "---------------------------------+\n";
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct tables_form form = form_of(versions_at(0));

	tables_frame(out, &form, "No attached processes in partition ipuof");
	(void)fclose(out);
	is_str(text, wanted, "no processes");
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
	test_elsewhere();
	test_frame();
	return tap_done();
}
