/*
 * The program that holds an IPU, as others are shown it: the words of the IPU's
 * slot (core/state/ipu_slot.h).
 */
#ifndef IPU_DEVICE_IPU_HOLDER_H
#define IPU_DEVICE_IPU_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/state/state.h"

struct ipu_holder {
	pid_t		 pid;		/* of a process on this host */
	uid_t		 uid;
	const char	*command;	/* what gc-monitor shows */
};

/* This process, with a command that lives as long. */
struct ipu_holder	ipu_holder_own(const char *command);

/* The words of that program, of this host and of the GCD. */
void	ipu_holder_describe(const struct ipu_holder *, int gcd,
	    struct ipu_slot *words);

/* Write such words into a slot.  The caller has the IPU's lock. */
void	ipu_holder_write(struct ipu_slot *, const struct ipu_slot *words);

/*
 * Say who holds the IPU, which is number `routing_id` of the partition; or that
 * nobody does any more.  Returns -1 with ERROR_NO_ROOM.
 */
int	ipu_holder_explain(const struct registry *, int ipu, int routing_id,
	    const char *partition, struct error *);

/*
 * Whether the process that holds the IPU is gone, so that the IPU is about to
 * be free: somebody else holds the lock for it, and has not heard it yet.
 */
bool	ipu_holder_is_gone(const struct registry *, int ipu);

#endif
