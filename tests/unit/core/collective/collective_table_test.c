/*
 * core/collective/collective_table: each rule of how the members of a job meet.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_table.h"
#include "tests/unit/table_util.h"
#include "tests/unit/tap.h"

enum { EXIT_3 = 3 << 8 };

static void
set_of(struct collective_set *s, const char *name, const uint32_t *members,
    uint32_t count, unsigned char *bytes)
{
	uint32_t i;

	memset(s, 0, sizeof(*s));
	(void)snprintf(s->name, sizeof(s->name), "%s", name);
	s->count = count;
	s->members = bytes;
	for (i = 0; i < count; i++)
		bits_put_le32(bytes + i * 4, members[i]);
}

static void
registers(struct collective_table *t, struct collective_guest *guest,
    const char *name, const uint32_t *members, uint32_t count,
    struct collective_request *r)
{
	unsigned char bytes[64];
	struct collective_set s;

	set_of(&s, name, members, count, bytes);
	memset(r, 0, sizeof(*r));
	collective_table_register(t, guest, &s, r);
}

static void
failed(const struct collective_request *r, enum collective_code code,
    const char *text)
{
	is_int(r->outcome, FAILED, "it fails");
	is_int(r->code, (long long)code, "with the code");
	is_str(r->text, text, "and the text");
}

static void
test_all_come(void)
{
	struct collective_request a, b, c;
	struct collective_guest *g[3];
	struct collective_table *t = table_job(g, 3);
	struct collective_call sum = call_of(COLLECTIVE_SUM, "x");

	table_call(t, g[2], &sum, &c);
	table_call(t, g[0], &sum, &a);
	is_int(a.outcome, WAITS, "two of three wait");
	is_int(collective_table_deadline(t), -1, "for ever");
	table_call(t, g[1], &sum, &b);
	ok(a.outcome == DONE && b.outcome == DONE && c.outcome == DONE,
	    "three go on");
	ok(b.first == &a && b.count == 3, "in the order of their numbers");
	sum = call_of(COLLECTIVE_BROADCAST, "x");
	sum.root = 2;
	table_call(t, g[1], &sum, &b);
	table_call(t, g[0], &sum, &a);
	table_call(t, g[2], &sum, &c);
	is_int(a.outcome, DONE, "an id is used again");
	is_int((long long)a.root, 2, "with its root");
	is_int(a.answers, 1, "each gets one answer");
	collective_table_free(t);
}

static void
test_ids(void)
{
	struct collective_request a, b, other;
	struct collective_guest *g[2];
	struct collective_table *t = table_job(g, 2);
	const struct collective_call x = call_of(COLLECTIVE_SUM, "x");
	const struct collective_call y = call_of(COLLECTIVE_BARRIER, "y");

	table_call(t, g[0], &x, &a);
	table_call(t, g[1], &y, &other);
	is_int(a.outcome, WAITS, "another id is another meeting");
	table_call(t, g[0], &x, &b);
	failed(&b, COLLECTIVE_TWICE,
	    "all-reduce 'x': instance 0 has called it already and waits for "
	    "its end; use another id");
	is_int(a.outcome, WAITS, "the first call waits on");
	table_call(t, g[1], &x, &b);
	is_int(a.outcome, DONE, "and is served");
	collective_table_free(t);
}

/* The first call of instance 0, the second one of instance 1, and the text. */
static void
test_differences(void)
{
	static const struct {
		struct collective_call a, b;
		const char *text;
	} rows[] = {
		{ { COLLECTIVE_SUM, ELEMENT_FLOAT, .count = 4 },
		    { COLLECTIVE_SUM, ELEMENT_FLOAT, .count = 5 },
		    "all-reduce 'grads': instance 1 brings 5 float, instance 0 "
		    "brings 4 float" },
		{ { .operation = COLLECTIVE_GATHER,
		      .type = ELEMENT_INT8,
		      .count = 4 },
		    { .operation = COLLECTIVE_GATHER,
			.type = ELEMENT_HALF,
			.count = 4 },
		    "all-gather 'grads': instance 1 brings 4 half, instance 0 "
		    "brings 4 int8" },
		{ { .operation = COLLECTIVE_SUM, .type = ELEMENT_FLOAT },
		    { .operation = COLLECTIVE_BROADCAST,
			.type = ELEMENT_FLOAT },
		    "'grads': instance 1 calls broadcast, instance 0 "
		    "all-reduce" },
		{ { .operation = COLLECTIVE_BROADCAST, .type = ELEMENT_BOOL },
		    { .operation = COLLECTIVE_BROADCAST,
			.type = ELEMENT_BOOL,
			.root = 1 },
		    "broadcast 'grads': instance 1 takes it from 1, instance 0 "
		    "from 0" },
		{ { .operation = COLLECTIVE_SUM, .type = ELEMENT_BOOL },
		    { .operation = COLLECTIVE_SUM, .type = ELEMENT_BOOL },
		    "all-reduce 'grads': bool cannot be added up" },
		{ { .operation = COLLECTIVE_SUM, .type = 99 },
		    { .operation = COLLECTIVE_SUM, .type = 99 },
		    "all-reduce 'grads': element type 99 is not valid" },
		{ { .operation = COLLECTIVE_BROADCAST,
		      .type = ELEMENT_BOOL,
		      .root = 7 },
		    { .operation = COLLECTIVE_BROADCAST,
			.type = ELEMENT_BOOL,
			.root = 7 },
		    "broadcast 'grads': its root, 7, is not one of its "
		    "members" },
	};
	struct collective_request a, b;
	struct collective_guest *g[2];
	struct collective_table *t;
	struct collective_call first, second;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		t = table_job(g, 2);
		first = rows[i].a;
		second = rows[i].b;
		(void)snprintf(first.id, sizeof(first.id), "grads");
		(void)snprintf(second.id, sizeof(second.id), "grads");
		table_call(t, g[0], &first, &a);
		table_call(t, g[1], &second, &b);
		failed(&a, COLLECTIVE_MISMATCH, rows[i].text);
		failed(&b, COLLECTIVE_MISMATCH, rows[i].text);
		first = call_of(COLLECTIVE_BARRIER, "grads");
		table_call(t, g[0], &first, &a);
		table_call(t, g[1], &first, &b);
		is_int(a.outcome, DONE, "and the id is free again");
		collective_table_free(t);
	}
}

