/*
 * The last lines of what a process wrote, for whoever asks why it failed.
 */
#ifndef CORE_PROCESS_TAIL_H
#define CORE_PROCESS_TAIL_H

#include <stdbool.h>
#include <stddef.h>

enum {
	TAIL_BYTES = 4096,
	TAIL_LINES = 10
};

/* Empty: all zero.  The bytes as they came, cut to lines when asked for. */
struct tail {
	char	*data;			/* room for 2 x TAIL_BYTES, or NULL */
	size_t	 used;
	bool	 cut;			/* more came before it */
};

/* More bytes; and the end of it. */
void	tail_add(struct tail *, const char *, size_t);
void	tail_release(struct tail *);

/*
 * The last TAIL_LINES lines of the last TAIL_BYTES, each with its newline and
 * none in part if there is a whole one.  Of what was drawn over ("\r") the last
 * state counts.  The caller frees it; NULL: nothing was written.
 */
char	*tail_text(const struct tail *, size_t *size);

#endif
