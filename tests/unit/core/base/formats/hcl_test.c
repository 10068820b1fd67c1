/*
 * HCL files: what each way to write a value gives, and what is refused, with
 * its line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/hcl.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

struct values {
	char host[16];
	char port[8];
	int host_line;
	int port_line;
};

static int
read_values(struct values *v, const char *text, size_t size, struct error *e)
{
	const struct hcl_row rows[] = {
		{ "api-host", v->host, sizeof(v->host), &v->host_line },
		{ "api-port", v->port, sizeof(v->port), &v->port_line },
		{ NULL, NULL, 0, NULL },
	};

	(void)snprintf(v->host, sizeof(v->host), "-");
	(void)snprintf(v->port, sizeof(v->port), "-");
	v->host_line = v->port_line = 0;
	return hcl_read_text(rows, "f.hcl", text, size, e);
}

/* A text and what it gives: "host (line) port (line)", or the refusal. */
struct row {
	const char *text;
	const char *wanted;
};

static void
check(const struct row *row, const char *text, size_t size)
{
	struct values v;
	struct error e = { .text = "" };
	char got[sizeof(e.text)], name[128];

	text_printable(row->text, name, sizeof(name));
	if (read_values(&v, text, size, &e) != 0)
		(void)snprintf(got, sizeof(got), "%s", e.text);
	else
		(void)snprintf(got, sizeof(got), "%s (%d) %s (%d)", v.host,
		    v.host_line, v.port, v.port_line);
	is_str(got, row->wanted, name);
}

