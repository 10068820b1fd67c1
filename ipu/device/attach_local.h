/*
 * Attaching to a device of this host's registry: for a program that may write
 * it, and for a server that does so for others.  attach.h is what programs use.
 *
 * One range lock, so all IPUs of a device or none, and free again the moment
 * the process is gone.  Attaching resets the IPUs: errors that an IPU reset
 * clears are gone.
 */
#ifndef IPU_DEVICE_ATTACH_LOCAL_H
#define IPU_DEVICE_ATTACH_LOCAL_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/job/popdist.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/visible_devices.h"

/* An IPU of the partition on which another instance of the job may run. */
struct sibling_ipu {
	int		ipu;		/* number in the pod */
	int		id;		/* as a device of the partition */
	_Atomic bool	watched;	/* it was in order once: what a program
					   before this job lost does not
					   count */
};

/* What is asked for. */
struct attach_request {
	int			 ipus;		/* 0: whatever device_id has */
	int			 device_id;	/* -1: by its size */
	const struct ipu_slot	*words;		/* who holds it, for its slot */
	/* For another program; NULL: as the environment of this one says. */
	const struct visible_name *name;
	const struct popdist	*popdist;
	bool			 at_once;	/* of device_take_at_once() */
};

/* The device that a program has. */
struct taken_device {
	struct device	device;
	int		first_ipu;	/* number in the pod */
	int		count;		/* of IPUs; 0: none is taken */
	char		partition[NAME_SIZE];
	int		gcd_ipus;	/* of each GCD of the partition */
	int		model;		/* enum machine_model, of its machine */
};

struct local_attachment {
	struct registry	registry;	/* writable, owned */
	struct taken_device taken;
	bool		at_once;
	struct sibling_ipu *siblings;	/* owned; NULL: the job is this one
					   instance */
	int		sibling_count;
};

/*
 * Attach, and fail where others hold the IPUs; or wait until they do not.  The
 * reasons and their codes are those of attach().
 */
int	attach_local(struct local_attachment *, const struct attach_request *,
	    struct error *);
int	attach_local_wait(struct local_attachment *,
	    const struct attach_request *, struct error *);
/* Give the IPUs back and close the registry.  _abandon: for a program that did
   not end in order; its words stay, as those of one that was killed do. */
void	attach_local_end(struct local_attachment *);
void	attach_local_abandon(struct local_attachment *);

/* As attach_check() and attach_check_siblings(). */
int	attach_local_check(const struct local_attachment *, struct error *);
int	attach_local_check_siblings(const struct local_attachment *,
	    struct error *);

/* Whether that IPU is in trouble: the same, as cheap as two loads. */
bool	attach_local_in_trouble(const struct ipu_slot *);

/* The slot of the device's IPU 0 to count-1. */
struct ipu_slot	*attach_local_slot(const struct local_attachment *, int ipu);

#endif
