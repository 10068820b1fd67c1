/*
 * Tables: V-IPU's own, character for character.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/table.h"
#include "tests/unit/tap.h"

static const char *const placements[] = { "Index", "Cluster", "ILDs",
	"GW Routing", "ILD Routing", "Size", "IPUs", NULL };
static const char *const allocations[] = { "Allocation ID", "Agents", NULL };
static const char *const partitions[] = { "Cluster", "Allocation", "Partition",
	"ILDs", "GW Routing", "ILD Routing", "Size", "GCDs", "State", NULL };
static const char *const old_partitions[] = { "Partition", "Cluster", "ILDs",
	"GW Routing", "ILD Routing", "Size", "GCDs", "State", NULL };

static const struct {
	const char *name;
	const char *const *headers;
	unsigned flags;
	const char *cells[24];
	const char *text;
} rows[] = {
	{ "create partition --options", placements, TABLE_SPACE,
	    { "0", "cl00", "1", "UNDEFINED", "DNC", "4",
		"0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3" },
	    " Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | "
	    "IPUs\n"
	    "------------------------------------------------------------------"
	    "--------------------------------------------\n"
	    " 0           | cl00    | 1    | UNDEFINED  | DNC         | 4    | "
	    "0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3\n"
	    "------------------------------------------------------------------"
	    "--------------------------------------------\n" },
	{ "list allocations", allocations, TABLE_SPACE | TABLE_TOP_RULE,
	    { "alloc-1", "ag0 ag1 ag2 ag3", "alloc-2", "ag4 ag5" },
	    "---------------------------------\n"
	    " Allocation ID | Agents\n"
	    "---------------------------------\n"
	    " alloc-1       | ag0 ag1 ag2 ag3\n"
	    " alloc-2       | ag4 ag5\n"
	    "---------------------------------\n" },
	{ "list partitions", partitions, 0,
	    { "example", "example", "part1", "1", "DEFAULT", "DNC", "16", "1",
		"ACTIVE" },
	    "Cluster     | Allocation | Partition | ILDs | GW Routing | ILD "
	    "Routing | Size | GCDs | State\n"
	    "------------------------------------------------------------------"
	    "-----------------------------\n"
	    "example     | example    | part1     | 1    | DEFAULT    | DNC    "
	    "     | 16   | 1    | ACTIVE\n"
	    "------------------------------------------------------------------"
	    "-----------------------------\n" },
	{ "list partitions, up to 1.16", old_partitions, TABLE_SPACE,
	    { "p64", "c64_1-16", "1", "DEFAULT", "RINGSWNC", "64", "1",
		"ACTIVE" },
	    " Partition   | Cluster  | ILDs | GW Routing | ILD Routing | Size "
	    "| GCDs | State\n"
	    "------------------------------------------------------------------"
	    "---------------\n"
	    " p64         | c64_1-16 | 1    | DEFAULT    | RINGSWNC    | 64   "
	    "| 1    | ACTIVE\n"
	    "------------------------------------------------------------------"
	    "---------------\n" },
	{ "keys and values, an empty one", NULL, TABLE_TOP_RULE,
	    { "Last Error", "", "IPUs", "0=ag06:0" },
	    "------------------------\n"
	    "Last Error  |\n"
	    "IPUs        | 0=ag06:0\n"
	    "------------------------\n" },
	{ "no row", allocations, 0, { NULL },
	    "Allocation ID | Agents\n"
	    "------------------------\n"
	    "------------------------\n" },
	{ "blank cells inside and behind", placements, 0,
	    { "", "", "1", "", "", "", "" },
	    "Index       | Cluster | ILDs | GW Routing | ILD Routing | Size | "
	    "IPUs\n"
	    "------------------------------------------------------------------"
	    "-----\n"
	    "            |         | 1    |            |             |      |\n"
	    "------------------------------------------------------------------"
	    "-----\n" },
};

static void
test_csv(void)
{
	static const char *const headers[] = { "id", "last_error", NULL };
	struct table t;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	table_init(&t, headers);
	table_print_csv(f, &t);
	table_add(&t, "plain");
	table_add(&t, " blanks stay ");
	table_add(&t, "a,b");
	table_add(&t, "say \"no\"");
	table_add(&t, "two\nlines");
	table_add(&t, "%s", "");
	table_add(&t, "\"");
	table_add(&t, "cr\r");
	table_print_csv(f, &t);
	(void)fclose(f);
	is_str(text,
	    "id,last_error\nid,last_error\n"
	    "plain, blanks stay \n"
	    "\"a,b\",\"say \"\"no\"\"\"\n"
	    "two\\x0alines,\n"
	    "\"\"\"\",cr\\x0d\n",
	    "CSV: none, and some of each kind");
	free(text);
	table_release(&t);
}

/* Rows that are longer than what is written at once, and never kept. */
static void
test_form(void)
{
	static const char *const headers[] = { "key", "value", NULL };
	char long_cell[1201], wanted[2 * 1201 + 64];
	const char *const row[] = { "a", long_cell };
	const char *const short_row[] = { "abc", "" };
	struct table_form form;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	memset(long_cell, 'x', sizeof(long_cell));
	long_cell[1200] = '\0';
	table_form_init(&form, headers, 2, TABLE_OPEN);
	table_form_measure(&form, row);
	table_form_measure(&form, short_row);
	is_int(form.widths[0], 3, "as wide as the widest cell");
	is_int(form.widths[1], 1200, "of each column");
	table_form_row(f, &form, short_row);
	table_form_row(f, &form, row);
	table_csv_row(f, 2, row);
	table_form_end(f, &form);
	(void)fclose(f);
	(void)snprintf(wanted, sizeof(wanted), "abc |\na   | %s\na,%s\n",
	    long_cell, long_cell);
	is_str(text, wanted, "row by row");
	free(text);
}

