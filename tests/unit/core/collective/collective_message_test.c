/*
 * core/collective/collective_message: what one end writes the other one reads,
 * and each message that is cut short, too long or lies about a length is
 * refused.
 */
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/collective/collective_message.h"
#include "tests/unit/set_util.h"
#include "tests/unit/tap.h"

enum { HEAD = COLLECTIVE_HEAD_BYTES };

static unsigned char bytes[COLLECTIVE_MESSAGE_MAX + 1];

/* The head of what stands in `bytes`, which has to be of this kind and size. */
static struct collective_head
head_of(int kind, size_t size)
{
	struct collective_head h = { .size = 0 };

	is_int(collective_message_get_head(&h, bytes, NULL), 0, "a head");
	is_int(h.kind, kind, "its kind");
	is_int(h.size, (long long)size, "its size");
	is_int(h.request, 0x81020304, "its request");
	return h;
}

static void
test_head(void)
{
	static const struct {
		uint32_t size;
		int status;
	} rows[] = { { 0, -1 }, { HEAD - 1, -1 }, { HEAD, 0 },
		{ COLLECTIVE_MESSAGE_MAX, 0 },
		{ COLLECTIVE_MESSAGE_MAX + 1, -1 }, { UINT32_MAX, -1 } };
	struct collective_head h;
	struct error e = { .text = "" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(bytes, 0, HEAD);
		bits_put_le32(bytes, rows[i].size);
		is_int(collective_message_get_head(&h, bytes, &e),
		    rows[i].status, "a size");
	}
	is_int(e.code, ERROR_INVALID, "the code of a wrong size");
	is_str(e.text, "a message cannot have 4294967295 bytes", "its text");
}

static void
test_hello(void)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = 3,
		.pid = 4711,
		.member = 6,
		.members = 8,
		.group = "replicas" },
				got = { .version = 0 };
	const size_t size = collective_message_put_hello(bytes, 0x81020304, &h);
	struct error e = { .text = "" };
	size_t i;

	(void)head_of(COLLECTIVE_HELLO, size);
	is_int(collective_message_get_hello(&got, bytes + HEAD, size - HEAD,
		   &e),
	    0, "a hello is read");
	is_int(got.instance, 3, "its instance");
	is_int(got.pid, 4711, "its pid");
	is_int(got.member, 6, "its member");
	is_int(got.members, 8, "of so many");
	is_str(got.group, "replicas", "its group");
	for (i = 0; i < 20; i++)
		is_int(collective_message_get_hello(&got, bytes + HEAD, i, &e),
		    -1, "a hello that is cut short");
	is_int(e.code, ERROR_INVALID, "is refused");
	is_int(collective_message_get_hello(&got, bytes + HEAD, 20, &e), 0,
	    "a group without a name");
	is_str(got.group, "", "has none");
	memset(bytes + HEAD + 20, 'g', COLLECTIVE_GROUP_MAX + 1);
	is_int(collective_message_get_hello(&got, bytes + HEAD,
		   20 + COLLECTIVE_GROUP_MAX, &e),
	    0, "the longest name of a group");
	is_int(collective_message_get_hello(&got, bytes + HEAD,
		   21 + COLLECTIVE_GROUP_MAX, &e),
	    -1, "a longer one");
	bytes[HEAD + 22] = '\0';
	is_int(collective_message_get_hello(&got, bytes + HEAD, 24, &e), -1,
	    "a name with a zero in it");
	bits_put_le32(bytes + HEAD, 2);
	is_int(collective_message_get_hello(&got, bytes + HEAD, 24, &e), 0,
	    "a hello of another version is not looked at");
	is_int(got.version, 2, "but its version is told");
}

static void
test_members(void)
{
	static const struct {
		uint32_t member, members;
		int status;
	} rows[] = { { 0, 1, 0 }, { 1, 1, -1 }, { 0, 0, -1 },
		{ UINT32_MAX, 2, -1 }, { 4095, COLLECTIVE_MEMBERS_MAX, 0 },
		{ 0, COLLECTIVE_MEMBERS_MAX + 1, -1 } };
	struct collective_hello h = { .version = COLLECTIVE_VERSION }, got;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		h.member = rows[i].member;
		h.members = rows[i].members;
		size = collective_message_put_hello(bytes, 0, &h);
		is_int(collective_message_get_hello(&got, bytes + HEAD,
			   size - HEAD, NULL),
		    rows[i].status, "a member of a group");
	}
}

