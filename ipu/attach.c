/*
 * Attaching a program to a device. In this order: find the partition, choose a
 * device, lock its IPUs, look whether the partition is still as it was, reset
 * the IPUs, write the holder into their slots (ipu_holder.c). Read registry.h
 * first for the lock and the slots.
 */
#include "ipu/attach.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bus_guard.h"
#include "core/base/clock.h"
#include "core/control/reader.h"
#include "core/job/popdist.h"
#include "core/pod/placement.h"
#include "core/pod/soc_error.h"
#include "core/state/paths.h"
#include "core/state/registry_watch.h"
#include "core/state/state.h"
#include "ipu/failure.h"
#include "ipu/instance_device.h"
#include "ipu/listing.h"
#include "ipu/visible_devices.h"

enum {
	STATE_TEXT_SIZE = LAST_ERROR_SIZE + NAME_SIZE + 64,
	GONE_MS = 1000		/* until IPUs of a program that has ended are
				   given back */
};

/* The registry to attach through, made first where there is none yet. */
static int
open_registry(struct registry *r, struct error *e)
{
	if (reader_open(r, e) != 0)
		return -1;
	registry_close(r);
	return state_open_attacher(r, e);
}

/*
 * One lock for all of them.  Where a process holds them for a program that has
 * just ended, its word is on the way: that is waited for.
 */
static int
attach_lock(struct attachment *a, int *holder, struct error *e)
{
	const int64_t	deadline_ms = clock_monotonic_ms() + GONE_MS;

	while (registry_attach(&a->registry, a->first_ipu, a->count, holder,
	    e) != 0) {
		if (e->code != ERROR_BUSY || *holder == -1 ||
		    clock_monotonic_ms() >= deadline_ms ||
		    !ipu_holder_is_gone(&a->registry, *holder))
			return -1;
		clock_sleep_ms(1);
	}
	return 0;
}

/* Lock the device's IPUs, all or none. */
static int
attach_take(struct attachment *a, const struct visible_devices *v,
    const struct device *device, struct error *e)
{
	const struct placement	*place = &v->partition->placement;
	const struct pod	*pod = &v->snapshot.pod;
	struct error		 reason;
	int			 last, ipu = -1;

	a->device = *device;
	a->count = device->count;
	a->first_ipu = placement_ipu(pod, place, device->first);
	last = placement_ipu(pod, place, device->first + a->count - 1);
	/* A GCD does not cross ILDs, so its IPUs are one range. */
	if (last - a->first_ipu != a->count - 1)
		return error_set_code(e, ERROR_INVALID,
		    "device %d of partition %s lies in several IPU-Link "
		    "domains; use GCDs", device->id, v->partition->name);
	if (attach_lock(a, &ipu, &reason) == 0)
		return 0;
	if (reason.code != ERROR_BUSY) {
		(void)error_copy(e, &reason);
		return error_prefix(e, "cannot lock the IPUs in %s",
		    a->registry.path);
	}
	return ipu_holder_explain(&a->registry, ipu, a->device.first + ipu -
	    a->first_ipu, v->partition->name, e);
}

/* The first free device of that size. */
static int
take_any(struct attachment *a, const struct visible_devices *v, int ipus,
    struct error *e)
{
	struct error	 reason = { .code = ERROR_FAILED };
	struct device	*devices;
	int		 i, n, busy = 0, status = -1;

	n = device_list(v->partition, v->gcd, &devices);
	for (i = 0; i < n; i++) {
		if (devices[i].count != ipus ||
		    !device_attachable(v->partition, &devices[i]))
			continue;
		status = attach_take(a, v, &devices[i], &reason);
		if (status == 0 || reason.code != ERROR_NO_ROOM)
			break;
		busy++;
	}
	/* Where all were busy, the reason is that of the last. */
	if (i == n && busy > 1)
		(void)error_prefix(&reason, "all %d devices of %d IPU(s) are "
		    "in use; the last", busy, ipus);
	free(devices);
	return status == 0 ? 0 : error_copy(e, &reason);
}

/* The device that was asked for by its id. */
static int
take_id(struct attachment *a, const struct visible_devices *v, int ipus, int id,
    struct error *e)
{
	struct device	device;

	if (device_by_id(v->partition, v->gcd, id, &device) != 0)
		return error_set_code(e, ERROR_NOT_FOUND, "partition %s has no "
		    "such device; `gc-info -l` lists them",
		    v->partition->name);
	if (ipus > 0 && device.count != ipus)
		return error_set_code(e, ERROR_INVALID, "device %d has %d "
		    "IPU(s), the program needs %d", id, device.count, ipus);
	if (!device_attachable(v->partition, &device))
		return error_set_code(e, ERROR_INVALID, "partition %s is "
		    "preconfigured, its single IPUs are not available; create "
		    "it with --reconfigurable", v->partition->name);
	return attach_take(a, v, &device, e);
}

