/*
 * Something done with the rights of another user, for root among files of
 * users.
 */
#ifndef CORE_PROCESS_ACT_AS_H
#define CORE_PROCESS_ACT_AS_H

#include <sys/types.h>

#include "core/base/error.h"

/* The group of a user whom /etc/passwd does not have: nobody's, as usual. */
enum { ACT_AS_UNKNOWN_GROUP = 65534 };

/*
 * Call act(context, error) with the rights of the user `uid` alone: in a child
 * process that has its uid, its primary group and its groups (for a user whom
 * /etc/passwd does not have: ACT_AS_UNKNOWN_GROUP and no other), and that has
 * its home in HOME.  What it changes in memory is lost.  Returns what `act`
 * returns, with its error.  -1 as well: this process may not become that user
 * (ERROR_DENIED), or the child ended without an answer, or gave none in
 * 10 seconds.
 */
int	act_as(uid_t uid, int (*act)(void *context, struct error *),
	    void *context, struct error *);

#endif
