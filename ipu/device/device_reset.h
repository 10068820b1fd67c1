/*
 * Resetting the IPUs of devices without a program: what attaching to them does
 * (ipu/device/attach.h), and nothing else.
 */
#ifndef IPU_DEVICE_DEVICE_RESET_H
#define IPU_DEVICE_DEVICE_RESET_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/visible_devices.h"

/*
 * How a device fared, which is told in their order: NULL, or why it failed.
 * Somebody holds an IPU of it, and then none was reset; or all were, and an
 * error stays that an IPU reset does not clear: a line for each such IPU, with
 * its remedy.
 */
typedef void	device_reset_told(void *context, const struct device *,
		    const char *reason);

/* In whose name, and by which registry: that of device_take_open(). */
struct device_reset_order {
	struct registry			*registry;
	const struct visible_devices	*view;
	const struct ipu_slot		*words;		/* the holder's */
	bool				 at_once;	/* as
							   device_take_at_once()
							   has it */
	device_reset_told		*tell;
	void				*context;
};

/*
 * Reset all IPUs of each of these devices of the view's partition.  No IPU is
 * of two of them.  They are held meanwhile, and others are shown that holder.
 *
 * Returns how many failed; or -1, and nothing was reset or told:
 * ERROR_UNAVAILABLE, the partition is not active, as where a machine of it is
 * down; ERROR_NOT_FOUND, it is gone.
 */
int	device_reset(const struct device_reset_order *, const struct device *,
	    int count, struct error *);

/* The same of the device with that id, or of each IPU that the view shows where
   it is -1. */
int	device_reset_visible(const struct device_reset_order *, int id,
	    struct error *);

#endif
