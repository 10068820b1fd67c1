/*
 * What another host is asked by --check: written and read back, and refused
 * where it is not a request.
 */
#include "core/diag/check_answer.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define SUM "{\"size\":-1,\"sha512\":\"\"}"
#define SUMS "\"own\":" SUM ",\"program_sum\":" SUM ",\"script_sum\":" SUM
#define HEAD "{\"ipubox_check\":1,\"instances\":2,"

static const struct {
	const char *name;
	const char *text;
	int status;
} requests[] = {
	{ "the least",
	    HEAD "\"program\":[\"a\"],\"present\":[],\"rooms\":[]," SUMS "}",
	    0 },
	{ "nothing", "", -1 },
	{ "another format",
	    "{\"ipubox_check\":2,\"instances\":2,\"program\":[\"a\"],"
	    "\"present\":[],\"rooms\":[]," SUMS "}",
	    -1 },
	{ "no program",
	    HEAD "\"program\":[],\"present\":[],\"rooms\":[]," SUMS "}", -1 },
	{ "half a pair",
	    HEAD
	    "\"program\":[\"a\"],\"present\":[],\"rooms\":[\"--wdir\"]," SUMS
	    "}",
	    -1 },
	{ "no sums", HEAD "\"program\":[\"a\"],\"present\":[],\"rooms\":[]}",
	    -1 },
	{ "a word that is a number",
	    HEAD "\"program\":[1],\"present\":[],\"rooms\":[]," SUMS "}", -1 },
	{ "a NUL byte",
	    HEAD
	    "\"program\":[\"a\\u0000\"],\"present\":[],\"rooms\":[]," SUMS "}",
	    -1 },
	{ "fewer instances than none",
	    "{\"ipubox_check\":1,\"instances\":-1,\"program\":[\"a\"],"
	    "\"present\":[],\"rooms\":[]," SUMS "}",
	    -1 },
	{ "a path that is a list",
	    HEAD
	    "\"path\":[],\"program\":[\"a\"],\"present\":[],\"rooms\":[]," SUMS
	    "}",
	    -1 },
};

static void
test_requests(void)
{
	struct check_request q;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		check_request_init(&q);
		is_int(check_request_read(&q, requests[i].text,
			   strlen(requests[i].text), &e),
		    requests[i].status, requests[i].name);
		check_request_release(&q);
	}
}

static void
test_round(void)
{
	struct check_request q, r;
	struct error e = { .text = "" };
	char *text;

	check_request_init(&q);
	check_request_init(&r);
	strvec_add(&q.program, "python3");
	strvec_add(&q.program, "it's \"that\"\n");
	strvec_add(&q.present, "/data");
	strvec_add(&q.rooms, "--autoreport-dir");
	strvec_add(&q.rooms, "/reports");
	q.directory = xstrdup("/home/a b");
	q.directory_said = true;
	q.instances = 7;
	check_sum_read("/proc/self/exe", &q.own);
	text = check_request_text(&q);
	is_int(check_request_read(&r, text, strlen(text), &e), 0, e.text);
	free(text);
	is_int((long long)r.program.count, 2, "words");
	is_str(r.program.items[1], q.program.items[1], "a word");
	is_str(r.present.items[0], "/data", "present");
	is_str(r.rooms.items[1], "/reports", "rooms");
	is_str(r.directory, "/home/a b", "directory");
	ok(r.directory_said && !r.pipes, "flags");
	ok(r.search == NULL, "what is not known stays so");
	is_int(r.instances, 7, "instances");
	ok(check_sum_is_same(&q.own, &r.own), "the same sum");
	ok(!check_sum_is_same(&q.script_sum, &r.script_sum),
	    "what is not known is not the same");
	check_request_release(&q);
	check_request_release(&r);
}

int
main(void)
{
	test_requests();
	test_round();
	return tap_done();
}
