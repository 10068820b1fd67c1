/* More programs than a server lends devices to, and who may still come. */
#include <sys/stat.h>
#include <sys/wait.h>

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/device.h"
#include "ipu/device/lease.h"
#include "tests/unit/lease_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum {
	PER_CONNECTION = 90, /* rpc_limits.h: 100 streams */
	OTHER_USER = 64012
};

/* Who want devices over TCP, or over the socket of this host. */
struct flood {
	bool tcp;
	int count;
	struct rpc_client *clients[LEASE_SERVICE_MAX / PER_CONNECTION + 1];
	struct rpc_stream *wishes[LEASE_SERVICE_MAX];
};

/* Its client for the next wish. */
static struct rpc_client *
flood_client(struct flood *f)
{
	struct rpc_client **c = &f->clients[f->count / PER_CONNECTION];

	if (*c == NULL)
		*c = lease_util_dial(f->tcp);
	return *c;
}

/*
 * Garbage for a wish is refused, and on a connection calls are served in their
 * order: those before it have been looked at then.
 */
static void
flood_settle(struct flood *f)
{
	struct rpc_client **c = f->clients;
	struct rpc_stream *s;
	const unsigned char *bytes;
	size_t size;
	struct error e;

	for (; c < f->clients + ARRAY_SIZE(f->clients); c++) {
		if (*c == NULL)
			continue;
		s = rpc_stream_begin(*c, LEASE_MESSAGE_PATH, NULL, 0, &e);
		must(s == NULL ? -1 : 0, &e);
		rpc_stream_send(s, "\xff", 1);
		if (rpc_stream_receive(s, LEASE_UTIL_WAIT_MS, &bytes, &size,
			&e) != RPC_FAILED ||
		    e.code != ERROR_INVALID)
			abort();
		rpc_stream_drop(s);
	}
}

/* So many more of them.  How many there are who were not refused. */
static int
flood_add(struct flood *f, int count)
{
	const unsigned char *bytes;
	size_t size;
	struct error e;
	int let_in = 0, i;

	for (; count > 0; count--) {
		f->wishes[f->count] = lease_util_wish(flood_client(f), true);
		f->count++;
	}
	flood_settle(f);
	for (i = 0; i < f->count; i++)
		let_in += rpc_stream_receive(f->wishes[i], 0, &bytes, &size,
			      &e) != RPC_FAILED;
	return let_in;
}

/* What one more is told. */
static const char *
flood_refusal(struct flood *f)
{
	static struct error e;
	struct rpc_stream *s = lease_util_wish(flood_client(f), true);
	const unsigned char *bytes;
	size_t size;
	enum rpc_received got = rpc_stream_receive(s, LEASE_UTIL_WAIT_MS,
	    &bytes, &size, &e);

	rpc_stream_drop(s);
	return got == RPC_FAILED && e.code == ERROR_UNAVAILABLE ?
	    e.text :
	    "let in";
}

static void
flood_drop_last(struct flood *f)
{
	rpc_stream_drop(f->wishes[--f->count]);
	f->wishes[f->count] = NULL;
	flood_settle(f);
}

static void
flood_end(struct flood *f)
{
	size_t i;

	while (f->count > 0)
		rpc_stream_drop(f->wishes[--f->count]);
	for (i = 0; i < ARRAY_SIZE(f->clients); i++)
		rpc_client_close(f->clients[i]);
	memset(f->clients, 0, sizeof(f->clients));
}

/* Another user of this host, in a process of its own: how many of its wishes
   were let in, and then what it is told, in *got. */
struct other_user {
	pid_t pid;
	int end; /* closing it ends it */
	int let_in;
	char told[256];
};

static void
other_user_flood(int to, int from)
{
	static struct flood f = { .tcp = false };
	struct other_user o = { .let_in = 0 };
	char byte;

	if (setgroups(0, NULL) != 0 || setgid(OTHER_USER) != 0 ||
	    setuid(OTHER_USER) != 0)
		_exit(1);
	o.let_in = flood_add(&f, LEASE_SERVICE_USER_MAX);
	(void)snprintf(o.told, sizeof(o.told), "%s", flood_refusal(&f));
	(void)!write(to, &o, sizeof(o));
	(void)!read(from, &byte, 1);
	_exit(0);
}

static void
other_user_start(struct other_user *o)
{
	int to[2], from[2];
	pid_t pid;

	(void)chmod(tap_directory(), 0711);
	(void)chmod(test_paths.directory, 0711);
	(void)fflush(stdout);
	if (pipe(to) != 0 || pipe(from) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		(void)close(from[1]);
		other_user_flood(to[1], from[0]);
	}
	(void)close(to[1]);
	(void)close(from[0]);
	if (read(to[0], o, sizeof(*o)) != sizeof(*o))
		abort();
	(void)close(to[0]);
	o->pid = pid;
	o->end = from[1];
}

static void
other_user_end(struct other_user *o)
{
	(void)close(o->end);
	(void)waitpid(o->pid, NULL, 0);
	(void)chmod(test_paths.directory, 0700);
}

/* One of other hosts goes, and its place is this host's. */
static void
test_full(struct flood *far)
{
	static struct flood here = { .tcp = false };

	is_str(flood_refusal(&here),
	    "960 programs already hold or wait for devices through this "
	    "server; it accepts no more",
	    "that is all, for root as well");
	flood_drop_last(far);
	is_int(flood_add(&here, 1), 1, "where one leaves another comes");
	flood_end(&here);
}

static void
test_users(struct flood *far)
{
	struct other_user o;

	if (geteuid() != 0) {
		tap_skip("another user", "needs root");
		return;
	}
	flood_drop_last(far);
	other_user_start(&o);
	is_int(o.let_in, LEASE_SERVICE_USER_MAX,
	    "a user of this host has his own");
	is_str(o.told,
	    "240 programs of this user already hold or wait for devices "
	    "through this server; it accepts no more",
	    "and no more");
	is_int(flood_add(far, 1), LEASE_SERVICE_REMOTE_MAX,
	    "which are not those of other hosts");
	test_full(far);
	other_user_end(&o);
}

int
main(void)
{
	static struct flood far = { .tcp = true };
	struct flood one = { .tcp = false };
	const int64_t until = clock_monotonic_ms() + LEASE_UTIL_WAIT_MS;
	struct ipu_slot slot;

	lease_util_make_partitions();
	lease_util_start();
	is_int(flood_add(&far, LEASE_SERVICE_REMOTE_MAX),
	    LEASE_SERVICE_REMOTE_MAX, "so many of other hosts");
	is_str(flood_refusal(&far),
	    "720 programs of other hosts already hold or wait for devices "
	    "through this server; it accepts no more",
	    "and no more");
	test_users(&far);
	ok(lease_util_see(0, &slot), "one of them has the device");
	flood_end(&far);
	while (lease_util_see(0, &slot) && clock_monotonic_ms() < until)
		;
	is_int(flood_add(&one, 1), 1, "when they are gone another comes");
	ok(lease_util_see(0, &slot), "and has it");
	flood_end(&one);
	lease_util_kill();
	return state_util_done();
}
