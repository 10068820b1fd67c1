/*
 * What a plain scalar is.  The rows with kubectl's own odd choices (08, 1_,
 * 1e400, 0x1p3) were tried with kubectl 1.32.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* As "integer 5", with the number as text. */
static void
describe(const struct yaml_node *n, char *out, size_t size)
{
	switch (n->kind) {
	case YAML_NULL:
		(void)snprintf(out, size, "null");
		break;
	case YAML_BOOL:
		(void)snprintf(out, size, n->integer == 1 ? "yes" : "no");
		break;
	case YAML_INTEGER:
		(void)snprintf(out, size, "%" PRId64 "%s", n->integer,
		    n->real == (double)n->integer ? "" : " or not");
		break;
	case YAML_REAL:
		(void)snprintf(out, size, "real %.17g", n->real);
		break;
	default:
		(void)snprintf(out, size, "text");
	}
}

static void
test_kinds(void)
{
	static const struct {
		const char *text;
		const char *wanted;
	} rows[] = { { "", "null" }, { "~", "null" }, { "null", "null" },
		{ "Null", "null" }, { "NULL", "null" }, { "nULL", "text" },
		{ "true", "yes" }, { "True", "yes" }, { "TRUE", "yes" },
		{ "tRUE", "text" }, { "false", "no" }, { "False", "no" },
		{ "FALSE", "no" }, { "y", "yes" }, { "Y", "yes" },
		{ "yes", "yes" }, { "Yes", "yes" }, { "YES", "yes" },
		{ "yEs", "text" }, { "n", "no" }, { "N", "no" }, { "no", "no" },
		{ "No", "no" }, { "NO", "no" }, { "on", "yes" },
		{ "On", "yes" }, { "ON", "yes" }, { "off", "no" },
		{ "Off", "no" }, { "OFF", "no" }, { "oN", "text" },
		{ "none", "text" }, { "nan", "text" }, { "inf", "text" },
		{ "<<", "text" }, { "=", "text" },

		{ "0", "0" }, { "-0", "0" }, { "12", "12" }, { "+12", "12" },
		{ "-12", "-12" }, { "012", "10" }, { "-012", "-10" },
		{ "00", "0" }, { "0o17", "15" }, { "0O17", "15" },
		{ "0x1F", "31" }, { "0X1f", "31" }, { "-0x1f", "-31" },
		{ "0b101", "5" }, { "0B11", "3" }, { "-0b11", "-3" },
		{ "1_000", "1000" }, { "1__0", "10" }, { "1_", "1" },
		{ "0_", "0" }, { "0x_f", "15" }, { "-_1", "-1" },
		{ "_1", "text" }, { "0x", "text" }, { "0b", "text" },
		{ "0o", "text" }, { "0b2", "text" }, { "0xg", "text" },
		{ "+", "text" }, { "-", "text" }, { "1k", "text" },
		{ "1 2", "text" }, { "--1", "text" }, { "1a", "text" },
		{ "9223372036854775807", "9223372036854775807" },
		{ "-9223372036854775808", "-9223372036854775808" },
		{ "9223372036854775808", "real 9.2233720368547758e+18" },
		{ "-9223372036854775809", "real -9.2233720368547758e+18" },
		{ "0xffffffffffffffff", "real 1.8446744073709552e+19" },
		{ "0x10000000000000000", "text" },
		{ "99999999999999999999", "real 1e+20" },

		{ "1.5", "real 1.5" }, { "1.", "real 1" }, { ".5", "real 0.5" },
		{ "-.5", "real -0.5" }, { "+.5", "real 0.5" },
		{ "1e3", "real 1000" }, { "1E3", "real 1000" },
		{ "1e+3", "real 1000" }, { "+1.5e-3", "real 0.0015" },
		{ "1_0.5_0", "real 10.5" }, { ".5_0", "real 0.5" },
		{ "._5", "text" }, { ".5_", "text" }, { "08", "real 8" },
		{ "0_8", "real 8" }, { "1e400", "text" }, { "-1e400", "text" },
		{ "1e-400", "real 0" }, { "0x1p3", "text" }, { "1e", "text" },
		{ "1e+", "text" }, { ".e5", "text" }, { ".", "text" },
		{ "..", "text" }, { "1.2.3", "text" }, { "+.", "text" },
		{ "e5", "text" }, { ".inf", "real inf" },
		{ ".Inf", "real inf" }, { ".INF", "real inf" },
		{ "+.inf", "real inf" }, { "-.inf", "real -inf" },
		{ "-.INF", "real -inf" }, { ".iNF", "text" },
		{ ".nan", "real nan" }, { ".NaN", "real nan" },
		{ ".NAN", "real nan" },

		{ "2001-01-01", "text" }, { "2001-01-01T10:00:00Z", "text" },
		{ "12:30", "text" }, { "12:30:45", "text" },
		{ "1,000", "text" }, { "200Mi", "text" }, { "a", "text" } };
	struct yaml_node n;
	char got[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		n = (struct yaml_node){ .text = rows[i].text };
		yaml_scalar_resolve(&n);
		describe(&n, got, sizeof(got));
		is_str(got, rows[i].wanted, rows[i].text);
	}
}

static void
test_tags(void)
{
	static const struct {
		const char *tag, *text;
		const char *wanted; /* NULL: refused */
	} rows[] = { { "str", "1", "text" }, { "str", "", "text" },
		{ "timestamp", "2001-01-01", "text" }, { "null", "~", "null" },
		{ "null", "a", NULL }, { "bool", "on", "yes" },
		{ "bool", "1", NULL }, { "int", "0x10", "16" },
		{ "int", "1.0", NULL }, { "int", "a", NULL },
		{ "float", "1.5", "real 1.5" }, { "float", "3", "real 3" },
		{ "float", "yes", NULL }, { "binary", "aGk=", NULL },
		{ "", "a", NULL } };
	struct yaml_node n;
	char got[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		n = (struct yaml_node){ .text = rows[i].text };
		if (yaml_scalar_resolve_as(&n, rows[i].tag) != 0)
			(void)snprintf(got, sizeof(got), "refused");
		else
			describe(&n, got, sizeof(got));
		is_str(got, rows[i].wanted != NULL ? rows[i].wanted : "refused",
		    rows[i].text);
	}
}

/* Which texts have to stand in quotes. */
static void
test_special(void)
{
	static const char *const special[] = { "", "~", "null", "y", "No", "1",
		"-1", "0x1", "1_000", "1.5", ".5", "1e3", ".inf", "08", "<<",
		"2001-01-01", "2001-1-2", "2001-01-01T10:00:00Z",
		"2001-01-01 10:00:00", "2001-01-01t10:00:00.5+01:00", "12:30",
		"-12:30:45", "190:20:30.15", "1:5" };
	static const char *const ordinary[] = { "a", "yEs", "1e400", "0x", "=",
		"<", "2001-01-01x", "201-01-01", "2001-01", "2001-001-01",
		"2001-01-", "12:60", "12:", "12:3a", "a:30", "12:300", "_1" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(special); i++)
		ok(yaml_scalar_is_special(special[i]), special[i]);
	for (i = 0; i < ARRAY_SIZE(ordinary); i++)
		ok(!yaml_scalar_is_special(ordinary[i]), ordinary[i]);
}

int
main(void)
{
	test_kinds();
	test_tags();
	test_special();
	return tap_done();
}
