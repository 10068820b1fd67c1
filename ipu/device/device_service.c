/*
 * Resetting and inspecting devices for callers of a server.  Read
 * device_service_do() first.
 */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"
#include "ipu/device/device_reset.h"
#include "ipu/device/lease.h"

/* A call from request to answer. */
struct device_call {
	const struct lease_service_options *options;
	struct rpc_call *call;
	struct registry registry;
	struct visible_devices view;
	struct ipu_slot words;
	int id; /* -1: all */
	ipubox_v1_ResetDevicesReply reset;
};

/* ---- the request ---- */

static int
device_call_read(struct device_call *c, const ipubox_v1_DeviceRequest *m,
    struct visible_name *name, struct error *e)
{
	const char *partition = m->partition == NULL ? "" : m->partition;
	struct caller caller;

	memset(name, 0, sizeof(*name));
	if (strlcpy(name->reference.partition, partition,
		sizeof(name->reference.partition)) >=
	    sizeof(name->reference.partition))
		return error_set_code(e, ERROR_INVALID,
		    "a partition's name cannot have %zu bytes",
		    strlen(partition));
	if (m->gcd < -1 || m->device < -1)
		return error_set_code(e, ERROR_INVALID,
		    "no device has the id %d and the GCD %d", m->device,
		    m->gcd);
	name->reference.gcd = m->gcd;
	c->id = m->device;
	text_printable(m->source == NULL ? "" : m->source, name->source,
	    sizeof(name->source));
	text_printable(m->warning == NULL ? "" : m->warning, name->warning,
	    sizeof(name->warning));
	lease_holder_get(&m->holder, &c->words);
	return lease_service_admit(c->options, c->call, name, &c->words,
	    &caller, e);
}

/* ---- the actions ---- */

static void
device_call_report(void *context, const struct device *device,
    const char *reason)
{
	struct device_call *c = context;
	ipubox_v1_ResetDevicesReply *m = &c->reset;

	m->devices = xreallocarray(m->devices, (size_t)m->devices_count + 1,
	    sizeof(*m->devices));
	m->devices[m->devices_count++] =
	    (ipubox_v1_DeviceReset){ .device = (uint32_t)device->id,
		    .trouble = reason == NULL ? NULL : xstrdup(reason) };
}

static int
device_call_reset(struct device_call *c, struct error *e)
{
	const struct device_reset_order order = { .registry = &c->registry,
		.view = &c->view,
		.words = &c->words,
		.at_once = true,
		.tell = device_call_report,
		.context = c };
	const bool done = device_reset_visible(&order, c->id, e) != -1;

	if (done) {
		lease_service_note(c->options, c->call, "reset", c->id,
		    c->view.partition->name, &c->words);
		rpc_message_reply(c->call, ipubox_v1_ResetDevicesReply_fields,
		    &c->reset);
	}
	rpc_message_release(ipubox_v1_ResetDevicesReply_fields, &c->reset);
	return done ? 0 : -1;
}

static int
device_call_inspect(struct device_call *c, struct error *e)
{
	ipubox_v1_InspectDeviceReply m = ipubox_v1_InspectDeviceReply_init_zero;
	const struct ipu_slot *slot;
	struct exclusive x;
	struct device device;
	int i;

	if (device_find(c->view.partition, c->view.gcd, c->id, &device, e) !=
		0 ||
	    exclusive_begin_here(&x, &c->view, &device, &c->words, true, e) !=
		0)
		return -1;
	m.ipus = xcalloc((size_t)device.count, sizeof(*m.ipus));
	m.ipus_count = (pb_size_t)device.count;
	for (i = 0; i < device.count; i++) {
		slot = &x.before[i];
		m.ipus[i] = (ipubox_v1_DeviceIpu){
			.unfinished = holder_is_known(slot),
			.lost = atomic_load(&slot->lost) != 0,
			.soc_error = atomic_load(&slot->soc_error),
			.busy_ns = atomic_load(&slot->busy_ns),
			.exchange_bytes = atomic_load(&slot->exchange_bytes),
			.host_bytes = atomic_load(&slot->host_bytes),
			.clock_mhz = (uint32_t)x.clock_mhz[i]
		};
	}
	exclusive_end(&x);
	rpc_message_reply(c->call, ipubox_v1_InspectDeviceReply_fields, &m);
	rpc_message_release(ipubox_v1_InspectDeviceReply_fields, &m);
	return 0;
}

/* ---- the methods ---- */

/* With the registry open, act on the caller's view. */
static int
device_service_do(struct device_call *c, const struct visible_name *name,
    int (*act)(struct device_call *, struct error *), struct error *e)
{
	int status = -1;

	if (device_take_open(&c->registry, e) != 0)
		return -1;
	if (visible_devices_open_name(&c->view, &c->registry, name, e) == 0) {
		if (visible_devices_require(&c->view, false, e) == 0)
			status = act(c, e);
		visible_devices_release(&c->view);
	}
	registry_close(&c->registry);
	return status;
}

static void
device_service_take(struct rpc_call *call, const void *bytes, size_t size,
    int (*act)(struct device_call *, struct error *))
{
	struct device_call c = { .options = rpc_call_context(call),
		.call = call };
	ipubox_v1_DeviceRequest m;
	struct visible_name name;
	struct error e;
	int status;

	if (!lease_service_knows(c.options, call) ||
	    rpc_message_take(call, ipubox_v1_DeviceRequest_fields, bytes, size,
		&m) != 0)
		return;
	status = device_call_read(&c, &m, &name, &e);
	rpc_message_release(ipubox_v1_DeviceRequest_fields, &m);
	if (status == 0)
		status = device_service_do(&c, &name, act, &e);
	if (status != 0)
		rpc_call_refuse(call, &e);
}

static void
device_service_reset(struct rpc_call *call, const void *bytes, size_t size)
{
	device_service_take(call, bytes, size, device_call_reset);
}

static void
device_service_inspect(struct rpc_call *call, const void *bytes, size_t size)
{
	device_service_take(call, bytes, size, device_call_inspect);
}

void
device_service_methods(struct lease_service_options *o,
    struct rpc_method rows[DEVICE_SERVICE_METHODS])
{
	rows[0] = (struct rpc_method){ .path = DEVICE_ASK_RESET,
		.take = device_service_reset,
		.context = o };
	rows[1] = (struct rpc_method){ .path = DEVICE_ASK_INSPECT,
		.take = device_service_inspect,
		.context = o };
}
