/*
 * Faults on demand: what a fault makes of a machine, who is meant, and what
 * follows for partitions and for those who hold their IPUs.
 */
#include "core/control/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { NOW = 1000000 };

static struct controller *controller;
static int64_t clock_now;

static int64_t
test_clock(void)
{
	return clock_now;
}

static void
test_apply(void)
{
	static const struct {
		const char *name;
		struct injection in;
		struct agent before, after;
	} rows[] = {
		{ "down", { .fault = FAULT_DOWN }, { .fail_config = 2 },
		    { .state = MACHINE_DOWN,
			.changed_ms = NOW,
			.fail_config = 2 } },
		{ "down already", { .fault = FAULT_DOWN },
		    { .state = MACHINE_DOWN, .changed_ms = 5 },
		    { .state = MACHINE_DOWN, .changed_ms = 5 } },
		{ "down while it reboots", { .fault = FAULT_DOWN },
		    { .state = MACHINE_REBOOTING,
			.changed_ms = 5,
			.up_ms = 10 },
		    { .state = MACHINE_DOWN, .changed_ms = NOW } },
		{ "up ends all", { .fault = FAULT_UP },
		    { .state = MACHINE_DOWN,
			.changed_ms = 5,
			.fail_config = 2,
			.slow_ms = 3 },
		    { .state = MACHINE_UP, .changed_ms = NOW } },
		{ "up as it is", { .fault = FAULT_UP },
		    { .state = MACHINE_UP, .changed_ms = 5, .slow_ms = 3 },
		    { .state = MACHINE_UP, .changed_ms = 5 } },
		{ "reboot", { .fault = FAULT_REBOOT, .value = 7 },
		    { .slow_ms = 3 },
		    { .state = MACHINE_REBOOTING,
			.changed_ms = NOW,
			.up_ms = NOW + 7000,
			.slow_ms = 3 } },
		{ "reboot again", { .fault = FAULT_REBOOT, .value = 86400 },
		    { .state = MACHINE_REBOOTING,
			.changed_ms = 5,
			.up_ms = 10 },
		    { .state = MACHINE_REBOOTING,
			.changed_ms = NOW,
			.up_ms = NOW + INT64_C(86400000) } },
		{ "fail-config", { .fault = FAULT_FAIL_CONFIG, .value = 4 },
		    { .fail_config = 9, .slow_ms = 3 },
		    { .fail_config = 4, .slow_ms = 3 } },
		{ "slow", { .fault = FAULT_SLOW, .value = 4 },
		    { .fail_config = 9, .slow_ms = 3 },
		    { .fail_config = 9, .slow_ms = 4 } },
	};
	struct agent a;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		a = rows[i].before;
		inject_apply(&rows[i].in, NOW, &a);
		is_int(a.state, rows[i].after.state, rows[i].name);
		is_int(a.changed_ms, rows[i].after.changed_ms, "since");
		is_int(a.up_ms, rows[i].after.up_ms, "until");
		is_int(a.fail_config, rows[i].after.fail_config, "failing");
		is_int(a.slow_ms, rows[i].after.slow_ms, "slow");
	}
}

/* Two clusters with the names ag1 and ag2 each, and a machine apart. */
static const char two[] = "[pod]\nname = two\n"
			  "[cluster a]\nagents = ag[1-2]\n"
			  "[cluster b]\nagents = ag[1-2],extra,other\n";

