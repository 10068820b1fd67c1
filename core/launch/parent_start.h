/*
 * What poprun tells the parent of an instance that is to start: LINK_START.
 */
#ifndef CORE_LAUNCH_PARENT_START_H
#define CORE_LAUNCH_PARENT_START_H

#include <stdbool.h>
#include <stddef.h>

#include "core/link/link.h"

/* What LINK_START says, as 32-bit numbers in this order. */
struct parent_start {
	int	grace_ms;		/* from SIGTERM to SIGKILL */
	int	terminal;		/* 1: stdout is a pseudo terminal */
	int	rows, columns;		/* of it */
	int	merge_errors;		/* 1: stderr goes where stdout does */
	int	placement;		/* enum binding_policy */
	int	local_index;		/* among so many of its host */
	int	local_count;
	int	input;			/* 1: stdin is stream 0; 0: empty */
};

/* The body of LINK_START, PARENT_START_BYTES long. */
enum { PARENT_START_BYTES = 9 * 4 };
void	parent_start_put(const struct parent_start *,
	    unsigned char body[PARENT_START_BYTES]);
bool	parent_start_get(const struct link_message *, struct parent_start *);

#endif
