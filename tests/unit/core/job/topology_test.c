/*
 * The layout's rules and numbers, and the topology table: four published
 * tables, byte for byte, and what they do not show.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "tests/unit/tap.h"

struct table_row {
	const char *name;
	struct layout layout;
	const char *hosts[2];
	const char *wanted;
};

static const struct table_row tables[] = {
	{ "16 replicas, one instance", { 16, 4, 1, 1, 1, NULL },
	    { "localhost" },
	    " ================================================================="
	    "==========================\n"
	    "|                                      poprun topology            "
	    "                          |\n"
	    "|================================================================="
	    "==========================|\n"
	    "| hosts     |                                   localhost         "
	    "                          |\n"
	    "|-----------|-----------------------------------------------------"
	    "--------------------------|\n"
	    "| ILDs      |                                       0             "
	    "                          |\n"
	    "|-----------|-----------------------------------------------------"
	    "--------------------------|\n"
	    "| instances |                                       0             "
	    "                          |\n"
	    "|-----------|-----------------------------------------------------"
	    "--------------------------|\n"
	    "| replicas  | 0  | 1  | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | "
	    "10 | 11 | 12 | 13 | 14 | 15 |\n"
	    " -----------------------------------------------------------------"
	    "--------------------------\n" },
	{ "4 replicas, a host's name", { 4, 1, 1, 1, 1, NULL },
	    { "gc-poplar-02" },
	    " ===========================\n"
	    "|      poprun topology      |\n"
	    "|===========================|\n"
	    "| hosts     | gc-poplar-02  |\n"
	    "|-----------|---------------|\n"
	    "| ILDs      |       0       |\n"
	    "|-----------|---------------|\n"
	    "| instances |       0       |\n"
	    "|-----------|---------------|\n"
	    "| replicas  | 0 | 1 | 2 | 3 |\n"
	    " ---------------------------\n" },
	{ "8 replicas, 2 instances", { 8, 1, 2, 1, 1, NULL }, { "localhost" },
	    " ===========================================\n"
	    "|              poprun topology              |\n"
	    "|===========================================|\n"
	    "| hosts     |           localhost           |\n"
	    "|-----------|-------------------------------|\n"
	    "| ILDs      |               0               |\n"
	    "|-----------|-------------------------------|\n"
	    "| instances |       0       |       1       |\n"
	    "|-----------|-------------------------------|\n"
	    "| replicas  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |\n"
	    " -------------------------------------------\n" },
	{ "2 replicas, 2 instances", { 2, 1, 2, 1, 1, NULL }, { "[0]" },
	    " ===================\n"
	    "|  poprun topology  |\n"
	    "|===================|\n"
	    "| hosts     |  [0]  |\n"
	    "|-----------|-------|\n"
	    "| ILDs      |   0   |\n"
	    "|-----------|-------|\n"
	    "| instances | 0 | 1 |\n"
	    "|-----------|-------|\n"
	    "| replicas  | 0 | 1 |\n"
	    " -------------------\n" },
	{ "one replica: the label widens it", { 1, 1, 1, 1, 1, NULL },
	    { "localhost" },
	    " =======================\n"
	    "|    poprun topology    |\n"
	    "|=======================|\n"
	    "| hosts     | localhost |\n"
	    "|-----------|-----------|\n"
	    "| ILDs      |     0     |\n"
	    "|-----------|-----------|\n"
	    "| instances |     0     |\n"
	    "|-----------|-----------|\n"
	    "| replicas  |     0     |\n"
	    " -----------------------\n" },
	{ "two hosts, two ILDs", { 4, 1, 4, 2, 2, NULL }, { "a", "host-b" },
	    " ===============================\n"
	    "|        poprun topology        |\n"
	    "|===============================|\n"
	    "| hosts     |    a    | host-b  |\n"
	    "|-----------|-------------------|\n"
	    "| ILDs      |    0    |    1    |\n"
	    "|-----------|-------------------|\n"
	    "| instances | 0  | 1  | 2  | 3  |\n"
	    "|-----------|-------------------|\n"
	    "| replicas  | 0  | 1  | 2  | 3  |\n"
	    " -------------------------------\n" },
};

struct rule_row {
	struct layout layout;
	const char *error; /* "": allowed */
};

static const struct rule_row rules[] = {
	{ { 1, 1, 1, 1, 1, NULL }, "" },
	{ { 32, 1, 2, 1, 2, NULL }, "" },
	{ { 3, 1, 3, 1, 1, NULL }, "" },
	{ { 2, 1, 4, 1, 1, NULL },
	    "4 instances are more than the 2 replicas they would share: "
	    "--num-instances must not exceed --num-replicas" },
	{ { 8, 1, 3, 1, 1, NULL },
	    "8 replicas cannot be divided evenly among 3 instances: "
	    "--num-replicas must be a multiple of --num-instances" },
	{ { 8, 1, 4, 3, 1, NULL },
	    "4 instances cannot be divided evenly among 3 hosts" },
	{ { 8, 1, 1, 1, 2, NULL },
	    "1 instances cannot be divided evenly among 2 IPU-Link domains: "
	    "each instance must be in one domain" },
};

