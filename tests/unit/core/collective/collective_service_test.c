/*
 * core/collective/collective_server: what a program says to it, also what is
 * against the rules, and what it answers.  The members are in this process.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/formats/element.h"
#include "core/collective/collective.h"
#include "tests/unit/member_util.h"
#include "tests/unit/tap.h"

enum {
	LARGE = 1 << 20, /* floats of a large vector */
	SEALS = F_SEAL_SHRINK | F_SEAL_GROW,
	MEMORY = 1,	/* a flag: see there */
	UNREAD = 20000, /* requests; taking all of them would take less than so
			   long */
	UNREAD_MS = 300,
	NOBODY = 65534
};

static struct member members[3];

static struct collective_server *
start(int instances)
{
	struct error e = { .text = "" };
	struct collective_server *s = collective_server_new(tap_directory(),
	    instances, &e);

	if (s == NULL || collective_server_start(s) != 0) {
		(void)fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return s;
}

/* All members call it, each in its turn; and their answers, which stand in
   their own messages. */
static void
all_call(int count, int flags, const struct collective_call *c,
    const void *const *data, struct answer *a)
{
	int i;

	for (i = 0; i < count; i++)
		(void)member_send(&members[i], flags, c,
		    data != NULL ? data[i] : NULL);
	for (i = 0; i < count; i++)
		member_receive(&members[i], &a[i]);
}

static void
open_all(int count)
{
	int i;

	for (i = 0; i < count; i++)
		member_open(&members[i], tap_directory(), (uint32_t)i,
		    (uint32_t)count);
}

static void
close_all(int count)
{
	int i;

	for (i = 0; i < count; i++)
		member_leave(&members[i], 0);
}

/* Each type goes through a sum, a gather and a broadcast, in messages. */
static void
test_messages(void)
{
	static const int32_t v[3] = { 40, -7, 9 };
	const void *data[3] = { &v[0], &v[1], &v[2] };
	struct collective_server *s = start(3);
	struct collective_call c;
	struct answer a[3];
	int32_t got[3];

	open_all(3);
	c = member_a_call(COLLECTIVE_SUM, "x", ELEMENT_INT32, 1);
	c.data_bytes = sizeof(v[0]);
	all_call(3, 0, &c, data, a);
	ok(a[2].kind == COLLECTIVE_DONE && a[2].size == sizeof(v[0]) &&
		bits_get_le32(a[2].body) == 42,
	    "a sum");
	c.operation = COLLECTIVE_GATHER;
	all_call(3, 0, &c, data, a);
	ok(a[0].size == sizeof(v), "a gather has the vectors of all");
	memcpy(got, a[0].body, sizeof(got));
	ok(memcmp(got, v, sizeof(v)) == 0, "in their order");
	c = member_a_call(COLLECTIVE_BARRIER, "x", 0, 0);
	all_call(3, 0, &c, NULL, a);
	ok(a[1].kind == COLLECTIVE_DONE && a[1].size == 0, "a barrier");
	c = member_a_call(COLLECTIVE_SUM, "x", ELEMENT_DOUBLE, 0);
	all_call(3, 0, &c, NULL, a);
	ok(a[1].kind == COLLECTIVE_DONE && a[1].size == 0, "a sum of nothing");
	c = member_a_call(COLLECTIVE_BROADCAST, "x", ELEMENT_INT32, 1);
	c.root = 1;
	(void)member_send(&members[0], 0, &c, NULL);
	(void)member_send(&members[2], 0, &c, NULL);
	c.data_bytes = sizeof(v[1]);
	(void)member_send(&members[1], 0, &c, &v[1]);
	member_receive(&members[2], &a[2]);
	ok(a[2].size == sizeof(v[1]) && (int32_t)bits_get_le32(a[2].body) == -7,
	    "a broadcast");
	member_receive(&members[0], &a[0]);
	member_receive(&members[1], &a[1]);
	close_all(3);
	collective_server_free(s);
}

/* Vectors in memory, at the same place as the result or elsewhere. */
static void
test_memory(void)
{
	const size_t bytes = LARGE * sizeof(float);
	struct collective_server *s = start(2);
	struct collective_call c = member_a_call(COLLECTIVE_SUM, "x",
	    ELEMENT_FLOAT, LARGE);
	struct answer a[2];
	float *m[2];
	size_t i, wrong = 0;

	open_all(2);
	for (i = 0; i < 2; i++) {
		m[i] = member_share(&members[i], 4 * bytes, SEALS, &a[i]);
		is_int(a[i].kind, COLLECTIVE_DONE, "memory is taken");
	}
	for (i = 0; i < LARGE; i++) {
		m[0][i] = (float)i;
		m[1][LARGE + i] = (float)(2 * i);
	}
	(void)member_send(&members[0], MEMORY, &c, NULL);
	c.vector = bytes;
	c.result = 2 * bytes;
	(void)member_send(&members[1], MEMORY, &c, NULL);
	member_receive(&members[0], &a[0]);
	member_receive(&members[1], &a[1]);
	is_int(a[0].kind, COLLECTIVE_DONE, "a large sum");
	for (i = 0; i < LARGE; i++)
		wrong += m[0][i] != (float)(3 * i) ||
		    m[1][2 * LARGE + i] != (float)(3 * i);
	is_int((long long)wrong, 0, "is right, also where a vector was");
	c = member_a_call(COLLECTIVE_GATHER, "x", ELEMENT_FLOAT, LARGE);
	for (i = 0; i < LARGE; i++) {
		m[0][i] = (float)i;
		m[1][i] = (float)(2 * i);
	}
	all_call(2, MEMORY, &c, NULL, a);
	is_int(a[1].kind, COLLECTIVE_DONE, "a large gather");
	for (i = 0; i < LARGE; i++)
		wrong += m[0][i] != (float)i || m[1][i] != (float)i ||
		    m[0][LARGE + i] != (float)(2 * i) ||
		    m[1][LARGE + i] != (float)(2 * i);
	is_int((long long)wrong, 0, "is right, with its vectors in front");
	c = member_a_call(COLLECTIVE_BROADCAST, "x", ELEMENT_FLOAT, LARGE);
	c.root = 1;
	c.vector = bytes;
	all_call(2, MEMORY, &c, NULL, a);
	is_int(a[1].kind, COLLECTIVE_DONE, "a large broadcast");
	for (i = 0; i < LARGE; i++)
		wrong += m[0][i] != (float)(2 * i);
	is_int((long long)wrong, 0, "is right");
	close_all(2);
	for (i = 0; i < 2; i++)
		(void)munmap(m[i], 4 * bytes);
	collective_server_free(s);
}

/* One gives its vector in memory, the other in the message. */
static void
test_both_ways(void)
{
	static const double here = 0.5;
	struct collective_server *s = start(2);
	struct collective_call c = member_a_call(COLLECTIVE_SUM, "x",
	    ELEMENT_DOUBLE, 1);
	struct answer a[2];
	double *memory, got;

	open_all(2);
	memory = member_share(&members[0], 4096, SEALS, &a[0]);
	*memory = 2;
	(void)member_send(&members[0], MEMORY, &c, NULL);
	c.data_bytes = sizeof(here);
	(void)member_call(&members[1], 0, &c, &here, &a[1]);
	memcpy(&got, a[1].body, sizeof(got));
	is_near(got, 2.5, 0, "the result in the message");
	member_receive(&members[0], &a[0]);
	is_int((long long)a[0].size, 0, "nothing in the other one's");
	is_near(*memory, 2.5, 0, "but in its memory");
	(void)munmap(memory, 4096);
	/* Too large for a message; the other one has memory. */
	memory = member_share(&members[0], 1 << 20, SEALS, &a[0]);
	c = member_a_call(COLLECTIVE_BROADCAST, "x", ELEMENT_DOUBLE, 10000);
	(void)member_send(&members[0], MEMORY, &c, NULL);
	is_int(member_call(&members[1], 0, &c, NULL, &a[1]), -1, "no room");
	is_int(a[1].code, COLLECTIVE_NO_ROOM, "the code");
	is_str(a[1].why.text,
	    "broadcast 'x': the result is too large for a message", "the text");
	member_receive(&members[0], &a[0]);
	is_str(a[0].why.text, a[1].why.text, "the other one learns it too");
	(void)munmap(memory, 1 << 20);
	close_all(2);
	collective_server_free(s);
}

/*
 * Member 0 sends bytes that are not a message, or not one that may come then:
 * it is left.  The others are served as before.
 */
static void
reject(const void *bytes, size_t size, const char *text)
{
	static struct member bad;
	struct collective_call c = member_a_call(COLLECTIVE_BARRIER, "x", 0, 0);
	struct answer a[2];

	member_connect(&bad, tap_directory());
	member_put(&bad, bytes, size, -1);
	member_receive(&bad, &a[0]);
	is_int(a[0].kind, COLLECTIVE_ERROR, "it is refused");
	is_int(a[0].code, COLLECTIVE_MALFORMED, "as malformed");
	is_str(a[0].why.text, text, "with the reason");
	member_receive(&bad, &a[0]);
	is_int(a[0].kind, 0, "and left");
	(void)close(bad.fd);
	all_call(2, 0, &c, NULL, a);
	ok(a[0].kind == COLLECTIVE_DONE && a[1].kind == COLLECTIVE_DONE,
	    "others are served");
}

/* A good hello of instance 2, and behind it a message of that kind. */
static size_t
after_hello(unsigned char *bytes, int kind, size_t size)
{
	const struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = 2,
		.member = 0,
		.members = 1,
		.group = "bad" };
	const size_t at = collective_message_put_hello(bytes, 1, &h);

	memset(bytes + at, 0, size);
	bits_put_le32(bytes + at, (uint32_t)size);
	bits_put_le16(bytes + at + 4, (uint16_t)kind);
	return at + size;
}

