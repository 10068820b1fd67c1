/*
 * Packets of messages between poprun and the supervisor, over a socket of the
 * kind SOCK_SEQPACKET.  Many messages go in one packet, because each packet
 * wakes the other side; descriptors go with them.
 */
#ifndef CORE_PROCESS_PACKET_H
#define CORE_PROCESS_PACKET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/process/supervisor.h"

enum {
	PACKET_MESSAGES = 32,
	PACKET_FILES = 64 /* the kernel takes up to 253 */
};

struct packet {
	struct supervisor_message messages[PACKET_MESSAGES];
	size_t count;
	int files[PACKET_FILES];
	size_t file_count;
};

/* An empty packet. */
void packet_init(struct packet *);

/* Whether there is room for a message with so many descriptors. */
bool packet_has_room(const struct packet *, size_t files);

/*
 * Send what is in it, if anything is, and close its descriptors, which the
 * receiver has now; it is empty again.  A socket of -1 drops it.  0, or the
 * system's number of the reason why it is lost.
 */
int packet_send(struct packet *, int socket);

/*
 * Receive one.  Its descriptors are close-on-exec and the caller's; where this
 * process may not have so many, the last ones are missing.  -1: the other side
 * is gone; the packet is empty then.
 */
int packet_receive(struct packet *, int socket);

#endif
