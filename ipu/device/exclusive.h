/*
 * Having a device for oneself for a moment, as tools that look into an IPU
 * need it: its IPUs are locked, as a program that attaches locks them, but not
 * reset, and what the last program left in their slots is there again in the
 * end.
 */
#ifndef IPU_DEVICE_EXCLUSIVE_H
#define IPU_DEVICE_EXCLUSIVE_H

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/visible_devices.h"

struct exclusive {
	struct registry			 registry;	/* owned; closed where a
							   server looked */
	const struct pod		*pod;
	const struct partition		*partition;
	struct device			 device;
	struct ipu_slot			*before;	/* owned; of each IPU */
	int				*clock_mhz;	/* owned; the same */
	int				 first_ipu;	/* number in the pod */
};

/*
 * Take a device of the view, which must live as long; `command` is what others
 * are shown as its user.  Where a server has the IPUs it is asked for a look at
 * them, and nothing is held behind that.  ERROR_NO_ROOM where a program is
 * attached, with who that is; ERROR_UNAVAILABLE where the partition is not
 * active, or a machine of the device does not answer.
 */
int	exclusive_begin(struct exclusive *, const struct visible_devices *,
	    const struct device *, const char *command, struct error *);
void	exclusive_end(struct exclusive *);

/* The same by this process's own registry, in the name of those words; at_once
   as device_take_at_once() has it. */
int	exclusive_begin_here(struct exclusive *,
	    const struct visible_devices *, const struct device *,
	    const struct ipu_slot *words, bool at_once, struct error *);

/* The pod's number of the device's IPU `index`, its slot as it was, and its
   clock. */
int			 exclusive_ipu(const struct exclusive *, int index);
const struct ipu_slot	*exclusive_slot(const struct exclusive *, int index);
int			 exclusive_clock(const struct exclusive *, int index);

#endif
