/*
 * The slot of an IPU in the registry.
 */
#ifndef CORE_STATE_IPU_SLOT_H
#define CORE_STATE_IPU_SLOT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * How long an IPU computed in each of the last seconds: a ring of 64 words in
 * its slot, one per second of CLOCK_REALTIME, at the second's number modulo 64.
 *
 *	bits 31..20  the second's number / 64, modulo 4096, which tells whose
 *	             second the word is: what is older counts as 0
 *	bits 19..0   microseconds, at most 1,000,000
 *
 * One thread writes the ring of an IPU; each word is whole by itself, so others
 * read it at any time, and with any words they learn of 0 to 100 %.  A word of
 * exactly three days (4096 x 64 s) before counts again: for a second, and only
 * where the IPU has not computed since.
 */
enum { BUSY_RING_SECONDS = 64 };

struct busy_ring {
	_Atomic uint32_t words[BUSY_RING_SECONDS];
};

enum {
	SLOT_COMMAND_SIZE = 160,
	SLOT_USER_SIZE = 32,
	SLOT_HOST_SIZE = 64,
	/* in flags: the holder */
	SLOT_MONITORED = 1, /* has the sensors read */
	SLOT_UNMEASURED = 2 /* does not have its work measured */
};

/*
 * Who is attached to an IPU, and what the IPU counted.  The holder's words
 * count only while the IPU's byte is locked; they are written under that
 * lock, with `sequence` odd meanwhile.  The counters only grow.
 */
struct ipu_slot {
	_Atomic uint32_t sequence;
	int32_t pid;
	uint32_t uid;
	int32_t gcd;
	int64_t attached_ns; /* CLOCK_REALTIME */
	char user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE];
	char command[SLOT_COMMAND_SIZE];
	uint64_t pid_namespace;		  /* inode of /proc/PID/ns/pid */
	_Atomic uint64_t busy_ns;	  /* computing, since creation */
	_Atomic uint64_t session_busy_ns; /* since the last attach */
	_Atomic uint64_t exchange_bytes;
	_Atomic uint64_t host_bytes;
	_Atomic uint64_t last_busy_ns; /* CLOCK_REALTIME */
	uint64_t flags;		       /* of the holder */
	_Atomic uint32_t soc_error;    /* a set: pod/soc_error.h */
	_Atomic uint32_t lost;	       /* its machine went away under the
					  holder */
	struct busy_ring ring;	       /* work by seconds */
	uint64_t reserved[5];
};

/* The IPU computed from start_ns to end_ns, CLOCK_REALTIME. */
void busy_ring_add(struct busy_ring *, int64_t start_ns, int64_t end_ns);

/* Nanoseconds at work in that second, 0 to 10^9. */
int64_t busy_ring_second(const struct busy_ring *, int64_t second);

/*
 * Nanoseconds at work from now_ns - window_ns to now_ns.  The window is at most
 * 62 seconds; of the second in which it begins the part inside it counts, as if
 * the work was even over that second:
 *
 *	now 100.25 s, window 1 s: all of second 100 and 3/4 of second 99
 */
int64_t busy_ring_window(const struct busy_ring *, int64_t now_ns,
    int64_t window_ns);

#endif
