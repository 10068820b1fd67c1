/*
 * Resetting and inspecting IPUs without attaching, through this host's registry
 * or the server that owns them.  device_service.c is the server's side.
 */
#ifndef IPU_DEVICE_DEVICE_RESET_H
#define IPU_DEVICE_DEVICE_RESET_H

#include "ipu/device/device.h"
#include "ipu/device/device_internal.h"

#define DEVICE_ASK_RESET "/ipubox.v1.LeaseService/ResetDevices"
#define DEVICE_ASK_INSPECT "/ipubox.v1.LeaseService/InspectDevice"

struct device_reset_order {
	struct registry *registry; /* from device_take_open() */
	const struct visible_devices *view;
	const struct ipu_slot *words; /* holder that others see meanwhile */
	bool at_once;		      /* see device_take() */
	device_reset_reporter *tell;  /* receives each result */
	void *context;		      /* for tell() */
};

/*
 * Reset all IPUs of each of these devices of the view's partition.  The devices
 * must have no IPU in common.
 *
 * Returns the number of devices that failed, or -1 if nothing was reset or
 * reported: the partition is not active (ERROR_UNAVAILABLE) or gone
 * (ERROR_NOT_FOUND), or the registry is unreadable.
 */
int device_reset(const struct device_reset_order *, const struct device *,
    int count, struct error *);
/* Reset the device with that id, or with -1 each IPU of the view.  -1 also if
   no partition is active or no device has that id (ERROR_NOT_FOUND). */
int device_reset_visible(const struct device_reset_order *, int id,
    struct error *);

/*
 * Find what a question about devices needs: the text of a holder with that
 * command, the partition that the environment names, and a connection to its
 * server.  The client, to be closed, is NULL if this host's registry has the
 * devices.  Errors: visible_devices_name(), attach_server_connect().
 */
int device_ask_open(struct attach_server *, struct visible_name *,
    struct ipu_slot *words, const char *command, struct error *);
/*
 * Ask the server for the slots of a device of `count` IPUs as its last program
 * left them, and for the IPUs' clocks; both arrays have `count` elements.  A
 * slot has only errors, counters and `lost`; its pid is 1 if the last program
 * did not detach, else 0.  Waits up to 60 s.  Closes the connection, also after
 * a failure.  ERROR_STALE: the device has another number of IPUs.
 */
int device_ask_inspect(struct attach_server *, const struct visible_name *,
    int id, const struct ipu_slot *words, struct ipu_slot *slots,
    int *clock_mhz, int count, struct error *);

#endif
