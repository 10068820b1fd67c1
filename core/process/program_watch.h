/*
 * The program that started this process, and its end.  A pipe from it is not
 * enough to know it: its other children may have inherited the pipe.
 */
#ifndef CORE_PROCESS_PROGRAM_WATCH_H
#define CORE_PROCESS_PROGRAM_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

struct program_watch {
	pid_t	pid;
	int	fd;			/* readable when the program has
					   ended; -1: the system has no such
					   descriptor */
};

/*
 * Watch this process's parent.  Who starts this process and waits for a first
 * word of it is known for sure; else the parent may have ended before, and
 * whoever takes in orphans is watched.
 */
void	program_watch_parent(struct program_watch *);

/* How long poll(2) may wait before program_watch_is_gone() is asked again, in
   ms; -1: the descriptor tells it. */
int	program_watch_timeout(const struct program_watch *);

/* Whether the program has ended, whoever waits for its status. */
bool	program_watch_is_gone(const struct program_watch *);

/* Watch it no more.  Without the descriptor it can still be asked for. */
void	program_watch_release(struct program_watch *);

#endif