static const struct collective_call call = { .operation = COLLECTIVE_GATHER,
	.type = 2,
	.root = 3,
	.timeout_ms = 4000000000,
	.count = 1ULL << 40,
	.vector = 1ULL << 41,
	.result = 1ULL << 42,
	.communicator = "half",
	.id = "grads",
	.data_bytes = 5 };

/* Every beginning of it that does not hold the names is refused. */
static void
test_call(void)
{
	struct collective_call got;
	struct error e = { .text = "" };
	struct collective_head h;
	const size_t size = collective_message_put_call(bytes, 0x81020304,
	    COLLECTIVE_IN_MEMORY, &call);
	size_t i, refused = 0;

	is_int((long long)size, HEAD + 40 + 4 + 5, "a call's own bytes");
	h = head_of(COLLECTIVE_OPERATION, size + 5);
	is_int(h.flags, COLLECTIVE_IN_MEMORY, "its flags");
	memcpy(bytes + size, "12345", 5);
	is_int(collective_message_get_call(&got, bytes + HEAD, size + 5 - HEAD,
		   &e),
	    0, "a call is read");
	is_int(got.operation, COLLECTIVE_GATHER, "its operation");
	is_int(got.type, 2, "its type");
	is_int(got.root, 3, "its root");
	is_int(got.timeout_ms, 4000000000, "its time limit");
	ok(got.count == call.count && got.vector == call.vector &&
		got.result == call.result,
	    "its count and places");
	is_str(got.communicator, "half", "its communicator");
	is_str(got.id, "grads", "its id");
	is_int((long long)got.data_bytes, 5, "its data");
	ok(memcmp(got.data, "12345", 5) == 0, "are there");
	for (i = 0; i < size - HEAD; i++)
		refused += collective_message_get_call(&got, bytes + HEAD, i,
			       &e) == -1;
	is_int((long long)refused, (long long)size - HEAD,
	    "each one that is cut short is refused");
}

static void
test_wrong_call(void)
{
	struct collective_call c = call, got;
	struct error e = { .text = "" };
	size_t size;

	c.data_bytes = 0;
	c.operation = 6;
	size = collective_message_put_call(bytes, 0, 0, &c);
	is_int(collective_message_get_call(&got, bytes + HEAD, size - HEAD, &e),
	    -1, "an operation that nobody knows");
	is_str(e.text, "unknown operation 6", "its text");
	c.operation = COLLECTIVE_BARRIER;
	c.id[0] = '\0';
	size = collective_message_put_call(bytes, 0, 0, &c);
	is_int(collective_message_get_call(&got, bytes + HEAD, size - HEAD, &e),
	    -1, "an operation without an id");
	is_str(e.text, "the operation has no id", "its text");
	memset(c.id, 'i', COLLECTIVE_NAME_MAX);
	memset(c.communicator, 'c', COLLECTIVE_NAME_MAX);
	size = collective_message_put_call(bytes, 0, 0, &c);
	is_int((long long)size, COLLECTIVE_CALL_MAX, "the longest names");
	is_int(collective_message_get_call(&got, bytes + HEAD, size - HEAD, &e),
	    0, "may be so long");
	is_str(got.id, c.id, "and are whole");
	/* A length that lies: the id would be 256 bytes, or reach behind. */
	memset(bytes + size, 'x', 1);
	bits_put_le16(bytes + HEAD + 4, COLLECTIVE_NAME_MAX + 1);
	is_int(collective_message_get_call(&got, bytes + HEAD, size + 1 - HEAD,
		   &e),
	    -1, "a name that is too long");
	bits_put_le16(bytes + HEAD + 4, UINT16_MAX);
	is_int(collective_message_get_call(&got, bytes + HEAD, size + 1 - HEAD,
		   &e),
	    -1, "a name that reaches behind the end");
}

static void
test_set(void)
{
	static const uint32_t members[] = { 7, 0, 70000 };
	struct collective_set got;
	struct error e = { .text = "" };
	const size_t size = set_util_put(bytes, 0x81020304, "half", members, 3);

	(void)head_of(COLLECTIVE_COMMUNICATOR, size);
	is_int(collective_message_get_set(&got, bytes + HEAD, size - HEAD, &e),
	    0, "a communicator is read");
	is_str(got.name, "half", "its name");
	is_int(got.count, 3, "its count");
	is_int(collective_message_member(&got, 0), 7, "its first member");
	is_int(collective_message_member(&got, 2), 70000, "its last one");
	is_int(collective_message_get_set(&got, bytes + HEAD, size - HEAD - 1,
		   &e),
	    -1, "one that is cut short");
	is_int(collective_message_get_set(&got, bytes + HEAD, size - HEAD + 1,
		   &e),
	    -1, "one that is too long");
	/* 4 * 0x40000001 is 4 in 32 bits. */
	bits_put_le32(bytes + HEAD + 4, 0x40000001);
	is_int(collective_message_get_set(&got, bytes + HEAD, size - HEAD - 8,
		   &e),
	    -1, "a count that lies");
	is_int((long long)set_util_put(bytes, 0, "none", members, 0), HEAD + 12,
	    "a set of nobody");
	is_int(collective_message_get_set(&got, bytes + HEAD, 12, &e), -1,
	    "is refused");
	is_str(e.text, "the communicator has no member", "its text");
}

