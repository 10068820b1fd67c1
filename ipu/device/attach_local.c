/*
 * Attaching to a device of this host's registry.  Read registry.h first for the
 * lock and the slots, then look_and_attach().
 */
#include "ipu/device/device_internal.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/bus_guard.h"
#include "core/control/control.h"
#include "core/job/job.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device_list.h"
#include "ipu/device/poptorch.h"
#include "ipu/device/visible_devices.h"

/* Lock the device's IPUs, all or none, and set a->taken. */
static int
local_take(struct local_attachment *a, const struct visible_devices *v,
    const struct device *device, const struct ipu_slot *words, struct error *e)
{
	a->taken.device = *device;
	a->taken.count = device->count;
	return device_take(&a->registry, v, device, words, a->at_once,
	    &a->taken.first_ipu, e);
}

/* Take the first free device of the requested size. */
static int
take_any(struct local_attachment *a, const struct visible_devices *v,
    const struct attach_request *r, struct error *e)
{
	const int ipus = r->ipus;
	struct error reason = { .code = ERROR_FAILED };
	struct device *devices;
	int i, n, busy = 0, status = -1;

	n = device_list(v->partition, v->gcd, &devices);
	for (i = 0; i < n; i++) {
		if (devices[i].count != ipus ||
		    !device_attachable(v->partition, &devices[i]))
			continue;
		status = local_take(a, v, &devices[i], r->words, &reason);
		if (status == 0 || reason.code != ERROR_NO_ROOM)
			break;
		busy++;
	}
	/* If all were busy, say so before the reason of the last. */
	if (i == n && busy > 1)
		(void)error_prefix(&reason,
		    "all %d devices with %d IPU(s) are in use; the last one",
		    busy, ipus);
	free(devices);
	return status == 0 ? 0 : error_copy(e, &reason);
}

/* Take the device with the requested id.  It must have the requested size
   unless that is 0. */
static int
take_id(struct local_attachment *a, const struct visible_devices *v,
    const struct attach_request *r, struct error *e)
{
	const int ipus = r->ipus, id = r->device_id;
	struct device device;

	if (device_by_id(v->partition, v->gcd, id, &device) != 0)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s has no such device; `gc-info -l` lists them",
		    v->partition->name);
	if (ipus > 0 && device.count != ipus)
		return error_set_code(e, ERROR_INVALID,
		    "device %d has %d IPU(s), but the program needs %d", id,
		    device.count, ipus);
	if (!device_attachable(v->partition, &device))
		return error_set_code(e, ERROR_INVALID,
		    "partition %s is preconfigured, so its single IPUs are not "
		    "available; create it with --reconfigurable",
		    v->partition->name);
	return local_take(a, v, &device, r->words, e);
}

/* Replace the reason in *e by PopTorch's error, with the reason on its next
   line.  Returns -1. */
static int
no_device(int ipus, struct error *e)
{
	struct error reason = { .text = "" };

	if (e != NULL)
		reason = *e;
	return error_set_code(e, ERROR_INVALID,
	    "No device found on the system with %d IPUs: the configuration "
	    "needs changing\n%.800s",
	    ipus, reason.text);
}

/* Find the program's place among the instances of its job: from the request, or
   else from the environment. */
static int
local_popdist(const struct attach_request *r, struct popdist *p,
    struct error *e)
{
	if (r->popdist == NULL)
		return popdist_read(p, e);
	*p = *r->popdist;
	return 0;
}

static int
take_device(struct local_attachment *a, const struct visible_devices *v,
    const struct attach_request *r, struct error *e)
{
	const int ipus = r->ipus;
	struct popdist popdist;
	struct device device;

	if (v->partition == NULL) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "No IPU detected in the system. \nFor more information use "
		    "the Graphcore command-line tool `gc-monitor`.\n"
		    "no partition is active; ");
		visible_devices_advise(v, ipus, e);
		(void)error_append(e,
		    "; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no "
		    "partition%s%s",
		    v->warning[0] != '\0' ? "; " : "", v->warning);
		return paths_append_place(e);
	}
	if (device_take_check_state(v->partition, e) != 0)
		return -1;
	if (r->device_id >= 0)
		return take_id(a, v, r, e);
	if (local_popdist(r, &popdist, e) != 0)
		return -1;
	if (instance_device_choose(&popdist, v->partition, v->gcd, ipus,
		&device, e) != 0)
		return no_device(ipus, e);
	return popdist.is_set ? local_take(a, v, &device, r->words, e) :
				take_any(a, v, r, e);
}

/* Describe IPU `index` of the device for messages. */
static void
describe_ipu(struct failed_ipu *ipu, const struct local_attachment *a,
    const struct pod *pod, const char *partition, int index)
{
	failure_describe(ipu, pod, partition, a->taken.first_ipu + index);
	ipu->index = index;
	ipu->id = a->taken.device.first_id + index;
}