static void
test_table(const struct table_row *row)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	topology_print(out, &row->layout, row->hosts, 0);
	(void)fclose(out);
	is_str(text, row->wanted, row->name);
	free(text);
}

/* A table for each instance, as there is no room for two, and a name is cut. */
static void
test_screen(void)
{
	static const struct layout l = { 4, 1, 2, 1, 1, NULL };
	static const char *const hosts[] = { "a-host-of-a-long-name" };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	topology_print(out, &l, hosts, 34);
	(void)fclose(out);
	is_str(text,
	    " =======================\n"
	    "|    poprun topology    |\n"
	    "|=======================|\n"
	    "| hosts     | a-host... |\n"
	    "|-----------|-----------|\n"
	    "| ILDs      |     0     |\n"
	    "|-----------|-----------|\n"
	    "| instances |     0     |\n"
	    "|-----------|-----------|\n"
	    "| replicas  |  0  |  1  |\n"
	    " -----------------------\n"
	    " =======================\n"
	    "|    poprun topology    |\n"
	    "|=======================|\n"
	    "| hosts     | a-host... |\n"
	    "|-----------|-----------|\n"
	    "| ILDs      |     0     |\n"
	    "|-----------|-----------|\n"
	    "| instances |     1     |\n"
	    "|-----------|-----------|\n"
	    "| replicas  |  2  |  3  |\n"
	    " -----------------------\n",
	    "in bands");
	free(text);
}

/* 8 replicas of 2 IPUs, 4 instances, 2 hosts. */
static void
test_instances(void)
{
	static const struct layout l = { 8, 2, 4, 2, 1, NULL };
	static const int wanted[4][3] = { { 0, 0, 0 }, { 0, 1, 2 }, { 1, 0, 4 },
		{ 1, 1, 6 } };
	struct instance instance;
	int i;

	for (i = 0; i < 4; i++) {
		instance = layout_instance(&l, i);
		is_int(instance.host, wanted[i][0], "host");
		is_int(instance.local_index, wanted[i][1], "local index");
		is_int(instance.first_replica, wanted[i][2], "offset");
		is_int(instance.num_replicas, 2, "local replicas");
	}
	is_int(layout_ipus(&l), 16, "IPUs");
	is_int(layout_instance_ipus(&l), 4, "IPUs of an instance");
}

/* 6 replicas, 3 instances, the first host has two of them. */
static void
test_shares(void)
{
	static const int shares[] = { 2, 1 };
	static const struct layout l = { .num_replicas = 6,
		.ipus_per_replica = 1,
		.num_instances = 3,
		.num_hosts = 2,
		.num_ilds = 1,
		.shares = shares };
	static const char *const hosts[] = { "a", "b" };
	static const int wanted[3][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 } };
	struct instance instance;
	struct error e = { .text = "" };
	char *text;
	size_t size;
	FILE *out;
	int i;

	is_int(layout_check(&l, &e), 0, "shares that differ");
	for (i = 0; i < 3; i++) {
		instance = layout_instance(&l, i);
		is_int(instance.host, wanted[i][0], "host");
		is_int(instance.local_index, wanted[i][1], "local index");
	}
	is_int(layout_host_instances(&l, 0), 2, "of the first host");
	is_int(layout_host_first(&l, 1), 2, "the first of the second host");
	out = open_memstream(&text, &size);
	topology_print(out, &l, hosts, 0);
	(void)fclose(out);
	is_str(text,
	    " ===================================\n"
	    "|          poprun topology          |\n"
	    "|===================================|\n"
	    "| hosts     |       a       |   b   |\n"
	    "|-----------|-----------------------|\n"
	    "| ILDs      |           0           |\n"
	    "|-----------|-----------------------|\n"
	    "| instances |   0   |   1   |   2   |\n"
	    "|-----------|-----------------------|\n"
	    "| replicas  | 0 | 1 | 2 | 3 | 4 | 5 |\n"
	    " -----------------------------------\n",
	    "the table");
	free(text);
	out = open_memstream(&text, &size);
	topology_print(out, &l, hosts, 30);
	(void)fclose(out);
	ok(strstr(text, "| hosts     |   b   |\n") != NULL,
	    "in bands of instances");
	free(text);
}

int
main(void)
{
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		test_table(&tables[i]);
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		e.text[0] = '\0';
		is_int(layout_check(&rules[i].layout, &e),
		    rules[i].error[0] != '\0' ? -1 : 0, "layout_check");
		is_str(e.text, rules[i].error, "rule");
	}
	test_screen();
	test_instances();
	test_shares();
	return tap_done();
}
