/*
 * An embedded controller whose clocks the test sets.
 */
#include "tests/unit/clock_util.h"

#include <stdio.h>
#include <stdlib.h>

#include <bsd/string.h>

#include "core/control/control.h"
#include "core/control/tick.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

struct controller *controller;
int64_t clock_now, monotonic_now, clock_step;

static int64_t
test_clock(void)
{
	return clock_now;
}

/* The clock that nobody sets. */
static int64_t
test_monotonic(void)
{
	return monotonic_now;
}

/* Behind it the host's clock may be another. */
static void
test_sleep(int64_t ms)
{
	clock_now += ms + clock_step;
	monotonic_now += ms;
	clock_step = 0;
}

void
clock_util_open(const char *state)
{
	struct error e;

	controller_close(controller);
	use_state(state);
	controller = embedded_controller_open(NULL, &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	controller->now_ms = test_clock;
	controller->monotonic_ms = test_monotonic;
	controller->sleep_ms = test_sleep;
	clock_now = BEGIN_MS;
}

void
clock_util_set_machine(int n, int state, int fail_config, int slow_ms,
    int64_t up_ms)
{
	struct snapshot s;
	struct error e = { .text = "" };
	struct agent a;

	if (transaction_begin(controller, &s, &e) != 0) {
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
	    tick_run(controller, &s, &e) != 0)
		is_str(e.text, "", "a machine changes");
	transaction_end(controller, &s);
}

struct partition_request
clock_util_request(const char *name, int size)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = size;
	return r;
}

struct partition
clock_util_create(const struct partition_request *r)
{
	struct partition p = { .name = "" };
	struct error e = { .text = "" };

	if (create_partition(controller, r, &p, &e) != 0)
		is_str(e.text, "", "a partition is made");
	return p;
}

struct partition
clock_util_get(const char *name)
{
	struct partition p = { .name = "" };
	struct snapshot s;
	struct error e;
	int found;

	if (transaction_list(controller, &s, &e) != 0)
		return p;
	found = snapshot_find(&s, name);
	if (found != -1)
		p = s.partitions[found];
	snapshot_release(&s);
	return p;
}

void
clock_util_is_state(const char *name, const char *wanted, const char *what)
{
	struct partition p = clock_util_get(name);
	char text[64];

	(void)snprintf(text, sizeof(text), "%s/%s",
	    partition_state_name(p.state),
	    partition_operation_name(p.operation));
	is_str(text, wanted, what);
}
