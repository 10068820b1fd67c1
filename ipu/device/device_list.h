/*
 * Devices: the single IPUs and groups of IPUs that a program may attach to,
 * with gc-info's ids (device.c has the rules).  Pure functions, except
 * instance_device_find().
 */
#ifndef IPU_DEVICE_DEVICE_LIST_H
#define IPU_DEVICE_DEVICE_LIST_H

#include "core/job/popdist.h"
#include "core/pod/partition.h"

struct device {
	int id;	      /* as gc-info shows it */
	int first;    /* routing id of its first IPU */
	int count;    /* number of IPUs */
	int first_id; /* device id of its first IPU alone */
	int gcd;      /* GCD that contains it */
};

/* List the devices of a GCD, or with gcd -1 of the whole partition, by
   ascending id.  Returns their number.  The caller frees *out. */
int device_list(const struct partition *, int gcd, struct device **out);

/* Whether a program may attach to the device: any device of a reconfigurable
   partition, else only a whole GCD (guide 5.3). */
bool device_attachable(const struct partition *, const struct device *);

/* Fill *out with the device of that id, among those that device_list() lists,
   and return 0; -1: no such id. */
int device_by_id(const struct partition *, int gcd, int id, struct device *out);

/* Do the same; after -1 the error (ERROR_NOT_FOUND) lists all valid ids. */
int device_find(const struct partition *, int gcd, int id, struct device *out,
    struct error *);

/*
 * Find the device of instance number `instance` when each instance uses `ipus`
 * IPUs: the instance-th group of that size, counted from 0, or of a GCD the
 * first.  -1: `ipus` is not a power of two, too large, or not the size of a
 * preconfigured partition's GCDs; or there are too many instances.
 */
int device_for_instance(const struct partition *, int gcd, int ipus,
    int instance, struct device *out, struct error *);

/* The device of this instance, as PopDist's getDeviceId finds it.  Sources:
   PopDist guide chapter 6; PopTorch's tests of its Options. */

/* Return the number of IPUs of the instance with that many per replica (0: as
   struct popdist says).  -1, ERROR_INVALID: no device is so large. */
int instance_device_size(const struct popdist *, int ipus_per_replica,
    struct error *);

/* Choose this instance's device of `ipus` IPUs in the partition or its GCD (-1:
   whole).  Outside poprun, choose the first of that size, free or not.  -1 as
   for device_for_instance(), or no device begins at the instance's replica. */
int instance_device_choose(const struct popdist *, const struct partition *,
    int gcd, int ipus, struct device *, struct error *);

/*
 * Find the id of this instance's device with that many IPUs per replica (0: as
 * struct popdist says).  Outside poprun, find the first free one; it is not
 * taken.  Reads the registry of device_look_registry().  -1: no partition is
 * active (ERROR_NOT_FOUND), no such device, or all are in use (ERROR_NO_ROOM).
 */
int instance_device_find(const struct popdist *, int ipus_per_replica, int *id,
    struct error *);

#endif
