/*
 * Injected faults.  A machine's are stored with its agent, an IPU's in its slot
 * of the registry.  The tick applies the consequences, as for real faults.
 */
#include "core/control/administration.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/control/tick.h"
#include "core/pod/pod.h"

const char *const inject_words[] = {
	[FAULT_DOWN] = "down",
	[FAULT_UP] = "up",
	[FAULT_REBOOT] = "reboot",
	[FAULT_FAIL_CONFIG] = "fail-config",
	[FAULT_SLOW] = "slow",
	[FAULT_SOC_ERROR] = "soc-error",
	NULL,
};

/* A state that does not change keeps its start. */
static void
inject_enter(struct agent *a, enum machine_state state, int64_t now_ms)
{
	if (a->state != (int32_t)state || state == MACHINE_REBOOTING)
		a->changed_ms = now_ms;
	a->state = state;
	a->up_ms = 0;
}

void
inject_apply(const struct injection *in, int64_t now_ms, struct agent *a)
{
	switch (in->fault) {
	case FAULT_DOWN:
		inject_enter(a, MACHINE_DOWN, now_ms);
		break;
	case FAULT_UP:
		inject_enter(a, MACHINE_UP, now_ms);
		a->fail_config = a->slow_ms = 0;
		break;
	case FAULT_REBOOT:
		inject_enter(a, MACHINE_REBOOTING, now_ms);
		a->up_ms = now_ms + (int64_t)in->value * 1000;
		break;
	case FAULT_FAIL_CONFIG:
		a->fail_config = in->value;
		break;
	case FAULT_SLOW:
		a->slow_ms = in->value;
		break;
	case FAULT_SOC_ERROR:
		break;
	}
}

/* A repaired machine has IPUs without errors. */
static void
clear_ipus(struct registry *r, int machine)
{
	int ipu = machine * IPUS_PER_MACHINE, i;

	for (i = 0; i < IPUS_PER_MACHINE; i++)
		registry_clear_faults(r, ipu + i, UINT32_MAX);
}

static int
inject_machine(struct controller *c, const struct agent *before, int machine,
    const struct injection *in, struct error *e)
{
	struct agent agent = *before;

	inject_apply(in, c->now_ms(), &agent);
	if (state_update_agent(&c->state, machine, &agent, e) != 0)
		return error_prefix(e, "%s", agent.name);
	if (in->fault == FAULT_UP)
		clear_ipus(&c->state.registry, machine);
	return 0;
}

/* Inject into all selected machines, one after another. */
static int
inject_machines(struct controller *c, const struct snapshot *s,
    const struct injection *in, struct error *e)
{
	bool *selected = xcalloc((size_t)s->pod.agent_count + 1,
	    sizeof(*selected));
	int i, status;

	status = selection_agents(&s->pod, in->target, selected, e);
	for (i = 0; i < s->pod.agent_count && status == 0; i++)
		if (selected[i])
			status = inject_machine(c, &s->pod.agents[i], i, in, e);
	free(selected);
	return status;
}

/* Add to the IPU's errors; an empty set clears them. */
static int
inject_ipu(struct controller *c, const struct snapshot *s,
    const struct injection *in, struct error *e)
{
	int ipu = selection_ipu(&s->pod, in->target, e);

	if (ipu == -1)
		return -1;
	if (in->soc_errors != 0)
		registry_set_faults(&c->state.registry, ipu, in->soc_errors);
	else
		registry_clear_faults(&c->state.registry, ipu, UINT32_MAX);
	return 0;
}

int
inject_embedded(struct controller *c, const struct injection *in,
    struct error *e)
{
	struct snapshot s;
	int status;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	status = in->fault == FAULT_SOC_ERROR ?
	    inject_ipu(c, &s, in, e) :
	    inject_machines(c, &s, in, e);
	/* The faults are set.  If the disk is full now, their consequences stay
	   due until it has room. */
	if (status == 0)
		(void)tick_run(c, &s, NULL);
	transaction_end(c, &s);
	return status;
}

int
inject_fault(struct controller *c, const struct injection *in, struct error *e)
{
	return c->operations->inject(c, in, e);
}
