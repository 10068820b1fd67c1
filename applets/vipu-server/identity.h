/*
 * Who calls: what a call says of its caller, and what that allows.
 *
 *	through the unix socket		the kernel says who: root and the
 *					server's own user are administrators,
 *					others the user of their name
 *	over TCP			the rows of server_put_caller(); or none
 *
 * Nobody is let in where the pod is secure.  In an open pod, whoever names no
 * user sees all of it and may change it, as with the embedded controller.
 */
#ifndef APPLETS_VIPU_SERVER_IDENTITY_H
#define APPLETS_VIPU_SERVER_IDENTITY_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"

enum { IDENTITY_TEXT_SIZE = 160 };

struct identity {
	struct caller	caller;		/* in whose name a controller is asked;
					   admin: sees and changes all */
	bool		may_administer;	/* pods, users, allocations, faults: an
					   administrator, or, in an open pod,
					   anybody who names no user */
	/* For a log: "ann, 10.1.3.7:40312". */
	char		text[IDENTITY_TEXT_SIZE];
};

/* Who is an administrator: names between commas, "" for none. */
struct identity_rules {
	const char	*administrators;
	bool		 secure;	/* the pod is */
};

/*
 * What the call says.  -1: the words of a user or a key are none
 * (ERROR_UNAUTHENTICATED).  Whether the key is right, the controller says; an
 * administrator over TCP is therefore one only behind login_switch().
 */
int	identity_read(struct identity *, const struct rpc_call *,
	    const struct identity_rules *, struct error *);

/* Whether the list of names has this one. */
bool	identity_is_listed(const char *list, const char *name);

#endif
