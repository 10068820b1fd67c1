/*
 * The embedded controller: create, remove and refuse; programs that hold the
 * IPUs; kill -9 at every point of a create and of a remove.
 */
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/fault.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { POINTS_MAX = 400 };

/* How an attempt ended; killed: anything else. */
enum { DONE, REFUSED, UNCONFIRMED, NOT_REACHED };

static struct controller *controller;
static char ipuof[DIRECTORY_SIZE];

static struct partition_request
request(const char *name, int size, int num_gcds)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	(void)strlcpy(r.ipuof_directory, ipuof, sizeof(r.ipuof_directory));
	r.size = size;
	r.num_gcds = num_gcds;
	return r;
}

static int
create(const char *name, int size, struct error *e)
{
	struct partition_request r = request(name, size, 1);

	return create_partition(controller, &r, NULL, e);
}

static void
open_controller(const char *state)
{
	struct error e;

	controller_close(controller);
	use_state(state);
	controller = embedded_controller_open(NULL, &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

static void
test_create(void)
{
	struct partition_request r = request("p", 8, 2);
	struct partition p;
	struct snapshot s;
	struct error e;

	open_controller("create");
	is_int(create_partition(controller, &r, &p, &e), 0, "created");
	is_str(p.name, "p", "by its name");
	is_int(partition_size(&p), 8, "8 IPUs");
	is_int(p.num_replicas, 2, "a replica for each GCD");
	is_int(p.state, PS_ACTIVE, "ready");
	is_int(p.operation, POS_IDLE, "at rest");
	is_int(p.owner, getuid(), "mine");
	ok(p.created > 0, "now");
	check_in_step("on the disk and in the mirror");
	is_int(transaction_list(controller, &s, &e), 0, "listed");
	is_int(s.partition_count, 1, "alone");
	is_int(s.owner[7], 0, "its last IPU is its own");
	is_int(s.owner[8], -1, "the next is free");
	is_str(s.pod.allocations[s.partitions[0].allocation].name, "default",
	    "of the first allocation");
	snapshot_release(&s);

	is_int(create("p", 1, &e), -1, "the name is taken");
	is_str(e.text, "partition p already exists", "and it says so");
	is_int(create("q", 3, &e), -1, "a rule");
	is_int(create("q", 64, &e), -1, "no room");
	is_str(e.text,
	    "size 64: no aligned group of that size is free; 56 IPUs are free, "
	    "and the largest size that would fit now is 32; taken by p (8)",
	    "who has it");
	is_int(remove_partition(controller, "p", false, &p, &e), 0, "removed");
	is_str(p.name, "p", "what it was");
	is_int(remove_partition(controller, "p", false, NULL, &e), -1,
	    "only once");
	is_int(create("q", 64, &e), 0, "all of it again");
}

/* The largest are named, the others counted. */
static void
test_holders(void)
{
	char name[8] = "p0";
	struct error e;
	int i;

	open_controller("holders");
	for (i = 0; i < 6; i++) {
		name[1] = (char)('a' + i);
		is_int(create(name, i == 4 ? 8 : 1, &e), 0, "created");
	}
	is_int(create("q", 64, &e), -1, "no room");
	ok(strstr(e.text,
	       "; taken by pe (8), pa (1), pb (1), pc (1), pd (1) and 1 "
	       "more") != NULL,
	    "the largest first");
}

static void
test_options(void)
{
	struct partition_request r = request("p", 16, 1);
	struct placement *places;
	struct snapshot s;
	struct error e;

	open_controller("options");
	is_int(create("first", 4, &e), 0, "one machine taken");
	is_int(create_placements(controller, &r, &s, &places, &e), 3,
	    "three placements of 16 are left");
	is_int(placement_ipu(&s.pod, &places[0], 0), 16, "from IPU 16 on");
	is_int(s.partition_count, 1, "and nothing was created");
	free(places);
	snapshot_release(&s);
	r.size = 5;
	is_int(create_placements(controller, &r, &s, &places, &e), -1,
	    "the rules hold here too");
}

/* ---- programs that hold IPUs ---- */

static uint64_t other_namespace; /* 1: programs are of another one */

/* A program that is attached to the IPUs; it ends only by a signal. */
static pid_t
start_program(int first, int count)
{
	struct holder_place place;
	struct registry registry;
	struct ipu_slot *slot;
	struct error e;
	int ready[2], holder;
	char byte = 0;
	pid_t pid;

	if (pipe(ready) != 0)
		exit(1);
	(void)fflush(stdout);
	pid = fork();
	if (pid != 0) {
		(void)close(ready[1]);
		if (read(ready[0], &byte, 1) != 1)
			exit(1);
		(void)close(ready[0]);
		return pid;
	}
	if (registry_open(&registry, &test_paths, REGISTRY_CHANGE, &e) != 0 ||
	    registry_attach(&registry, first, count, &holder, &e) != 0)
		_exit(1);
	slot = registry_slot(&registry, first);
	holder_place_init(&place);
	slot->pid = 4711;
	slot->pid_namespace = place.pid_namespace ^ other_namespace;
	(void)strlcpy(slot->user, "alice", sizeof(slot->user));
	(void)strlcpy(slot->host, place.host, sizeof(slot->host));
	(void)strlcpy(slot->command, "train.py", sizeof(slot->command));
	if (registry_announce(&registry, first, count) != 0 ||
	    write(ready[1], &byte, 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

static void
end_program(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void
test_in_use(void)
{
	struct holder_place place;
	struct error e;
	char text[256];
	pid_t holder;

	holder_place_init(&place);
	open_controller("use");
	is_int(create("p", 4, &e), 0, "a partition");
	is_int(create("q", 4, &e), 0, "and another");
	holder = start_program(2, 1);
	is_int(remove_partition(controller, "p", false, NULL, &e), -1,
	    "not while a program uses it");
	(void)snprintf(text, sizeof(text),
	    "partition p is in use: user alice, pid 4711 (train.py on %s) is "
	    "attached to ag01:2; end it first",
	    place.host);
	is_str(e.text, text, "who that is");
	check_in_step("nothing has changed");
	is_int(remove_partition(controller, "q", false, NULL, &e), 0,
	    "the neighbour may go");
	end_program(holder);
	other_namespace = 1;
	holder = start_program(2, 1);
	is_int(remove_partition(controller, "p", false, NULL, &e), -1,
	    "nor while one of a container does");
	(void)snprintf(text, sizeof(text),
	    "partition p is in use: user alice (train.py on %s, in another pid "
	    "namespace) is attached to ag01:2; end it first",
	    place.host);
	is_str(e.text, text, "whose pid means nothing here");
	other_namespace = 0;
	end_program(holder);
	is_int(remove_partition(controller, "p", false, NULL, &e), 0,
	    "free at once when it was killed");

	is_int(create("p", 4, &e), 0, "again");
	holder = start_program(0, 4);
	is_int(remove_partition(controller, "p", true, NULL, &e), 0,
	    "by force it goes");
	is_int(create("p", 4, &e), 0, "and the IPUs are given out");
	end_program(holder);
}

/* ---- kill -9 and full disks ---- */

/* Files in the IPUoF directory, of which `unknown` are of no partition. */
static int
count_files(const struct snapshot *s, int *unknown)
{
	struct ipuof_reference r;
	struct dirent *entry;
	char path[sizeof(ipuof) + 256];
	DIR *dir = opendir(ipuof);
	int count = 0;

	*unknown = 0;
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", ipuof,
		    entry->d_name);
		count++;
		if (ipuof_parse(path, &r, NULL) != 0 ||
		    snapshot_find(s, r.partition) == -1)
			++*unknown;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return count;
}

/* In a child: open, arm, act. How it ended. */
static int
act(bool removes, long point, int number)
{
	struct partition_request r = request("p", 4, 2);
	struct controller *c;
	struct error e;
	int status;
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		c = embedded_controller_open(NULL, NULL);
		fault_arm(point, number);
		status = removes ? remove_partition(c, "p", false, NULL, &e) :
				   create_partition(c, &r, NULL, &e);
		if (status == 0 && fault_count() < point)
			_exit(NOT_REACHED);
		_exit(status == 0		    ? DONE :
			e.code == ERROR_UNCONFIRMED ? UNCONFIRMED :
						      REFUSED);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Stop a create or a remove at each of its points in turn.  Afterwards a file
 * may be missing, but none is there without its partition, and an answer
 * that was given holds.
 */
static void
stop_everywhere(bool removes, int number, const char *name)
{
	struct partition_request r = request("p", 4, 2);
	struct snapshot s;
	int point, status, files, unknown;
	int wrong = 0, stopped = 0;
	bool there;

	for (point = 1; point < POINTS_MAX; point++) {
		(void)remove_partition(controller, "p", true, NULL, NULL);
		if (removes)
			wrong += create_partition(controller, &r, NULL, NULL) !=
			    0;
		status = act(removes, point, number);
		if (status == NOT_REACHED)
			break;
		stopped += status != DONE;
		if (!in_step(NULL) ||
		    transaction_list(controller, &s, NULL) != 0) {
			wrong++;
			continue;
		}
		there = snapshot_find(&s, "p") != -1;
		files = count_files(&s, &unknown);
		wrong += unknown;
		if (status == DONE)
			wrong += there == removes || files != (removes ? 0 : 2);
		if (status == REFUSED) /* as it was */
			wrong += there != removes || files != (removes ? 2 : 0);
		snapshot_release(&s);
	}
	is_int(wrong, 0, name);
	ok(stopped >= 3, "it was stopped at several points");
	ok(point < POINTS_MAX, "and came to its end");
}

static void
test_stops(void)
{
	struct error e;

	open_controller("stops");
	if (ipuof_files_directory("stops", ipuof, sizeof(ipuof), &e) != 0)
		exit(1);
	stop_everywhere(false, 0, "kill -9 anywhere in a create");
	stop_everywhere(true, 0, "kill -9 anywhere in a remove");
	stop_everywhere(false, ENOSPC, "no space anywhere in a create");
	stop_everywhere(true, ENOSPC, "no space anywhere in a remove");
}

int
main(void)
{
	struct error e;

	if (ipuof_files_directory("ipuof", ipuof, sizeof(ipuof), &e) != 0)
		return 1;
	test_create();
	test_holders();
	test_options();
	test_in_use();
	test_stops();
	controller_close(controller);
	return state_util_done();
}
