/*
 * Devices through a server: who holds them, what they count, how they fare and
 * when they are free.
 */
#include "ipu/device/lease.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "tests/unit/lease_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { OTHER_USER = 4711 };

/* ---- what a program sees ---- */

static void
use_partition(const char *name)
{
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", name, 1);
}

/* Over TCP from now on, or by the socket again. */
static void
use_tcp(bool tcp)
{
	if (tcp) {
		(void)setenv("IPUOF_VIPU_API_HOST", "127.0.0.1", 1);
		(void)setenv("IPUOF_VIPU_API_PORT", lease_util_port, 1);
	} else {
		(void)unsetenv("IPUOF_VIPU_API_HOST");
		(void)unsetenv("IPUOF_VIPU_API_PORT");
	}
}

/* Look until the IPU's work at the registry is not less. */
static uint64_t
see_busy(int ipu, uint64_t wanted)
{
	const int64_t until = clock_monotonic_ms() + LEASE_UTIL_WAIT_MS;
	struct ipu_slot slot;

	do {
		(void)lease_util_see(ipu, &slot);
	} while (atomic_load(&slot.busy_ns) < wanted &&
	    clock_monotonic_ms() < until);
	return atomic_load(&slot.busy_ns);
}

/* ---- holding ---- */

static void
check_holder(const struct ipu_slot *slot, bool tcp)
{
	struct holder_place place;

	holder_place_init(&place);
	is_str(slot->command, "train.py", "with its command");
	is_int(slot->pid, getpid(), "and its process");
	is_int(slot->gcd, 0, "and its GCD");
	is_str(slot->host, place.host, "on its host");
	is_int(slot->uid, tcp ? (uint32_t)-1 : geteuid(),
	    "of the user whom the kernel names, if any");
	ok(holder_is_here(&place, slot) == !tcp,
	    "elsewhere only where it came over TCP");
}

static void
test_hold(bool tcp)
{
	struct attachment a, b;
	struct ipu_slot slot;
	struct error e = { .text = "" };

	use_tcp(tcp);
	use_partition("p4");
	is_int(attach(&a, 2, -1, "train.py", &e), 0, "a device");
	is_str(e.text, "", "without an error");
	ok(a.lease != NULL, "is a lease");
	is_int(a.taken.count, 2, "of two IPUs");
	is_int(a.taken.first_ipu, 0, "the first ones");
	is_str(a.taken.partition, "p4", "of the partition");
	is_int(a.taken.gcd_ipus, 4, "of four");
	is_int(a.taken.gcds, 1, "in one GCD");
	ok(lease_util_see(0, &slot) && lease_util_see(1, &slot),
	    "others see the holder");
	check_holder(&slot, tcp);
	ok(!lease_util_see(2, &slot), "of these IPUs alone");
	is_int(attach_check(&a, &e), 0, "it is in order");
	is_int(attach(&b, 4, -1, "other.py", &e), -1, "all four");
	is_int(e.code, ERROR_NO_ROOM, "are not free");
	ok(strstr(e.text, "Failed to acquire 4 IPU(s)\n") == e.text &&
		strstr(e.text, "train.py") != NULL,
	    "and who has them is said");
	is_int(attach(&b, 2, -1, "other.py", &e), 0, "two more are");
	is_int(b.taken.first_ipu, 2, "the next ones");
	attach_end(&b);
	attach_end(&a);
	ok(!lease_util_see(0, &slot) && !lease_util_see(2, &slot),
	    "free when it is given back");
}

static void
test_refused(void)
{
	struct attachment a;
	struct error e;

	use_partition("hers");
	is_int(attach(&a, 1, -1, "x", &e), -1, "a partition of another user");
	is_int(e.code, ERROR_DENIED, "its code");
	is_str(e.text, "Failed to acquire 1 IPU(s)\npartition hers is hers",
	    "its words");
	use_partition("none");
	is_int(attach(&a, 1, 0, "x", &e), -1, "no such partition");
	ok(strstr(e.text,
	       "partition none (from IPUOF_VIPU_API_PARTITION_ID) does not "
	       "exist; ") != NULL,
	    "and what named it");
	use_partition("p4");
	is_int(attach(&a, 1, 77, "x", &e), -1, "no such device");
	is_int(e.code, ERROR_NOT_FOUND, "its code, too");
}

