/*
 * Keyboard input for a job.  Its processes are no part of the terminal's
 * foreground group and may not read from it, so poprun reads and hands on
 * what was typed.
 */
#ifndef CORE_JOB_PUMP_H
#define CORE_JOB_PUMP_H

#include <poll.h>
#include <stddef.h>

struct pump {
	int	terminal;		/* -1: nothing to do any more */
	int	pipe;
	char	data[4096];
	size_t	used;
};

/*
 * Returns the descriptor for the process: the read end of a pipe when `input`
 * is a terminal, else `input` itself, with nothing left to do for the pump.
 */
int	pump_init(struct pump *, int input);
void	pump_release(struct pump *);

/* What to wait for (fd -1: nothing), and what to do when it came. */
struct pollfd	pump_poll(const struct pump *);
void	pump_continue(struct pump *);

#endif
