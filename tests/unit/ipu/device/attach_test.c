/* Attaching: all IPUs of a device or none, and who is told what. */
#include "ipu/device/device.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <bsd/string.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* Pod64: p4 and pre on a machine each, two on the two behind them. */
static void
make_partitions(void)
{
	struct partition reconfigurable = make_partition("p4", 0, 4);
	struct partition pre = make_partition("pre", 4, 4);
	struct partition two = make_partition("two", 8, 8);
	struct partition error = make_partition("broken", 16, 4);
	struct state s;
	struct error e;

	reconfigurable.reconfigurable = 1;
	two.num_gcds = two.num_replicas = 2;
	error.state = PS_ERROR;
	error.operation = POS_FAILED; /* which stays */
	use_state("attach");
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0, "a state");
	ok(state_add_partition(&s, &reconfigurable, &e) == 0 &&
		state_add_partition(&s, &pre, &e) == 0 &&
		state_add_partition(&s, &two, &e) == 0 &&
		state_add_partition(&s, &error, &e) == 0,
	    "four partitions");
	state_unlock(&s);
	state_close(&s);
}

/* What the environment of a program says: the partition alone. */
static void
use_partition(const char *name)
{
	(void)unsetenv("IPUOF_VIPU_API_GCD_ID");
	(void)unsetenv("POPDIST_NUM_TOTAL_REPLICAS");
	(void)unsetenv("POPDIST_NUM_LOCAL_REPLICAS");
	(void)unsetenv("POPDIST_REPLICA_INDEX_OFFSET");
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", name, 1);
}

static void
use_instance(const char *total, const char *offset)
{
	(void)setenv("POPDIST_NUM_TOTAL_REPLICAS", total, 1);
	(void)setenv("POPDIST_NUM_LOCAL_REPLICAS", "1", 1);
	(void)setenv("POPDIST_REPLICA_INDEX_OFFSET", offset, 1);
}

/* As another program would see the holder. */
static bool
find_holder(int ipu, struct ipu_slot *holder)
{
	struct registry reader;
	bool held;

	if (state_open_reader(&reader, NULL) != 0)
		return false;
	held = registry_holder(&reader, ipu, holder);
	registry_close(&reader);
	return held;
}

static void
test_slot(void)
{
	struct attachment a;
	struct ipu_slot holder;
	struct error e = { .text = "" };

	use_partition("p4");
	ok(attach(&a, 4, -1, "train\033.py", &e) == 0, "attach to four");
	is_int(a.taken.device.id, 6, "device 6 of four reconfigurable");
	is_int(a.taken.first_ipu, 0, "from the pod's IPU 0");
	is_str(a.taken.partition, "p4", "its partition");
	ok(find_holder(3, &holder), "the last IPU is held");
	is_int(holder.pid, getpid(), "by this process");
	is_int(holder.uid, getuid(), "and this user");
	is_str(holder.command, "train\\x1b.py", "the command, made harmless");
	ok(holder.user[0] != '\0' && holder.host[0] != '\0' &&
		holder.attached_ns > 0,
	    "user, host and time");
	is_int((long long)holder.flags, 0, "sensors are not read");
	ok(!find_holder(4, &holder), "IPU 4 is free");
	atomic_store(&attach_slot(&a, 3)->session_busy_ns, 7);
	atomic_store(&attach_slot(&a, 3)->busy_ns, 7);
	attach_end(&a);
	(void)setenv("GCDA_MONITOR", "1", 1);
	ok(attach(&a, 1, 3, "x", &e) == 0, "attach to device 3 alone");
	(void)unsetenv("GCDA_MONITOR");
	ok(find_holder(3, &holder), "held");
	is_int((long long)holder.flags, SLOT_MONITORED, "sensors are read");
	is_int((long long)holder.session_busy_ns, 0, "a new session");
	is_int((long long)holder.busy_ns, 7, "but the IPU's own count goes on");
	ok(!find_holder(0, &holder), "device 6 is free");
	attach_end(&a);
}