/* The same, and the answer to the hello is taken before. */
static void
reject_second(const unsigned char *bytes, size_t size, const char *text)
{
	static struct member bad;
	struct answer a;

	member_connect(&bad, tap_directory());
	member_put(&bad, bytes, size, -1);
	member_receive(&bad, &a);
	if (a.kind == COLLECTIVE_DONE) {
		member_receive(&bad, &a);
		is_int(a.code, COLLECTIVE_MALFORMED, "a second message");
		is_str(a.why.text, text, "and why");
		member_receive(&bad, &a);
		is_int(a.kind, 0, "it is left");
	} else
		ok(false, "the hello is fine");
	(void)close(bad.fd);
}

static void
test_malformed(void)
{
	unsigned char bytes[1024] = { 0 };
	struct collective_server *s;
	struct collective_call c = member_a_call(COLLECTIVE_SUM, "x",
	    ELEMENT_FLOAT, 3);
	size_t at;

	s = start(2);
	open_all(2);
	reject(bytes, 16, "a message cannot have 0 bytes");
	memset(bytes, 0xff, 16);
	reject(bytes, 16, "a message cannot have 4294967295 bytes");
	memset(bytes, 0, 16);
	bits_put_le32(bytes, 16);
	bits_put_le16(bytes + 4, COLLECTIVE_LEAVE);
	reject(bytes, 16, "a message of kind 5 came before hello");
	bits_put_le32(bytes, 20);
	bits_put_le16(bytes + 4, COLLECTIVE_HELLO);
	bits_put_le32(bytes + 16, COLLECTIVE_VERSION);
	reject(bytes, 20, "a hello is too short, or has an invalid name");
	collective_server_free(s);
	(void)close(members[0].fd);
	(void)close(members[1].fd);
	s = start(3);
	at = after_hello(bytes, 99, 16);
	reject_second(bytes, at, "unknown kind of message: 99");
	collective_server_free(s);
	s = start(3);
	at = after_hello(bytes, COLLECTIVE_MEMORY, 24);
	reject_second(bytes, at, "the descriptor of the memory is missing");
	collective_server_free(s);
	s = start(3);
	c.data_bytes = 8;
	at = after_hello(bytes, 0, 16) - 16;
	at += collective_message_put_call(bytes + at, 2, 0, &c) + 8;
	reject_second(bytes, at, "the vector has 8 bytes instead of 12");
	collective_server_free(s);
	s = start(3);
	c.data_bytes = 0;
	at = after_hello(bytes, 0, 16) - 16;
	at += collective_message_put_call(bytes + at, 2, MEMORY, &c);
	reject_second(bytes, at,
	    "a vector or a result lies outside the memory of 0 bytes");
	collective_server_free(s);
	s = start(3);
	c.count = UINT64_MAX / 2;
	at = after_hello(bytes, 0, 16) - 16;
	at += collective_message_put_call(bytes + at, 2, MEMORY, &c);
	reject_second(bytes, at, "9223372036854775807 elements are too many");
	collective_server_free(s);
	/* That is for relays alone. */
	s = start(3);
	c.count = 3;
	c.operation = COLLECTIVE_CHAIN;
	at = after_hello(bytes, 0, 16) - 16;
	at += collective_message_put_call(bytes + at, 2, 0, &c);
	reject_second(bytes, at, "unknown operation 5");
	collective_server_free(s);
}

