/*
 * A call of a guest, and how it comes to its meeting; for collective_table.c
 * alone.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_ENTRY_H
#define CORE_COLLECTIVE_COLLECTIVE_ENTRY_H

#include <stdint.h>

#include "core/collective/collective_meeting.h"

enum { COLLECTIVE_ENTRY_OPEN_MAX = 65536 };	/* meetings at a time */

struct collective_entry {
	const struct collective_guest	*guest;
	const struct collective_call	*call;
	struct collective_members	*members;	/* who meet: the guest's
							   is one of them */
	struct collective_members	*set;		/* to register */
	struct collective_request	*request;
	int64_t				 now_ms;
	enum collective_code		 code;		/* 0: all is well */
	const char			*reason;	/* where it is not */
};

/*
 * It comes.  What is wrong with it, or different from the first one's call,
 * fails the meeting.
 */
void	collective_entry_enter(struct collective_meetings *,
	    const struct collective_entry *);

#endif
