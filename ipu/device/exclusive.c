/*
 * Locking a device's IPUs for a moment, and restoring their slots.
 */
#include "ipu/device/device_reset.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/pod/pod.h"
#include "ipu/device/status.h"

int
exclusive_ipu(const struct exclusive *x, int index)
{
	return placement_ipu(x->pod, &x->partition->placement,
	    x->device.first + index);
}

/* Check that the hardware would answer. */
static int
check_condition(const struct exclusive *x, struct error *e)
{
	struct ipu_status status = { 0 };
	struct condition c;
	int i;

	for (i = 0; i < x->device.count; i++) {
		status.ipu = exclusive_ipu(x, i);
		condition_of_ipu(&c, &status, x->partition, x->pod,
		    clock_real_ms());
		if (c.kind >= CONDITION_PARTITION)
			return error_set_code(e, ERROR_UNAVAILABLE,
			    "device %d: %s", x->device.id, c.text);
	}
	return 0;
}

/* Restore the last program's session too: writing a holder set it to 0. */
void
exclusive_end(struct exclusive *x)
{
	struct ipu_slot *slot;
	int i;

	for (i = 0; i < x->device.count && x->registry.fd != -1; i++) {
		slot = registry_slot(&x->registry, x->first_ipu + i);
		ipu_holder_write(slot, &x->before[i]);
		atomic_store(&slot->session_busy_ns,
		    x->before[i].session_busy_ns);
	}
	if (x->registry.fd != -1)
		(void)registry_detach(&x->registry, x->first_ipu,
		    x->device.count);
	registry_close(&x->registry);
	free(x->before);
	free(x->clock_mhz);
}

static void
exclusive_make_room(struct exclusive *x)
{
	const size_t count = (size_t)x->device.count;

	x->before = xcalloc(count, sizeof(*x->before));
	x->clock_mhz = xcalloc(count, sizeof(*x->clock_mhz));
}

/* With the lock held, save the slots and write the holder. */
static void
exclusive_write_holder(struct exclusive *x, const struct ipu_slot *words)
{
	struct ipu_slot own = *words;
	struct ipu_status status;
	int i;

	own.gcd = x->device.gcd;
	own.attached_ns = clock_real_ns();
	exclusive_make_room(x);
	for (i = 0; i < x->device.count; i++) {
		slots_read(&x->registry.slots, x->first_ipu + i, &x->before[i]);
		ipu_holder_write(registry_slot(&x->registry, x->first_ipu + i),
		    &own);
	}
	(void)registry_announce(&x->registry, x->first_ipu, x->device.count);
	for (i = 0; i < x->device.count; i++) {
		status_read(&status, &x->registry, x->pod, exclusive_ipu(x, i),
		    clock_real_ns(), false);
		x->clock_mhz[i] = status.sensors.clock_mhz;
	}
}

/* With the registry open, lock the device and check that nothing has
   changed. */
static int
exclusive_take(struct exclusive *x, const struct visible_devices *v,
    const struct ipu_slot *words, bool at_once, struct error *e)
{
	if (device_take(&x->registry, v, &x->device, words, at_once,
		&x->first_ipu, e) != 0)
		return e->code != ERROR_NO_ROOM ?
		    -1 :
		    error_prefix(e, "device %d is in use", x->device.id);
	if (device_take_check(&x->registry, v, &x->device, x->first_ipu, e) ==
	    0)
		return 0;
	(void)registry_detach(&x->registry, x->first_ipu, x->device.count);
	return -1;
}

static void
exclusive_init(struct exclusive *x, const struct visible_devices *v,
    const struct device *device)
{
	memset(x, 0, sizeof(*x));
	x->registry.fd = x->registry.slots.fd = -1;
	x->pod = &v->snapshot.pod;
	x->partition = v->partition;
	x->device = *device;
}

int
exclusive_begin_here(struct exclusive *x, const struct visible_devices *v,
    const struct device *device, const struct ipu_slot *words, bool at_once,
    struct error *e)
{
	exclusive_init(x, v, device);
	if (check_condition(x, e) != 0 ||
	    device_take_open(&x->registry, e) != 0)
		return -1;
	if (exclusive_take(x, v, words, at_once, e) == 0) {
		exclusive_write_holder(x, words);
		return 0;
	}
	registry_close(&x->registry);
	return -1;
}

/* Ask the server that owns the IPUs for their state. */
static int
exclusive_ask(struct exclusive *x, struct attach_server *server,
    struct visible_name *name, const struct visible_devices *v,
    const struct ipu_slot *words, struct error *e)
{
	(void)strlcpy(name->reference.partition, v->partition->name,
	    sizeof(name->reference.partition));
	name->reference.gcd = v->gcd;
	exclusive_make_room(x);
	if (device_ask_inspect(server, name, x->device.id, words, x->before,
		x->clock_mhz, x->device.count, e) == 0)
		return 0;
	exclusive_end(x);
	return -1;
}

int
exclusive_begin(struct exclusive *x, const struct visible_devices *v,
    const struct device *device, const char *command, struct error *e)
{
	struct attach_server server;
	struct visible_name name;
	struct ipu_slot words;

	if (variable_get("IPUBOX_REPLAY") != NULL)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "IPUBOX_REPLAY: a recording has no IPUs to inspect; unset "
		    "the variable to inspect those of the pod");
	if (device_ask_open(&server, &name, &words, command, e) != 0)
		return -1;
	if (server.client == NULL)
		return exclusive_begin_here(x, v, device, &words, false, e);
	exclusive_init(x, v, device);
	return exclusive_ask(x, &server, &name, v, &words, e);
}
