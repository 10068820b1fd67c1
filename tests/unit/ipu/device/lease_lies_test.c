/*
 * Programs that lie to a server which lends them devices: in messages, and in
 * the memory that they share with it.
 */
#include <sys/mman.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/server/rpc/rpc.h"
#include "ipu/device/lease.h"
#include "tests/unit/lease_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* What the server says to these bytes, behind a wish or as the first. */
static enum error_code
answer_to(bool granted, const void *bytes, size_t size)
{
	struct rpc_client *c = lease_util_dial(false);
	struct error e = { .code = ERROR_NONE };
	struct rpc_stream *s = granted ?
	    lease_util_wish(c, false) :
	    rpc_stream_begin(c, LEASE_MESSAGE_PATH, NULL, 0, &e);
	const unsigned char *got;
	size_t got_size;
	enum rpc_received what = RPC_MESSAGE;

	if (granted)
		is_int(rpc_stream_receive(s, LEASE_UTIL_WAIT_MS, &got,
			   &got_size, &e),
		    RPC_MESSAGE, "a raw client is granted a device");
	rpc_stream_send(s, bytes, size);
	while (what == RPC_MESSAGE)
		what = rpc_stream_receive(s, LEASE_UTIL_WAIT_MS, &got,
		    &got_size, &e);
	rpc_stream_drop(s);
	rpc_client_close(c);
	return what == RPC_FAILED ? e.code : ERROR_NONE;
}

static void
test_lies(void)
{
	struct ipu_slot slot;

	is_int(answer_to(false, "\xff\xff\xff", 3), ERROR_INVALID,
	    "garbage is no wish");
	is_int(answer_to(false, "", 0), ERROR_INVALID, "nothing is none");
	is_int(answer_to(false, "\x12\x02\x08\x01", 4), ERROR_INVALID,
	    "counters are none");
	is_int(answer_to(false, "\x0a\x08\x0a\x02p4\x20\x80\x80\x7c", 10),
	    ERROR_INVALID, "a device of very many IPUs");
	is_int(answer_to(true, "\xff\xff\xff", 3), ERROR_INVALID,
	    "garbage behind a wish");
	ok(!lease_util_see(0, &slot), "ends the lease");
	is_int(answer_to(true, "\x12\x02\x08\x01", 4), ERROR_INVALID,
	    "counters of too few IPUs");
	is_int(answer_to(true, "\x0a\x04\x0a\x02p4", 6), ERROR_INVALID,
	    "a second wish");
	ok(!lease_util_see(0, &slot), "nothing is held any more");
}

/* The memory stays as it is, and what is in it is not believed. */
static void
test_memory(void)
{
	struct rpc_client *c = lease_util_dial(false);
	struct error e;
	struct rpc_stream *s;
	const unsigned char *got;
	struct ipu_slot *map, slot, before;
	size_t size;
	int fd;

	(void)lease_util_see(2, &before);
	s = lease_util_wish(c, false);
	is_int(rpc_stream_receive(s, LEASE_UTIL_WAIT_MS, &got, &size, &e),
	    RPC_MESSAGE, "a device with memory");
	size = 4 * sizeof(slot);
	fd = rpc_client_take_passed(c);
	ok(fd != -1, "a descriptor");
	is_int(ftruncate(fd, 0), -1, "cannot be cut");
	is_int(errno, EPERM, "because it is sealed");
	is_int(ftruncate(fd, (off_t)size * 2), -1, "nor grown");
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		abort();
	memset(map, 0xff, size);
	rpc_stream_half_close(s);
	is_int(rpc_stream_receive(s, LEASE_UTIL_WAIT_MS, &got, &size, &e),
	    RPC_ENDED, "it is given back");
	(void)lease_util_see(2, &slot);
	ok(atomic_load(&slot.busy_ns) - atomic_load(&before.busy_ns) <
		(uint64_t)LEASE_UTIL_WAIT_MS * 1000000,
	    "no work of centuries");
	ok(atomic_load(&slot.last_busy_ns) == atomic_load(&before.last_busy_ns),
	    "none in the future");
	is_str(slot.command, "", "and no words");
	(void)munmap(map, 4 * sizeof(slot));
	(void)close(fd);
	rpc_stream_drop(s);
	rpc_client_close(c);
}

int
main(void)
{
	lease_util_make_partitions();
	lease_util_start();
	test_lies();
	test_memory();
	lease_util_kill();
	return state_util_done();
}
