/*
 * Calls to a server about devices that no program holds.
 */
#include "ipu/device/device_reset.h"

#include <bsd/string.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/server/rpc/rpc.h"
#include "core/server/server.h"
#include "ipu/device/lease.h"

/* Limit of a call: other programs may take this long to give IPUs back. */
enum { ASK_DEVICE_MS = 60 * 1000, ASK_MHZ_MAX = 1000 * 1000 };

/* Send the question and close the connection.  Returns 0, and the caller
   releases the answer. */
static int
ask_device(struct attach_server *s, const char *path,
    const struct visible_name *name, int id, const struct ipu_slot *words,
    const pb_msgdesc_t *type, void *reply, struct error *e)
{
	ipubox_v1_DeviceRequest m = ipubox_v1_DeviceRequest_init_zero;
	unsigned char *bytes, *answer = NULL;
	size_t size;
	int status = -1;

	m.partition = rpc_message_text(name->reference.partition);
	m.gcd = name->reference.gcd;
	m.device = id;
	m.has_holder = true;
	m.holder = lease_holder_put(words);
	m.source = rpc_message_text(name->source);
	m.warning = rpc_message_text(name->warning);
	bytes = rpc_message_encode(ipubox_v1_DeviceRequest_fields, &m, &size,
	    e);
	if (bytes != NULL)
		status = rpc_stream_call(s->client, path, s->metadata,
		    ASK_DEVICE_MS, bytes, size, &answer, &size, e);
	if (status == 0)
		status = rpc_message_decode(type, answer, size, reply, e);
	if (status != 0 && e != NULL && e->code == ERROR_UNSUPPORTED)
		(void)server_address_lacks(s->name, "a look at IPUs", e);
	/* Name the server, which may not be the expected one. */
	if (status != 0 && e != NULL && e->code == ERROR_NOT_FOUND)
		(void)error_append(e, "\n(server: %s)", s->name);
	free(bytes);
	free(answer);
	rpc_client_close(s->client);
	s->client = NULL;
	return status;
}

int
device_ask_open(struct attach_server *s, struct visible_name *name,
    struct ipu_slot *words, const char *command, struct error *e)
{
	const struct ipu_holder self = ipu_holder_own(command);

	ipu_holder_describe(&self, -1, words);
	return visible_devices_name(name, true, e) != 0 ?
	    -1 :
	    attach_server_connect(s, name, e);
}

/* Reset through the server, and close the connection. */
static int
reset_there(struct attach_server *s, const struct visible_name *name, int id,
    const struct ipu_slot *words, device_reset_reporter *tell, void *context,
    struct error *e)
{
	ipubox_v1_ResetDevicesReply m;
	const ipubox_v1_DeviceReset *r;
	struct device device = { .first = -1 };
	struct error reason;
	pb_size_t i;
	int failed = 0;

	if (ask_device(s, DEVICE_ASK_RESET, name, id, words,
		ipubox_v1_ResetDevicesReply_fields, &m, e) != 0)
		return -1;
	for (i = 0; i < m.devices_count; i++) {
		r = &m.devices[i];
		device.id = (int)(r->device & INT32_MAX);
		if (r->trouble == NULL || r->trouble[0] == '\0') {
			tell(context, &device, NULL);
			continue;
		}
		/* error_set() escapes control sequences. */
		(void)error_set(&reason, "%s", r->trouble);
		tell(context, &device, reason.text);
		failed++;
	}
	rpc_message_release(ipubox_v1_ResetDevicesReply_fields, &m);
	return failed;
}

static int
reset_here(int id, const struct ipu_slot *words, device_reset_reporter *tell,
    void *context, struct error *e)
{
	struct registry registry;
	struct visible_devices view;
	const struct device_reset_order order = { .registry = &registry,
		.view = &view,
		.words = words,
		.tell = tell,
		.context = context };
	int failed = -1;

	if (device_take_open(&registry, e) != 0)
		return -1;
	if (visible_devices_open(&view, &registry, e) == 0) {
		if (view.warning[0] != '\0')
			tell(context, NULL, view.warning);
		failed = device_reset_visible(&order, id, e);
		visible_devices_release(&view);
	}
	registry_close(&registry);
	return failed;
}

int
device_ask_reset(const char *command, int id, device_reset_reporter *tell,
    void *context, struct error *e)
{
	struct attach_server server;
	struct visible_name name;
	struct ipu_slot words;

	if (device_ask_open(&server, &name, &words, command, e) != 0)
		return -1;
	if (server.client == NULL)
		return reset_here(id, &words, tell, context, e);
	if (name.warning[0] != '\0')
		tell(context, NULL, name.warning);
	return reset_there(&server, &name, id, &words, tell, context, e);
}

static void
ask_take_slot(const ipubox_v1_DeviceIpu *m, struct ipu_slot *slot,
    int *clock_mhz)
{
	memset(slot, 0, sizeof(*slot));
	if (m->unfinished) {
		slot->pid = 1;
		(void)strlcpy(slot->user, "?", sizeof(slot->user));
	}
	atomic_store(&slot->lost, m->lost);
	atomic_store(&slot->soc_error, m->soc_error);
	atomic_store(&slot->busy_ns, m->busy_ns);
	atomic_store(&slot->exchange_bytes, m->exchange_bytes);
	atomic_store(&slot->host_bytes, m->host_bytes);
	*clock_mhz = m->clock_mhz <= ASK_MHZ_MAX ? (int)m->clock_mhz : 0;
}

int
device_ask_inspect(struct attach_server *s, const struct visible_name *name,
    int id, const struct ipu_slot *words, struct ipu_slot *slots,
    int *clock_mhz, int count, struct error *e)
{
	ipubox_v1_InspectDeviceReply m;
	int i, status = 0;

	if (ask_device(s, DEVICE_ASK_INSPECT, name, id, words,
		ipubox_v1_InspectDeviceReply_fields, &m, e) != 0)
		return -1;
	if (m.ipus_count != (pb_size_t)count)
		status = error_set_code(e, ERROR_STALE,
		    "device %d has changed and now has %u IPU(s); try again",
		    id, (unsigned)m.ipus_count);
	for (i = 0; i < count && status == 0; i++)
		ask_take_slot(&m.ipus[i], &slots[i], &clock_mhz[i]);
	rpc_message_release(ipubox_v1_InspectDeviceReply_fields, &m);
	return status;
}