/* The partition's state, and what led to it. */
static const char *
state_text(const struct partition *p, char text[STATE_TEXT_SIZE])
{
	(void)snprintf(text, STATE_TEXT_SIZE, "partition %s is in state %s%s%s",
	    p->name, partition_state_name(p->state),
	    p->last_error[0] != '\0' ? ": " : "", p->last_error);
	return text;
}

static int
not_active(const struct partition *p, struct error *e)
{
	char	text[STATE_TEXT_SIZE];

	return error_set_code(e, ERROR_UNAVAILABLE, "%s", state_text(p,
	    text));
}

/* PopTorch's words, and on a line of its own the reason that is there. */
static int
no_device(int ipus, struct error *e)
{
	struct error	reason = { .text = "" };

	if (e != NULL)
		reason = *e;
	return error_set_code(e, ERROR_INVALID, "No device found on the "
	    "system with %d IPUs: the configuration needs changing\n%.800s",
	    ipus, reason.text);
}

static int
take_device(struct attachment *a, const struct visible_devices *v, int ipus,
    int id,
    struct error *e)
{
	struct popdist	popdist;
	struct device	device;

	if (v->partition == NULL) {
		(void)error_set_code(e, ERROR_NOT_FOUND, "No IPU detected in "
		    "the system. \nFor more information use the Graphcore "
		    "command-line tool "
		    "`gc-monitor`.\nno partition is active; `vipu create "
		    "partition NAME --size N` makes one%s%s",
		    v->warning[0] != '\0' ? "; " : "", v->warning);
		return paths_append_place(e);
	}
	if (v->partition->state != PS_ACTIVE)
		return not_active(v->partition, e);
	if (id >= 0)
		return take_id(a, v, ipus, id, e);
	if (popdist_read(&popdist, e) != 0)
		return -1;
	if (instance_device_choose(&popdist, v->partition, v->gcd, ipus,
	    &device, e) != 0)
		return no_device(ipus, e);
	return popdist.is_set ? attach_take(a, v, &device, e) :
	    take_any(a, v, ipus, e);
}

/*
 * Whether the partition is still there, where it was and in order: it may have
 * been removed, its machines moved, or one of them lost, between the look at
 * it and the lock.
 */
static int
check_still_there(const struct attachment *a, const struct visible_devices *v,
    struct error *e)
{
	struct snapshot	now;
	int		index, status = 0;

	if (snapshot_take(&a->registry, &now, e) != 0)
		return -1;
	index = snapshot_find(&now, v->partition->name);
	if (index == -1 || memcmp(&now.partitions[index].placement,
	    &v->partition->placement, sizeof(struct placement)) != 0 ||
	    placement_ipu(&now.pod, &now.partitions[index].placement,
	    a->device.first) != a->first_ipu)
		status = error_set_code(e, ERROR_NOT_FOUND, "partition %s was "
		    "removed meanwhile", v->partition->name);
	else if (now.partitions[index].state != PS_ACTIVE)
		status = not_active(&now.partitions[index], e);
	snapshot_release(&now);
	return status;
}

/* Who IPU `index` of the device is, for what is said of it. */
static void
describe_ipu(struct failed_ipu *ipu, const struct attachment *a,
    const struct pod *pod, const char *partition, int index)
{
	const int		 number = a->first_ipu + index;
	const struct agent	*agent =
	    &pod->agents[listing_ipu_machine(number)];

	ipu->index = index;
	ipu->id = a->device.first_id + index;
	ipu->number = listing_ipu_number(number);
	pod_ipu_name(pod, number, ipu->name, sizeof(ipu->name));
	(void)strlcpy(ipu->agent, agent->name, sizeof(ipu->agent));
	(void)strlcpy(ipu->address, agent->address, sizeof(ipu->address));
	(void)strlcpy(ipu->partition, partition, sizeof(ipu->partition));
}

/*
 * Attaching resets the IPUs.  What that does not clear is in the way of every
 * program until something stronger comes.
 */
static int
reset_ipus(const struct attachment *a, const struct visible_devices *v,
    struct error *e)
{
	struct failed_ipu	ipu;
	uint32_t		left;
	int			i;

	for (i = 0; i < a->count; i++) {
		left = soc_error_left(
		    atomic_load(&attach_slot(a, i)->soc_error),
		    REMEDY_IPU_RESET);
		if (left == 0)
			continue;
		describe_ipu(&ipu, a, &v->snapshot.pod, v->partition->name, i);
		return failure_to_attach(&ipu, left, e);
	}
	for (i = 0; i < a->count; i++)
		(void)atomic_fetch_and(&attach_slot(a, i)->soc_error,
		    soc_error_left(UINT32_MAX, REMEDY_IPU_RESET));
	return 0;
}

