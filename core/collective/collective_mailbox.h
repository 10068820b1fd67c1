/*
 * A program's mailbox: memory in which its message and the answer change hands
 * without a system call (ipubox-link(7)).  There is at most one message in it
 * that is not answered.  For collective_connection.c and collective_server.c.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MAILBOX_H
#define CORE_COLLECTIVE_COLLECTIVE_MAILBOX_H

#include <sys/uio.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/collective/collective_message.h"

enum {
	COLLECTIVE_MAILBOX_PAGE = 4096,		/* of the numbers */
	COLLECTIVE_MAILBOX_BYTES = COLLECTIVE_MAILBOX_PAGE +
	    2 * COLLECTIVE_MESSAGE_MAX
};

struct collective_mailbox {
	unsigned char	*memory;	/* shared; NULL: there is none */
	unsigned char	*message;	/* a copy of what was in it */
	uint64_t	 taken;		/* the number of the last message */
	bool		 waits;		/* it is not answered yet */
};

/* The memory, of COLLECTIVE_MAILBOX_BYTES, is the mailbox's from now on. */
void	collective_mailbox_open(struct collective_mailbox *,
	    unsigned char *memory);
void	collective_mailbox_release(struct collective_mailbox *);

/* Whether there is a message that was not taken. */
bool	collective_mailbox_has(const struct collective_mailbox *);

/*
 * Take it: its body is good until the next one is taken.  -1: it is not a
 * message.
 */
int	collective_mailbox_take(struct collective_mailbox *,
	    struct collective_head *, const unsigned char **body,
	    struct error *);

/* Whether the message with that number came by it, and waits. */
bool	collective_mailbox_waits(const struct collective_mailbox *,
	    uint32_t number);

/* Answer it, with so many parts of 64 KiB at most together.  True: the program
   sleeps, and is to be woken. */
bool	collective_mailbox_answer(struct collective_mailbox *,
	    const struct iovec *parts, size_t count);

/* poprun sleeps from now on, or no longer: who posts a message wakes it. */
void	collective_mailbox_sleep(struct collective_mailbox *, bool sleeps);

#endif