/* Who comes late learns what the others learned, and may go on then. */
static void
test_time_limit(void)
{
	struct collective_request a, b, c, again;
	struct collective_guest *g[3];
	struct collective_table *t = table_job(g, 3);
	struct collective_call sum = call_of(COLLECTIVE_SUM, "x");

	table_call(t, g[1], &sum, &b);
	sum.timeout_ms = 5000;
	table_call(t, g[0], &sum, &a);
	is_int(collective_table_deadline(t), NOW + 5000, "the time limit");
	collective_table_expire(t, NOW + 4999);
	ok(a.outcome == WAITS && b.outcome == WAITS, "has not come");
	collective_table_expire(t, NOW + 5000);
	failed(&a, COLLECTIVE_TIMED_OUT,
	    "all-reduce 'x': instance 2 did not come within 5 s");
	failed(&b, COLLECTIVE_TIMED_OUT, a.text);
	is_int(collective_table_deadline(t), -1, "no more limits");
	sum.timeout_ms = 1500;
	table_call(t, g[0], &sum, &again);
	is_int(again.outcome, WAITS, "the id is used again");
	table_call(t, g[2], &sum, &c);
	failed(&c, COLLECTIVE_TIMED_OUT, a.text);
	collective_table_expire(t, NOW + 1500);
	failed(&again, COLLECTIVE_TIMED_OUT,
	    "all-reduce 'x': instances 1-2 did not come within 1.5 s");
	table_call(t, g[1], &sum, &b);
	table_call(t, g[2], &sum, &c);
	is_int(b.code + c.code, 2 * COLLECTIVE_TIMED_OUT, "they catch up");
	table_call(t, g[0], &sum, &a);
	table_call(t, g[1], &sum, &b);
	table_call(t, g[2], &sum, &c);
	is_int(a.outcome, DONE, "and meet");
	collective_table_free(t);
}

