/*
 * Attaching a program to a device: all of its IPUs or none, and free again the
 * moment the program is gone.  Attaching resets the IPUs: errors that an IPU
 * reset clears are gone.
 *
 * Where a server owns the state of this host, or one is named, it holds the
 * device for the program (lease.h); else the program takes it itself in the
 * registry (attach_local.h).
 */
#ifndef IPU_DEVICE_ATTACH_H
#define IPU_DEVICE_ATTACH_H

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/attach_local.h"
#include "ipu/device/device.h"
#include "ipu/device/ipu_holder.h"

struct lease;

struct attachment {
	struct taken_device taken;
	/* One of the two ways: through a server, or this host's registry. */
	struct lease	*lease;		/* owned; or NULL: */
	struct local_attachment local;
};

/*
 * Attach to a device of the active partition (ipu/device/visible_devices.h): to
 * `device_id`, or with -1 to the one that this instance (core/job/popdist.h)
 * has for `ipus` IPUs; outside poprun, to the first free one of that size.
 * `command` is what gc-monitor shows.
 *
 * Errors are PopTorch's: "Failed to acquire 4 IPU(s)" or "Failed to acquire
 * device Id 3", then the reason: no partition, no such device (both
 * ERROR_NOT_FOUND), none of that size (ERROR_INVALID), a partition that is not
 * active (ERROR_UNAVAILABLE), or who holds which IPU (ERROR_NO_ROOM: for
 * nothing but others who hold them).
 */
int	attach(struct attachment *, int ipus, int device_id,
	    const char *command, struct error *);
/* The same for another process, which is shown as the holder; this one has the
   lock, and knows when the other is gone. */
int	attach_for(struct attachment *, int ipus, int device_id,
	    const struct ipu_holder *, struct error *);
/* Give the IPUs back and close the registry. */
void	attach_end(struct attachment *);

/*
 * The same, but where others hold the IPUs, wait until they are free.  What
 * waiting does not help fails at once, also when it comes up meanwhile, as a
 * partition that is removed.
 */
int	attach_wait(struct attachment *, int ipus, int device_id,
	    const char *command, struct error *);

/*
 * Whether the program still has what it attached to.  -1: an IPU's machine
 * went away, or an IPU has an error; in PopTorch's words, and behind those of
 * a lost machine how the partition fares.  To be asked between steps.
 */
int	attach_check(const struct attachment *, struct error *);

/*
 * The same of the IPUs of the job's other instances: -1 when a machine of
 * theirs went away since.  Takes an attachment, as a collective's trouble().
 */
int	attach_check_siblings(const void *attachment, struct error *);

/* The slot of the device's IPU 0 to count-1, for its counters. */
struct ipu_slot	*attach_slot(const struct attachment *, int ipu);

#endif
