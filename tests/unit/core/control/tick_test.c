/*
 * The embedded controller's clock, set by the test: configurations that take
 * time or fail, machines that come and go, partitions whose time ends, and
 * programs that hold IPUs meanwhile.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/tick.h"
#include "core/pod/pod.h"
#include "tests/unit/clock_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* A configuration that takes time ends when it is due, not when it is seen. */
static void
test_slow(void)
{
	struct partition_request r = clock_util_request("p", 8);
	struct partition p;
	struct error e;

	clock_util_open("slow");
	clock_util_set_machine(0, MACHINE_UP, 0, 500, 0);
	clock_util_set_machine(1, MACHINE_UP, 1, 2000, 0);
	p = clock_util_create(&r);
	is_int(p.state, PS_PENDING, "it takes time");
	is_int(p.due_ms, BEGIN_MS + 2000, "as the slowest machine does");
	clock_now += 1999;
	clock_util_is_state("p", "PENDING/CREATING", "not yet");
	is_int(clock_util_get("p").attempts, 0, "no attempt has ended");
	clock_now += 1;
	clock_util_is_state("p", "PENDING/CREATING", "the first failed");
	is_int(clock_util_get("p").attempts, 1, "and counts");
	is_int(clock_util_get("p").due_ms, BEGIN_MS + 4000, "the second runs");
	clock_now += 60 * SECOND;
	clock_util_is_state("p", "ACTIVE/IDLE", "it is ready");
	is_int(clock_util_get("p").changed_ms, BEGIN_MS + 4000, "since then");
	check_in_step("and that is on the disk");

	is_int(reset_partition(controller, "p", false, false, &p, &e), 0,
	    "reset");
	is_int(p.state, PS_PENDING, "which takes time as well");
	is_int(wait_configured(controller, 1000, &p, &e), -1,
	    "a second is not enough");
	is_int(e.code, ERROR_TIMED_OUT, "it says so");
	is_int(wait_configured(controller, -1, &p, &e), 0, "waited");
	is_int(p.state, PS_ACTIVE, "for the end");
	is_int(clock_now, BEGIN_MS + 64 * SECOND, "and not a moment longer");
}

/* Somebody sets the host's clock while a program waits. */
static void
test_clock_step(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct partition p;
	struct error e = { .text = "" };
	int64_t begin;

	clock_util_open("step");
	clock_util_set_machine(0, MACHINE_UP, 0, 5000, 0);
	(void)clock_util_create(&r);
	memset(&p, 0, sizeof(p));
	memcpy(p.name, r.name, sizeof(p.name));
	begin = monotonic_now;
	clock_step = -60 * SECOND;
	is_int(wait_configured(controller, 3000, &p, &e), -1,
	    "it is not ready");
	is_int(monotonic_now - begin, 3000,
	    "the limit is what it was, though the clock went back");
	clock_now += 60 * SECOND;
	begin = monotonic_now;
	clock_step = 3600 * SECOND;
	is_int(wait_configured(controller, -1, &p, &e), 0, "it is ready");
	is_int(monotonic_now - begin, 1000,
	    "at the next look, for the clock went ahead");
}

static void
test_lost(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct partition p;

	clock_util_open("lost");
	(void)clock_util_create(&r);
	clock_now += SECOND;
	clock_util_set_machine(0, MACHINE_DOWN, 0, 0, 0);
	clock_util_is_state("p", "ERROR/IDLE", "its machine is down");
	p = clock_util_get("p");
	is_str(p.last_error, "machine ag01 is down", "which one");
	is_int(p.error_ms, BEGIN_MS + SECOND, "since when");
	clock_now += 60 * SECOND;
	clock_util_is_state("p", "ERROR/IDLE", "it waits");
	clock_util_set_machine(0, MACHINE_UP, 0, 0, 0);
	clock_util_is_state("p", "ACTIVE/IDLE", "it heals by itself");
	p = clock_util_get("p");
	is_int(p.resets, 1, "an automatic reset");
	is_int(p.reset_ms, BEGIN_MS + 61 * SECOND, "when the machine was up");
	is_str(p.last_error, "machine ag01 is down", "the reason stays");
}

/* A reboot that nobody looked at is over at its time, and was one. */
static void
test_reboot(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct partition p;

	clock_util_open("reboot");
	(void)clock_util_create(&r);
	clock_now += SECOND;
	clock_util_set_machine(0, MACHINE_REBOOTING, 0, 0,
	    clock_now + 30 * SECOND);
	clock_util_is_state("p", "ERROR/IDLE", "it reboots");
	is_int(registry_due(&controller->state.registry),
	    BEGIN_MS + 31 * SECOND, "and readers know until when");
	clock_now += 90 * SECOND;
	clock_util_is_state("p", "ACTIVE/IDLE", "it is up again");
	p = clock_util_get("p");
	is_int(p.changed_ms, BEGIN_MS + 31 * SECOND, "since then");
	is_int(p.resets, 1, "by a reset");
	is_str(p.last_error, "machine ag01 rebooted", "for which reason");
	is_int(registry_due(&controller->state.registry), 0, "nothing is due");
}

