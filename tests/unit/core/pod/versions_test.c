/*
 * The table of releases: which row a name or a version is, and what is refused.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/pod/versions.h"
#include "tests/unit/tap.h"

static void
test_find(void)
{
	static const struct {
		const char	*name, *row, *sdk;
	} rows[] = {
		{ "guide", "guide", "3.1.0" },
		{ "2.x", "2.x", "2.6.0" },
		{ "3.x", "3.x", "3.4.0" },
		{ "2.6.0", "2.x", "2.6.0" },
		{ "2.1.0", "2.x", "2.1.0" },
		{ "3.3.0", "3.x", "3.3.0" },
		{ "3.3", "3.x", "3.3.0" },
		{ "3.99.99", "3.x", "3.99.99" }
	};
	struct versions	v;
	struct error	e;
	size_t		i;

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
	static const char *const	names[] = {
		"", "2", "3.", "3.x.", "4.0.0", "1.4.0", "3.3.0.1", "3.3.0 ",
		" 3.3.0", "3..0", "v3.3.0", "3.3.0+1", "3.100.0", "33.0",
		"-3.3", "2.x.1"
	};
	struct versions	v;
	struct error	e;
	char		wanted[160];
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		versions_guide(&v);
		is_int(versions_find("X", names[i], &v, &e), -1, names[i]);
		is_int(e.code, ERROR_INVALID, "its code");
		(void)snprintf(wanted, sizeof(wanted), "X '%s': must be guide, "
		    "2.x, 3.x, or a version of these lines, as 3.3.0",
		    names[i]);
		ok(strncmp(e.text, wanted, strlen(wanted)) == 0, "and reason");
		is_str(v.name, "guide", "and nothing is changed");
	}
	(void)versions_find("IPUBOX_EMULATE_SDK", "guied", &v, &e);
	is_str(e.text, "IPUBOX_EMULATE_SDK 'guied': must be guide, 2.x, 3.x, "
	    "or a version of these lines, as 3.3.0 (did you mean guide?)",
	    "a slip of the fingers");
}

/* What the guides print is the default, and is not to change. */
static void
test_rows(void)
{
	const struct versions	*row;
	struct versions		 v;
	int			 i;

	versions_guide(&v);
	is_str(v.name, "guide", "the default");
	ok(v.vipu == NULL, "V-IPU's version is ours");
	is_str(v.driver, "1.0.56", "driver");
	is_int(v.partitions, VERSIONS_NEW, "vipu list partitions");
	is_int(v.gc_info, VERSIONS_OLD, "gc-info");
	is_int(v.gc_monitor, VERSIONS_NEW, "gc-monitor");
	ok(versions_at(-1) == NULL, "no row before the first");
	for (i = 0; (row = versions_at(i)) != NULL; i++) {
		is_int(versions_find("sdk", row->name, &v, NULL), 0,
		    row->name);
		ok(memcmp(&v, row, sizeof(v)) == 0, "is found as it is");
		ok(row->driver != NULL && row->firmware != NULL &&
		    row->gateway != NULL && row->machine != NULL &&
		    row->ipuof_server != NULL, "and whole");
	}
	is_int(i, 3, "rows");
}

int
main(void)
{
	test_find();
	test_refuse();
	test_rows();
	return tap_done();
}
