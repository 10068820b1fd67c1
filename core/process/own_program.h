/*
 * This program's own file, and the names of its applets: what starts ipubox
 * or an applet where the PATH has no link of that name.
 */
#ifndef CORE_PROCESS_OWN_PROGRAM_H
#define CORE_PROCESS_OWN_PROGRAM_H

#include <stdbool.h>

#include "core/base/error.h"

struct strvec;

/* "FILE __ipubox ARGUMENT ..." is ipubox, whatever its file is called. */
#define OWN_PROGRAM_WORD	"__ipubox"

/* Call it first: the names of all applets, ending with NULL, and argv[0] as it
   came, from which the file is found.  Both are kept, not copied. */
void	own_program_register(const char *const *names, const char *called);

/* Whether that is the name of an applet. */
bool	own_program_has(const char *name);

/* Whether a file of that name is the program itself: "ipubox", "ipubox-0.1"
   and the like are, "ipubox-train", which is an applet, is not. */
bool	own_program_is_ipubox(const char *name);

/*
 * What starts a program, given with its arguments as a user typed it: the file
 * to execute in *path, which the caller frees, and the argv, which is added to
 * `command`.  An applet, or ipubox, that the PATH does not have is our own
 * file: "FILE APPLET ARGUMENT ...".  0, or program_find()'s status and the
 * reason.
 */
int	own_program_find(char *const *program, char **path,
	    struct strvec *command, struct error *);

/* Add the words that begin a command of ipubox itself, "FILE __ipubox"; -1
   where this program's own file is not found. */
int	own_program_add(struct strvec *command, struct error *);

/* Symbolic links to that file of this program, for all names that it has. */
int	own_program_link_all(const char *file, const char *directory,
	    struct error *);

#endif
