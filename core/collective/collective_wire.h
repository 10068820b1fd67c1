/*
 * The numbers and fields of the messages between a program's library and the
 * collectives of its job.
 *
 * Source: ipubox-link(7).
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WIRE_H
#define CORE_COLLECTIVE_COLLECTIVE_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
	COLLECTIVE_VERSION = 1,
	COLLECTIVE_HEAD_BYTES = 16,
	COLLECTIVE_MESSAGE_MAX = 64 * 1024, /* with its head */
	COLLECTIVE_NAME_MAX = 255,	    /* longest id or communicator */
	COLLECTIVE_GROUP_MAX = 63,	    /* longest name of a group */
	COLLECTIVE_MEMBERS_MAX = 4096,
	/* longest operation message without its vector */
	COLLECTIVE_CALL_MAX = COLLECTIVE_HEAD_BYTES + 40 +
	    2 * COLLECTIVE_NAME_MAX,
	COLLECTIVE_BYTES_HEAD = COLLECTIVE_HEAD_BYTES + 8 /* and an offset */
};

enum collective_kind {
	/* from the program */
	COLLECTIVE_HELLO = 1,
	COLLECTIVE_MEMORY,
	COLLECTIVE_OPERATION,
	COLLECTIVE_COMMUNICATOR,
	COLLECTIVE_LEAVE,
	COLLECTIVE_MAILBOX,
	COLLECTIVE_WAKE,
	COLLECTIVE_BYTES = 64, /* between hosts */
	/* from poprun: the answers, and a notice about the mailbox */
	COLLECTIVE_DONE = 128,
	COLLECTIVE_ERROR,
	COLLECTIVE_WOKEN
};
/* Flag of an operation: vector and result are in the shared memory; and of a
   leave: the member does not return. */
enum { COLLECTIVE_IN_MEMORY = 1, COLLECTIVE_FOR_GOOD = 1 };

enum collective_operation {
	COLLECTIVE_BARRIER = 1,
	COLLECTIVE_SUM,
	COLLECTIVE_GATHER,
	COLLECTIVE_BROADCAST,
	COLLECTIVE_CHAIN /* between relays */
};

/* The reason in a COLLECTIVE_ERROR. */
enum collective_code {
	COLLECTIVE_MALFORMED = 1, /* poprun closes the connection */
	COLLECTIVE_OTHER_VERSION,
	COLLECTIVE_MISMATCH, /* arguments are wrong or differ between members */
	COLLECTIVE_TWICE,    /* a member uses the id twice at once */
	COLLECTIVE_TIMED_OUT,
	COLLECTIVE_GONE,	    /* a member has ended */
	COLLECTIVE_LEFT,	    /* a member has left */
	COLLECTIVE_NO_COMMUNICATOR, /* not there, or without the caller */
	COLLECTIVE_NO_ROOM	    /* for memory, result, vectors, meetings */
};

struct collective_head {
	uint32_t size, request; /* size of the whole message; number that its
				   answer repeats */
	uint16_t kind, flags;	/* enum collective_kind, or unknown */
};

struct collective_hello {
	uint32_t version; /* if not COLLECTIVE_VERSION, the rest is unset */
	uint32_t instance, pid, member, members;
	char group[COLLECTIVE_GROUP_MAX + 1]; /* "": the job's instances */
};

struct collective_call {
	int operation;		 /* enum collective_operation */
	int type;		 /* enum element_type; a barrier has none */
	uint32_t root;		 /* the broadcaster's number in the group */
	uint32_t timeout_ms;	 /* 0: no limit */
	uint64_t count;		 /* elements per member */
	uint64_t vector, result; /* offsets, if COLLECTIVE_IN_MEMORY */
	char communicator[COLLECTIVE_NAME_MAX + 1];
	char id[COLLECTIVE_NAME_MAX + 1];
	size_t data_bytes;	   /* of the vector in the message */
	const unsigned char *data; /* that vector, within the body */
};

struct collective_set {
	char name[COLLECTIVE_NAME_MAX + 1]; /* of the new communicator */
	uint32_t count;
	const unsigned char *members; /* see collective_message_member() */
};

#endif