static void
test_no_auto_reset(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct error e;

	clock_util_open("manual");
	r.no_auto_reset = true;
	(void)clock_util_create(&r);
	clock_util_set_machine(0, MACHINE_DOWN, 0, 0, 0);
	clock_now += SECOND;
	clock_util_set_machine(0, MACHINE_UP, 0, 0, 0);
	clock_now += 100 * SECOND;
	clock_util_is_state("p", "ERROR/IDLE", "it is left as it is");
	is_int(reset_partition(controller, "p", false, false, NULL, &e), 0,
	    "until a user");
	clock_util_is_state("p", "ACTIVE/IDLE", "resets it");
	is_str(clock_util_get("p").last_error, "", "and the error is over");
	is_int(reset_partition(controller, "q", false, false, NULL, &e), -1,
	    "no such partition");
	is_int(e.code, ERROR_NOT_FOUND, "is refused");
}

static void
test_retries(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct partition p;
	struct snapshot s;
	struct error e;

	clock_util_open("retries");
	clock_util_set_machine(0, MACHINE_UP, 13, 0, 0);
	p = clock_util_create(&r);
	is_int(p.state, PS_ERROR, "eleven attempts failed");
	is_int(p.attempts, 11, "at once");
	is_str(p.last_error, "configuration failed on machine ag01", "where");
	check_in_step("the disk knows it, and the machine's two that are left");
	clock_now += 9999;
	is_int(clock_util_get("p").attempts, 11, "not yet");
	clock_now += 1;
	is_int(clock_util_get("p").attempts, 12, "once in ten seconds");
	clock_util_is_state("p", "ERROR/FAILED", "in vain");
	clock_now += 100 * SECOND;
	clock_util_is_state("p", "ACTIVE/IDLE", "in the end");
	p = clock_util_get("p");
	is_int(p.changed_ms, BEGIN_MS + 30 * SECOND, "at the third");
	is_int(p.resets, 3, "counted");

	clock_util_set_machine(0, MACHINE_UP, 1000, 0, 0);
	(void)reset_partition(controller, "p", false, false, NULL, &e);
	clock_now += 1000 * SECOND;
	clock_util_is_state("p", "ERROR/FAILED", "too often");
	is_int(clock_util_get("p").attempts, 21, "so it was left");
	is_int(transaction_list(controller, &s, &e), 0, "the machine");
	is_int(s.pod.agents[0].fail_config, 979, "failed as often");
	snapshot_release(&s);
	clock_util_set_machine(0, MACHINE_DOWN, 0, 0, 0);
	clock_util_is_state("p", "ERROR/IDLE", "it went");
	clock_util_set_machine(0, MACHINE_UP, 0, 0, 0);
	clock_util_is_state("p", "ACTIVE/IDLE", "and came back sound");
}

static void
test_moves(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct partition_request rest = clock_util_request("rest", 32);
	struct partition p;
	struct snapshot s;
	struct error e;
	int i, left = 0;

	clock_util_open("moves");
	r.relocatable = true;
	(void)clock_util_create(&r);
	clock_util_set_machine(0, MACHINE_DOWN, 0, 0, 0);
	clock_util_is_state("p", "ACTIVE/IDLE", "ready again");
	is_int(clock_util_get("p").placement.offset, 4, "on the next machine");
	check_in_step("on the disk");
	(void)clock_util_create(&rest);
	(void)strlcpy(rest.name, "more", sizeof(rest.name));
	rest.size = 16;
	(void)clock_util_create(&rest);
	(void)strlcpy(rest.name, "last", sizeof(rest.name));
	rest.size = 8;
	(void)clock_util_create(&rest);
	clock_now += SECOND;
	clock_util_set_machine(1, MACHINE_DOWN, 0, 0, 0);
	clock_util_is_state("p", "ERROR/IDLE", "nowhere to go");
	is_int(registry_due(&controller->state.registry),
	    clock_now + LIFECYCLE_PERIOD_MS, "and it will look again");
	clock_now += SECOND;
	is_int(remove_partition(controller, "last", false, NULL, &e), 0,
	    "something goes");
	clock_now += SECOND;
	p = clock_util_get("p");
	is_int(p.state, PS_ACTIVE, "it takes the place");
	is_int(p.placement.offset, 8, "of what went");
	is_int(p.changed_ms, BEGIN_MS + 2 * SECOND, "when that went");

	clock_util_open("vain");
	for (i = 0; i < 16; i++)
		clock_util_set_machine(i, MACHINE_UP, 1000, 0, 0);
	p = clock_util_create(&r);
	is_int(p.state, PS_ERROR, "no machine is sound");
	is_int(p.moves, LIFECYCLE_MOVES, "it tried others");
	is_int(transaction_list(controller, &s, &e), 0, "the machines");
	for (i = 0; i < 16; i++)
		left += s.pod.agents[i].fail_config;
	is_int(left, 16 * 1000 - 11 * 11, "eleven times each");
	snapshot_release(&s);
}

