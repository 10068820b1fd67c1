/*
 * What may happen to partitions, behind one interface: the embedded
 * controller works on the state directory of this host, a remote one would ask
 * a server.  vipu and poprun know only this.
 *
 * What is asked of a controller: create.h, remove.h, reset.h, wait.h and
 * queue.h of partitions, transaction.h for a look at all of them, pod_change.h,
 * apply.h, cluster_test.h and inject.h of the pod, users.h of its users.
 */
#ifndef CORE_CONTROL_CONTROLLER_H
#define CORE_CONTROL_CONTROLLER_H

#include "core/base/error.h"
#include "core/control/access.h"

struct controller;

/*
 * The embedded controller over this user's state directory, asked in the name
 * of the caller: see access.h and users.h.  NULL: whom the environment and the
 * configuration files name, see config.h.  Refused, with NULL: no user in
 * secure mode, a user who is unknown or has another key
 * (ERROR_UNAUTHENTICATED).  The caller closes it; NULL is fine then.
 */
struct controller	*controller_open_local(const struct caller *,
			    struct error *);
void			 controller_close(struct controller *);

/*
 * What a removed partition left behind, for those who are to be told: an IPUoF
 * file that could not be removed.  NULL: nothing stayed, or there is no
 * controller.  The text lives as long as the controller.
 */
const char		*controller_left(const struct controller *);

#endif
