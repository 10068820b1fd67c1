/*
 * PopDist's getDeviceId: the device that is this instance's.
 *
 * Source: PopDist guide chapter 6; PopTorch's tests of its Options.
 */
#ifndef IPU_DEVICE_INSTANCE_DEVICE_H
#define IPU_DEVICE_INSTANCE_DEVICE_H

#include "core/base/error.h"
#include "core/job/job.h"
#include "ipu/device/device.h"

/*
 * IPUs that the instance has with so many per replica; 0: as many as the
 * environment says.  -1 where no device is as large.
 */
int	instance_device_size(const struct popdist *, int ipus_per_replica,
	    struct error *);

/*
 * The device of `ipus` IPUs of this instance in the partition, as the GCD shows
 * it (-1: whole); outside poprun, the first one of that size, free or not.
 */
int	instance_device_choose(const struct popdist *,
	    const struct partition *, int gcd, int ipus, struct device *,
	    struct error *);

/*
 * The id of this instance's device with so many IPUs per replica (0: as the
 * environment says) in the active partition; outside poprun, of the first free
 * one.  Nothing is taken.
 */
int	instance_device_find(const struct popdist *, int ipus_per_replica,
	    int *id, struct error *);

#endif