static void
test_good(void)
{
	static const struct row rows[] = {
		{ "", "- (0) - (0)" },
		{ "\n \t\r\n", "- (0) - (0)" },
		{ "api-host=\"10.1.3.101\"\napi-port=8090\n",
		    "10.1.3.101 (1) 8090 (2)" },
		{ "api-port = \"8090\"\r\n\tapi-host\t=\t\"a b\"",
		    "a b (2) 8090 (1)" },
		{ "\xef\xbb\xbf"
		  "api-port = 1",
		    "- (0) 1 (1)" },
		{ "# api-port = 1\n// api-port = 2\n/* api-port = "
		  "3\n\n*/api-port = 4 # 5\n",
		    "- (0) 4 (5)" },
		{ "api-port /**/ = /* no */ 7 // more", "- (0) 7 (1)" },
		{ "api-host = \"# // /* x\"", "# // /* x (1) - (0)" },
		{ "api-host = \"\"", " (1) - (0)" },
		{ "api-host = true\napi-port = false", "true (1) false (2)" },
		{ "api-host = -1.5e+3\napi-port = 0", "-1.5e+3 (1) 0 (2)" },
		{ "api-host = \"\\\\ \\\" \\t.\"", "\\ \" \t. (1) - (0)" },
		{ "api-host = \"\\u00e9\\u20ac\\U0001f600\"",
		    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 (1) - (0)" },
		/* The first and the last of each length in UTF-8. */
		{ "api-host = \"\\u0001\\u007f\\u0080\\u07ff\"",
		    "\x01\x7f\xc2\x80\xdf\xbf (1) - (0)" },
		{ "api-host = \"\\u0800\\ud7ff\\ue000\\uffff\"",
		    "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf (1) - "
		    "(0)" },
		{ "api-host = \"\\U0000ffff\\U00010000\\U0010ffff\"",
		    "\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf (1) - (0)" },
		{ "api-host = \"\xf0\x90\x80\x80\"",
		    "\xf0\x90\x80\x80 (1) - (0)" },
		{ "api-host = \"123456789012345\"",
		    "123456789012345 (1) - (0)" },
		{ "api-host = \"$1 50%\"", "$1 50% (1) - (0)" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], rows[i].text, strlen(rows[i].text));
}

static void
test_refused(void)
{
	static const struct row rows[] = {
		{ "api_host = \"a\"",
		    "f.hcl:1: unknown key 'api_host' (did you mean "
		    "api-host?)" },
		{ "\napi-port = 1\napi-port = 2",
		    "f.hcl:3: 'api-port' is given twice" },
		{ "api-port", "f.hcl:1: 'api-port' must be followed by '='" },
		{ "api-port\n= 1",
		    "f.hcl:1: 'api-port' must be followed by '='" },
		{ "api-port =\n1", "f.hcl:1: 'api-port' has no value" },
		{ "api-port: 1",
		    "f.hcl:1: 'api-port' must be followed by '='" },
		{ "api-port { }",
		    "f.hcl:1: 'api-port' must be followed by '='" },
		{ "api-port = [1]",
		    "f.hcl:1: 'api-port': must be a string, a number, true or "
		    "false, not a list or a block" },
		{ "api-host = <<END",
		    "f.hcl:1: 'api-host': must be a string, a number, true or "
		    "false, not a list or a block" },
		{ "api-host = local",
		    "f.hcl:1: 'api-host': 'local' must be in double quotes" },
		{ "api-host = 10.1.3.101",
		    "f.hcl:1: 'api-host': '10.1.3.101' must be in double "
		    "quotes" },
		{ "api-host = 1e",
		    "f.hcl:1: 'api-host': '1e' must be in double quotes" },
		{ "api-host = 'a'", "f.hcl:1: 'api-host' has no value" },
		{ "api-host = \"a", "f.hcl:1: the string does not end" },
		{ "api-host = \"a\nb\"", "f.hcl:1: the string does not end" },
		{ "api-host = \"\\x41\"",
		    "f.hcl:1: unknown escape; use one of \\n \\r \\t \\\" \\\\ "
		    "\\uXXXX \\UXXXXXXXX" },
		{ "api-host = \"\\",
		    "f.hcl:1: unknown escape; use one of \\n \\r \\t \\\" \\\\ "
		    "\\uXXXX \\UXXXXXXXX" },
		{ "api-host = \"\\u12\"",
		    "f.hcl:1: \\u: must be followed by the 4 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\u0000\"",
		    "f.hcl:1: \\u: must be followed by the 4 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\ud800\"",
		    "f.hcl:1: \\u: must be followed by the 4 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\udfff\"",
		    "f.hcl:1: \\u: must be followed by the 4 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\ud800\\udc00\"",
		    "f.hcl:1: \\u: must be followed by the 4 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\U0000d800\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\U0000dfff\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\U00110000\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\Uffffffff\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\U0001000\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"\\U00000000\"",
		    "f.hcl:1: \\U: must be followed by the 8 hexadecimal "
		    "digits of a character" },
		{ "api-host = \"${x}\"",
		    "f.hcl:1: '${': values are used as written, nothing is "
		    "substituted" },
		{ "api-host = \"1234567890123456\"",
		    "f.hcl:1: 'api-host': longer than 15 bytes" },
		{ "api-port = 1 api-host = 2",
		    "f.hcl:1: text after the value of 'api-port'" },
		{ "api-port = 1;",
		    "f.hcl:1: text after the value of 'api-port'" },
		{ "\n/* \n\n", "f.hcl:2: the comment does not end" },
		{ "= 1", "f.hcl:1: must be 'key = value'" },
		{ "[api]\n", "f.hcl:1: must be 'key = value'" },
		{ "/ a\n", "f.hcl:1: must be 'key = value'" },
	};
	static const char nul[] = "api-port = 1\n\0api-host = 1";
	static const struct row nul_row = { "a NUL byte",
		"f.hcl:2: must be a text file, but holds a NUL byte" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], rows[i].text, strlen(rows[i].text));
	check(&nul_row, nul, sizeof(nul) - 1);
}

static void
test_quote(void)
{
	static const char *const texts[] = { "", "a", "\"\\\n\t\x01", "${a} 5%",
		"caf\xc3\xa9" };
	struct values v;
	struct error e = { .text = "" };
	char file[256], *quoted;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		quoted = hcl_quote(texts[i]);
		(void)snprintf(file, sizeof(file), "api-host=%s\n", quoted);
		free(quoted);
		is_int(read_values(&v, file, strlen(file), &e), 0,
		    "a text is quoted");
		is_str(v.host, texts[i], "and is the same again");
	}
}

int
main(void)
{
	test_good();
	test_refused();
	test_quote();
	return tap_done();
}
