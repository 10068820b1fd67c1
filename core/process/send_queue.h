/*
 * What goes out over a socket without waiting: as much as it takes is sent at
 * once, without a copy; the rest is kept, in order.
 */
#ifndef CORE_PROCESS_SEND_QUEUE_H
#define CORE_PROCESS_SEND_QUEUE_H

#include <sys/uio.h>

#include <stdbool.h>
#include <stddef.h>

struct send_queue {
	int fd;	    /* the caller's */
	size_t max; /* an end that takes nothing is given up when so many bytes
		       wait */
	int error;  /* errno, ENOBUFS; nothing is sent any more */
	int passed; /* a descriptor that goes with the next bytes, -1: none */
	unsigned char *bytes;
	size_t begin, end, room;
};

/* Nothing waits yet. */
void send_queue_init(struct send_queue *, int fd, size_t max);
void send_queue_release(struct send_queue *);

/* The bytes that wait. */
size_t send_queue_waiting(const struct send_queue *);

/* Send these parts, whose descriptions are changed, or keep them. */
void send_queue_put(struct send_queue *, struct iovec *parts, size_t count);

/*
 * Over a unix socket: the descriptor, which is the queue's from now on, goes to
 * the other end together with the next bytes.  False: another one still waits
 * for that, and this one is closed.
 */
bool send_queue_pass(struct send_queue *, int fd);

/* Give back the memory of a queue in which no bytes wait. */
void send_queue_shrink(struct send_queue *);

/* Send what waits, as far as it goes. */
void send_queue_flush(struct send_queue *);

#endif
