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
#define DEVICE_HEAD TABLE_RULE \
	"|    IPU-M    |       Serial       |IPU-M SW|Server version" \
	"|  ICU FW  | Type | ID | IPU# |Routing|\n" TABLE_RULE
#define ROW(host, serial, id, number) \
	"|" host "| " serial "  | 2.5.0  |    1.9.0     " \
	"|  2.4.4   |M2000 | " id "  |  " number "   |  DNC  |\n"

static const struct tables_device devices[] = {
	{ 0, "10.1.5.10", "0024.0002.8203321", "M2000", 0, 3, "DNC" },
	{ 0, "10.1.5.10", "0024.0002.8203321", "M2000", 1, 2, "DNC" },
	{ 0, "10.1.5.10", "0024.0001.8203321", "M2000", 2, 1, "DNC" },
	{ 0, "10.1.5.10", "0024.0001.8203321", "M2000", 3, 0, "DNC" },
	{ 1, "10.1.5.11", "0013.0002.8204921", "M2000", 4, 3, "DNC" },
	{ 1, "10.1.5.11", "0013.0002.8204921", "M2000", 5, 2, "DNC" },
	{ 1, "10.1.5.11", "0013.0001.8204921", "M2000", 6, 1, "DNC" },
	{ 1, "10.1.5.11", "0013.0001.8204921", "M2000", 7, 0, "DNC" },
};

static const char	device_sample[] =
    DEVICE_TOP
    "|  gc-monitor   |            Partition: p1 (gcd:0) [active] has 8 "
    "reconfigurable IPUs            |\n"
    DEVICE_HEAD
    ROW("  10.1.5.10  ", "0024.0002.8203321", "0", "3")
    ROW("  10.1.5.10  ", "0024.0002.8203321", "1", "2")
    ROW("  10.1.5.10  ", "0024.0001.8203321", "2", "1")
    ROW("  10.1.5.10  ", "0024.0001.8203321", "3", "0")
    TABLE_RULE
    ROW("  10.1.5.11  ", "0013.0002.8204921", "4", "3")
    ROW("  10.1.5.11  ", "0013.0002.8204921", "5", "2")
    ROW("  10.1.5.11  ", "0013.0001.8204921", "6", "1")
    ROW("  10.1.5.11  ", "0013.0001.8204921", "7", "0")
    TABLE_RULE;

static void
test_devices(void)
{
	struct partition	 p = { .name = "p1", .reconfigurable = 1 };
	struct tables_device	 far = devices[0];
	char			 title[128], *text;
	size_t			 size;
	FILE			*out = open_memstream(&text, &size);

	tables_title(title, sizeof(title), &p, 0, true, 8);
	tables_devices(out, title, devices, 8, versions_at(0));
	(void)fclose(out);
	is_str(text, device_sample, "two machines");
	free(text);

	(void)snprintf(far.host, sizeof(far.host), "172.31.100.130");
	out = open_memstream(&text, &size);
	tables_devices(out, "Partition: ipuof [active] has 4 reconfigurable "
	    "IPUs", &far, 1, versions_at(0));
	(void)fclose(out);
	is_str(text, DEVICE_TOP
	    "|  gc-monitor   |              Partition: ipuof [active] has 4 "
	    "reconfigurable IPUs               |\n" DEVICE_HEAD
	    ROW("...31.100.130", "0024.0002.8203321", "0", "3") TABLE_RULE,
	    "a long address keeps its tail");
	free(text);

	out = open_memstream(&text, &size);
	tables_devices(out, "none", NULL, 0, versions_at(0));
	(void)fclose(out);
	ok(strcmp(text + strlen(text) - strlen(DEVICE_HEAD), DEVICE_HEAD) == 0,
	    "an empty table ends with its head");
	free(text);
}

static void
test_titles(void)
{
	struct partition	p = { .name = "p1" };
	char			title[128];

	tables_title(title, sizeof(title), &p, 0, true, 8);
	is_str(title, "Partition: p1 (gcd:0) [active] has 8 IPUs",
	    "preconfigured");
	tables_title(title, sizeof(title), &p, -1, false, 1);
	is_str(title, "Partition: p1 has 1 IPU", "whole, not active, one IPU");
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
	{ 3, 81816, 14, "gc-hosttraffictest", "justina", "h", "10s",
	    "1300MHz", "33.7 C", "35.0 C", "113.7 W" },
	{ 3, 81816, 15, "gc-hosttraffictest", "justina", "h", "10s",
	    "1300MHz", "37.4 C", "35.0 C", "113.7 W" },
};

