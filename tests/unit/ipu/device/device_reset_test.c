/*
 * Resetting devices: what others see meanwhile, what a reset clears, and what
 * is not reset.
 */
#include "ipu/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device_reset.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct registry registry;
static struct visible_devices view;
static struct ipu_slot self;

/* What the last reset told: a letter for each device, and its last reason. */
static char told[8];
static char reason_told[1024];

static void
prepare(void)
{
	struct partition p = make_partition("p4", 4, 4);
	struct state s;
	struct error e = { .text = "" };

	p.reconfigurable = 1;
	use_state("device_reset");
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_add_partition(&s, &p, &e), &e);
	state_unlock(&s);
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "p4", 1);
	must(device_take_open(&registry, &e), &e);
	must(visible_devices_open(&view, &registry, &e), &e);
	ipu_holder_describe(&(struct ipu_holder){ .pid = getpid(),
				.uid = getuid(),
				.command = "resetting" },
	    0, &self);
}

/* The errors of the four IPUs, by their numbers in the partition. */
static void
set_errors(uint32_t first, uint32_t second, uint32_t third)
{
	const uint32_t sets[] = { first, second, third };
	int i;

	for (i = 0; i < 3; i++) {
		registry_clear_faults(&registry, 4 + i, UINT32_MAX);
		registry_set_faults(&registry, 4 + i, sets[i]);
	}
}

static uint32_t
errors_of(int index)
{
	return registry_faults(&registry, 4 + index);
}

static void
tell(void *context, const struct device *d, const char *reason)
{
	size_t n = strlen(told);

	(void)context;
	(void)d;
	told[n] = reason == NULL ? 'y' : 'n';
	told[n + 1] = '\0';
	if (reason != NULL)
		(void)snprintf(reason_told, sizeof(reason_told), "%s", reason);
}

/* The same, and another program tries to attach meanwhile. */
static void
tell_others(void *context, const struct device *d, const char *reason)
{
	struct attachment a;
	struct error e = { .text = "" };

	tell(context, d, reason);
	ok(attach(&a, 1, 3, "other", &e) == -1 && e.code == ERROR_NO_ROOM,
	    "nobody attaches to what is reset");
	ok(strstr(e.text, ": resetting") != NULL, "and who does it is named");
}

/* Reset the devices first to last; what device_reset() says. */
static int
reset(int first, int last, device_reset_reporter *how, struct error *e)
{
	struct device *all;
	int result;

	told[0] = reason_told[0] = '\0';
	(void)device_list(view.partition, view.gcd, &all);
	result =
	    device_reset(&(struct device_reset_order){ .registry = &registry,
			     .view = &view,
			     .words = &self,
			     .tell = how },
		all + first, last - first + 1, e);
	free(all);
	return result;
}

static void
test_clears(void)
{
	struct error e;

	set_errors(SOC_BIT(SOC_IPUSOFTERR), SOC_BIT(SOC_HEXOVERFLOWERR), 0);
	is_int(reset(0, 0, tell, &e), 0, "one IPU");
	is_str(told, "y", "it is told");
	is_int(errors_of(0), 0, "its error is gone");
	ok(errors_of(1) != 0, "that of the next is not");
	atomic_store(&registry_slot(&registry, 5)->lost, 1);
	is_int(reset(6, 6, tell, &e), 0, "all four as a group");
	ok(errors_of(1) == 0 &&
		atomic_load(&registry_slot(&registry, 5)->lost) == 0,
	    "nothing is left");
	is_int(registry_held(&registry, 4, 4), -1, "and nothing is held");
}

static void
test_keeps(void)
{
	struct error e;

	set_errors(SOC_BIT(SOC_IPUSOFTERR) | SOC_BIT(SOC_NMLINKDN0),
	    SOC_BIT(SOC_MCUSOFTERR), SOC_BIT(SOC_IPUSOFTERR));
	is_int(reset(0, 3, tell, &e), 2, "two keep an error");
	is_str(told, "nnyy", "the others are reset");
	ok(errors_of(0) == SOC_BIT(SOC_NMLINKDN0) && errors_of(2) == 0,
	    "of each what a reset clears");
	is_int(reset(6, 6, tell, &e), 1, "a group that keeps some");
	is_str(reason_told,
	    "IPU 0 of partition p4 (ag02:0) has the error NMLINKDN0. The "
	    "partition must be reset: vipu reset partition p4\n"
	    "IPU 1 of partition p4 (ag02:1) has the error MCUSOFTERR. The "
	    "machine must be power cycled: vipu-admin inject ag02 reboot",
	    "a line for each IPU");
	set_errors(0, 0, 0);
}

static void
test_held(void)
{
	struct attachment a;
	struct error e = { .text = "" };

	is_int(reset(3, 3, tell_others, &e), 0, "with another program");
	must(attach(&a, 2, 4, "train.py", &e), &e);
	set_errors(0, SOC_BIT(SOC_IPUSOFTERR), SOC_BIT(SOC_IPUSOFTERR));
	is_int(reset(0, 3, tell, &e), 2, "two IPUs are held");
	is_str(told, "nnyy", "the others are reset");
	ok(strstr(reason_told, "IPU 1 of partition p4 is held by ") ==
		    reason_told &&
		strstr(reason_told, ": train.py") != NULL,
	    "by whom");
	ok(errors_of(1) != 0 && errors_of(2) == 0, "what is held is not");
	is_int(reset(6, 6, tell, &e), 1,
	    "no IPU of a group is, where one is held");
	attach_end(&a);
	is_int(reset(6, 6, tell, &e), 0, "then it may");
}

/* The partition goes between the look at it and the lock. */
static void
test_removed(void)
{
	struct state s;
	struct error e = { .text = "" };

	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(state_remove_partition(&s, "p4", &e), &e);
	state_unlock(&s);
	state_close(&s);
	set_errors(SOC_BIT(SOC_IPUSOFTERR), 0, 0);
	is_int(reset(0, 3, tell, &e), -1, "no partition is there");
	is_int(e.code, ERROR_NOT_FOUND, "which is why");
	is_str(told, "", "nothing is told");
	ok(errors_of(0) != 0, "nothing is reset");
	is_int(registry_held(&registry, 4, 4), -1, "nothing is held");
}

int
main(void)
{
	prepare();
	test_clears();
	test_keeps();
	test_held();
	test_removed();
	visible_devices_release(&view);
	registry_close(&registry);
	return state_util_done();
}
