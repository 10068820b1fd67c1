/*
 * The embedded controller's clock, set by the test: configurations that take
 * time or fail, machines that come and go, partitions whose time ends, and
 * programs that hold IPUs meanwhile.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/control/embedded.h"
#include "core/control/lifecycle.h"
#include "core/pod/placement.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { BEGIN_MS = 1000000000, SECOND = 1000 };

static struct controller	*controller;
static int64_t			 clock_now;

static int64_t
test_clock(void)
{
	return clock_now;
}

static void
test_sleep(int64_t ms)
{
	clock_now += ms;
}

static void
open_controller(const char *state)
{
	struct error	e;

	controller_close(controller);
	use_state(state);
	controller = controller_open_local(NULL, &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	controller->now_ms = test_clock;
	controller->sleep_ms = test_sleep;
	clock_now = BEGIN_MS;
}

/* How machine ag01 + n fares from now on, as vipu-admin would say it. */
static void
set_machine(int n, int state, int fail_config, int slow_ms, int64_t up_ms)
{
	struct snapshot	s;
	struct error	e = { "" };
	struct agent	a;

	if (change_begin(controller, &s, &e) != 0) {
		is_str(e.text, "", "a change begins");
		return;
	}
	a = s.pod.agents[n];
	if (a.state != state)
		a.changed_ms = clock_now;
	a.state = state;
	a.fail_config = fail_config;
	a.slow_ms = slow_ms;
	a.up_ms = up_ms;
	if (state_update_agent(&controller->state, n, &a, &e) != 0 ||
	    controller_tick(controller, &s, &e) != 0)
		is_str(e.text, "", "a machine changes");
	change_end(controller, &s);
}

static struct partition_request
request(const char *name, int size)
{
	struct partition_request	r;

	partition_request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = size;
	return r;
}

static struct partition
create(const struct partition_request *r)
{
	struct partition	p = { .name = "" };
	struct error		e = { "" };

	if (controller_create(controller, r, &p, &e) != 0)
		is_str(e.text, "", "a partition is made");
	return p;
}

/* What a reader sees of the partition now, once it has been looked at. */
static struct partition
get(const char *name)
{
	struct partition	p = { .name = "" };
	struct snapshot		s;
	struct error		e;
	int			found;

	if (controller_list(controller, &s, &e) != 0)
		return p;
	found = snapshot_find(&s, name);
	if (found != -1)
		p = s.partitions[found];
	snapshot_release(&s);
	return p;
}

static void
is_state(const char *name, const char *wanted, const char *what)
{
	struct partition	p = get(name);
	char			text[64];

	(void)snprintf(text, sizeof(text), "%s/%s",
	    partition_state_name(p.state), operation_state_name(p.operation));
	is_str(text, wanted, what);
}

/* A configuration that takes time ends when it is due, not when it is seen. */
static void
test_slow(void)
{
	struct partition_request	r = request("p", 8);
	struct partition		p;
	struct error			e;

	open_controller("slow");
	set_machine(0, MACHINE_UP, 0, 500, 0);
	set_machine(1, MACHINE_UP, 1, 2000, 0);
	p = create(&r);
	is_int(p.state, PS_PENDING, "it takes time");
	is_int(p.due_ms, BEGIN_MS + 2000, "as the slowest machine does");
	clock_now += 1999;
	is_state("p", "PENDING/CREATING", "not yet");
	is_int(get("p").attempts, 0, "no attempt has ended");
	clock_now += 1;
	is_state("p", "PENDING/CREATING", "the first failed");
	is_int(get("p").attempts, 1, "and counts");
	is_int(get("p").due_ms, BEGIN_MS + 4000, "the second runs");
	clock_now += 60 * SECOND;
	is_state("p", "ACTIVE/IDLE", "it is ready");
	is_int(get("p").changed_ms, BEGIN_MS + 4000, "since then");
	check_in_step("and that is on the disk");

	is_int(controller_reset(controller, "p", false, false, &p, &e), 0,
	    "reset");
	is_int(p.state, PS_PENDING, "which takes time as well");
	is_int(controller_wait(controller, "p", 1000, &p, &e), -1,
	    "a second is not enough");
	is_int(errno, ETIMEDOUT, "it says so");
	is_int(controller_wait(controller, "p", -1, &p, &e), 0, "waited");
	is_int(p.state, PS_ACTIVE, "for the end");
	is_int(clock_now, BEGIN_MS + 64 * SECOND,
	    "and not a moment longer");
}

static void
test_lost(void)
{
	struct partition_request	r = request("p", 4);
	struct partition		p;

	open_controller("lost");
	(void)create(&r);
	clock_now += SECOND;
	set_machine(0, MACHINE_DOWN, 0, 0, 0);
	is_state("p", "ERROR/IDLE", "its machine is down");
	p = get("p");
	is_str(p.last_error, "machine ag01 is down", "which one");
	is_int(p.error_ms, BEGIN_MS + SECOND, "since when");
	clock_now += 60 * SECOND;
	is_state("p", "ERROR/IDLE", "it waits");
	set_machine(0, MACHINE_UP, 0, 0, 0);
	is_state("p", "ACTIVE/IDLE", "it heals by itself");
	p = get("p");
	is_int(p.resets, 1, "an automatic reset");
	is_int(p.reset_ms, BEGIN_MS + 61 * SECOND, "when the machine was up");
	is_str(p.last_error, "machine ag01 is down", "the reason stays");
}

int
main(void)
{
	test_slow();
	test_lost();
	controller_close(controller);
	return state_util_done();
}