/* Names keep their end; a state is left out last, and says how it fares. */
static const struct fit_rule some_rules[] = { { 1, 8, 0, FIT_KEEP_END },
	{ 0, 0, 1, FIT_KEEP_START }, { 2, 9, 0, FIT_WRAP },
	{ 0, 0, 2, FIT_KEEP_START } };

static const struct {
	struct table_screen screen;
	const char *name;
	const char *text;
} screens[] = {
	{ { .columns = 0, .colour = false }, "no screen: all of it",
	    "Partition      | GW Routing | Agents             | State\n"
	    "----------------------------------------------------------\n"
	    "partition-0001 | DEFAULT    | ag00 ag01 ag02 a03 | ERROR\n"
	    "----------------------------------------------------------\n" },
	{ { .columns = 58, .colour = false }, "as wide as it is",
	    "Partition      | GW Routing | Agents             | State\n"
	    "----------------------------------------------------------\n"
	    "partition-0001 | DEFAULT    | ag00 ag01 ag02 a03 | ERROR\n"
	    "----------------------------------------------------------\n" },
	{ { .columns = 57, .colour = false }, "one column less",
	    "Partition     | GW Routing | Agents             | State\n"
	    "---------------------------------------------------------\n"
	    "...ition-0001 | DEFAULT    | ag00 ag01 ag02 a03 | ERROR\n"
	    "---------------------------------------------------------\n" },
	{ { .columns = 50, .colour = true }, "it wraps, and has colours",
	    "Parti... | GW Routing | Agents           | State\n"
	    "--------------------------------------------------\n"
	    "...-0001 | DEFAULT    | ag00 ag01 ag02   | \033[31mERROR\033[0m\n"
	    "         |            | a03              |\n"
	    "--------------------------------------------------\n" },
	{ { .columns = 34, .colour = false }, "one is left out",
	    "Parti... | Agents        | State\n"
	    "----------------------------------\n"
	    "...-0001 | ag00 ag01     | ERROR\n"
	    "         | ag02 a03      |\n"
	    "----------------------------------\n"
	    "--wide shows 1 more column\n" },
};

static void
test_screens(void)
{
	static const char *const headers[] = { "Partition", "GW Routing",
		"Agents", "State", NULL };
	struct table t;
	char *text;
	size_t size, i;
	FILE *f;

	table_init(&t, headers);
	t.rules = some_rules;
	table_add(&t, "partition-0001");
	table_add(&t, "DEFAULT");
	table_add(&t, "ag00 ag01 ag02 a03");
	table_add(&t, "ERROR");
	table_tone(&t, TONE_BAD);
	for (i = 0; i < ARRAY_SIZE(screens); i++) {
		text = NULL;
		f = open_memstream(&text, &size);
		table_show(f, &t, 0, &screens[i].screen);
		(void)fclose(f);
		is_str(text, screens[i].text, screens[i].name);
		free(text);
	}
	table_release(&t);
}

int
main(void)
{
	struct table t;
	char *text;
	size_t size, i, k;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		table_init(&t, rows[i].headers);
		for (k = 0; rows[i].cells[k] != NULL; k++)
			table_add(&t, "%s", rows[i].cells[k]);
		text = NULL;
		f = open_memstream(&text, &size);
		table_show(f, &t, rows[i].flags, NULL);
		(void)fclose(f);
		is_str(text, rows[i].text, rows[i].name);
		free(text);
		table_release(&t);
	}
	test_csv();
	test_form();
	test_screens();
	return tap_done();
}