/*
 * The partition's other IPUs, where this is one of several instances.  One that
 * is marked as lost was so under an earlier program; who attaches to it takes
 * the mark away, and only then it is watched.
 */
static void
list_siblings(struct attachment *a, const struct visible_devices *v)
{
	const struct partition	*p = v->partition;
	const int		 size = partition_size(p);
	struct sibling_ipu	*s;
	struct popdist		 popdist;
	int			 i, ipu;

	if (popdist_read(&popdist, NULL) != 0 || !popdist.is_set ||
	    popdist.num_total_replicas <= popdist.num_local_replicas)
		return;
	a->siblings = xcalloc((size_t)size, sizeof(*a->siblings));
	for (i = 0; i < size; i++) {
		ipu = placement_ipu(&v->snapshot.pod, &p->placement, i);
		if (ipu >= a->first_ipu && ipu < a->first_ipu + a->count)
			continue;
		s = &a->siblings[a->sibling_count++];
		s->ipu = ipu;
		s->id = i;
	}
}

static int
attach_view(struct attachment *a, const struct visible_devices *v, int ipus,
    int id, const struct ipu_holder *holder, struct error *e)
{
	struct ipu_slot	words;
	int		i;

	if (take_device(a, v, ipus, id, e) != 0)
		return -1;
	/* Before the look at the partition: who loses a machine later than
	   that marks the IPUs again. */
	for (i = 0; i < a->count; i++)
		atomic_store(&attach_slot(a, i)->lost, 0);
	if (check_still_there(a, v, e) != 0 || reset_ipus(a, v, e) != 0) {
		(void)registry_detach(&a->registry, a->first_ipu, a->count);
		return -1;
	}
	(void)strlcpy(a->partition, v->partition->name, sizeof(a->partition));
	ipu_holder_describe(holder, a->device.gcd, &words);
	for (i = 0; i < a->count; i++)
		ipu_holder_write(attach_slot(a, i), &words);
	list_siblings(a, v);
	return 0;
}

/* With the registry open: look for a device, and take it. */
static int
look_and_attach(struct attachment *a, int ipus, int id,
    const struct ipu_holder *holder, struct error *e)
{
	struct visible_devices	view;
	int		status;

	if (visible_devices_open(&view, &a->registry, e) != 0)
		return -1;
	status = attach_view(a, &view, ipus, id, holder, e);
	visible_devices_release(&view);
	return status;
}

static int
open_and_attach(struct attachment *a, int ipus, int id,
    const struct ipu_holder *holder, struct error *e)
{
	if (open_registry(&a->registry, e) != 0)
		return -1;
	if (look_and_attach(a, ipus, id, holder, e) == 0)
		return 0;
	registry_close(&a->registry);
	return -1;
}

/* Let the controller do what is due, as partitions that expire. */
static void
let_things_happen(void)
{
	struct registry	reader;

	if (reader_open(&reader, NULL) == 0)
		registry_close(&reader);
}

/*
 * Look again whenever somebody could have gone.  The registry stays open
 * meanwhile: to close it would wake all others who wait.
 */
static int
wait_and_attach(struct attachment *a, int ipus, int id,
    const struct ipu_holder *holder, struct error *reason)
{
	struct registry_watch	watch;
	int			status;

	if (open_registry(&a->registry, reason) != 0)
		return -1;
	registry_watch_init(&watch, &a->registry);
	while ((status = look_and_attach(a, ipus, id, holder,
	    reason)) != 0 && reason->code == ERROR_NO_ROOM) {
		registry_watch_wait(&watch);
		let_things_happen();
	}
	registry_watch_release(&watch);
	if (status != 0)
		registry_close(&a->registry);
	return status;
}

/* PopTorch's words, with the reason on a line of its own. */
static int
not_acquired(int ipus, int id, const struct error *reason, struct error *e)
{
	if (id >= 0)
		return error_set_code(e, reason->code, "Failed to acquire "
		    "device Id %d\n%.900s", id, reason->text);
	return error_set_code(e, reason->code, "Failed to acquire %d "
	    "IPU(s)\n%.900s", ipus, reason->text);
}

/* This process holds the IPUs itself. */
static struct ipu_holder
attach_own(const char *command)
{
	return (struct ipu_holder){
		.pid = getpid(), .uid = getuid(), .command = command
	};
}

int
attach_for(struct attachment *a, int ipus, int device_id,
    const struct ipu_holder *holder, struct error *e)
{
	struct error	reason = { .text = "" };

	memset(a, 0, sizeof(*a));
	if (open_and_attach(a, ipus, device_id, holder, &reason) == 0)
		return 0;
	return not_acquired(ipus, device_id, &reason, e);
}