/* A file of the partition's in its directory. */
static bool
has_file(const char *directory, const char *name)
{
	char path[DIRECTORY_SIZE + 64];

	(void)snprintf(path, sizeof(path), "%s/%s.conf", directory, name);
	return access(path, F_OK) == 0;
}

static void
test_end(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct holder holder;
	struct error e;

	clock_util_open("end");
	if (ipuof_files_directory("files", r.ipuof_directory,
		sizeof(r.ipuof_directory), &e) != 0)
		exit(1);
	r.ttl_ms = 60 * SECOND;
	(void)clock_util_create(&r);
	ok(has_file(r.ipuof_directory, "p"), "it has a file");
	clock_now += 60 * SECOND - 1;
	clock_util_is_state("p", "ACTIVE/IDLE", "not yet");
	holder = hold_ipus(2, 1);
	clock_now += 10 * SECOND;
	clock_util_is_state("p", "ACTIVE/IDLE", "not while a program uses it");
	is_int(registry_due(&controller->state.registry),
	    clock_now + LIFECYCLE_PERIOD_MS, "but it is looked at again");
	release_ipus(&holder, SIGKILL);
	clock_now += 10 * SECOND;
	is_str(clock_util_get("p").name, "", "it is gone");
	ok(!has_file(r.ipuof_directory, "p"), "with its file");
	check_in_step("and from the disk");
	is_int(registry_due(&controller->state.registry), 0, "nothing is due");
	(void)clock_util_create(&r);
	is_int(reset_partition(controller, "p", true, false, NULL, &e), 0,
	    "one becomes relocatable");
	ok(!has_file(r.ipuof_directory, "p"), "and has no file from then on");
	is_str(clock_util_get("p").ipuof_directory, "", "nor a place for one");
}

/* Programs that hold IPUs while their machine goes. */
static void
test_programs(void)
{
	struct partition_request r = clock_util_request("p", 8);
	struct registry *reg;
	struct holder holder;
	struct error e;

	clock_util_open("programs");
	reg = &controller->state.registry;
	(void)clock_util_create(&r);
	holder = hold_ipus(2, 4);
	clock_util_set_machine(0, MACHINE_DOWN, 0, 0, 0);
	reg = &controller->state.registry;
	is_int(atomic_load(&registry_slot(reg, 2)->lost), 1, "it lost this");
	is_int(atomic_load(&registry_slot(reg, 4)->lost), 0,
	    "not that of a machine that is up");
	is_int(atomic_load(&registry_slot(reg, 0)->lost), 0,
	    "nor one that it does not hold");
	clock_util_set_machine(0, MACHINE_UP, 0, 0, 0);
	clock_util_is_state("p", "ACTIVE/IDLE", "the partition is ready again");
	is_int(atomic_load(&registry_slot(reg, 2)->lost), 1,
	    "the program's IPU stays lost to it");
	is_int(reset_partition(controller, "p", false, false, NULL, &e), -1,
	    "no reset under a program");
	is_int(e.code, ERROR_BUSY, "it is in use");
	ok(strstr(e.text, "ag01:2; end it first") != NULL, "and where");
	is_int(clock_util_get("p").reset_ms, clock_now, "nothing has changed");
	clock_now += SECOND;
	is_int(reset_partition(controller, "p", false, true, NULL, &e), 0,
	    "by force");
	is_int(atomic_load(&registry_slot(reg, 4)->lost), 1,
	    "it lost all it had");
	release_ipus(&holder, SIGKILL);

	r = clock_util_request("q", 4);
	r.relocatable = true;
	(void)clock_util_create(&r);
	holder = hold_ipus(8, 1);
	clock_util_set_machine(2, MACHINE_DOWN, 0, 0, 0);
	clock_util_is_state("q", "ERROR/IDLE", "nothing moves under a program");
	release_ipus(&holder, SIGKILL);
	clock_now += LIFECYCLE_PERIOD_MS;
	clock_util_is_state("q", "ACTIVE/IDLE", "when it ended it does");
	is_int(clock_util_get("q").placement.offset, 12, "to another machine");
}

