/*
 * Resetting the IPUs of devices, and looking into them, without a program: by
 * this host's registry, or by the server that has them.  The server's side is
 * device_service.c; the messages are those of config/sdk/proto.
 */
#ifndef IPU_DEVICE_DEVICE_RESET_H
#define IPU_DEVICE_DEVICE_RESET_H

#include "core/base/error.h"
#include "core/state/state.h"
#include <stdbool.h>
#include "ipu/device/device.h"
#include "ipu/device/device_internal.h"

#define DEVICE_ASK_RESET "/ipubox.v1.LeaseService/ResetDevices"
#define DEVICE_ASK_INSPECT "/ipubox.v1.LeaseService/InspectDevice"

struct device_reset_order {
	struct registry *registry; /* of device_take_open() */
	const struct visible_devices *view;
	const struct ipu_slot *words; /* the holder's */
	bool at_once;		      /* of device_take() */
	device_reset_told *tell;
	void *context;
};

/*
 * Reset all IPUs of each of these devices of the view's partition.  No IPU is
 * of two of them.  They are held meanwhile, and others are shown that holder.
 *
 * Returns how many failed; or -1, and nothing was reset or told:
 * ERROR_UNAVAILABLE, the partition is not active, as where a machine of it is
 * down; ERROR_NOT_FOUND, it is gone.
 */
int device_reset(const struct device_reset_order *, const struct device *,
    int count, struct error *);
/* The same of the device with that id, or with -1 of each IPU of the view. */
int device_reset_visible(const struct device_reset_order *, int id,
    struct error *);

/*
 * Find the words of a holder with that command, the devices that the
 * environment names, and the server that has them; its client is NULL where
 * this host's registry has them.  Errors as of attach_server_connect() and
 * visible_devices_name().
 */
int device_ask_open(struct attach_server *, struct visible_name *,
    struct ipu_slot *words, const char *command, struct error *);
/*
 * Ask for what the last program left in the slots of a device of `count` IPUs,
 * and for their clocks.  A slot has what the tools show: whether it has words,
 * errors, and what was counted.  The connection ends with it.
 */
int device_ask_inspect(struct attach_server *, const struct visible_name *,
    int id, const struct ipu_slot *words, struct ipu_slot *slots,
    int *clock_mhz, int count, struct error *);

#endif