/* Memory that could become smaller would end poprun by a signal. */
static void
test_seals(void)
{
	struct collective_server *s = start(2);
	struct collective_call c = member_a_call(COLLECTIVE_SUM, "x",
	    ELEMENT_FLOAT, 4);
	struct answer a[2];
	void *memory[3];

	open_all(2);
	memory[0] = member_share(&members[0], 4096, SEALS, &a[0]);
	(void)member_send(&members[0], MEMORY, &c, NULL);
	memory[1] = member_share(&members[0], 8192, SEALS, &a[0]);
	is_int(a[0].code, COLLECTIVE_NO_ROOM, "memory while another is used");
	is_str(a[0].why.text,
	    "a waiting operation still uses the earlier memory", "its text");
	memory[2] = member_share(&members[1], 4096, F_SEAL_GROW, &a[1]);
	is_int(a[1].code, COLLECTIVE_MALFORMED, "memory without its seal");
	is_str(a[1].why.text, "the memory is not sealed with F_SEAL_SHRINK",
	    "its text");
	member_receive(&members[1], &a[1]);
	is_int(a[1].kind, 0, "who gave it is left");
	member_receive(&members[0], &a[0]);
	is_int(a[0].code, COLLECTIVE_GONE, "and gone for the others");
	(void)close(members[1].fd);
	member_leave(&members[0], 0);
	(void)munmap(memory[0], 4096);
	(void)munmap(memory[1], 8192);
	(void)munmap(memory[2], 4096);
	collective_server_free(s);
}

