/* The lines by which a program asks for devices, and the errors' line. */
#include "ipu/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

static const struct good_line {
	const char *line;
	struct device_request wanted;
} good_lines[] = {
	{ "id 0", { DEVICE_VERB_ID, 0, -1 } },
	{ "id 65536", { DEVICE_VERB_ID, 65536, -1 } },
	{ "attach 4 -1", { DEVICE_VERB_ATTACH, 4, -1 } },
	{ "attach 0 2147483647", { DEVICE_VERB_ATTACH, 0, 2147483647 } },
	{ "\t attach  4\t6 ", { DEVICE_VERB_ATTACH, 4, 6 } },
	{ "attributes", { DEVICE_VERB_ATTRIBUTES, 0, -1 } },
	{ "attributes 3", { DEVICE_VERB_ATTRIBUTES, 0, 3 } },
	{ "check", { DEVICE_VERB_CHECK, 0, -1 } },
	{ "check 0", { DEVICE_VERB_CHECK, 0, 0 } },
	{ "work 2", { DEVICE_VERB_WORK, 0, 2 } },
	{ "detach", { DEVICE_VERB_DETACH, 0, -1 } },
	{ "detach -1", { DEVICE_VERB_DETACH, 0, -1 } },
};

static const struct bad_line {
	const char *line;
	const char *reason;
} bad_lines[] = {
	{ "", "the request is empty" },
	{ " \t ", "the request is empty" },
	{ "ID 0", "unknown request 'ID'" },
	{ "identify 0", "unknown request 'identify'" },
	{ "i\033d", "unknown request 'i\\x1bd'" },
	{ "id", "the form of this request is 'id IPUS'" },
	{ "id 1 2", "the form of this request is 'id IPUS'" },
	{ "attach 4", "the form of this request is 'attach IPUS ID'" },
	{ "attach 4 1 1", "the form of this request is 'attach IPUS ID'" },
	{ "attach 4 1 1 1 1", "the form of this request is 'attach IPUS ID'" },
	{ "check 1 2", "the form of this request is 'check [ID]'" },
	{ "id -1", "IPUS '-1': too small, must be 0 to 65536" },
	{ "id 65537", "IPUS '65537': too large, must be 0 to 65536" },
	{ "id 0x4", "IPUS '0x4': not a whole number" },
	{ "attach 4 -2", "ID '-2': too small, must be -1 to 2147483647" },
	{ "detach 2147483648",
	    "ID '2147483648': too large, must be -1 to 2147483647" },
	{ "check all", "ID 'all': not a whole number" },
};

static void
test_good(void)
{
	const struct good_line *g;
	struct device_request r;
	struct error e = { .text = "" };

	for (g = good_lines; g < good_lines + ARRAY_SIZE(good_lines); g++) {
		ok(device_request_parse(&r, g->line, strlen(g->line), &e) == 0,
		    g->line);
		ok(r.verb == g->wanted.verb && r.ipus == g->wanted.ipus &&
			r.id == g->wanted.id,
		    "its words");
	}
}

static void
test_bad(void)
{
	const struct bad_line *b;
	struct device_request r;
	struct error e;

	for (b = bad_lines; b < bad_lines + ARRAY_SIZE(bad_lines); b++) {
		e = (struct error){ .text = "" };
		ok(device_request_parse(&r, b->line, strlen(b->line), &e) ==
			    -1 &&
			e.code == ERROR_INVALID,
		    "refused");
		is_str(e.text, b->reason, b->line);
	}
}

/* By its size, wherever a NUL byte is, and at the limit. */
static void
test_bytes(void)
{
	struct device_request r;
	struct error e = { .text = "" };
	char line[DEVICE_REQUEST_MAX + 1];

	ok(device_request_parse(&r, "id 1\0", 5, &e) == -1, "a NUL byte");
	is_str(e.text, "a request must not contain a NUL byte", "so it says");
	ok(device_request_parse(&r, "check 17", 7, &e) == 0 && r.id == 1,
	    "no byte behind the size is read");
	memset(line, ' ', sizeof(line));
	memcpy(line, "id 8", 4);
	ok(device_request_parse(&r, line, DEVICE_REQUEST_MAX, &e) == 0 &&
		r.ipus == 8,
	    "the longest line");
	ok(device_request_parse(&r, line, DEVICE_REQUEST_MAX + 1, &e) == -1,
	    "a byte more");
	is_str(e.text, "a request must be at most 255 bytes long",
	    "so it says");
}

static void
test_refuse(void)
{
	static const struct {
		struct error error;
		const char *line;
	} rows[] = {
		{ { "no", ERROR_FAILED }, "error failed no\n" },
		{ { "a\n b\\n\n", ERROR_INVALID },
		    "error invalid a\\n b\\\\n\\n\n" },
		{ { "x", ERROR_NOT_FOUND }, "error not-found x\n" },
		{ { "x", ERROR_NO_ROOM }, "error busy x\n" },
		{ { "x", ERROR_BUSY }, "error busy x\n" },
		{ { "x", ERROR_UNAVAILABLE }, "error unavailable x\n" },
		{ { "x", ERROR_STALE }, "error unavailable x\n" },
		{ { "", ERROR_DENIED }, "error failed \n" },
	};
	struct memstream m;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		device_request_refuse(memstream_open(&m), &rows[i].error);
		text = memstream_close(&m, NULL);
		is_str(text, rows[i].line, "an error as a line");
		free(text);
	}
}

int
main(void)
{
	test_good();
	test_bad();
	test_bytes();
	test_refuse();
	return tap_done();
}
