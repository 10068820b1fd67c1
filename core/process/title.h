/*
 * The name and the command line that ps(1) and pkill(1) see of a process: of
 * ours that is forked and executes nothing, and of others.
 */
#ifndef CORE_PROCESS_TITLE_H
#define CORE_PROCESS_TITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TITLE_MAX = 15 };		/* bytes that the kernel keeps of a
					   process's name */

/*
 * In main(), before anything is changed in argv: remember where the command
 * line is.  Without it title_set() sets only the name.
 */
void	title_init(int argc, char *const *argv);

/*
 * From now on this process has that name, of at most TITLE_MAX bytes, and
 * nothing else as its command line; where that was shorter, the name is cut
 * there.  The words of main()'s argv are gone then: nothing may point to them
 * any more.
 */
void	title_set(const char *name);

/*
 * The command line of a process, 0: of this one, by /proc: the first word
 * without its directory, then the others, all of them or those before the first
 * option.  Cut where there is no room.  -1, and an empty text: it cannot be
 * read.
 */
int	title_read(pid_t, bool options, char *text, size_t size);

#endif