static void
test_selection(void)
{
	static const struct {
		const char *list, *wanted, *reason;
	} rows[] = {
		{ "all", "111111", NULL },
		{ "a:ag1", "100000", NULL },
		{ "b:ag1", "001000", NULL },
		{ "extra", "000010", NULL },
		{ "a:ag[1-2],other", "110001", NULL },
		{ "b:ag2, extra", "000110", NULL },
		{ "extra,extra", "000010", NULL },
		{ "ag1", NULL,
		    "ag1: agents of several clusters have that name; write "
		    "a:ag1 or b:ag1" },
		{ "c:ag1", NULL,
		    "c:ag1: the agent does not exist; vipu-admin list agents "
		    "shows the existing ones" },
		{ "a:ag[1-3]", NULL,
		    "a:ag3: the agent does not exist; vipu-admin list agents "
		    "shows the existing ones" },
		{ "", NULL, "agents: a name is missing" },
		{ "extra,", NULL, "agents: a name is missing" },
		{ "ag[1", NULL, "agents: 'ag[1': '[' and ']' do not match" },
		{ "../x", NULL,
		    "agent name '../x': only letters, digits and . _ - are "
		    "allowed, and the first must be a letter or a digit" },
	};
	static const struct {
		const char *name;
		int wanted;
	} ipus[] = { { "extra:0", 16 }, { "b:ag2:3", 15 }, { "extra:4", -1 },
		{ "extra:", -1 }, { "extra:12", -1 }, { "extra", -1 },
		{ "ag1:0", -1 }, { "x:1", -1 }, { ":1", -1 }, { "", -1 },
		{ "extra:-1", -1 } };
	struct pod pod;
	struct error e = { .text = "" };
	bool selected[6];
	char marks[7];
	size_t i, k;

	is_int(pod_file_parse(&pod, "two", two, &e), 0, e.text);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		k = rows[i].wanted == NULL;
		is_int(selection_agents(&pod, rows[i].list, selected, &e),
		    k ? -1 : 0, rows[i].list);
		if (k) {
			is_str(e.text, rows[i].reason, "the reason");
			continue;
		}
		for (k = 0; k < 6; k++)
			marks[k] = selected[k] ? '1' : '0';
		marks[6] = '\0';
		is_str(marks, rows[i].wanted, "those");
	}
	for (i = 0; i < ARRAY_SIZE(ipus); i++)
		is_int(selection_ipu(&pod, ipus[i].name, NULL), ipus[i].wanted,
		    ipus[i].name);
	pod_release(&pod);
}

/* ---- with the state ---- */