/* What a configuration makes good. */
static void
test_remedy(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct ipu_slot *slot;
	struct error e;

	clock_util_open("cure");
	(void)clock_util_create(&r);
	slot = registry_slot(&controller->state.registry, 1);
	atomic_store(&slot->soc_error,
	    SOC_BIT(SOC_NMLINKDN0) | SOC_BIT(SOC_MCUSOFTERR));
	(void)reset_partition(controller, "p", false, false, NULL, &e);
	is_int(atomic_load(&slot->soc_error), SOC_BIT(SOC_MCUSOFTERR),
	    "a reset of the partition is not enough for all");
	clock_util_set_machine(0, MACHINE_REBOOTING, 0, 0, clock_now + SECOND);
	clock_now += SECOND;
	clock_util_is_state("p", "ACTIVE/IDLE", "its machine was started anew");
	is_int(atomic_load(&slot->soc_error), 0, "which is");
}

/* ---- readers ---- */

/* Its time was over long ago, and nobody has looked. */
static void
leave_expired(void)
{
	struct partition p = make_partition("old", 0, 4);
	struct error e;
	struct state s;

	p.expires_ms = 1000;
	if (state_open(&s, &e) != 0 || state_lock(&s, &e) != 0 ||
	    state_add_partition(&s, &p, &e) != 0)
		is_str(e.text, "", "a partition whose time is over");
	registry_set_due(&s.registry, 1000);
	state_close(&s);
}

/* A time that ends before a configuration does. */
static void
test_too_brief(void)
{
	struct partition_request r = clock_util_request("brief", 4);
	struct partition p;
	struct error e = { .text = "" };

	clock_util_open("brief");
	clock_util_set_machine(0, MACHINE_UP, 0, 3 * SECOND, 0);
	r.ttl_ms = 2 * SECOND;
	p = clock_util_create(&r);
	is_int(wait_configured(controller, -1, &p, &e), -1, "not configured");
	is_int(e.code, ERROR_NOT_FOUND, "it is gone");
	is_str(e.text,
	    "partition brief was created and has already expired: its --ttl "
	    "ended before it was configured",
	    "and why");
	is_int(clock_now - BEGIN_MS, 2 * SECOND, "known at the next look");

	/* Of one that somebody replaced, nothing is said but that. */
	r.ttl_ms = 0;
	p = clock_util_create(&r);
	is_int(remove_partition(controller, "brief", true, NULL, &e), 0,
	    "removed");
	(void)clock_util_create(&r);
	is_int(wait_configured(controller, -1, &p, &e), -1, "it is another");
	is_str(e.text,
	    "partition brief was removed, and a new partition has its name",
	    "and that is said");
}

/* How many partitions a reader sees that lets the controller act, or -1. */
static int
read_count(void)
{
	struct snapshot s;
	struct registry r;
	int count = -1;

	if (reader_open(&r, NULL) != 0)
		return -1;
	if (snapshot_take(&r, &s, NULL) == 0) {
		count = s.partition_count;
		snapshot_release(&s);
	}
	registry_close(&r);
	return count;
}

/* As somebody who can read the state and no more. */
static int
read_count_as_nobody(void)
{
	int status;
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(setresuid(65534, 65534, 65534) == 0 ? read_count() + 1 :
							    0);
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) - 1 : -2;
}

static void
test_readers(void)
{
	char slots[REGISTRY_NAME_SIZE + 8];

	make_state("readers");
	leave_expired();
	is_int(read_count(), 0, "a reader lets go what is over");
	check_in_step("for good");
	leave_expired();
	if (geteuid() != 0) {
		tap_skip("a reader that may not act", "needs root");
		return;
	}
	allow_others();
	is_int(chmod(test_paths.registry, 0644), 0, "others may read");
	(void)snprintf(slots, sizeof(slots), "%s.slots", test_paths.registry);
	is_int(chmod(slots, 0644), 0, "and both files");
	is_int(read_count_as_nobody(), 1, "who may not sees what there is");
	is_int(read_count(), 0, "until somebody may");
}

/* A machine changed, and its change's maker was killed: the next one acts. */
static void
test_left_undone(void)
{
	struct partition_request r = clock_util_request("p", 4);
	struct snapshot s;
	struct error e;
	struct agent a;

	clock_util_open("undone");
	(void)clock_util_create(&r);
	if (transaction_begin(controller, &s, &e) != 0)
		exit(1);
	a = s.pod.agents[0];
	a.state = MACHINE_DOWN;
	a.changed_ms = clock_now;
	is_int(state_update_agent(&controller->state, 0, &a, &e), 0,
	    "a machine goes");
	transaction_end(controller, &s);
	clock_util_is_state("p", "ERROR/IDLE", "whoever comes next acts");
}

int
main(void)
{
	test_slow();
	test_clock_step();
	test_lost();
	test_reboot();
	test_no_auto_reset();
	test_retries();
	test_moves();
	test_end();
	test_too_brief();
	test_programs();
	test_remedy();
	test_readers();
	test_left_undone();
	controller_close(controller);
	return state_util_done();
}
