/*
 * The table of releases: which row a name or a version is, and what is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

enum { PAGE_MAX = 1 << 18 };

static void
test_find(void)
{
	static const struct {
		const char *name, *row, *sdk;
	} rows[] = {
		{ "guide", "guide", "3.1.0" },
		{ "2.x", "2.x", "2.6.0" },
		{ "3.x", "3.x", "3.4.0" },
		{ "2.6.0", "2.x", "2.6.0" },
		{ "2.0", "2.0", "2.0.0" },
		{ "2.1.0", "2.1", "2.1.0" },
		{ "2.2.1", "2.1", "2.2.1" },
		{ "2.3", "2.3", "2.3.0" },
		{ "2.4.0", "2.4", "2.4.0" },
		{ "2.5.1", "2.4", "2.5.1" },
		{ "2.6", "2.x", "2.6.0" },
		{ "2.10", "2.x", "2.10.0" },
		{ "3.0", "3.x", "3.0.0" },
		{ "3.3.0", "3.x", "3.3.0" },
		{ "3.3", "3.x", "3.3.0" },
		{ "3.99.99", "3.x", "3.99.99" },
	};
	struct versions v;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		is_int(versions_find("sdk", rows[i].name, &v, &e), 0,
		    rows[i].name);
		is_str(e.text, "", "without a word");
		is_str(v.name, rows[i].row, "its row");
		is_str(v.sdk, rows[i].sdk, "its number");
	}
}

static void
test_refuse(void)
{
	static const char *const names[] = { "", "2", "3.", "3.x.", "4.0.0",
		"1.4.0", "3.3.0.1", "3.3.0 ", " 3.3.0", "3..0", "v3.3.0",
		"3.3.0+1", "3.100.0", "33.0", "-3.3", "2.x.1" };
	struct versions v;
	struct error e;
	char wanted[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		versions_guide(&v);
		is_int(versions_find("X", names[i], &v, &e), -1, names[i]);
		is_int(e.code, ERROR_INVALID, "its code");
		(void)snprintf(wanted, sizeof(wanted),
		    "X '%s': must be guide, 2.x, 3.x, or a version of these "
		    "lines such as 3.3.0",
		    names[i]);
		ok(strncmp(e.text, wanted, strlen(wanted)) == 0, "and reason");
		is_str(v.name, "guide", "and nothing is changed");
	}
	(void)versions_find("IPUBOX_EMULATE_SDK", "guied", &v, &e);
	is_str(e.text,
	    "IPUBOX_EMULATE_SDK 'guied': must be guide, 2.x, 3.x, or a version "
	    "of these lines such as 3.3.0 (did you mean guide?)",
	    "a slip of the fingers");
}

/* What the guides print is the default, and is not to change. */
static void
test_rows(void)
{
	const struct versions *row;
	struct versions v;
	int i;

	versions_guide(&v);
	is_str(v.name, "guide", "the default");
	ok(v.vipu == NULL, "V-IPU's version is ours");
	is_str(v.driver, "1.0.56", "driver");
	is_int(v.partitions, VERSIONS_NEW, "vipu list partitions");
	is_int(v.gc_info, VERSIONS_OLD, "gc-info");
	is_int(v.gc_monitor, VERSIONS_NEW, "gc-monitor");
	ok(versions_at(-1) == NULL, "no row before the first");
	for (i = 0; (row = versions_at(i)) != NULL; i++) {
		is_int(versions_find("sdk", row->name, &v, NULL), 0, row->name);
		ok(memcmp(&v, row, sizeof(v)) == 0, "is found as it is");
		ok(row->driver[0] != '\0' && row->firmware[0] != '\0' &&
			row->gateway[0] != '\0' && row->machine[0] != '\0' &&
			row->ipuof_server[0] != '\0',
		    "and whole");
	}
	is_int(i, 7, "rows");
}

/* One number in place of a row's. */
static void
test_set(void)
{
	static const char *const bad[] = { "", "None", "2.", ".2", "2..1",
		"v2.5.0", "2.5.0-1", "1.2.3.4.5", "2.5.0 ", "1234567.12345678",
		"-1" };
	char value[VERSIONS_SIZE] = "kept";
	struct versions v;
	struct error e;
	size_t i;

	(void)versions_find("sdk", "2.6.0", &v, NULL);
	ok(v.machine_hidden, "2.6.0 does not say the machine's software");
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		is_int(versions_parse(VERSIONS_SERVER, bad[i], value, &e), -1,
		    bad[i]);
		ok(strncmp(e.text, "server-version '", 16) == 0, e.text);
	}
	is_str(value, "kept", "nothing is written");
	is_int(versions_parse(VERSIONS_MACHINE, "2.5", value, NULL), 0, "2.5");
	versions_set(&v, VERSIONS_MACHINE, value);
	is_str(v.machine, "2.5", "is put in");
	ok(!v.machine_hidden, "and said");
	is_int(versions_parse(VERSIONS_DRIVER, "none", value, NULL), 0, "none");
	versions_set(&v, VERSIONS_DRIVER, value);
	is_str(v.driver, "", "is blank");
	is_str(v.firmware, "2.4.4", "and no other is changed");
}

