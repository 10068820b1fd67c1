/*
 * Packets of messages between poprun and the supervisor, over a SOCK_SEQPACKET
 * socket.  A packet holds many messages, because each packet wakes the other
 * side; descriptors travel with them.
 */
#ifndef CORE_PROCESS_PACKET_H
#define CORE_PROCESS_PACKET_H

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

/* Send the packet unless it has no message, then close its descriptors, of
   which the receiver gets copies, and empty it.  Returns 0, also with a socket
   of -1, which drops the packet; or the errno for which it was lost. */
int packet_send(struct packet *, int socket);

/* Receive a packet.  Its descriptors are close-on-exec and the caller's; if
   this process has reached its limit, the last ones are missing.  -1: the other
   side has closed, or the socket failed; the packet is empty. */
int packet_receive(struct packet *, int socket);

#endif