static void
open_controller(const char *state)
{
	struct partition_request r;
	struct error e;

	use_state(state);
	controller = embedded_controller_open(NULL, &e);
	if (controller == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	controller->now_ms = test_clock;
	clock_now = NOW;
	request_init(&r);
	(void)strlcpy(r.name, "p", sizeof(r.name));
	r.size = 8;
	is_int(create_partition(controller, &r, NULL, &e), 0, "a partition");
	clock_now += 1000;
}

static int
inject(const char *target, enum fault fault, int value)
{
	struct injection in = { target, fault, value, 0 };
	struct error e = { .text = "" };
	int status = inject_fault(controller, &in, &e);

	if (status != 0)
		printf("# %s\n", e.text);
	return status;
}

static int
inject_soc(const char *target, uint32_t set)
{
	struct injection in = { target, FAULT_SOC_ERROR, 0, set };

	return inject_fault(controller, &in, NULL);
}

static void
is_state(const char *wanted, const char *last_error)
{
	struct snapshot s;
	struct error e;
	char text[64];

	if (transaction_list(controller, &s, &e) != 0) {
		is_str(e.text, "", "a look");
		return;
	}
	(void)snprintf(text, sizeof(text), "%s/%s",
	    partition_state_name(s.partitions[0].state),
	    partition_operation_name(s.partitions[0].operation));
	is_str(text, wanted, "its state");
	is_str(s.partitions[0].last_error, last_error, "its last error");
	snapshot_release(&s);
}

static struct ipu_slot *
slot(int ipu)
{
	return registry_slot(&controller->state.registry, ipu);
}

static void
test_machines(void)
{
	struct holder h;
	const char *down = "machine ag02 is down";
	const char *rebooted = "machine ag02 rebooted";

	open_controller("machines");
	h = hold_ipus(0, 8);
	is_int(inject("ag02", FAULT_DOWN, 0), 0, "ag02 goes down");
	is_state("ERROR/IDLE", down);
	is_int(slot(3)->lost, 0, "ag01 is as before");
	is_int(slot(4)->lost, 1, "the holder of ag02 learns it");
	is_int(slot(7)->lost, 1, "at every IPU");
	is_int(slot(8)->lost, 0, "which ag03 is not");
	release_ipus(&h, 0);
	clock_now += 60000;
	is_state("ERROR/IDLE", down);
	is_int(inject("ag02", FAULT_UP, 0), 0, "and comes up");
	is_state("ACTIVE/IDLE", down);
	check_in_step("all that is on the disk");

	clock_now += 1000;
	is_int(inject("cl0:ag[01-02]", FAULT_SLOW, 500), 0, "both are slow");
	is_int(inject("ag02", FAULT_REBOOT, 10), 0, "a reboot");
	is_state("ERROR/IDLE", rebooted);
	clock_now += 9999;
	is_state("ERROR/IDLE", rebooted);
	clock_now += 1;
	is_state("PENDING/RESETTING", rebooted);
	clock_now += 500;
	is_state("ACTIVE/IDLE", rebooted);

	clock_now += 1000;
	h = hold_ipus(4, 4);
	atomic_store(&slot(4)->lost, 0);
	is_int(inject("ag02", FAULT_REBOOT, 0), 0, "one without a pause");
	is_state("PENDING/RESETTING", rebooted);
	is_int(slot(4)->lost, 1, "is noticed all the same");
	release_ipus(&h, 0);
	clock_now += 500;
	is_state("ACTIVE/IDLE", rebooted);
	check_in_step("and that is on the disk");
	controller_close(controller);
}

static void
test_ipus(void)
{
	const uint32_t all = SOC_BIT(SOC_IPUSOFTERR) | SOC_BIT(SOC_NMLINKDN0) |
	    SOC_BIT(SOC_MCUSOFTERR);
	struct error e;

	open_controller("ipus");
	is_int(inject_soc("ag01:2", SOC_BIT(SOC_IPUSOFTERR)), 0, "an error");
	is_int(slot(2)->soc_error, SOC_BIT(SOC_IPUSOFTERR), "is there");
	is_int(inject_soc("ag01:2", all), 0, "and others");
	is_int(slot(2)->soc_error, all, "come as well");
	is_int(slot(1)->soc_error, 0, "to no other IPU");
	is_int(inject_soc("ag01:2", 0), 0, "clear");
	is_int(slot(2)->soc_error, 0, "takes them away");
	is_int(inject_soc("ag01:2", all), 0, "again");
	is_int(inject_soc("ag05:0", all), 0, "and beside the partition");
	is_int(reset_partition(controller, "p", false, false, NULL, &e), 0,
	    "a reset");
	is_int(slot(2)->soc_error, SOC_BIT(SOC_MCUSOFTERR),
	    "cures what it can");
	is_int(slot(16)->soc_error, all, "in the partition");
	is_int(inject("ag01", FAULT_DOWN, 0), 0, "down");
	is_int(slot(2)->soc_error, SOC_BIT(SOC_MCUSOFTERR), "is no cure");
	is_int(inject("ag01", FAULT_REBOOT, 0), 0, "a power cycle");
	is_int(slot(2)->soc_error, 0, "is");
	is_int(inject("ag[02-16]", FAULT_UP, 0), 0, "up");
	is_int(slot(16)->soc_error, 0, "is as well");
	controller_close(controller);
}

static void
test_refusals(void)
{
	struct snapshot s;
	int i, changed = 0;

	open_controller("refusals");
	is_int(inject("ag01,ag99", FAULT_DOWN, 0), -1, "one of two unknown");
	is_int(inject_soc("ag99:1", SOC_BIT(SOC_IPUSOFTERR)), -1,
	    "an unknown machine's IPU");
	is_int(inject_soc("all", SOC_BIT(SOC_IPUSOFTERR)), -1, "all IPUs");
	is_state("ACTIVE/IDLE", "");
	if (transaction_list(controller, &s, NULL) == 0) {
		for (i = 0; i < s.pod.agent_count; i++)
			changed += s.pod.agents[i].state != MACHINE_UP ||
			    s.pod.agents[i].changed_ms != 0;
		for (i = 0; i < pod_ipu_count(&s.pod); i++)
			changed += slot(i)->soc_error != 0;
		snapshot_release(&s);
	}
	is_int(changed, 0, "nothing has changed");
	check_in_step("nowhere");
	controller_close(controller);
}

int
main(void)
{
	test_apply();
	test_selection();
	test_machines();
	test_ipus();
	test_refusals();
	return state_util_done();
}