/* How instance 2 ends while the others wait, and what they learn. */
static void
test_ends(void)
{
	static const struct {
		const char *name, *text;
		int status;
		pid_t pid;
		bool comes, loses, told_first;
	} rows[] = {
		{ "killed",
		    "barrier 'x': instance 2 (pid 102) was killed by signal 9 "
		    "(Killed)",
		    SIGKILL, 102, true, true, false },
		{ "killed, and told before its connection ends",
		    "barrier 'x': instance 2 (pid 102) was killed by signal 9 "
		    "(Killed)",
		    SIGKILL, 102, true, true, true },
		{ "ended, and a child of it holds the connection",
		    "barrier 'x': instance 2 (pid 102) exited with status 3",
		    EXIT_3, 102, true, false, true },
		{ "failed without coming",
		    "barrier 'x': instance 2 (pid 102) exited with status 3",
		    EXIT_3, 102, false, false, true },
		{ "ended without coming",
		    "barrier 'x': instance 2 (pid 102) exited with status 0", 0,
		    102, false, false, true },
		{ "a child that the instance outlives",
		    "barrier 'x': instance 2 (pid 102) ended, or closed its "
		    "connection",
		    -1, 0, true, true, false },
		{ "a child, and then the instance",
		    "barrier 'x': instance 2 (pid 99) exited with status 3",
		    EXIT_3, 99, true, true, false },
	};
	struct collective_request a, b, c;
	struct collective_guest *g[3] = { NULL };
	struct collective_table *t;
	const struct collective_call barrier = call_of(COLLECTIVE_BARRIER, "x");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		t = table_new(3);
		g[0] = table_join(t, 0, 3);
		g[1] = table_join(t, 1, 3);
		table_call(t, g[0], &barrier, &a);
		if (rows[i].comes)
			g[2] = table_join(t, 2, 3);
		if (rows[i].comes)
			table_call(t, g[2], &barrier, &c);
		if (rows[i].told_first)
			collective_table_ended(t, 2, rows[i].pid,
			    rows[i].status);
		if (rows[i].loses)
			collective_table_lose(t, g[2], NOW);
		if (!rows[i].told_first) {
			is_int(a.outcome, WAITS,
			    "the word of the end is awaited");
			is_int(collective_table_deadline(t),
			    NOW + COLLECTIVE_TABLE_WORD_MS, "for some time");
			if (rows[i].status != -1)
				collective_table_ended(t, 2, rows[i].pid,
				    rows[i].status);
			collective_table_expire(t,
			    NOW + COLLECTIVE_TABLE_WORD_MS);
		}
		is_str(a.text, rows[i].text, rows[i].name);
		is_int(a.code, COLLECTIVE_GONE, "the code");
		table_call(t, g[1], &barrier, &b);
		is_str(b.text, rows[i].text, "who comes later learns the same");
		table_call(t, g[1], &barrier, &b);
		is_str(b.text, rows[i].text, "and the next time");
		ok(table_join(t, 2, 3) == NULL, "and it does not come again");
		collective_table_free(t);
	}
}

/* Others end because of the first one, and it is the one to be named. */
static void
test_first_to_end(void)
{
	struct collective_request a;
	struct collective_guest *g[4];
	struct collective_table *t = table_job(g, 4);
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");

	collective_table_ended(t, 2, 102, SIGKILL);
	collective_table_ended(t, 0, 100, EXIT_3);
	collective_table_ended(t, 1, 101, EXIT_3);
	table_call(t, g[3], &x, &a);
	failed(&a, COLLECTIVE_GONE,
	    "barrier 'x': instance 2 (pid 102) was killed by signal 9 "
	    "(Killed)");
	collective_table_free(t);
}

static void
test_leaving(void)
{
	struct collective_request a, b;
	struct collective_guest *g[2], *second;
	struct collective_table *t = table_job(g, 2);
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");

	table_call(t, g[0], &x, &a);
	collective_table_leave(t, g[1], false);
	is_int(a.outcome, WAITS, "who left may come again");
	g[1] = table_join(t, 1, 2);
	second = table_join(t, 1, 2);
	table_call(t, g[1], &x, &b);
	is_int(a.outcome, DONE, "and has");
	table_call(t, g[1], &x, &b);
	collective_table_leave(t, second, false);
	is_int(b.outcome, WAITS, "another connection of it waits on");
	collective_table_leave(t, g[1], true);
	failed(&b, COLLECTIVE_LEFT,
	    "barrier 'x': instance 1 has left the job's collectives");
	table_call(t, g[0], &x, &a);
	failed(&a, COLLECTIVE_LEFT, b.text);
	ok(table_join(t, 1, 2) == NULL,
	    "who left for good does not come again");
	collective_table_free(t);
}

/* What a member came to before it left for good, by another connection. */
static void
test_leaving_in_between(void)
{
	struct collective_request a, b, c;
	struct collective_guest *g[2], *second;
	struct collective_table *t = table_job(g, 2);
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");
	const struct collective_call y = call_of(COLLECTIVE_BARRIER, "y");

	second = table_join(t, 1, 2);
	table_call(t, second, &x, &b);
	table_call(t, g[0], &y, &a);
	collective_table_leave(t, g[1], true);
	failed(&a, COLLECTIVE_LEFT,
	    "barrier 'y': instance 1 has left the job's collectives");
	table_call(t, g[0], &x, &a);
	is_int(b.outcome, DONE, "what it had come to goes on");
	table_call(t, second, &y, &c);
	failed(&c, COLLECTIVE_LEFT,
	    "barrier 'y': instance 1 has left the job's collectives");
	collective_table_free(t);
	t = table_job(g, 2);
	collective_table_leave(t, g[1], false);
	table_call(t, g[0], &x, &a);
	collective_table_ended(t, 1, 101, 0);
	failed(&a, COLLECTIVE_GONE,
	    "barrier 'x': instance 1 (pid 101) exited with status 0");
	collective_table_free(t);
}