static void
test_groups(void)
{
	struct attachment a, b, c;
	struct error e = { .text = "" };
	char wanted[128];

	use_partition("p4");
	ok(attach(&a, 2, -1, "one", &e) == 0, "a pair");
	is_int(a.taken.device.id, 4, "is device 4");
	ok(attach(&b, 2, -1, "two", &e) == 0, "the next pair");
	is_int(b.taken.device.id, 5, "is device 5");
	ok(attach(&c, 2, -1, "three", &e) == -1, "there is no third");
	ok(strstr(e.text,
	       "Failed to acquire 2 IPU(s)\nall 2 devices with 2 IPU(s) are in "
	       "use; the last one: IPU 2 of partition p4 is held by ") ==
		e.text,
	    "so it says");
	attach_end(&a);
	ok(attach(&c, 4, -1, "four", &e) == -1, "half of four is not enough");
	(void)snprintf(wanted, sizeof(wanted), ", pid %d on ", (int)getpid());
	ok(strstr(e.text,
	       "Failed to acquire 4 IPU(s)\nIPU 2 of partition p4 is held "
	       "by ") == e.text &&
		strstr(e.text, wanted) != NULL &&
		strstr(e.text, ": two") != NULL,
	    "the holder is named");
	ok(attach(&c, 2, 4, "five", &e) == 0, "and the first half is free");
	attach_end(&c);
	attach_end(&b);
}

static void
test_instances(void)
{
	struct attachment a;
	struct error e = { .text = "" };

	use_partition("p4");
	use_instance("2", "1");
	ok(attach(&a, 2, -1, "x", &e) == 0, "instance 1 of two");
	is_int(a.taken.device.id, 5, "has the second pair");
	attach_end(&a);
	ok(attach(&a, 4, -1, "x", &e) == -1 &&
		strstr(e.text,
		    "No device found on the system with 4 IPUs: the "
		    "configuration needs changing\nno device is left for "
		    "instance 1") != NULL,
	    "no second four");
	use_partition("two");
	use_instance("2", "1");
	ok(attach(&a, 4, -1, "x", &e) == 0, "instance 1 of two GCDs");
	is_int(a.taken.first_ipu, 12, "has the second GCD");
	attach_end(&a);
	(void)setenv("IPUOF_VIPU_API_GCD_ID", "1", 1);
	ok(attach(&a, 4, -1, "x", &e) == 0, "with its GCD named");
	is_int(a.taken.first_ipu, 12, "the same IPUs");
	is_int(a.taken.device.id, 4, "by the id that its view has");
	is_int(attach_slot(&a, 0)->gcd, 1, "the slot names the GCD");
	attach_end(&a);
	use_partition("two");
	ok(attach(&a, 4, -1, "x", &e) == 0, "outside poprun");
	is_int(a.taken.first_ipu, 8, "the first free GCD");
	attach_end(&a);
}

static void
test_refusals(void)
{
	static const struct {
		const char *partition;
		int ipus, id;
		const char *text;
	} rows[] = {
		{ "pre", 2, -1,
		    "Failed to acquire 2 IPU(s)\nNo device found on the system "
		    "with 2 IPUs: the configuration needs changing\npartition "
		    "pre is preconfigured" },
		{ "pre", 8, -1,
		    "Failed to acquire 8 IPU(s)\nNo device found on the system "
		    "with 8 IPUs" },
		{ "pre", 1, 0,
		    "Failed to acquire device Id 0\npartition pre is "
		    "preconfigured, so its single IPUs are not available" },
		{ "p4", 4, 4,
		    "Failed to acquire device Id 4\ndevice 4 has 2 IPU(s), but "
		    "the program needs 4" },
		{ "p4", 4, 7,
		    "Failed to acquire device Id 7\npartition p4 has no such "
		    "device; `gc-info -l` lists them" },
		{ "p4", 3, -1,
		    "Failed to acquire 3 IPU(s)\nNo device found on the system "
		    "with 3 IPUs: the configuration needs changing\nthe "
		    "number of IPUs in a device is a power of two" },
		{ "nine", 4, -1,
		    "Failed to acquire 4 IPU(s)\npartition nine (from "
		    "IPUOF_VIPU_API_PARTITION_ID)" },
		{ "broken", 4, -1,
		    "Failed to acquire 4 IPU(s)\npartition broken is in state "
		    "ERROR" },
	};
	struct attachment a;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		use_partition(rows[i].partition);
		e.text[0] = '\0';
		is_int(attach(&a, rows[i].ipus, rows[i].id, "x", &e), -1,
		    "refused");
		if (!ok(strstr(e.text, rows[i].text) == e.text, "the reason"))
			printf("# got    %s\n# wanted %s\n", e.text,
			    rows[i].text);
	}
	is_int(attach(&a, 4, -1, "x", NULL), -1, "without asking why");
}

