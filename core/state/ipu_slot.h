/*
 * The slot of an IPU in the registry.
 */
#ifndef CORE_STATE_IPU_SLOT_H
#define CORE_STATE_IPU_SLOT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * How long an IPU computed in each of the last seconds: a ring of 64 words in
 * its slot, one per second of CLOCK_REALTIME, indexed by the second modulo 64.
 *
 *	bits 31..20  the second / 64, modulo 4096: identifies the second; an
 *	             older word counts as 0
 *	bits 19..0   microseconds, at most 1,000,000
 *
 * One thread writes the ring of an IPU.  Each word is atomic, so others may
 * read at any time, and any words yield 0 to 100 %.  A word from exactly three
 * days (4096 x 64 s) ago counts again, for one second, and only if the IPU has
 * not computed since.
 */
enum { BUSY_RING_SECONDS = 64 };

struct busy_ring {
	_Atomic uint32_t words[BUSY_RING_SECONDS];
};

enum {
	SLOT_COMMAND_SIZE = 160,
	SLOT_USER_SIZE = 32,
	SLOT_HOST_SIZE = 64,
	/* Flags of the holder: */
	SLOT_MONITORED = 1,  /* sensors may be read while the program runs */
	SLOT_UNMEASURED = 2, /* the program's work is not measured */
	/* The holder is a client over TCP.  Its command and host are what it
	   said, and so is its user unless a key proved that. */
	SLOT_CLAIMED = 4,
	SLOT_CLAIMED_USER = 8
};

/*
 * The program attached to an IPU, and the IPU's counters.  The holder's fields
 * count only while the IPU's byte is locked.  They are written under that lock,
 * with `sequence` odd meanwhile.  The counters only grow, except that
 * session_busy_ns starts anew with each program.
 */
struct ipu_slot {
	_Atomic uint32_t sequence;
	int32_t pid;
	uint32_t uid;
	int32_t gcd;	     /* of the partition, from 0 */
	int64_t attached_ns; /* CLOCK_REALTIME */
	char user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE];
	char command[SLOT_COMMAND_SIZE];
	uint64_t pid_namespace;		  /* inode of /proc/PID/ns/pid */
	_Atomic uint64_t busy_ns;	  /* computing, by all programs */
	_Atomic uint64_t session_busy_ns; /* since the last attach */
	_Atomic uint64_t exchange_bytes;  /* sent between IPUs or tiles */
	_Atomic uint64_t host_bytes;	  /* to and from the host */
	_Atomic uint64_t last_busy_ns;	  /* end of work, CLOCK_REALTIME */
	uint64_t flags;			  /* flags of the holder */
	_Atomic uint32_t soc_error;	  /* a set: core/pod/pod.h */
	_Atomic uint32_t lost; /* its machine was removed while held */
	struct busy_ring ring; /* work by seconds */
	/* Bytes in use by the program; 0: unknown, as at its start. */
	_Atomic uint64_t memory_bytes;
	uint64_t reserved[4];
};

/* Record that the IPU computed from start_ns to end_ns (CLOCK_REALTIME). */
void busy_ring_add(struct busy_ring *, int64_t start_ns, int64_t end_ns);

/* Record it in all counters of the slot, unless its holder is unmeasured. */
void busy_ring_count(struct ipu_slot *, int64_t start_ns, int64_t end_ns);

/* Return the ns at work in that second of CLOCK_REALTIME, 0 to 10^9. */
int64_t busy_ring_second(const struct busy_ring *, int64_t second);

/*
 * Return the nanoseconds at work from now_ns - window_ns to now_ns.  The window
 * must be at most 62 seconds.  The second in which it begins counts in
 * proportion, as if its work was spread evenly:
 *
 *	now 100.25 s, window 1 s: all of second 100 and 3/4 of second 99
 */
int64_t busy_ring_window(const struct busy_ring *, int64_t now_ns,
    int64_t window_ns);

#endif