static void
test_answers(void)
{
	struct collective_head h = { .size = HEAD + 400,
		.kind = COLLECTIVE_LEAVE,
		.request = 0x81020304 };
	struct error e = { .text = "" };
	uint64_t memory = 0;
	size_t size;

	size = collective_message_put_welcome(bytes, 0x81020304, 99);
	(void)head_of(COLLECTIVE_DONE, size);
	is_int((long long)size, HEAD + 8, "a welcome");
	is_int(bits_get_le32(bytes + HEAD), COLLECTIVE_VERSION, "its version");
	is_int(bits_get_le32(bytes + HEAD + 4), 99, "its pid");
	size = collective_message_put_error(bytes, 0x81020304, COLLECTIVE_GONE,
	    "instance 2 is gone");
	(void)head_of(COLLECTIVE_ERROR, size);
	is_int(bits_get_le32(bytes + HEAD), COLLECTIVE_GONE, "its code");
	is_int(collective_message_error_code(COLLECTIVE_GONE),
	    ERROR_UNAVAILABLE, "and what that is here");
	ok(size == HEAD + 4 + strlen("instance 2 is gone") &&
		memcmp(bytes + HEAD + 4, "instance 2 is gone",
		    size - HEAD - 4) == 0,
	    "its text");
	h.flags = COLLECTIVE_FOR_GOOD;
	collective_message_put_head(bytes, &h);
	is_int(head_of(COLLECTIVE_LEAVE, HEAD + 400).flags, COLLECTIVE_FOR_GOOD,
	    "a head");
	size = collective_message_put_memory(bytes, 0x81020304, 1ULL << 40);
	(void)head_of(COLLECTIVE_MEMORY, size);
	is_int(collective_message_get_memory(&memory, bytes + HEAD, size - HEAD,
		   &e),
	    0, "a message about memory is read");
	ok(memory == 1ULL << 40, "its size");
	is_int(collective_message_get_memory(&memory, bytes + HEAD, 7, &e), -1,
	    "one that is cut short");
	is_int(collective_message_get_memory(&memory, bytes + HEAD, 9, &e), -1,
	    "one that is too long");
}

/* Bytes of a message, and where they may go. */
static void
test_bytes(void)
{
	unsigned char head[COLLECTIVE_BYTES_HEAD + 4], memory[16] = { 0 };
	struct error e;

	(void)collective_message_put_bytes(head, 6, 4);
	memcpy(head + COLLECTIVE_BYTES_HEAD, "abcd", 4);
	is_int(collective_message_get_bytes(head + HEAD, 12, memory,
		   sizeof(memory), &e),
	    0, "bytes in the middle");
	ok(memcmp(memory, "\0\0\0\0\0\0abcd\0\0\0\0\0\0", 16) == 0,
	    "stand in their place");
	is_int(collective_message_get_bytes(head + HEAD, 12, memory, 9, &e), -1,
	    "behind the end");
	is_str(e.text, "4 bytes at 6 are not in the memory of 9 bytes",
	    "its reason");
	is_int(collective_message_get_bytes(head + HEAD, 8, memory,
		   sizeof(memory), &e),
	    -1, "no bytes");
	is_int(collective_message_get_bytes(head + HEAD, 7, memory,
		   sizeof(memory), &e),
	    -1, "no whole place");
	(void)collective_message_put_bytes(head, UINT64_MAX, 4);
	is_int(collective_message_get_bytes(head + HEAD, 12, memory,
		   sizeof(memory), &e),
	    -1, "a place that wraps around");
	is_int(collective_message_get_bytes(head + HEAD, 12, NULL, 0, &e), -1,
	    "no memory at all");
}

int
main(void)
{
	test_head();
	test_hello();
	test_members();
	test_call();
	test_wrong_call();
	test_set();
	test_answers();
	test_bytes();
	return tap_done();
}
