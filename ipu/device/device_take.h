/*
 * Locking the IPUs of a device, for a program that attaches to it or resets
 * it: one range lock, so all of them or none, and free again the moment the
 * process is gone.
 */
#ifndef IPU_DEVICE_DEVICE_TAKE_H
#define IPU_DEVICE_DEVICE_TAKE_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/visible_devices.h"

enum { DEVICE_TAKE_STATE_SIZE = LAST_ERROR_SIZE + NAME_SIZE + 64 };

/* The registry to lock IPUs through, made first where there is none yet. */
int	device_take_open(struct registry *, struct error *);

/*
 * Lock the IPUs of a device of the view's partition.  *first_ipu is the number
 * of its first one in the pod; the others follow it.  ERROR_NO_ROOM: one of
 * them is held, and by whom; ERROR_INVALID: they lie in several IPU-Link
 * domains.  Given back by registry_detach().
 */
int	device_take(struct registry *, const struct visible_devices *,
	    const struct device *, int *first_ipu, struct error *);
/* The same without waiting for the word of a program that has just ended: for
   who is to hear it in the same thread. */
int	device_take_at_once(struct registry *, const struct visible_devices *,
	    const struct device *, int *first_ipu, struct error *);

/*
 * With the lock: whether the partition is still there, where it was and in
 * order.  It may have been removed, its machines moved, or one of them lost,
 * between the look at it and the lock.  ERROR_NOT_FOUND, ERROR_UNAVAILABLE.
 */
int	device_take_check(const struct registry *,
	    const struct visible_devices *, const struct device *,
	    int first_ipu, struct error *);

/*
 * With the lock: reset that IPU of the pod.  Its errors that an IPU reset
 * clears are gone; returns those that stay (core/pod/soc_error.h).
 */
uint32_t	device_take_reset(struct registry *, int ipu);

/* 0, or ERROR_UNAVAILABLE where the partition is not active. */
int	device_take_check_state(const struct partition *, struct error *);

/* "partition p is in state ERROR: machine ag01 is down" */
const char	*device_take_state(const struct partition *,
		    char text[DEVICE_TAKE_STATE_SIZE]);

#endif