/*
 * A child that waits for the end of `start`, attaches to `ipus` IPUs, writes
 * "won" or the reason and holds what it has until it is killed.
 */
static pid_t
spawn_rival(const int start[2], const int out[2], int ipus)
{
	struct attachment a;
	struct error e = { .text = "won" };
	pid_t pid = fork();
	char c;

	if (pid != 0)
		return pid;
	(void)close(start[1]);
	(void)!read(start[0], &c, 1);
	(void)attach(&a, ipus, -1, "rival", &e);
	(void)!write(out[1], e.text, strlen(e.text) + 1);
	for (;;)
		(void)pause();
}

/* The child's answer; "" when it died without one. */
static void
read_answer(const int out[2], char *text, size_t size)
{
	size_t used = 0;
	ssize_t n;

	while (used < size - 1 && (n = read(out[0], text + used, 1)) == 1 &&
	    text[used] != '\0')
		used++;
	text[used] = '\0';
}

static void
end_child(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void
race_once(int round)
{
	struct attachment a;
	struct error e = { .text = "" };
	char answer[2][1200], wanted[64];
	int start[2], out[2][2], i, winner;
	pid_t pid[2];

	if (pipe(start) != 0 || pipe(out[0]) != 0 || pipe(out[1]) != 0)
		abort();
	for (i = 0; i < 2; i++)
		pid[i] = spawn_rival(start, out[i], i == 0 ? 4 : 2);
	(void)close(start[0]);
	(void)close(start[1]);
	for (i = 0; i < 2; i++)
		read_answer(out[i], answer[i], sizeof(answer[i]));
	winner = strcmp(answer[0], "won") == 0 ? 0 : 1;
	/* The pair that comes second may not take the other half: the four
	   hold it too. */
	ok(strcmp(answer[winner], "won") == 0 &&
		strcmp(answer[1 - winner], "won") != 0,
	    "exactly one wins");
	(void)snprintf(wanted, sizeof(wanted), ", pid %d on ",
	    (int)pid[winner]);
	if (!ok(strstr(answer[1 - winner], wanted) != NULL,
		"the loser learns who holds it"))
		printf("# round %d: %s\n", round, answer[1 - winner]);
	end_child(pid[winner]);
	ok(attach(&a, 4, -1, "heir", &e) == 0, "free as soon as it is killed");
	attach_end(&a);
	end_child(pid[1 - winner]);
	for (i = 0; i < 4; i++)
		(void)close(out[i / 2][i % 2]);
}

static void
test_race(void)
{
	int round;

	use_partition("p4");
	for (round = 0; round < 20; round++)
		race_once(round);
}

/* What a child inherits keeps the IPUs until it is gone as well. */
static void
test_child(void)
{
	struct attachment a, b;
	struct error e = { .text = "" };
	pid_t pid;

	use_partition("p4");
	ok(attach(&a, 4, -1, "parent", &e) == 0, "attach");
	if ((pid = fork()) == 0)
		for (;;)
			(void)pause();
	registry_close(&a.local.registry);
	ok(attach(&b, 4, -1, "other", &e) == -1, "the child keeps it");
	end_child(pid);
	ok(attach(&b, 4, -1, "other", &e) == 0, "until it ends");
	attach_end(&b);
}

/* A child that waits for `ipus` IPUs, writes "won" or why not, and ends. */
static pid_t
spawn_waiter(const int out[2], int ipus, struct attachment *holder,
    const volatile bool *released)
{
	struct attachment a;
	struct error e = { .text = "won" };
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (holder != NULL) /* what it inherited would keep the IPUs */
		registry_close(&holder->local.registry);
	if (attach_wait(&a, ipus, -1, "waiter", &e) == 0) {
		if (!*released)
			(void)strlcpy(e.text, "too early", sizeof(e.text));
		attach_end(&a);
	}
	(void)!write(out[1], e.text, strlen(e.text) + 1);
	_exit(0);
}

/*
 * Those who wait get the IPUs when, and not before, the holder gave them back
 * or was killed; all of several do, one after the other.
 */
static void
test_wait(void)
{
	enum { WAITERS = 4 };
	volatile bool *released = mmap(NULL, 1, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct attachment a;
	struct error e = { .text = "" };
	char answer[1200];
	int out[WAITERS][2], round, i;
	pid_t pid[WAITERS];

	use_partition("p4");
	for (round = 0; round < 5; round++) {
		*released = false;
		ok(attach(&a, 4, -1, "holder", &e) == 0, "held");
		for (i = 0; i < WAITERS; i++) {
			if (pipe(out[i]) != 0)
				abort();
			pid[i] = spawn_waiter(out[i], i % 2 == 0 ? 4 : 2, &a,
			    released);
		}
		*released = true;
		attach_end(&a);
		for (i = 0; i < WAITERS; i++) {
			read_answer(out[i], answer, sizeof(answer));
			is_str(answer, "won", "who waits gets them");
			(void)waitpid(pid[i], NULL, 0);
			(void)close(out[i][0]);
			(void)close(out[i][1]);
		}
	}
	(void)munmap((void *)(uintptr_t)released, 1);
}

/* A holder that is killed, and one whose partition goes away. */
static void
test_wait_end(void)
{
	static const bool released = true;
	struct state s;
	struct error e = { .text = "" };
	char answer[1200];
	int start[2], hold[2], out[2];
	pid_t holder, waiter;

	if (pipe(start) != 0 || pipe(hold) != 0 || pipe(out) != 0)
		abort();
	holder = spawn_rival(start, hold, 4);
	(void)close(start[0]);
	(void)close(start[1]);
	read_answer(hold, answer, sizeof(answer));
	is_str(answer, "won", "another program holds them");
	waiter = spawn_waiter(out, 4, NULL, &released);
	end_child(holder);
	read_answer(out, answer, sizeof(answer));
	is_str(answer, "won", "it is killed: who waits gets them");
	(void)waitpid(waiter, NULL, 0);

	if (pipe(start) != 0)
		abort();
	holder = spawn_rival(start, hold, 4);
	(void)close(start[0]);
	(void)close(start[1]);
	read_answer(hold, answer, sizeof(answer));
	waiter = spawn_waiter(out, 4, NULL, &released);
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_remove_partition(&s, "p4", &e) == 0,
	    "the partition is removed under them");
	state_unlock(&s);
	state_close(&s);
	read_answer(out, answer, sizeof(answer));
	ok(strstr(answer,
	       "Failed to acquire 4 IPU(s)\npartition p4 (from "
	       "IPUOF_VIPU_API_PARTITION_ID)") == answer,
	    "who waits learns it");
	end_child(holder);
	(void)waitpid(waiter, NULL, 0);
}

/* A device whose IPUs are not neighbours cannot be locked as one range. */
static void
test_domains(void)
{
	struct partition p = make_partition("wide", 0, 4);
	struct attachment a;
	struct state s;
	struct pod pod;
	struct error e = { .text = "" };

	p.reconfigurable = 1;
	p.placement.ild_count = 4;
	use_state("domains");
	pod_init(&pod);
	ok(pod_file_parse(&pod, "pod256", pod_embedded("pod256"), &e) == 0 &&
		new_pod_init(&test_paths, &pod,
		    &(struct new_pod){ .force = false }, &e) == 0 &&
		state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "four IPUs in each of four");
	state_unlock(&s);
	state_close(&s);
	pod_release(&pod);
	use_partition("wide");
	is_int(attach(&a, 8, -1, "x", &e), -1, "no eight");
	is_str(e.text,
	    "Failed to acquire 8 IPU(s)\ndevice 28 of partition wide spans "
	    "several IPU-Link domains; use GCDs",
	    "because the first eight are in two domains");
	ok(attach(&a, 4, -1, "x", &e) == 0, "but four");
	attach_end(&a);
}

int
main(void)
{
	(void)unsetenv("GCDA_MONITOR");
	(void)unsetenv("GCDA_OPTIONS");
	(void)unsetenv("IPUOF_VIPU_API_HOST");
	make_partitions();
	test_slot();
	test_groups();
	test_instances();
	test_refusals();
	test_race();
	test_child();
	test_wait();
	test_wait_end();
	test_domains();
	return state_util_done();
}
