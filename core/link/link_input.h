/*
 * What an instance is to read, on its way from a descriptor of poprun into
 * stream 0 of its link.  Nothing is kept here: it is read when there is credit.
 */
#ifndef CORE_LINK_LINK_INPUT_H
#define CORE_LINK_LINK_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/link/link.h"

struct link_input {
	int		 epoll;
	uint64_t	 key;		/* for it */
	int		 fd;		/* -1: none, or over */
	bool		 watched;	/* until there is something to read */
};

/* None yet.  It is watched under the key by this epoll(7) descriptor. */
void	link_input_init(struct link_input *, int epoll, uint64_t key);

/* Nobody reads it any more. */
void	link_input_close(struct link_input *);

/* Send what is there, as far as there is credit, and the end. */
void	link_input_continue(struct link_input *, struct link *);

#endif
