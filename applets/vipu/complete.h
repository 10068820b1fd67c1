/*
 * Completion of a command line: what may stand in place of its last word.
 */
#ifndef APPLETS_VIPU_COMPLETE_H
#define APPLETS_VIPU_COMPLETE_H

#include "applets/vipu/call.h"

/* A hidden first word, behind which the line to complete stands. */
#define COMPLETE_WORD "__complete"

/*
 * Print the candidates, one per line: verbs, entities, options, their values
 * and the names of what there is.  words[count - 1] is the begun word; the
 * call has no words and is asked in its caller's name.
 */
int	complete(const struct command_line *,
	    const struct option_row *global_options, const struct call *,
	    char **words, int count);

/* vipu completion SHELL: the script that asks. */
int	complete_script(const struct call *);

#endif