static void
test_processes(void)
{
	static const struct tables_process	busy[] = {
		{ 1, 268524, 6, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "34.5 C", "27.2 C", "114.7 W" },
		{ 1, 268524, 7, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "34.8 C", "27.2 C", "114.7 W" },
		{ 1, 268525, 8, "python3", "wilsonb", "h", "4m1s", "1850MHz",
		    "N/A", "N/A", "N/A" },
	};
	char	*text;
	size_t	 size;
	FILE	*out = open_memstream(&text, &size);

	/* The published sample of this table was edited: its title does not
	   stand in the middle, as in those that are as printed. */
	tables_processes(out, "p1", processes, 2, 80);
	(void)fclose(out);
	is_str(text, SHORT_TOP
	    "|                   Attached processes in partition p1"
	    "                   |          IPU           |      Board      |\n"
	    SHORT_RULE
	    "|  PID   |                 Command                 |  Time  "
	    "|    User    | ID |  Clock   |  Temp  |  Temp  | Power  |\n"
	    SHORT_RULE
	    "| 81816  |           gc-hosttraffictest            |  10s   "
	    "|  justina   | 14 | 1300MHz  | 33.7 C | 35.0 C |113.7 W |\n"
	    "| 81816  |           gc-hosttraffictest            |  10s   "
	    "|  justina   | 15 | 1300MHz  | 37.4 C |        |        |\n"
	    SHORT_RULE, "a narrow terminal: 117 columns");
	free(text);

	out = open_memstream(&text, &size);
	tables_processes(out, "p64", busy, 3, 163);
	(void)fclose(out);
	ok(strstr(text, "|                                         Attached "
	    "processes in partition p64                                      "
	    "    |          IPU           |      Board      |\n") != NULL,
	    "the title of a wide table");
	ok(strstr(text, LONG_RULE
	    "| 268524 |                                        python3       "
	    "                                 |  4m1s  |  wilsonb   | 6  | "
	    "1850MHz  | 34.5 C | 27.2 C |114.7 W |\n") != NULL,
	    "Command takes the rest of the terminal");
	ok(strstr(text, "| 7  | 1850MHz  | 34.8 C |        |        |\n") !=
	    NULL, "the board's readings stand once");
	ok(strstr(text, "| 8  | 1850MHz  |  N/A   |  N/A   |  N/A   |\n") !=
	    NULL, "and again for the next process");
	free(text);
}

static void
test_long_words(void)
{
	struct tables_process	 p = processes[0];
	char			*text;
	size_t			 size;
	FILE			*out = open_memstream(&text, &size);

	memset(p.command, 'x', 60);
	(void)snprintf(p.user, sizeof(p.user), "j\xc3\xb6rg");
	tables_processes(out, "p1", &p, 1, 0);
	(void)fclose(out);
	ok(strstr(text, "|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...|") != NULL,
	    "a long command is cut");
	ok(strstr(text, "|    j\xc3\xb6rg    |") != NULL,
	    "a letter of two bytes is one column");
	free(text);
}

static void
test_elsewhere(void)
{
	static const char	wanted[] =
	    "+--------------------------------------------------------------"
	    "+-----------------------+\n"
	    "|      IPUs in slurm_2616 attached from other namespaces       "
	    "|         Board         |\n"
	    "+----+------------------------------+--------------+-----------"
	    "+-----------+-----------+\n"
	    "| ID |       Application host       |    Clock     |   Temp    "
	    "|   Temp    |   Power   |\n"
	    "+----+------------------------------+--------------+-----------"
	    "+-----------+-----------+\n"
	    "| 0  |         gc-poplar-02         |   1850MHz    |  24.2 C   "
	    "|  21.1 C   |  92.3 W   |\n"
	    "+----+------------------------------+--------------+-----------"
	    "+-----------+-----------+\n";
	static const struct tables_process	p = {
		0, 7, 0, "python", "x", "gc-poplar-02", "1s", "1850MHz",
		"24.2 C", "21.1 C", "92.3 W"
	};
	char	*text;
	size_t	 size;
	FILE	*out = open_memstream(&text, &size);

	tables_elsewhere(out, "slurm_2616", &p, 1);
	(void)fclose(out);
	is_str(text, wanted, "from other namespaces");
	free(text);
}

static void
test_frame(void)
{
	static const char	wanted[] =
	    "+----------------------------------------------------------------"
	    "----------------------------------+\n"
	    "|                             No attached processes in partition "
	    "ipuof                             |\n"
	    "+----------------------------------------------------------------"
	    "----------------------------------+\n";
	char	*text;
	size_t	 size;
	FILE	*out = open_memstream(&text, &size);

	tables_frame(out, "No attached processes in partition ipuof");
	(void)fclose(out);
	is_str(text, wanted, "no processes");
	free(text);
}

int
main(void)
{
	test_devices();
	test_titles();
	test_processes();
	test_long_words();
	test_elsewhere();
	test_frame();
	return tap_done();
}
