/*
 * What is asked of a server about devices that no program holds: the messages
 * DeviceRequest and its answers of config/sdk/proto/ipubox_lease.proto.
 */
#ifndef IPU_DEVICE_DEVICE_ASK_H
#define IPU_DEVICE_DEVICE_ASK_H

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/device/attach_server.h"
#include "ipu/device/device_reset.h"
#include "ipu/device/visible_devices.h"

#define DEVICE_ASK_RESET	"/ipubox.v1.LeaseService/ResetDevices"
#define DEVICE_ASK_INSPECT	"/ipubox.v1.LeaseService/InspectDevice"

/*
 * Who asks, with what name of a command; whose devices; and the server that has
 * them, whose client is NULL where this host's registry has.  Errors as of
 * attach_server_connect() and visible_devices_name().
 */
int	device_ask_open(struct attach_server *, struct visible_name *,
	    struct ipu_slot *words, const char *command, struct error *);

/*
 * As device_reset_visible(), at the server, whose connection ends with it; of
 * each device only the id is told.
 */
int	device_ask_reset(struct attach_server *, const struct visible_name *,
	    int id, const struct ipu_slot *words, device_reset_told *,
	    void *context, struct error *);

/*
 * What the last program left in the slots of a device of `count` IPUs, and
 * their clocks.  Of a slot that is what the tools show: whether it has words,
 * errors, and what was counted.  The connection ends with it.
 */
int	device_ask_inspect(struct attach_server *,
	    const struct visible_name *, int id, const struct ipu_slot *words,
	    struct ipu_slot *slots, int *clock_mhz, int count,
	    struct error *);

#endif