static void
test_communicators(void)
{
	static const uint32_t half[] = { 3, 1 }, same[] = { 1, 3 };
	static const uint32_t other[] = { 1, 2 }, twice[] = { 1, 1 };
	static const uint32_t nobody[] = { 9 };
	struct collective_request r[4];
	struct collective_guest *g[4];
	struct collective_table *t = table_job(g, 4);
	struct collective_call sum = call_of(COLLECTIVE_SUM, "x");
	int i;

	(void)snprintf(sum.communicator, sizeof(sum.communicator), "half");
	table_call(t, g[1], &sum, &r[1]);
	failed(&r[1], COLLECTIVE_NO_COMMUNICATOR,
	    "all-reduce 'x' of 'half': the communicator does not exist; all "
	    "members have to register it first");
	for (i = 0; i < 4; i++)
		registers(t, g[i], "half", i % 2 == 0 ? half : same, 2, &r[i]);
	ok(r[0].outcome == DONE && r[3].outcome == DONE, "all register it");
	is_int(collective_table_size(g[0], "half"), 2, "it has two members");
	table_call(t, g[3], &sum, &r[3]);
	table_call(t, g[1], &sum, &r[1]);
	is_int(r[3].outcome, DONE, "who meet there");
	ok(r[3].first == &r[1], "in order");
	table_call(t, g[0], &sum, &r[0]);
	failed(&r[0], COLLECTIVE_NO_COMMUNICATOR,
	    "all-reduce 'x' of 'half': instance 0 is not a member of this "
	    "communicator");
	for (i = 0; i < 4; i++)
		registers(t, g[i], "half", i == 2 ? other : half, 2, &r[i]);
	failed(&r[0], COLLECTIVE_MISMATCH,
	    "communicator 'half': instance 2 and instance 0 name different "
	    "members");
	failed(&r[3], COLLECTIVE_MISMATCH, r[0].text);
	registers(t, g[0], "n", nobody, 1, &r[0]);
	failed(&r[0], COLLECTIVE_MISMATCH,
	    "communicator 'n': instance 9 does not exist");
	registers(t, g[0], "twice", twice, 2, &r[0]);
	failed(&r[0], COLLECTIVE_MISMATCH,
	    "communicator 'twice': instance 1 is named twice");
	collective_table_lose(t, g[0], NOW);
	collective_table_expire(t, NOW + COLLECTIVE_TABLE_WORD_MS);
	table_call(t, g[3], &sum, &r[3]);
	table_call(t, g[1], &sum, &r[1]);
	is_int(r[3].outcome, DONE, "who is not in it may be gone");
	collective_table_free(t);
}

static void
hello_refused(struct collective_table *t, const struct collective_hello *h,
    const char *text)
{
	enum collective_code code;
	struct error e = { .text = "" };

	ok(collective_table_join(t, h, 100, &code, &e) == NULL, "a hello");
	is_int(code, COLLECTIVE_MISMATCH, "that does not fit");
	is_str(e.text, text, "its text");
}

static void
test_groups(void)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = 1,
		.member = 3,
		.members = 4,
		.group = "replicas" };
	struct collective_table *t = table_new(2);
	struct collective_guest *g[4];
	struct collective_request r[4];
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");
	enum collective_code code;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		h.member = i;
		h.instance = i / 2;
		g[i] = collective_table_join(t, &h, 100 + (pid_t)i / 2, &code,
		    NULL);
		table_call(t, g[i], &x, &r[i]);
	}
	h.instance = 0;
	hello_refused(t, &h,
	    "member 2 of group 'replicas' belongs to instance 1, not to "
	    "instance 0");
	h.members = 5;
	hello_refused(t, &h, "group 'replicas' has 4 members, not 5");
	h.instance = 2;
	hello_refused(t, &h, "instance 2 does not exist in a job of 2");
	h = (struct collective_hello){ .member = 1, .members = 2 };
	hello_refused(t, &h, "instance 0 is not member 1");
	h.members = 3;
	hello_refused(t, &h, "the job has 2 instances, not 3");
	g[3] = table_join(t, 1, 2);
	table_call(t, g[3], &x, &r[3]);
	is_int(r[3].outcome, WAITS, "groups are apart");
	collective_table_ended(t, 1, 101, SIGKILL);
	failed(&r[0], COLLECTIVE_GONE,
	    "barrier 'x': member 2 of instance 1 (pid 101) was killed by "
	    "signal 9 (Killed)");
	collective_table_free(t);
}

