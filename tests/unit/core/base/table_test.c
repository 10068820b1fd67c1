/*
 * Tables: V-IPU's own, character for character.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/table.h"
#include "tests/unit/tap.h"

static const char *const placements[] = {
	"Index", "Cluster", "ILDs", "GW Routing", "ILD Routing", "Size",
	"IPUs", NULL
};
static const char *const allocations[] = { "Allocation ID", "Agents", NULL };
static const char *const partitions[] = {
	"Cluster", "Allocation", "Partition", "ILDs", "GW Routing",
	"ILD Routing", "Size", "GCDs", "State", NULL
};
static const char *const old_partitions[] = {
	"Partition", "Cluster", "ILDs", "GW Routing", "ILD Routing", "Size",
	"GCDs", "State", NULL
};

static const struct {
	const char		*name;
	const char *const	*headers;
	unsigned		 flags;
	const char		*cells[24];
	const char		*text;
} rows[] = {
	{ "create partition --options", placements, TABLE_SPACE,
	    { "0", "cl00", "1", "UNDEFINED", "DNC", "4",
	    "0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3" },
	    " Index       | Cluster | ILDs | GW Routing | ILD Routing | Size "
	    "| IPUs\n"
	    "----------------------------------------------------------------"
	    "----------------------------------------------\n"
	    " 0           | cl00    | 1    | UNDEFINED  | DNC         | 4    "
	    "| 0.0=ag00:0 0.1=ag00:1 0.2=ag00:2 0.3=ag00:3\n"
	    "----------------------------------------------------------------"
	    "----------------------------------------------\n" },
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
	    "Cluster     | Allocation | Partition | ILDs | GW Routing | "
	    "ILD Routing | Size | GCDs | State\n"
	    "------------------------------------------------------------"
	    "-----------------------------------\n"
	    "example     | example    | part1     | 1    | DEFAULT    | "
	    "DNC         | 16   | 1    | ACTIVE\n"
	    "------------------------------------------------------------"
	    "-----------------------------------\n" },
	{ "list partitions, up to 1.16", old_partitions, TABLE_SPACE,
	    { "p64", "c64_1-16", "1", "DEFAULT", "RINGSWNC", "64", "1",
	    "ACTIVE" },
	    " Partition   | Cluster  | ILDs | GW Routing | ILD Routing | Size "
	    "| GCDs | State\n"
	    "-----------------------------------------------------------------"
	    "----------------\n"
	    " p64         | c64_1-16 | 1    | DEFAULT    | RINGSWNC    | 64   "
	    "| 1    | ACTIVE\n"
	    "-----------------------------------------------------------------"
	    "----------------\n" },
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
	    "Index       | Cluster | ILDs | GW Routing | ILD Routing | Size "
	    "| IPUs\n"
	    "----------------------------------------------------------------"
	    "-------\n"
	    "            |         | 1    |            |             |      "
	    "|\n"
	    "----------------------------------------------------------------"
	    "-------\n" },
};

static void
test_csv(void)
{
	static const char *const headers[] = { "id", "last_error", NULL };
	struct table	 t;
	char		*text = NULL;
	size_t		 size;
	FILE		*f = open_memstream(&text, &size);

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
	is_str(text, "id,last_error\nid,last_error\n"
	    "plain, blanks stay \n"
	    "\"a,b\",\"say \"\"no\"\"\"\n"
	    "\"two\nlines\",\n"
	    "\"\"\"\",\"cr\r\"\n", "CSV: none, and some of each kind");
	free(text);
	table_release(&t);
}

/* Rows that are longer than what is written at once, and never kept. */
static void
test_form(void)
{
	static const char *const	headers[] = { "key", "value", NULL };
	char			long_cell[1201], wanted[2 * 1201 + 64];
	const char *const	row[] = { "a", long_cell };
	const char *const	short_row[] = { "abc", "" };
	struct table_form	form;
	char			*text = NULL;
	size_t			 size;
	FILE			*f = open_memstream(&text, &size);

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

int
main(void)
{
	struct table	 t;
	char		*text;
	size_t		 size, i, k;
	FILE		*f;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		table_init(&t, rows[i].headers);
		for (k = 0; rows[i].cells[k] != NULL; k++)
			table_add(&t, "%s", rows[i].cells[k]);
		text = NULL;
		f = open_memstream(&text, &size);
		table_print(f, &t, rows[i].flags);
		(void)fclose(f);
		is_str(text, rows[i].text, rows[i].name);
		free(text);
		table_release(&t);
	}
	test_csv();
	test_form();
	return tap_done();
}
