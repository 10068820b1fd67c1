/*
 * The writer's lock is given back by a change that could not begin: another
 * process takes it.
 */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/control/controller_internal.h"
#include "core/state/holder.h"
#include "core/state/registry_layout.h"
#include "core/state/state_internal.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { NOW_MS = 1000000000 };

static struct controller *controller;

/* Nothing where it is moved already: the time is asked more than once. */
static void
move_cluster(const char *from, const char *to)
{
	char old[512], new[512];

	(void)snprintf(old, sizeof(old), "%s/clusters/%s", test_paths.directory,
	    from);
	(void)snprintf(new, sizeof(new), "%s/clusters/%s", test_paths.directory,
	    to);
	if (rename(old, new) != 0 && errno != ENOENT)
		exit(1);
}

/* The mirror is to be made again, and the files cannot be read. */
static void
damage_state(void)
{
	const uint32_t odd = 1001;

	scribble(offsetof(struct registry_header, sequence), &odd, sizeof(odd));
	move_cluster("cl0.ini", "cl0.away");
}

static void
mend_state(void)
{
	move_cluster("cl0.away", "cl0.ini");
}

static int64_t
now(void)
{
	return NOW_MS;
}

/* Between the first lock of a change and what is due. */
static int64_t
now_and_damage(void)
{
	damage_state();
	return NOW_MS;
}

static void
open_state(const char *name)
{
	struct error e = { .text = "" };

	make_state(name);
	add_partition("p", 0, 4);
	if ((controller = embedded_controller_open(NULL, &e)) == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	controller->now_ms = now;
}

/* The controller lives on; a process of its own takes the lock and changes. */
static void
others_can_change(void)
{
	struct partition p = make_partition("q", 8, 4);
	struct state s;
	int status;
	pid_t pid;

	ok(!state_has_writer(test_paths.directory), "nobody has the lock");
	mend_state();
	pid = fork();
	if (pid == 0) {
		(void)alarm(10); /* it would wait for ever */
		_exit(state_open(&s, NULL) == 0 && state_lock(&s, NULL) == 0 &&
			    state_add_partition(&s, &p, NULL) == 0 ?
			0 :
			1);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "another process takes it");
	check_in_step("and changes the state");
}

static void
refused(const char *name)
{
	struct snapshot s;
	struct error e = { .text = "" };

	is_int(transaction_begin(controller, &s, &e), -1, name);
	ok(strstr(e.text, "cluster 'cl0' does not exist") != NULL,
	    "for the files' sake");
	others_can_change();
	controller_close(controller);
}

/* The partition is to go at NOW_MS. */
static void
let_expire(void)
{
	struct partition p = make_partition("p", 0, 4);
	struct error e = { .text = "" };

	p.expires_ms = NOW_MS;
	if (state_lock(&controller->state, &e) != 0 ||
	    state_update_partition(&controller->state, &p, &e) != 0)
		is_str(e.text, "", "an update");
	registry_set_due(&controller->state.registry, NOW_MS);
	state_unlock(&controller->state);
}

/* A record names this process, which began after the record's TICKS. */
static void
others_had_the_pid(void)
{
	struct lock_holder holder;
	char path[512];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/record", test_paths.directory);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	lock_write_record(fd, 0);
	lock_read_record(fd, 0, &holder);
	ok(holder.life == LOCK_ALIVE && holder.pid == getpid(),
	    "the record of this process");
	dprintf(fd, "%ld 1 %" PRIu64 " 0 %-*s", (long)getpid(),
	    holder_pid_namespace(), LOCK_RECORD_SIZE, "other");
	lock_read_record(fd, 0, &holder);
	is_int(holder.life, LOCK_GONE, "of a process that had the pid before");
	(void)close(fd);
}

int
main(void)
{
	(void)alarm(60);
	open_state("first");
	damage_state();
	refused("a change without a pod");

	/* What is due cannot be stored; then the second lock fails. */
	open_state("second");
	let_expire();
	controller->now_ms = now_and_damage;
	fault_arm(2, ENOSPC); /* behind that of the mark */
	refused("a change that has to look again");
	ok(fault_count() > 0, "as it had to");
	others_had_the_pid();
	return state_util_done();
}