/* Another version is told so, and may say hello once more. */
static void
test_version(void)
{
	unsigned char bytes[64];
	struct collective_hello h = { .version = 2,
		.instance = 0,
		.member = 0,
		.members = 1 };
	struct collective_server *s = start(1);
	struct answer a;

	member_connect(&members[0], tap_directory());
	member_put(&members[0], bytes,
	    collective_message_put_hello(bytes, 1, &h), -1);
	member_receive(&members[0], &a);
	is_int(a.code, COLLECTIVE_OTHER_VERSION, "another version");
	is_str(a.why.text,
	    "the program uses version 2 of the collectives, but poprun uses "
	    "version 1; install the libraries of this poprun with ipubox "
	    "--install-sdk",
	    "what helps");
	h.version = COLLECTIVE_VERSION;
	member_put(&members[0], bytes,
	    collective_message_put_hello(bytes, 2, &h), -1);
	member_receive(&members[0], &a);
	is_int(a.kind, COLLECTIVE_DONE, "this version");
	is_int(bits_get_le32(a.body + 4), getpid(), "poprun's pid");
	collective_server_free(s);
	member_receive(&members[0], &a);
	is_int(a.kind, 0, "poprun's end is the end of the connection");
	(void)close(members[0].fd);
}

/* Ask for much, and read no answer. */
static void
flood(void)
{
	struct collective_call c = member_a_call(COLLECTIVE_SUM, "x", 99, 0);
	int i;

	(void)snprintf(c.communicator, sizeof(c.communicator), "none");
	member_open(&members[2], tap_directory(), 2, 3);
	for (i = 0; i < UNREAD; i++)
		(void)member_send(&members[2], 0, &c, NULL);
	_exit(0);
}