static void
test_job(void)
{
	struct attachment a;
	struct error e = { .text = "" };

	(void)setenv("POPDIST_NUM_TOTAL_REPLICAS", "4", 1);
	(void)setenv("POPDIST_NUM_LOCAL_REPLICAS", "1", 1);
	(void)setenv("POPDIST_REPLICA_INDEX_OFFSET", "3", 1);
	use_partition("p4");
	is_int(attach(&a, 1, -1, "x", &e), 0, "an instance of a job");
	is_int(a.taken.device.id, 3, "has its own device");
	attach_end(&a);
	(void)unsetenv("POPDIST_NUM_TOTAL_REPLICAS");
	(void)unsetenv("POPDIST_NUM_LOCAL_REPLICAS");
	(void)unsetenv("POPDIST_REPLICA_INDEX_OFFSET");
}

/* ---- what it counts, and how it fares ---- */

static void
test_counts(bool tcp)
{
	struct attachment a;
	struct ipu_slot before, slot;
	struct error e = { .text = "" };
	uint64_t wanted;

	use_tcp(tcp);
	use_partition("p4");
	(void)lease_util_see(1, &before);
	is_int(attach(&a, 4, -1, "count", &e), 0, "a device to count on");
	clock_sleep_ms(3);
	atomic_store(&attach_slot(&a, 1)->busy_ns, 2000000);
	atomic_store(&attach_slot(&a, 1)->exchange_bytes, 1000);
	wanted = atomic_load(&before.busy_ns) + 2000000;
	is_int((long long)see_busy(1, wanted), (long long)wanted,
	    "work is told while it is held");
	atomic_store(&attach_slot(&a, 1)->host_bytes, 77);
	attach_end(&a);
	(void)lease_util_see(1, &slot);
	is_int((long long)atomic_load(&slot.host_bytes),
	    (long long)atomic_load(&before.host_bytes) + 77,
	    "and the rest at its end");
	is_int((long long)atomic_load(&slot.exchange_bytes),
	    (long long)atomic_load(&before.exchange_bytes) + 1000,
	    "but nothing twice");
}

/* Until the program hears of it. */
static int
await_trouble(const struct attachment *a, struct error *e)
{
	const int64_t until = clock_monotonic_ms() + LEASE_UTIL_WAIT_MS;
	int status;

	while ((status = attach_check(a, e)) == 0 &&
	    clock_monotonic_ms() < until)
		continue;
	return status;
}

static void
test_trouble(bool tcp)
{
	struct attachment a;
	struct registry r;
	struct error e = { .text = "" };

	use_tcp(tcp);
	use_partition("p4");
	is_int(attach(&a, 4, -1, "trouble", &e), 0, "a device with trouble");
	open_registry(&r);
	registry_set_faults(&r, 2, SOC_BIT(SOC_IPUSOFTERR));
	is_int(await_trouble(&a, &e), -1, "an error of the hardware");
	ok(strstr(e.text, "IPUSOFTERR") != NULL, "is told in its words");
	registry_clear_faults(&r, 2, SOC_BIT(SOC_IPUSOFTERR));
	(void)atomic_fetch_or(&attach_slot(&a, 3)->soc_error,
	    SOC_BIT(SOC_HEXOVERFLOWERR));
	is_int(attach_check(&a, &e), -1, "one that the program makes");
	attach_end(&a);
	ok((registry_faults(&r, 3) & SOC_BIT(SOC_HEXOVERFLOWERR)) != 0,
	    "is the IPU's");
	is_int(attach(&a, 4, -1, "next", &e), 0, "until the next one comes");
	is_int((int)registry_faults(&r, 3), 0, "which resets it");
	registry_mark_lost(&r, 0);
	is_int(await_trouble(&a, &e), -1, "a machine that goes away");
	attach_end(&a);
	registry_close(&r);
}

/* ---- its end ---- */

/* A child that holds all of p4, and tells when it does. */
static pid_t
spawn_holder(bool waits)
{
	struct attachment a;
	struct error e;
	char got = 'n';
	int to[2];
	pid_t pid;

	(void)fflush(stdout);
	if (pipe(to) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if ((waits ? attach_wait(&a, 4, -1, "waiter", &e) :
			     attach(&a, 4, -1, "holder", &e)) == 0)
			got = 'y';
		(void)!write(to[1], &got, 1);
		for (;;)
			(void)pause();
	}
	(void)close(to[1]);
	if (!waits)
		ok(read(to[0], &got, 1) == 1 && got == 'y',
		    "another program holds it");
	(void)close(to[0]);
	return pid;
}