/* Reset the IPUs, or refuse before any is reset: an error that an IPU reset
   does not clear keeps programs out until a stronger reset clears it. */
static int
reset_ipus(struct local_attachment *a, const struct visible_devices *v,
    struct error *e)
{
	struct failed_ipu ipu;
	uint32_t left;
	int i;

	for (i = 0; i < a->taken.count; i++) {
		left = soc_error_left(
		    atomic_load(&attach_local_slot(a, i)->soc_error),
		    REMEDY_IPU_RESET);
		if (left == 0)
			continue;
		describe_ipu(&ipu, a, &v->snapshot.pod, v->partition->name, i);
		return failure_to_attach(&ipu, left, e);
	}
	for (i = 0; i < a->taken.count; i++)
		(void)device_take_reset(&a->registry, a->taken.first_ipu + i);
	return 0;
}

/* List the partition's other IPUs if this is one of several instances.  An IPU
   may still be marked as lost since an earlier program.  The instance that
   attaches to it clears the mark.  Only from then on is it watched. */
static void
list_siblings(struct local_attachment *a, const struct visible_devices *v,
    const struct attach_request *r)
{
	const struct partition *p = v->partition;
	const int size = partition_size(p);
	struct sibling_ipu *s;
	struct popdist popdist;
	int i, ipu;

	if (local_popdist(r, &popdist, NULL) != 0 || !popdist.is_set ||
	    popdist.num_total_replicas <= popdist.num_local_replicas)
		return;
	a->siblings = xcalloc((size_t)size, sizeof(*a->siblings));
	for (i = 0; i < size; i++) {
		ipu = placement_ipu(&v->snapshot.pod, &p->placement, i);
		if (ipu >= a->taken.first_ipu &&
		    ipu < a->taken.first_ipu + a->taken.count)
			continue;
		s = &a->siblings[a->sibling_count++];
		s->ipu = ipu;
		s->id = i;
	}
}

/*
 * Attach to a device of the view: choose one and lock its IPUs, check that the
 * partition is unchanged, reset the IPUs, and write the holder into their slots
 * (ipu_holder.c).
 */
static int
local_view(struct local_attachment *a, const struct visible_devices *v,
    const struct attach_request *r, struct error *e)
{
	struct taken_device *d = &a->taken;
	struct ipu_slot words = *r->words;
	int i;

	if (take_device(a, v, r, e) != 0)
		return -1;
	/* Clear the marks before checking the partition: a machine that is
	   lost after that marks its IPUs again. */
	for (i = 0; i < d->count; i++)
		atomic_store(&attach_local_slot(a, i)->lost, 0);
	if (device_take_check(&a->registry, v, &d->device, d->first_ipu, e) !=
		0 ||
	    reset_ipus(a, v, e) != 0) {
		(void)registry_detach(&a->registry, d->first_ipu, d->count);
		return -1;
	}
	(void)strlcpy(d->partition, v->partition->name, sizeof(d->partition));
	d->gcds = v->partition->num_gcds;
	d->gcd_ipus = partition_gcd_size(v->partition);
	d->model =
	    v->snapshot.pod.agents[d->first_ipu / IPUS_PER_MACHINE].model;
	words.gcd = d->device.gcd;
	words.attached_ns = clock_real_ns();
	for (i = 0; i < d->count; i++)
		ipu_holder_write(attach_local_slot(a, i), &words);
	(void)registry_announce(&a->registry, d->first_ipu, d->count);
	list_siblings(a, v, r);
	return 0;
}

/* Find the partition in the open registry, and attach to a device of it. */
static int
look_and_attach(struct local_attachment *a, const struct attach_request *r,
    struct error *e)
{
	struct visible_devices view;
	int status;

	if ((r->name != NULL ?
		    visible_devices_open_name(&view, &a->registry, r->name, e) :
		    visible_devices_open(&view, &a->registry, e)) != 0)
		return -1;
	status = local_view(a, &view, r, e);
	visible_devices_release(&view);
	return status;
}

/* Do due work on the state, such as expiring partitions: opening a reader does
   it. */
static void
run_due_work(void)
{
	struct registry reader;

	if (reader_open(&reader, NULL) == 0)
		registry_close(&reader);
}

/* Attach, and while all devices are held try again whenever a holder may have
   ended.  The registry stays open meanwhile, because closing it would wake all
   other waiters. */
static int
wait_and_attach(struct local_attachment *a, const struct attach_request *r,
    struct error *e)
{
	struct registry_watch watch;
	struct error reason;
	int status;

	registry_watch_init(&watch, &a->registry);
	while ((status = look_and_attach(a, r, &reason)) != 0 &&
	    reason.code == ERROR_NO_ROOM) {
		registry_watch_wait(&watch);
		run_due_work();
	}
	registry_watch_release(&watch);
	return status == 0 ? 0 : error_copy(e, &reason);
}

