/*
 * Devices: the single IPUs and groups of IPUs that a program may attach to,
 * with the ids gc-info prints (device.c has their rules).  Pure.
 */
#ifndef IPU_DEVICE_DEVICE_LIST_H
#define IPU_DEVICE_DEVICE_LIST_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/job/popdist.h"
#include "core/pod/partition.h"

struct device {
	int id;
	int first;    /* routing id of its first IPU, in the partition */
	int count;    /* IPUs; 1: a single one */
	int first_id; /* device id of its first IPU as a single */
	int gcd;      /* the GCD that holds all of it */
};

/* All devices of the view, ids ascending; gcd -1 is the whole partition.
   Returns their number.  The caller frees *out. */
int device_list(const struct partition *, int gcd, struct device **out);

/* Whether a program may attach to it: any device of a reconfigurable partition,
   else only a whole GCD (guide 5.3). */
bool device_attachable(const struct partition *, const struct device *);

/* 0 and *out filled, or -1 when there is no device of that id. */
int device_by_id(const struct partition *, int gcd, int id, struct device *out);

/* The same for a person: -1 and the reason with the ids that there are, "no
   device 9: partition p has devices 0-4, 8". */
int device_find(const struct partition *, int gcd, int id, struct device *out,
    struct error *);

/*
 * The device that instance number `instance` takes when each instance uses
 * `ipus` IPUs: its GCD's, or the instance-th group of that size.  -1: not a
 * power of two, not the GCDs' size, or too many instances.
 */
int device_for_instance(const struct partition *, int gcd, int ipus,
    int instance, struct device *out, struct error *);

/*
 * PopDist's getDeviceId: the device that belongs to this instance.  Sources:
 * PopDist guide chapter 6; PopTorch's tests of its Options.
 */

/* IPUs that the instance has with so many per replica; 0: as many as the
   environment says.  -1 where no device is as large. */
int instance_device_size(const struct popdist *, int ipus_per_replica,
    struct error *);

/* The device of `ipus` IPUs of this instance in the partition, as the GCD shows
   it (-1: whole); outside poprun, the first one of that size, free or not. */
int instance_device_choose(const struct popdist *, const struct partition *,
    int gcd, int ipus, struct device *, struct error *);

/* The id of this instance's device with so many IPUs per replica (0: as the
   environment says); outside poprun, of the first free one. */
int instance_device_find(const struct popdist *, int ipus_per_replica, int *id,
    struct error *);

#endif