/* A row of the manual's tables, one value per release. */
static int
has_row(const char *page, const char *label,
    const char *(*value)(const struct versions *))
{
	const struct versions *row;
	struct memstream m;
	char *line;
	int i;

	(void)memstream_open(&m);
	fprintf(m.file, "\n.It %s", label);
	for (i = 0; (row = versions_at(i)) != NULL; i++)
		fprintf(m.file, " Ta %s", value(row));
	fprintf(m.file, "\n");
	line = memstream_close(&m, NULL);
	if (!ok(strstr(page, line) != NULL, label))
		printf("# not in the manual:%s", line);
	free(line);
	return 1;
}

#define VALUE(field) \
	static const char *value_##field(const struct versions *v) \
	{ \
		return v->field; \
	}
VALUE(sdk)
VALUE(driver)
VALUE(firmware)
VALUE(gateway)
VALUE(machine)
VALUE(ipuof_server)

static const char *
value_vipu(const struct versions *v)
{
	return v->vipu != NULL ? v->vipu : "own";
}

static const char *
value_partitions(const struct versions *v)
{
	return versions_layout_words[v->partitions];
}

static const char *
value_admin_partitions(const struct versions *v)
{
	return versions_layout_words[v->admin_partitions];
}

static const char *
value_processes(const struct versions *v)
{
	static char text[VERSIONS_SIZE];

	(void)snprintf(text, sizeof(text), "%d", v->process_columns);
	return text;
}

static const char *
value_gc_info(const struct versions *v)
{
	return versions_layout_words[v->gc_info];
}

static const char *
value_gc_monitor(const struct versions *v)
{
	return versions_layout_words[v->gc_monitor];
}

static const char *
value_attributes(const struct versions *v)
{
	return versions_layout_words[v->attributes];
}

static const char *
value_gcd_title(const struct versions *v)
{
	return v->gcd_title ? "yes" : "no";
}

static const char *
value_machine_hidden(const struct versions *v)
{
	return v->machine_hidden ? "no" : "yes";
}

static const char *
value_one_cache(const struct versions *v)
{
	return v->one_cache ? "no" : "yes";
}

static const char *
value_head(const struct versions *v)
{
	static char head[VERSIONS_SIZE];

	(void)snprintf(head, sizeof(head), "Em %s", v->name);
	return head;
}

/* ipubox-versions(7) has each row of the table, and no other. */
static void
test_manual(void)
{
	const char *tests = getenv("TESTDIR"), *at;
	char *path, *page;
	size_t size;
	int rows = 0, found = 0;

	path = xasprintf("%s/../man/ipubox-versions.7",
	    tests != NULL ? tests : "tests");
	page = file_read(path, PAGE_MAX, &size, NULL);
	free(path);
	if (!ok(page != NULL, "the manual"))
		return;
	rows += has_row(page, "SDK", value_sdk);
	rows += has_row(page, "V-IPU", value_vipu);
	rows += has_row(page, "driver", value_driver);
	rows += has_row(page, "firmware", value_firmware);
	rows += has_row(page, "gateway", value_gateway);
	rows += has_row(page, "IPU-Machine", value_machine);
	rows += has_row(page, "IPUoF server", value_ipuof_server);
	rows += has_row(page, "vipu list partitions", value_partitions);
	rows += has_row(page, "that of vipu-admin", value_admin_partitions);
	rows += has_row(page, "gc-info -l", value_gc_info);
	rows += has_row(page, "gc-info -i", value_attributes);
	rows += has_row(page, "gc-monitor", value_gc_monitor);
	rows += has_row(page, "its processes", value_processes);
	rows += has_row(page, "its (gcd:0)", value_gcd_title);
	rows += has_row(page, "its IPU-M SW", value_machine_hidden);
	rows += has_row(page, "poprun, two caches", value_one_cache);
	for (at = page; (at = strstr(at, "\n.It ")) != NULL; at++)
		found += memmem(at, strcspn(at + 1, "\n"), " Ta ", 4) != NULL;
	is_int(found, rows + 2, "rows, with two heads");
	(void)has_row(page, "Em what", value_head);
	(void)has_row(page, "Em list", value_head);
	free(page);
}

int
main(void)
{
	test_find();
	test_refuse();
	test_rows();
	test_set();
	test_manual();
	return tap_done();
}
