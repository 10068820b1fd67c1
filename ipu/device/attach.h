/*
 * Attaching a program to a device: all of its IPUs or none, and free again the
 * moment the program is gone.  Attaching resets the IPUs: errors that an IPU
 * reset clears are gone.
 *
 * Where a server owns the state of this host, or one is named, it holds the
 * device for the program (lease.h); else the program takes it itself in the
 * registry (attach_local.c).
 */
#ifndef IPU_DEVICE_ATTACH_H
#define IPU_DEVICE_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/job/popdist.h"
#include "core/state/registry.h"
#include "ipu/device/device_list.h"
#include "ipu/device/visible_devices.h"

/* The program that holds an IPU, as others are shown it. */
struct ipu_holder {
	pid_t pid; /* of a process on this host */
	uid_t uid;
	const char *command; /* what gc-monitor shows */
};

/* An IPU of the partition on which another instance of the job may run. */
struct sibling_ipu {
	int ipu;	      /* number in the pod */
	int id;		      /* as a device of the partition */
	_Atomic bool watched; /* it was in order once in this job */
};

/* What is asked for. */
struct attach_request {
	int ipus;		      /* 0: whatever device_id has */
	int device_id;		      /* -1: by its size */
	const struct ipu_slot *words; /* who holds it, for its slot */
	/* For another program; NULL: as the environment of this one says. */
	const struct visible_name *name;
	const struct popdist *popdist;
	bool at_once; /* of device_take() */
	bool wait;    /* while others hold the IPUs */
};

/* The device that a program has. */
struct taken_device {
	struct device device;
	int first_ipu; /* number in the pod */
	int count;     /* of IPUs; 0: none is taken */
	char partition[NAME_SIZE];
	int gcd_ipus; /* of each GCD of the partition */
	int model;    /* enum machine_model, of its machine */
};

struct local_attachment {
	struct registry registry; /* writable, owned */
	struct taken_device taken;
	bool at_once;
	struct sibling_ipu *siblings; /* owned; NULL: a job of one instance */
	int sibling_count;
};

struct lease;

struct attachment {
	struct taken_device taken;
	/* One of the two ways: through a server, or this host's registry. */
	struct lease *lease; /* owned; or NULL: */
	struct local_attachment local;
};

/*
 * Attach to a device of the active partition (visible_devices.h): to
 * `device_id`, or with -1 to the one that this instance (core/job/popdist.h)
 * has for `ipus` IPUs; outside poprun, to the first free one of that size.
 * `command` is what gc-monitor shows.
 *
 * Errors are PopTorch's, "Failed to acquire 4 IPU(s)", then the reason: no
 * partition or no such device (ERROR_NOT_FOUND), none of that size
 * (ERROR_INVALID), a partition that is not active (ERROR_UNAVAILABLE), or the
 * program that holds an IPU (ERROR_NO_ROOM, for nothing else).
 */
int attach(struct attachment *, int ipus, int device_id, const char *command,
    struct error *);
/* The same for another process, which is shown as the holder; this one has the
   lock, and knows when the other is gone. */
int attach_for(struct attachment *, int ipus, int device_id,
    const struct ipu_holder *, struct error *);
/* Give the IPUs back and close the registry. */
void attach_end(struct attachment *);

/* The same, but where others hold the IPUs, wait until they are free.  A reason
   that waiting does not help fails at once, also when it comes up meanwhile. */
int attach_wait(struct attachment *, int ipus, int device_id,
    const char *command, struct error *);

/*
 * Check, between steps, that the program still has what it attached to.  -1: an
 * IPU's machine went away, and how the partition fares, or an IPU has an error;
 * in PopTorch's words.
 */
int attach_check(const struct attachment *, struct error *);

/* The same of the IPUs of the job's other instances: -1 when a machine of
   theirs went away.  Takes an attachment, as a collective's trouble(). */
int attach_check_siblings(const void *attachment, struct error *);

/* The slot of the device's IPU 0 to count-1, for its counters; and whether that
   IPU is in trouble, as cheap as two loads. */
struct ipu_slot *attach_slot(const struct attachment *, int ipu);
bool attach_local_in_trouble(const struct ipu_slot *);

#endif
