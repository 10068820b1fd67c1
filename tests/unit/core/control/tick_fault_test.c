/*
 * Kill -9, and a full disk, at every point of what happens by itself and of a
 * reset: files and mirror agree, nothing of others is lost, and whoever comes
 * next brings it to its end.
 */
#include <sys/wait.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/tick.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { NOW_MS = 1000000000, POINTS_MAX = 400 };

/* How an attempt ended; killed: anything else. */
enum { DONE, REFUSED, NOT_REACHED };

struct scenario {
	const char *name;
	void (*prepare)(struct partition *c, struct agent *ag05);
	int (*act)(struct controller *);
	const char *end; /* what becomes of c at last */
};

static char ipuof[DIRECTORY_SIZE];

static int64_t
fixed_clock(void)
{
	return NOW_MS;
}

static struct controller *
open_controller(void)
{
	struct error e;
	struct controller *c = embedded_controller_open(NULL, &e);

	if (c == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	c->now_ms = fixed_clock;
	return c;
}

/* ---- what happens to partition c, on machines ag05 to ag08 ---- */

static void
machine_down(struct partition *c, struct agent *ag05)
{
	c->relocatable = 1;
	memset(c->ipuof_directory, 0, sizeof(c->ipuof_directory));
	ag05->state = MACHINE_DOWN;
	ag05->changed_ms = NOW_MS - 5;
}

static void
machine_rebooted(struct partition *c, struct agent *ag05)
{
	(void)c;
	ag05->state = MACHINE_REBOOTING;
	ag05->changed_ms = NOW_MS - 5000;
	ag05->up_ms = NOW_MS - 1000;
	ag05->fail_config = 2;
}

static void
machine_fails(struct partition *c, struct agent *ag05)
{
	c->state = PS_PENDING;
	c->operation = POS_CREATING;
	c->due_ms = NOW_MS;
	ag05->fail_config = 100;
}

static void
time_over(struct partition *c, struct agent *ag05)
{
	(void)ag05;
	c->expires_ms = NOW_MS;
}

static void
as_it_is(struct partition *c, struct agent *ag05)
{
	(void)c;
	(void)ag05;
}

/* A reset that clears nothing writes no file. */
static void
with_error(struct partition *c, struct agent *ag05)
{
	(void)ag05;
	c->error_ms = 1;
}

static int
act_tick(struct controller *c)
{
	struct snapshot s;
	int status;

	if (state_lock(&c->state, NULL) != 0)
		return -1;
	status = snapshot_take(&c->state.registry, &s, NULL);
	if (status == 0)
		status = tick_run(c, &s, NULL);
	transaction_end(c, &s);
	return status;
}

static int
act_reset(struct controller *c)
{
	return reset_partition(c, "c", false, false, NULL, NULL);
}

static int
act_relocatable(struct controller *c)
{
	return reset_partition(c, "c", true, false, NULL, NULL);
}

static const struct scenario scenarios[] = {
	{ "a relocation", machine_down, act_tick, "ACTIVE/IDLE at 32" },
	{ "a reboot", machine_rebooted, act_tick, "ACTIVE/IDLE at 16, file" },
	{ "a failure", machine_fails, act_tick, "ERROR/FAILED at 16, file" },
	{ "an end", time_over, act_tick, "gone" },
	{ "a reset", with_error, act_reset, "ACTIVE/IDLE at 16, file" },
	{ "a reset to relocatable", as_it_is, act_relocatable,
	    "ACTIVE/IDLE at 16" },
};

/* ---- before and after ---- */

/* Partitions a and b, and c as the scenario wants it. */
static void
prepare(const struct scenario *s)
{
	static const char *const names[] = { "a", "b", "c" };
	struct partition p;
	struct controller *c = open_controller();
	struct snapshot snapshot;
	struct agent agent;
	size_t i;

	if (transaction_begin(c, &snapshot, NULL) != 0)
		exit(1);
	for (i = 0; i < 3; i++)
		(void)state_remove_partition(&c->state, names[i], NULL);
	agent = snapshot.pod.agents[4];
	agent.state = MACHINE_UP;
	agent.changed_ms = agent.up_ms = agent.fail_config = 0;
	p = make_partition("c", 16, 16);
	p.owner = getuid(); /* who writes its files */
	(void)strlcpy(p.ipuof_directory, ipuof, sizeof(p.ipuof_directory));
	s->prepare(&p, &agent);
	if (state_update_agent(&c->state, 4, &agent, NULL) != 0 ||
	    state_add_partition(&c->state, &p, NULL) != 0 ||
	    ipuof_files_write(&snapshot.pod, &p, versions_at(0), NULL) != 0)
		exit(1);
	p = make_partition("a", 0, 4);
	if (state_add_partition(&c->state, &p, NULL) != 0)
		exit(1);
	p = make_partition("b", 8, 8);
	if (state_add_partition(&c->state, &p, NULL) != 0)
		exit(1);
	transaction_end(c, &snapshot);
	controller_close(c);
}

/* "ACTIVE/IDLE at 16, file" */
static void
describe(const struct snapshot *s, char *text, size_t size)
{
	const struct partition *p;
	char path[DIRECTORY_SIZE + 16];
	int found = snapshot_find(s, "c");

	(void)snprintf(path, sizeof(path), "%s/c.conf", ipuof);
	if (found == -1) {
		(void)snprintf(text, size, "gone%s",
		    access(path, F_OK) == 0 ? ", file" : "");
		return;
	}
	p = &s->partitions[found];
	(void)snprintf(text, size, "%s/%s at %d%s",
	    partition_state_name(p->state),
	    partition_operation_name(p->operation), p->placement.offset,
	    access(path, F_OK) == 0 ? ", file" : "");
}

/* Whether all is there, and what the next one who looks makes of it. */
static bool
is_well(const struct scenario *s, bool done, long point)
{
	struct controller *c;
	struct snapshot snapshot;
	struct error e = { .text = "" };
	char text[128] = "";
	bool well = in_step(&e);

	c = open_controller();
	if (!done && s->act(c) != 0)
		(void)error_set(&e, "it cannot be done afterwards");
	if (transaction_list(c, &snapshot, &e) == 0) {
		describe(&snapshot, text, sizeof(text));
		well = well && strcmp(text, s->end) == 0 &&
		    snapshot_find(&snapshot, "a") != -1 &&
		    snapshot_find(&snapshot, "b") != -1;
		snapshot_release(&snapshot);
	}
	controller_close(c);
	if (!well)
		printf("# point %ld: %s; %s\n", point, text, e.text);
	return well;
}

/* In a child: open, arm, act. How it ended. */
static int
attempt(const struct scenario *s, long point, int number)
{
	struct controller *c;
	int status;
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		c = open_controller();
		fault_arm(point, number);
		status = s->act(c);
		if (fault_count() < point)
			_exit(status == 0 ? NOT_REACHED : 99);
		_exit(status == 0 ? DONE : REFUSED);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
stop_everywhere(const struct scenario *s, int number, const char *how)
{
	char name[128];
	long point;
	int status, wrong = 0;

	for (point = 1; point < POINTS_MAX; point++) {
		prepare(s);
		status = attempt(s, point, number);
		/* Who was not done is asked again; a full disk may have put
		   it off. */
		wrong += !is_well(s,
		    status == NOT_REACHED || (status == DONE && number == 0),
		    point);
		if (status == NOT_REACHED)
			break;
	}
	(void)snprintf(name, sizeof(name), "%s: %s at each of %ld points",
	    s->name, how, point - 1);
	is_int(wrong, 0, name);
	ok(point > 4 && point < POINTS_MAX, "there were some");
}

int
main(void)
{
	struct error e;
	size_t i;

	if (ipuof_files_directory("ipuof", ipuof, sizeof(ipuof), &e) != 0)
		return 1;
	make_state("faults");
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		stop_everywhere(&scenarios[i], 0, "killed");
		stop_everywhere(&scenarios[i], ENOSPC, "no space");
	}
	return state_util_done();
}
