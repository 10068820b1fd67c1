/*
 * Locking the IPUs of a device.  Read registry.h first for the lock and the
 * slots.
 */
#include "ipu/device/device_internal.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

enum {
	GONE_MS = 1000 /* how long to wait until a server gives back the IPUs of
			  an ended program */
};

/* Open a reader first, because that does due work on the state.  Its registry
   cannot be used to attach, since it may be in this process's memory alone. */
int
device_take_open(struct registry *r, struct error *e)
{
	if (reader_open(r, e) != 0)
		return -1;
	registry_close(r);
	return state_open_attacher(r, e);
}

/* Whether an IPU that could not be locked may be locked soon: it is free again,
   its holder has not described itself yet, or a server still holds it for a
   program that has just ended. */
static bool
is_passing(const struct registry *r, int ipu)
{
	struct ipu_slot holder;

	return ipu == -1 || !registry_holder(r, ipu, &holder) ||
	    holder.pid == 0 || ipu_holder_is_gone(r, ipu);
}

/* Lock a range of IPUs, all or none, and try again for patience_ms while what
   prevents it is passing.  After ERROR_BUSY *holder is an IPU that is held, or
   -1. */
static int
device_take_lock(struct registry *r, int first, int count, int64_t patience_ms,
    int *holder, struct error *e)
{
	const int64_t deadline_ms = clock_monotonic_ms() + patience_ms;

	while (registry_attach(r, first, count, holder, e) != 0) {
		if (e->code != ERROR_BUSY ||
		    clock_monotonic_ms() >= deadline_ms ||
		    !is_passing(r, *holder))
			return -1;
		clock_sleep_ms(1);
	}
	return 0;
}

int
device_take(struct registry *r, const struct visible_devices *v,
    const struct device *device, const struct ipu_slot *words, bool at_once,
    int *first_ipu, struct error *e)
{
	const struct placement *place = &v->partition->placement;
	const struct pod *pod = &v->snapshot.pod;
	struct error reason;
	int first, last, ipu = -1;

	first = placement_ipu(pod, place, device->first);
	last = placement_ipu(pod, place, device->first + device->count - 1);
	/* A GCD does not cross ILDs, so its IPUs are one range. */
	if (last - first != device->count - 1)
		return error_set_code(e, ERROR_INVALID,
		    "device %d of partition %s spans several IPU-Link domains; "
		    "use GCDs",
		    device->id, v->partition->name);
	*first_ipu = first;
	if (device_take_lock(r, first, device->count, at_once ? 0 : GONE_MS,
		&ipu, &reason) == 0)
		return 0;
	if (reason.code != ERROR_BUSY) {
		(void)error_copy(e, &reason);
		return error_prefix(e, "cannot lock the IPUs in %s", r->path);
	}
	/* -1: it is free again. */
	if (ipu == -1)
		ipu = first;
	return ipu_holder_explain(r, ipu, device->first + ipu - first,
	    v->partition->name, words, e);
}

const char *
device_take_state(const struct partition *p, char text[DEVICE_TAKE_STATE_SIZE])
{
	(void)snprintf(text, DEVICE_TAKE_STATE_SIZE,
	    "partition %s is in state %s%s%s", p->name,
	    partition_state_name(p->state),
	    p->last_error[0] != '\0' ? ": " : "", p->last_error);
	return text;
}

int
device_take_check_state(const struct partition *p, struct error *e)
{
	char text[DEVICE_TAKE_STATE_SIZE];

	if (p->state == PS_ACTIVE)
		return 0;
	return error_set_code(e, ERROR_UNAVAILABLE, "%s",
	    device_take_state(p, text));
}

int
device_take_check(const struct registry *r, const struct visible_devices *v,
    const struct device *device, int first_ipu, struct error *e)
{
	const struct partition *then = v->partition, *p = NULL;
	struct snapshot now;
	int index, status;

	if (snapshot_take(r, &now, e) != 0)
		return -1;
	index = snapshot_find(&now, then->name);
	if (index != -1)
		p = &now.partitions[index];
	if (p == NULL || !identity_is_same(p, then) ||
	    memcmp(&p->placement, &then->placement, sizeof(p->placement)) !=
		0 ||
	    placement_ipu(&now.pod, &p->placement, device->first) != first_ipu)
		status = error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s has been removed", then->name);
	else
		status = device_take_check_state(p, e);
	snapshot_release(&now);
	return status;
}

uint32_t
device_take_reset(struct registry *r, int ipu)
{
	registry_clear_faults(r, ipu,
	    ~soc_error_left(UINT32_MAX, REMEDY_IPU_RESET));
	return registry_faults(r, ipu);
}