int
attach(struct attachment *a, int ipus, int device_id, const char *command,
    struct error *e)
{
	const struct ipu_holder	self = attach_own(command);

	return attach_for(a, ipus, device_id, &self, e);
}

int
attach_wait(struct attachment *a, int ipus, int device_id,
    const char *command, struct error *e)
{
	const struct ipu_holder	self = attach_own(command);
	struct error		reason = { .text = "" };

	memset(a, 0, sizeof(*a));
	if (wait_and_attach(a, ipus, device_id, &self, &reason) == 0)
		return 0;
	return not_acquired(ipus, device_id, &reason, e);
}

void
attach_end(struct attachment *a)
{
	static const struct ipu_slot	nobody;
	int				i;

	for (i = 0; i < a->count; i++)
		ipu_holder_write(attach_slot(a, i), &nobody);
	(void)registry_detach(&a->registry, a->first_ipu, a->count);
	registry_close(&a->registry);
	free(a->siblings);
	a->siblings = NULL;
	a->sibling_count = a->count = 0;
}

bool
attach_slot_in_trouble(const struct ipu_slot *slot)
{
	return bus_guard_was_hit(slot) ||
	    atomic_load_explicit(&slot->lost, memory_order_relaxed) != 0 ||
	    atomic_load_explicit(&slot->soc_error, memory_order_relaxed) != 0;
}

/* Its machine went away, and how the partition fares.  Returns -1. */
static int
explain_loss(const struct attachment *a, const struct snapshot *now,
    const struct failed_ipu *ipu, struct error *e)
{
	char	text[STATE_TEXT_SIZE];
	int	found = snapshot_find(now, a->partition);

	(void)failure_of_fabric(ipu, clock_real_ns(), e);
	if (found == -1)
		return error_append(e, "\npartition %s was removed",
		    a->partition);
	return error_append(e, "\n%s", state_text(&now->partitions[found],
	    text));
}

/* Say what befell IPU `index`. Returns -1. */
static int
explain_trouble(const struct attachment *a, int index, struct error *e)
{
	const struct ipu_slot	*slot = attach_slot(a, index);
	struct failed_ipu	 ipu;
	struct snapshot		 now;

	if (snapshot_take(&a->registry, &now, e) != 0)
		return error_prefix(e, "the IPUs of partition %s were lost",
		    a->partition);
	describe_ipu(&ipu, a, &now.pod, a->partition, index);
	if (atomic_load(&slot->lost) != 0)
		(void)explain_loss(a, &now, &ipu, e);
	else
		(void)failure_of_soc(&ipu, atomic_load(&slot->soc_error), e);
	snapshot_release(&now);
	return -1;
}

int
attach_check(const struct attachment *a, struct error *e)
{
	int	i;

	if (slots_are_cut(&a->registry.slots))
		return error_set_code(e, ERROR_DAMAGED, "registry %s was cut "
		    "short by another program while this one was attached",
		    a->registry.slots.path);
	for (i = 0; i < a->count; i++)
		if (attach_slot_in_trouble(attach_slot(a, i)))
			return explain_trouble(a, i, e);
	return 0;
}

/* The machine is named, for the fabric's error has only its address. */
static int
explain_sibling(const struct attachment *a, const struct sibling_ipu *s,
    struct error *e)
{
	struct failed_ipu	ipu;
	struct snapshot		now;

	if (snapshot_take(&a->registry, &now, e) != 0)
		return error_prefix(e, "an IPU of another instance of this job "
		    "was lost");
	describe_ipu(&ipu, a, &now.pod, a->partition, s->ipu - a->first_ipu);
	ipu.id = s->id;
	(void)explain_loss(a, &now, &ipu, e);
	(void)error_append(e, "\nIPU-Machine %s, with IPUs of another instance "
	    "of this job, was lost", ipu.agent);
	snapshot_release(&now);
	return -1;
}

int
attach_check_siblings(const void *attachment, struct error *e)
{
	const struct attachment	*a = attachment;
	const struct ipu_slot	*slot;
	struct sibling_ipu	*s;
	bool			 lost;

	for (s = a->siblings; s < a->siblings + a->sibling_count; s++) {
		slot = registry_slot(&a->registry, s->ipu);
		lost = slot != NULL && atomic_load_explicit(&slot->lost,
		    memory_order_relaxed) != 0;
		if (!lost)
			atomic_store_explicit(&s->watched, true,
			    memory_order_relaxed);
		else if (atomic_load_explicit(&s->watched,
		    memory_order_relaxed))
			return explain_sibling(a, s, e);
	}
	return 0;
}

struct ipu_slot *
attach_slot(const struct attachment *a, int ipu)
{
	return registry_slot(&a->registry, a->first_ipu + ipu);
}
