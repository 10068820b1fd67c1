/*
 * Packets of messages between poprun and the supervisor, over a SOCK_SEQPACKET
 * socket.  A packet holds many messages, because each packet wakes the other
 * side; descriptors travel with them.
 */
#ifndef CORE_PROCESS_PACKET_H
#define CORE_PROCESS_PACKET_H

#include <sys/uio.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/process/supervisor.h"

enum {
	PACKET_MESSAGES = 32,
	PACKET_FILES = 64 /* the kernel allows up to 253 */
};

struct packet {
	struct supervisor_message messages[PACKET_MESSAGES];
	size_t count;
	int files[PACKET_FILES]; /* descriptors of all the messages, in order */
	size_t file_count;
};

/* Begin an empty packet. */
void packet_init(struct packet *);

/* Return true if the packet has room for a message with so many descriptors. */
bool packet_has_room(const struct packet *, size_t files);

/* Send the packet, waiting for room; then close its descriptors, of which the
   receiver gets copies, and empty it.  Returns 0 or the errno for which it was
   lost.  A packet without messages is not sent.  A socket of -1 drops it. */
int packet_send(struct packet *, int socket);

/* Wait for a packet.  Its descriptors are close-on-exec, and the caller closes
   them; if this process has reached its limit, the last ones are missing.  -1:
   the other side has closed, or the socket failed; the packet is empty. */
int packet_receive(struct packet *, int socket);

/*
 * Sending over a socket without waiting: as much as the socket takes is sent at
 * once, without a copy; the rest is kept in order.
 */

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

/* Send the parts, or keep a copy of what the socket has no room for.  A failure
   sets `error` and drops the waiting bytes.  Does nothing after an error. */
void send_queue_put(struct send_queue *, struct iovec *parts, size_t count);

/* Send a descriptor, which the queue takes over, with the next bytes of a unix
   socket.  Returns false, and closes the new descriptor, if an earlier one
   still waits or sending has ended. */
bool send_queue_pass(struct send_queue *, int fd);

/* Free the memory of the queue, which must have no waiting bytes. */
void send_queue_shrink(struct send_queue *);

/* Send as many waiting bytes as possible; a failure is as above. */
void send_queue_flush(struct send_queue *);

#endif
