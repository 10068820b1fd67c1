/*
 * A pseudo terminal as a program's standard output, so that the program shows
 * what it prints at once, in lines, colours and the terminal's width.
 */
#ifndef CORE_PROCESS_PTY_H
#define CORE_PROCESS_PTY_H

#include <sys/ioctl.h>

#include <stdbool.h>

/*
 * Raw: the bytes come out as they went in, and nothing is echoed.  It is
 * nobody's controlling terminal, so no key and no closing of it sends a signal.
 * fds[0] is to be read; fds[1] is the program's.  Both are close-on-exec.
 * 0, or the system's number of the reason why not, as where there is no devpts.
 *
 * When the last process has closed the program's end, what is left can be read,
 * and after it read(2) says EIO: that is the end.  `size` may be NULL.
 */
int	pty_open(int fds[2], const struct winsize *size);

/*
 * The size of the terminal behind `fd` without the first columns, in which
 * something else stands.  False, and all zero: it is not a terminal.
 */
bool	pty_size_behind(int fd, int columns, struct winsize *);

/* By the end that is read.  Nobody is told: the caller passes SIGWINCH on. */
void	pty_set_size(int fd, const struct winsize *);

#endif
