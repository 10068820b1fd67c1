/*
 * Standard input for a job.  A file or a pipe that is for one process is handed
 * to it.  What several are to read is read here, and each gets a copy through a
 * pipe; and so is the keyboard: the processes are not part of the terminal's
 * foreground group and may not read from it.
 */
#ifndef CORE_PROCESS_STDIN_RELAY_H
#define CORE_PROCESS_STDIN_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* Who gets it, where that is not the index of a process. */
enum { STDIN_ALL = -1, STDIN_NONE = -2 };

struct stdin_relay {
	int source; /* -1: nothing to do any more */
	bool terminal;
	int room; /* epoll(7): a pipe can take more */
	struct stdin_pipe {
		int fd;		/* -1: its reader is gone */
		size_t written; /* of what is held */
	} * pipes;
	int count;
	char *data; /* that some have not got yet */
	size_t used;
};

/* Nothing to do; release and poll take that. */
void stdin_relay_init(struct stdin_relay *);

/*
 * Deal out `input` to `count` processes: inputs[] are the descriptors that
 * become theirs, -1 for those that get none, and they are the caller's to
 * close, but for `input` itself.  -1: no pipes can be made, errno says why.
 */
int stdin_relay_open(struct stdin_relay *, int input, int to, int *inputs,
    int count);

/* Also ends the input of those who have not read it all. */
void stdin_relay_release(struct stdin_relay *);

/* What to wait for (fd -1: nothing), and what to do when it came. */
struct pollfd stdin_relay_poll(const struct stdin_relay *);
void stdin_relay_continue(struct stdin_relay *);

/*
 * This process reads its standard input no more, which is /dev/null now: so
 * whoever writes to it learns when all readers are gone.
 */
void stdin_relay_give_up(void);

#endif
