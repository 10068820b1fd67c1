/*
 * The standard input of an instance at its parent: what comes over stream 0 of
 * the link goes into a pipe.
 */
#ifndef CORE_LAUNCH_PARENT_INPUT_H
#define CORE_LAUNCH_PARENT_INPUT_H

#include <poll.h>
#include <stdbool.h>

#include "core/link/link.h"

struct parent_input {
	int			 epoll;	/* the pipe has room again */
	struct link_output	 pipe;
	bool			 told;	/* poprun: nobody reads it */
};

/* Nothing to do; all others take that. */
void	parent_input_init(struct parent_input *);

/*
 * *input is what becomes the program's: a pipe, for which poprun gets its
 * credit, where it `reads`; otherwise an empty input, or -1 where the host has
 * none.  The caller closes it.  -1: no pipe can be made, errno says why.
 */
int	parent_input_open(struct parent_input *, struct link *, bool reads,
	    int *input);
void	parent_input_release(struct parent_input *);

/* LINK_DATA, or LINK_END_OF_STREAM. */
void	parent_input_take(struct parent_input *, struct link *,
	    const struct link_message *);

/* What to wait for (fd -1: nothing), and what to do when it came. */
struct pollfd	parent_input_poll(const struct parent_input *);
void	parent_input_continue(struct parent_input *, struct link *);

#endif