/* Every instance has members in each group: who ends without is missed. */
static void
test_group_of_one_that_ended(void)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.members = 4,
		.group = "replicas" };
	struct collective_table *t = table_new(2);
	struct collective_guest *g[2];
	struct collective_request r[2];
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");
	enum collective_code code;
	struct error e = { .text = "" };
	uint32_t i;

	for (i = 0; i < 2; i++) {
		h.member = i;
		g[i] = collective_table_join(t, &h, 100, &code, NULL);
		table_call(t, g[i], &x, &r[i]);
	}
	collective_table_ended(t, 1, 101, EXIT_3);
	failed(&r[0], COLLECTIVE_GONE,
	    "barrier 'x': instance 1 (pid 101) exited with status 3");
	(void)snprintf(h.group, sizeof(h.group), "later");
	ok(collective_table_join(t, &h, 100, &code, &e) == NULL,
	    "a group that begins after that");
	is_str(e.text, "instance 1 (pid 101) exited with status 3",
	    "is told at once");
	collective_table_free(t);
}

/* A group of some instances does not care how the others end. */
static void
test_group_of_some(void)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.members = 2,
		.group = "some" };
	struct collective_table *t = table_new(4);
	struct collective_guest *g[2];
	struct collective_request r[2];
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");
	enum collective_code code;
	uint32_t i;

	collective_table_ended(t, 3, 103, 0);
	for (i = 0; i < 2; i++) {
		h.member = h.instance = i;
		g[i] = collective_table_join(t, &h, 100 + (pid_t)i, &code,
		    NULL);
		ok(g[i] != NULL, "an instance of the group");
		table_call(t, g[i], &x, &r[i]);
		if (i == 0)
			collective_table_ended(t, 2, 102, 0);
	}
	is_int(r[0].outcome, DONE, "meets the other one");
	collective_table_free(t);
}

/* The name says whose members they are: only those are missed. */
static void
test_group_with_a_list(void)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.members = 2,
		.group = "run.1@1,3" };
	struct collective_table *t = table_new(4);
	struct collective_guest *g[2];
	struct collective_request r;
	const struct collective_call x = call_of(COLLECTIVE_BARRIER, "x");
	enum collective_code code;
	struct error e = { .text = "" };

	collective_table_ended(t, 0, 100, EXIT_3);
	h.instance = 2;
	ok(collective_table_join(t, &h, 102, &code, &e) == NULL,
	    "instance 2 is not in the list");
	h.instance = 1;
	g[0] = collective_table_join(t, &h, 101, &code, NULL);
	table_call(t, g[0], &x, &r);
	collective_table_ended(t, 2, 102, EXIT_3);
	is_int(r.outcome, WAITS, "those that are not in the list may end");
	collective_table_ended(t, 3, 103, EXIT_3);
	failed(&r, COLLECTIVE_GONE,
	    "barrier 'x': instance 3 (pid 103) exited with status 3");
	(void)snprintf(h.group, sizeof(h.group), "run.2@1,3");
	g[1] = collective_table_join(t, &h, 101, &code, NULL);
	table_call(t, g[1], &x, &r);
	failed(&r, COLLECTIVE_GONE,
	    "barrier 'x': instance 3 (pid 103) exited with status 3");
	collective_table_free(t);
}

static void
test_spoiled(void)
{
	struct collective_request a, b;
	struct collective_guest *g[2];
	struct collective_table *t = table_job(g, 2);
	const struct collective_call x = call_of(COLLECTIVE_GATHER, "x");

	table_call(t, g[0], &x, &a);
	memset(&b, 0, sizeof(b));
	collective_table_call(t, g[1], &x, &b, NOW,
	    "the result is too large for a message");
	failed(&b, COLLECTIVE_NO_ROOM,
	    "all-gather 'x': the result is too large for a message");
	failed(&a, COLLECTIVE_NO_ROOM, b.text);
	collective_table_free(t);
}

int
main(void)
{
	test_all_come();
	test_ids();
	test_differences();
	test_time_limit();
	test_ends();
	test_first_to_end();
	test_leaving();
	test_leaving_in_between();
	test_communicators();
	test_groups();
	test_group_of_one_that_ended();
	test_group_of_some();
	test_group_with_a_list();
	test_spoiled();
	return tap_done();
}
