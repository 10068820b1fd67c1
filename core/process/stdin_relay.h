/*
 * Keyboard input for a job.  Its processes are not part of the terminal's
 * foreground group and may not read from it, so poprun reads and hands on
 * what was typed.
 */
#ifndef CORE_PROCESS_STDIN_RELAY_H
#define CORE_PROCESS_STDIN_RELAY_H

#include <poll.h>
#include <stddef.h>

struct stdin_relay {
	int	terminal;		/* -1: nothing to do any more */
	int	pipe;
	char	data[4096];
	size_t	used;
};

/*
 * Returns the descriptor for the process: the read end of a pipe when `input`
 * is a terminal, else `input` itself, with nothing left to do for the relay.
 */
int	stdin_relay_init(struct stdin_relay *, int input);
void	stdin_relay_release(struct stdin_relay *);

/* What to wait for (fd -1: nothing), and what to do when it came. */
struct pollfd	stdin_relay_poll(const struct stdin_relay *);
void	stdin_relay_continue(struct stdin_relay *);

#endif