/*
 * Who never reads what it asked for is not read either: so it does not get to
 * its end.  Nobody else is kept from anything by that.
 */
static void
test_unread(void)
{
	struct collective_server *s = start(3);
	struct collective_call c = member_a_call(COLLECTIVE_BARRIER, "y", 0, 0);
	struct answer a[2];
	struct pollfd child = { .events = POLLIN };
	int status;
	pid_t pid;

	member_open(&members[0], tap_directory(), 0, 3);
	member_open(&members[1], tap_directory(), 1, 3);
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0)
		flood();
	child.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	is_int(poll(&child, 1, UNREAD_MS), 0, "who does not read is held up");
	(void)snprintf(c.communicator, sizeof(c.communicator), "none");
	all_call(2, 0, &c, NULL, a);
	is_int(a[1].code, COLLECTIVE_NO_COMMUNICATOR, "others are served");
	c.communicator[0] = '\0';
	(void)member_send(&members[1], 0, &c, NULL);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	collective_server_ended(s, 2, pid, status);
	member_receive(&members[1], &a[1]);
	is_int(a[1].code, COLLECTIVE_GONE, "and learn its end");
	(void)close(child.fd);
	(void)close(members[0].fd);
	(void)close(members[1].fd);
	collective_server_free(s);
}

/* Another user is not spoken to, even where the files would let him in. */
static void
test_other_user(void)
{
	struct collective_server *s;
	struct answer a;
	char *path;
	int status = 0;
	pid_t pid;

	if (geteuid() != 0) {
		tap_skip("another user", "only root can be one");
		return;
	}
	s = start(1);
	path = xasprintf("%s/collectives", tap_directory());
	(void)chmod(path, 0777);
	(void)chmod(tap_directory(), 0711);
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (setuid(NOBODY) != 0)
			_exit(1);
		member_connect(&members[0], tap_directory());
		member_receive(&members[0], &a);
		_exit(a.kind == 0 ? 0 : 2);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "another user's connection is closed");
	free(path);
	(void)chmod(tap_directory(), 0700);
	collective_server_free(s);
}

/* A process that ends while its child holds the connection has ended. */
static void
test_fork(void)
{
	struct collective_server *s = start(2);
	struct collective_call c = member_a_call(COLLECTIVE_BARRIER, "x", 0, 0);
	struct answer a;
	char wanted[128];
	int hold[2], status;
	pid_t pid;

	if (pipe(hold) != 0)
		exit(1);
	member_open(&members[0], tap_directory(), 0, 2);
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		member_open(&members[1], tap_directory(), 1, 2);
		if (fork() == 0) {
			(void)close(hold[1]);
			(void)!read(hold[0], &status, 1);
			_exit(0);
		}
		(void)raise(SIGKILL);
	}
	(void)member_send(&members[0], 0, &c, NULL);
	(void)waitpid(pid, &status, 0);
	collective_server_ended(s, 1, pid, status);
	member_receive(&members[0], &a);
	(void)snprintf(wanted, sizeof(wanted),
	    "barrier 'x': instance 1 (pid %ld) was killed by signal 9 (Killed)",
	    (long)pid);
	is_str(a.why.text, wanted, "its end is told");
	(void)close(hold[0]);
	(void)close(hold[1]);
	member_leave(&members[0], 0);
	collective_server_free(s);
}

int
main(void)
{
	test_messages();
	test_memory();
	test_both_ways();
	test_malformed();
	test_seals();
	test_version();
	test_unread();
	test_other_user();
	test_fork();
	return tap_done();
}
