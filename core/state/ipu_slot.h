/*
 * The slot of an IPU in the registry.
 */
#ifndef CORE_STATE_IPU_SLOT_H
#define CORE_STATE_IPU_SLOT_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/state/busy_ring.h"

enum {
	SLOT_COMMAND_SIZE = 160,
	SLOT_USER_SIZE = 32,
	SLOT_HOST_SIZE = 64,
	/* in flags: the holder */
	SLOT_MONITORED = 1,	/* has the sensors read */
	SLOT_UNMEASURED = 2	/* does not have its work measured */
};

/*
 * Who is attached to an IPU, and what the IPU counted.  The holder's words
 * count only while the IPU's byte is locked; they are written under that
 * lock, with `sequence` odd meanwhile.  The counters only grow.
 */
struct ipu_slot {
	_Atomic uint32_t	sequence;
	int32_t			pid;
	uint32_t		uid;
	int32_t			gcd;
	int64_t			attached_ns;	/* CLOCK_REALTIME */
	char			user[SLOT_USER_SIZE];
	char			host[SLOT_HOST_SIZE];
	char			command[SLOT_COMMAND_SIZE];
	uint64_t		pid_namespace;	/* inode of /proc/PID/ns/pid */
	_Atomic uint64_t	busy_ns;	/* computing, since creation */
	_Atomic uint64_t	session_busy_ns; /* since the last attach */
	_Atomic uint64_t	exchange_bytes;
	_Atomic uint64_t	host_bytes;
	_Atomic uint64_t	last_busy_ns;	/* CLOCK_REALTIME */
	uint64_t		flags;		/* of the holder */
	_Atomic uint32_t	soc_error;	/* a set: pod/soc_error.h */
	_Atomic uint32_t	lost;		/* its machine went away under
						   the holder */
	struct busy_ring	ring;		/* work by seconds */
	uint64_t		reserved[5];
};

#endif
