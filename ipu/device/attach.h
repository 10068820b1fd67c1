/*
 * Attaching a program to a device: it gets all IPUs of the device or none, and
 * they are free again when the program ends.  Attaching resets the IPUs, which
 * clears the errors that an IPU reset can clear.
 *
 * If a server owns the state of this host, or the environment names one, the
 * server holds the device for the program (lease.h).  Otherwise the program
 * takes it in the registry itself (attach_local.c).
 */
#ifndef IPU_DEVICE_ATTACH_H
#define IPU_DEVICE_ATTACH_H

#include "ipu/device/device_list.h"
#include "ipu/device/visible_devices.h"

/* The program that holds an IPU, as other programs see it. */
struct ipu_holder {
	pid_t pid; /* process on this host */
	uid_t uid;
	const char *command; /* shown by gc-monitor */
};

/* An IPU of the partition that another instance of the job may use. */
struct sibling_ipu {
	int ipu; /* number in the pod */
	int id;	 /* device id in the partition */
	/* A check found its machine in order: from then on a loss counts. */
	_Atomic bool watched;
};

/* A request for a device. */
struct attach_request {
	int ipus;		      /* 0: as many as device_id has */
	int device_id;		      /* -1: choose by `ipus` */
	const struct ipu_slot *words; /* the holder, as in a slot */
	/* The partition; NULL: named by this environment. */
	const struct visible_name *name;
	const struct popdist *popdist; /* NULL: read from this environment */
	bool at_once;		       /* see device_take() */
	bool wait;		       /* until other programs free the IPUs */
};

/* The device that a program has taken. */
struct taken_device {
	struct device device;
	int first_ipu; /* number in the pod */
	int count;     /* number of IPUs; 0: nothing taken */
	char partition[NAME_SIZE];
	int gcds;     /* number of GCDs of the partition */
	int gcd_ipus; /* number of IPUs in each GCD */
	int model;    /* enum machine_model */
};

/* A device that is held through this host's registry. */
struct local_attachment {
	struct registry registry; /* writable, owned */
	struct taken_device taken;
	bool at_once;
	struct sibling_ipu *siblings; /* owned; NULL in a job of one instance */
	int sibling_count;
};

struct lease;
struct attachment {
	struct taken_device taken;
	/* Exactly one is in use: a server's lease or this host's registry. */
	struct lease *lease; /* owned; NULL: `local` is in use */
	struct local_attachment local;
	/* For the user: no such server, or a Pod would refuse this; or "". */
	struct error warning;
};

/*
 * Attach to a device of the active partition (visible_devices.h).  With
 * device_id -1, take the device that this instance (core/job/popdist.h) has for
 * `ipus` IPUs; outside poprun, the first free one of that size.  With a
 * device_id, `ipus` must be its size, or 0.  Others see `command`.
 *
 * Errors are PopTorch's, "Failed to acquire 4 IPU(s)" or "Failed to acquire
 * device Id 4", with the reason on the next line: no such partition or device
 * (ERROR_NOT_FOUND), no device of that size that may be attached to or, where
 * settings_strict() says so, none of several GCDs named (both ERROR_INVALID),
 * the partition is not active or the server is lost (ERROR_UNAVAILABLE), the
 * server cannot be reached (ERROR_TIMED_OUT), an IPU needs a stronger reset, or
 * a program holds an IPU (ERROR_NO_ROOM, and only then).  After -1 nothing is
 * attached; do not call attach_end().
 */
int attach(struct attachment *, int ipus, int device_id, const char *command,
    struct error *);
/* Attach for another process, which is shown as the holder.  The caller has the
   IPUs, and must call attach_end() when that process ends. */
int attach_for(struct attachment *, int ipus, int device_id,
    const struct ipu_holder *, struct error *);
/* Give the IPUs back; close the registry or the server's lease. */
void attach_end(struct attachment *);

/* Attach, but instead of ERROR_NO_ROOM wait, without limit, for the IPUs. */
int attach_wait(struct attachment *, int ipus, int device_id,
    const char *command, struct error *);

/* Check that the program still has its device.  -1: an IPU, its partition or
   the server is lost, or an IPU has an error; in PopTorch's words. */
int attach_check(const struct attachment *, struct error *);

/* Check the IPUs of the job's other instances.  -1: one is lost.
   `attachment` is void for use as a collective's trouble(). */
int attach_check_siblings(const void *attachment, struct error *);

/* Return the slot of the device's IPU 0 to count-1, for its counters. */
struct ipu_slot *attach_slot(const struct attachment *, int ipu);
/* Whether the IPU of that slot is lost or has an error; costs a few loads. */
bool attach_local_in_trouble(const struct ipu_slot *);

#endif