static void
test_killed(bool tcp)
{
	struct attachment a;
	struct error e = { .text = "" };
	pid_t pid;

	use_tcp(tcp);
	use_partition("p4");
	pid = spawn_holder(false);
	is_int(attach(&a, 1, -1, "x", &e), -1, "nobody else");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	is_int(attach(&a, 4, -1, "x", &e), 0, "until it was killed");
	attach_end(&a);
}

/* A program waits in the child; it has the device when it is free. */
static void
test_wait(void)
{
	struct attachment a;
	struct ipu_slot slot;
	const int64_t until = clock_monotonic_ms() + LEASE_UTIL_WAIT_MS;
	struct error e = { .text = "" };
	pid_t pid;

	use_tcp(false);
	is_int(attach(&a, 4, -1, "first", &e), 0, "one has it");
	pid = spawn_holder(true);
	attach_end(&a);
	while (!(lease_util_see(0, &slot) &&
		   strcmp(slot.command, "waiter") == 0) &&
	    clock_monotonic_ms() < until)
		continue;
	is_str(slot.command, "waiter", "who waits gets it");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void
test_lost(bool tcp)
{
	struct attachment a;
	struct ipu_slot slot;
	struct error e = { .text = "" };

	use_tcp(tcp);
	is_int(attach(&a, 4, -1, "x", &e), 0, "a device");
	lease_util_kill();
	ok(!lease_util_see(0, &slot), "is free when the server is killed");
	is_int(await_trouble(&a, &e), -1, "and its program hears of it");
	is_int(e.code, ERROR_UNAVAILABLE, "by a code");
	ok(strstr(e.text, "the device was lost with the V-IPU server at ") ==
		e.text,
	    "and in words");
	attach_end(&a);
	lease_util_start();
}

/* ---- other users ---- */

/* The registry and the state are closed to it; the server is not. */
static void
test_user(void)
{
	struct attachment a;
	struct ipu_slot slot;
	struct error e = { .text = "" };
	char got = 'n', text[16];
	int to[2], from[2];
	pid_t pid;

	if (geteuid() != 0) {
		tap_skip("another user", "needs root");
		return;
	}
	(void)chmod(tap_directory(), 0711);
	(void)chmod(test_paths.directory, 0711);
	(void)fflush(stdout);
	if (pipe(to) != 0 || pipe(from) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		if (setgroups(0, NULL) != 0 || setgid(OTHER_USER) != 0 ||
		    setuid(OTHER_USER) != 0)
			_exit(1);
		if (open(test_paths.registry, O_RDONLY) == -1 &&
		    attach(&a, 4, -1, "theirs", &e) == 0)
			got = 'y';
		else
			fprintf(stderr, "%s\n", e.text);
		(void)!write(from[1], &got, 1);
		(void)close(to[1]);
		(void)!read(to[0], &got, 1);
		attach_end(&a);
		_exit(0);
	}
	ok(read(from[0], &got, 1) == 1 && got == 'y',
	    "a user without rights attaches");
	ok(lease_util_see(3, &slot), "as a holder");
	is_int(slot.uid, OTHER_USER, "of its own user id");
	is_int(slot.pid, pid, "and process");
	(void)snprintf(text, sizeof(text), "%d", OTHER_USER);
	is_str(slot.user, text, "and name");
	(void)close(to[0]);
	(void)close(to[1]);
	(void)waitpid(pid, NULL, 0);
	ok(!lease_util_see(3, &slot), "and is gone with its end");
	(void)chmod(test_paths.directory, 0700);
}

static void
test_no_server(void)
{
	char path[SERVER_SOCKET_PATH_SIZE];
	struct error e;

	is_int(server_socket_connect(LEASE_UTIL_WAIT_MS, path, &e), -1,
	    "no server");
	is_int(e.code, ERROR_NOT_FOUND, "is none");
	is_str(server_socket_directory("/var/lib/ipubox"), "/run/ipubox",
	    "the system's socket");
	is_str(server_socket_directory("/srv/x"), "/srv/x",
	    "and one beside a state");
}

int
main(void)
{
	int tcp;

	lease_util_make_partitions();
	(void)setenv("HOME", test_paths.directory, 1);
	test_no_server();
	lease_util_start();
	for (tcp = 0; tcp < 2; tcp++) {
		test_hold(tcp != 0);
		test_counts(tcp != 0);
		test_trouble(tcp != 0);
		test_killed(tcp != 0);
		test_lost(tcp != 0);
	}
	use_tcp(false);
	test_refused();
	test_job();
	test_wait();
	test_user();
	lease_util_kill();
	return state_util_done();
}
