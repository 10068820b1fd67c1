/*
 * The commands in a text of a shell, as far as they can be read without running
 * it: words, without what variables and substitutions would put in.
 */
#ifndef CORE_IPUJOB_LINT_SCRIPT_H
#define CORE_IPUJOB_LINT_SCRIPT_H

#include <stddef.h>

#include "core/base/strvec.h"

struct lint_command {
	struct strvec	words;
	size_t		program;	/* which word it is: what stands before
					   are NAME=VALUE, exec, time, then and
					   the like */
	int		line;		/* of the text, from 1 */
};

struct lint_script {
	struct lint_command	*commands;	/* none without words */
	size_t			 count;
	size_t			 room;
	int			 cut_line;	/* a backslash with spaces
						   behind it, that does not
						   join the lines; 0: none */
};

/* Empty: all zero. */
void	lint_script_release(struct lint_script *);

/*
 * Add the commands of a text.  They end at a line break, ; & | ( ) and `;
 * quotes and comments are a shell's, and the body of a here document is read as
 * commands too.
 */
void	lint_script_read(struct lint_script *, const char *text);

/* Add a list of words, as it is executed without a shell. */
void	lint_script_add(struct lint_script *, char *const *words);

/* The program's name without its directory; "" of NAME=VALUE alone. */
const char	*lint_script_program(const struct lint_command *);

#endif
