/*
 * Testing a cluster through the controller: when it is refused, that nobody
 * attaches meanwhile, and what it says of machines that fail.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct controller *controller;
static struct cluster_test results[WIRING_TESTS];

static void
open_controller(const char *state)
{
	struct error e;

	controller_close(controller);
	make_state(state);
	controller = embedded_controller_open(NULL, &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

static int
run(bool force, struct error *e)
{
	memset(results, 0, sizeof(results));
	return cluster_test_run(controller, "cl0", force, results, e);
}

/* Whether all IPUs of the pod can be taken, and given back. */
static bool
all_free(void)
{
	struct registry r;
	int holder;
	bool taken;

	open_registry(&r);
	taken = registry_attach(&r, 0, 64, &holder, NULL) == 0;
	registry_close(&r);
	return taken;
}

static int refused; /* attachments while the tests ran */

/* The controller looks at the clock when the tests begin. */
static int64_t
try_to_attach(void)
{
	struct registry r;
	struct error e;
	int i, holder;

	open_registry(&r);
	for (i = 0; i < 64; i++)
		refused += registry_attach(&r, i, 1, &holder, &e) != 0 &&
		    e.code == ERROR_BUSY;
	registry_close(&r);
	return 5000;
}

static void
test_free(void)
{
	struct error e;

	open_controller("free");
	is_int(run(false, &e), 0, "an idle cluster");
	is_int(results[TEST_TRAFFIC].result.passed, 1, "carries traffic");
	is_int(results[TEST_TRAINING].result.total, 160, "over its links");
	ok(results[TEST_TRAFFIC].duration_ns > 0, "in a time");
	ok(all_free(), "and gives its IPUs back");
	controller->now_ms = try_to_attach;
	refused = 0;
	is_int(run(false, &e), 0, "while others try to attach");
	ok(refused >= 64, "all of them in vain");
	is_int(cluster_test_run(controller, "cl1", false, results, &e), -1,
	    "another cluster");
	is_str(e.text,
	    "the cluster does not exist; vipu-admin list clusters shows the "
	    "existing ones",
	    "is not there");
}

static void
test_refused(void)
{
	char name[] = "p0";
	struct error e;
	struct holder h;
	int i;

	open_controller("refused");
	add_partition("a", 0, 4);
	is_int(run(false, &e), -1, "a partition is active");
	is_str(e.text,
	    "its tests would disturb partition a; remove it first, or use "
	    "--force",
	    "which");
	is_int(results[TEST_VERSION].result.total, 0, "nothing was tested");
	ok(all_free(), "nothing is held");
	for (i = 0; i < 6; i++) {
		name[1] = (char)('0' + i);
		add_partition(name, 4 + i, 1);
	}
	is_int(run(false, &e), -1, "many are");
	is_str(e.text,
	    "its tests would disturb partition a, p0, p1, p2, p3 and 2 more; "
	    "remove them first, or use --force",
	    "some by name");
	is_int(run(true, &e), 0, "forced");
	is_int(results[TEST_TRAFFIC].result.passed, 1, "it is tested");

	h = hold_ipus(60, 2);
	is_int(run(false, &e), -1, "a program is attached");
	ok(strncmp(e.text, "it is in use: ", 14) == 0, "who");
	ok(strstr(e.text,
	       "is attached to ag16:0; end it first, or use --force") != NULL,
	    "where");
	controller->now_ms = try_to_attach;
	refused = 0;
	is_int(run(true, &e), 0, "forced");
	ok(refused >= 64, "the other IPUs are held all the same");
	release_ipus(&h, SIGKILL);
	ok(all_free(), "and given back");
}

/* How machine `place` fares from now on. */
static void
set_machine(int place, int state, int fail_config)
{
	struct snapshot s;
	struct agent a;
	struct error e;

	if (transaction_begin(controller, &s, &e) != 0)
		exit(1);
	a = s.pod.agents[place];
	a.state = state;
	a.fail_config = fail_config;
	if (state_update_agent(&controller->state, place, &a, &e) != 0)
		exit(1);
	transaction_end(controller, &s);
}

static void
test_failures(void)
{
	struct error e;

	open_controller("failures");
	set_machine(3, MACHINE_DOWN, 0);
	is_int(run(false, &e), 0, "tested");
	is_str(results[TEST_VERSION].result.summary, "ag04 does not answer",
	    "a machine is down");
	is_int(results[TEST_VERSION].result.passed, 15, "the others answer");
	set_machine(3, MACHINE_UP, 2);
	is_int(run(false, &e), 0, "tested");
	is_int(results[TEST_VERSION].result.passed, 16, "it is back");
	is_str(results[TEST_TRAINING].result.summary,
	    "ag03:2 - ag04:0: not trained, and 11 more",
	    "and cannot be configured");
	set_machine(3, MACHINE_UP, 0);
	is_int(run(false, &e), 0, "tested");
	is_str(results[TEST_TRAINING].result.summary, "All Links Passed",
	    "mended");
}

int
main(void)
{
	test_free();
	test_refused();
	test_failures();
	controller_close(controller);
	return state_util_done();
}
