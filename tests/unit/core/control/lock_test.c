/*
 * The writer's lock is given back by a change that could not begin: another
 * process takes it.
 */
#include <sys/wait.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/control/controller_internal.h"
#include "core/state/mirror.h"
#include "core/state/registry_layout.h"
#include "core/state/state_internal.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { NOW_MS = 1000000000, NO_ROUTING = 99 };

static struct controller	*controller;

/* What the mirror says of its first partition cannot be. */
static void
damage_mirror(void)
{
	struct mirror	m;

	registry_layout_locate(&m, controller->state.registry.map);
	m.partitions[0].routing = NO_ROUTING;
}

static void
mend_mirror(void)
{
	struct mirror	m;

	registry_layout_locate(&m, controller->state.registry.map);
	m.partitions[0].routing = IRT_DNC;
	m.partitions[0].expires_ms = 0;
}

static int64_t
now(void)
{
	return NOW_MS;
}

/* Between the first snapshot of a change and what is due. */
static int64_t
now_and_damage(void)
{
	damage_mirror();
	return NOW_MS;
}

static void
open_state(const char *name)
{
	struct error	e = { .text = "" };

	make_state(name);
	add_partition("p", 0, 4);
	if ((controller = controller_open_local(NULL, &e)) == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	controller->now_ms = now;
}

/* The controller lives on; a process of its own takes the lock and changes. */
static void
others_can_change(void)
{
	struct partition	p = make_partition("q", 8, 4);
	struct state		s;
	int			status;
	pid_t			pid;

	ok(!state_has_writer(test_paths.directory), "nobody has the lock");
	mend_mirror();
	pid = fork();
	if (pid == 0) {
		(void)alarm(10);	/* it would wait for ever */
		_exit(state_open(&s, NULL) == 0 && state_lock(&s, NULL) == 0 &&
		    state_add_partition(&s, &p, NULL) == 0 ? 0 : 1);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "another process takes it");
	check_in_step("and changes the state");
}

static void
refused(const char *name)
{
	struct snapshot	s;
	struct error	e = { .text = "" };

	is_int(transaction_begin(controller, &s, &e), -1, name);
	ok(strstr(e.text, "damaged; end the programs that use it") != NULL,
	    "for the snapshot's sake");
	others_can_change();
	controller_close(controller);
}

int
main(void)
{
	struct mirror	m;

	(void)alarm(60);
	open_state("first");
	damage_mirror();
	refused("a change without a snapshot");

	/* What is due cannot be stored; then the second snapshot fails. */
	open_state("second");
	registry_layout_locate(&m, controller->state.registry.map);
	m.partitions[0].expires_ms = NOW_MS;
	registry_set_due(&controller->state.registry, NOW_MS);
	controller->now_ms = now_and_damage;
	fault_arm(2, ENOSPC);	/* behind that of the mark */
	refused("a change that has to look again");
	ok(fault_count() > 0, "as it had to");
	return state_util_done();
}