int
attach_local(struct local_attachment *a, const struct attach_request *r,
    struct error *e)
{
	memset(a, 0, sizeof(*a));
	a->at_once = r->at_once;
	if (device_take_open(&a->registry, e) != 0)
		return -1;
	if ((r->wait ? wait_and_attach : look_and_attach)(a, r, e) == 0)
		return 0;
	registry_close(&a->registry);
	return -1;
}

void
attach_local_abandon(struct local_attachment *a)
{
	(void)registry_detach(&a->registry, a->taken.first_ipu, a->taken.count);
	registry_close(&a->registry);
	free(a->siblings);
	a->siblings = NULL;
	a->sibling_count = a->taken.count = 0;
}

void
attach_local_end(struct local_attachment *a)
{
	static const struct ipu_slot unheld;
	int i;

	for (i = 0; i < a->taken.count; i++)
		ipu_holder_write(attach_local_slot(a, i), &unheld);
	attach_local_abandon(a);
}

bool
attach_local_in_trouble(const struct ipu_slot *slot)
{
	return bus_guard_was_hit(slot) ||
	    atomic_load_explicit(&slot->lost, memory_order_relaxed) != 0 ||
	    atomic_load_explicit(&slot->soc_error, memory_order_relaxed) != 0;
}

/* Set the error to the loss of an IPU's machine and the state of the partition.
   Returns -1. */
static int
explain_loss(const struct local_attachment *a, const struct snapshot *now,
    const struct failed_ipu *ipu, struct error *e)
{
	const struct partition *p = now->partitions;
	char text[DEVICE_TAKE_STATE_SIZE];
	int found = snapshot_find(now, a->taken.partition);

	(void)failure_of_fabric(ipu, clock_real_ns(), e);
	if (found == -1)
		return error_append(e, "\npartition %s was removed",
		    a->taken.partition);
	return error_append(e, "\n%s", device_take_state(&p[found], text));
}

/* Set the error to the trouble of the device's IPU `index`.  Returns -1. */
static int
explain_trouble(const struct local_attachment *a, int index, struct error *e)
{
	const struct ipu_slot *slot = attach_local_slot(a, index);
	struct failed_ipu ipu;
	struct snapshot now;

	if (snapshot_take(&a->registry, &now, e) != 0)
		return error_prefix(e, "the IPUs of partition %s were lost",
		    a->taken.partition);
	describe_ipu(&ipu, a, &now.pod, a->taken.partition, index);
	if (atomic_load(&slot->lost) != 0)
		(void)explain_loss(a, &now, &ipu, e);
	else
		(void)failure_of_soc(&ipu, atomic_load(&slot->soc_error), e);
	snapshot_release(&now);
	return -1;
}

int
attach_local_check(const struct local_attachment *a, struct error *e)
{
	int i;

	if (slots_are_cut(&a->registry.slots))
		return error_set_code(e, ERROR_DAMAGED,
		    "another program truncated registry %s while this one was "
		    "attached",
		    a->registry.slots.path);
	for (i = 0; i < a->taken.count; i++)
		if (attach_local_in_trouble(attach_local_slot(a, i)))
			return explain_trouble(a, i, e);
	return 0;
}

/* Set the error to the loss of another instance's IPU.  It also names the
   machine, because the fabric's error has only its address.  Returns -1. */
static int
explain_sibling(const struct local_attachment *a, const struct sibling_ipu *s,
    struct error *e)
{
	struct failed_ipu ipu;
	struct snapshot now;

	if (snapshot_take(&a->registry, &now, e) != 0)
		return error_prefix(e,
		    "an IPU of another instance of this job was lost");
	describe_ipu(&ipu, a, &now.pod, a->taken.partition,
	    s->ipu - a->taken.first_ipu);
	ipu.id = s->id;
	(void)explain_loss(a, &now, &ipu, e);
	(void)error_append(e,
	    "\nIPU-Machine %s, with IPUs of another instance of this job, was "
	    "lost",
	    ipu.agent);
	snapshot_release(&now);
	return -1;
}

int
attach_local_check_siblings(const struct local_attachment *a, struct error *e)
{
	const struct ipu_slot *slot;
	struct sibling_ipu *s;
	bool lost;
	int i;

	for (i = 0; i < a->sibling_count; i++) {
		s = &a->siblings[i];
		slot = registry_slot(&a->registry, s->ipu);
		lost = slot != NULL &&
		    atomic_load_explicit(&slot->lost, memory_order_relaxed) !=
			0;
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
attach_local_slot(const struct local_attachment *a, int ipu)
{
	return registry_slot(&a->registry, a->taken.first_ipu + ipu);
}
