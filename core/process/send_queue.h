/*
 * Sending over a socket without waiting: as much as the socket takes is sent at
 * once, without a copy; the rest is kept in order.
 */
#ifndef CORE_PROCESS_SEND_QUEUE_H
#define CORE_PROCESS_SEND_QUEUE_H

#include <sys/uio.h>

#include <stdbool.h>
#include <stddef.h>

struct send_queue {
	int fd;		/* the caller's */
	size_t max;	/* limit of waiting bytes, beyond which the receiver is
			   given up */
	int error;	/* errno, ENOBUFS beyond max: sending has ended; or 0 */
	int descriptor; /* descriptor to send with the next bytes, or -1 */
	unsigned char *bytes; /* begin to end wait */
	size_t begin, end, room;
};

/* Begin an empty queue. */
void send_queue_init(struct send_queue *, int fd, size_t max);
/* Free the memory and close a descriptor that still waits; fd stays open. */
void send_queue_release(struct send_queue *);

/* Return the number of waiting bytes. */
size_t send_queue_waiting(const struct send_queue *);

/* Send the parts, or keep a copy of what the socket has no room for.  Does
   nothing after an error. */
void send_queue_put(struct send_queue *, struct iovec *parts, size_t count);

/* Send a descriptor, which the queue takes over, with the next bytes of a unix
   socket.  Returns false, and closes the new descriptor, if an earlier one
   still waits or sending has ended. */
bool send_queue_pass(struct send_queue *, int fd);

/* Free the memory of the queue, which must have no waiting bytes. */
void send_queue_shrink(struct send_queue *);

/* Send as many waiting bytes as possible. */
void send_queue_flush(struct send_queue *);

#endif
