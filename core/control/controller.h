/*
 * What may happen to partitions, behind one interface: the embedded
 * controller works on the state directory of this host, a remote one asks a
 * server.  vipu and poprun know only this.
 *
 * What is asked of a controller: create.h, remove.h, reset.h, wait.h and
 * queue.h of partitions, transaction.h for a look at all of them, pod_change.h,
 * cluster_test.h and inject.h of the pod, users.h of its users.
 */
#ifndef CORE_CONTROL_CONTROLLER_H
#define CORE_CONTROL_CONTROLLER_H

#include "core/base/error.h"
#include "core/control/access.h"

struct controller;

/*
 * Opens the embedded controller over this user's state directory, which is
 * asked in the name of the caller: see access.h and users.h.  NULL: the caller
 * named by the environment and the configuration files, see config.h.  Refused,
 * with NULL: no user in secure mode, a user who is unknown or has another key
 * (ERROR_UNAUTHENTICATED).  The caller closes it.  server_open_controller()
 * opens controllers on a server as well.
 */
struct controller	*embedded_controller_open(const struct caller *,
			    struct error *);
/* NULL is fine. */
void			 controller_close(struct controller *);

/*
 * Of a server: HOST:PORT, which lives as long, and which version it says of
 * itself.  NULL, and not for the embedded controller.
 */
enum { CONTROLLER_VERSION_SIZE = 64 };
const char		*controller_where(const struct controller *);
int			 controller_version(struct controller *,
			    char version[CONTROLLER_VERSION_SIZE],
			    struct error *);

/*
 * Behind create_owned_partition(), or queue_create() with an owner, at a server
 * the partition is there as long as the connection is.  Keep that until the
 * descriptor is readable, and end it by controller_close().  -1,
 * ERROR_UNAVAILABLE: it was lost.
 */
int			 controller_hold(struct controller *, int fd,
			    struct error *);
/* Close it in this process alone: another one, which was forked, holds it. */
void			 controller_leave(struct controller *);

/*
 * Put what was asked behind a text that misses something in it, on a line of
 * its own: the state directory, or the server.  Returns -1.
 */
int			 controller_append_place(const struct controller *,
			    struct error *);

/*
 * Where this caller has IPUoF files of a server's partitions: they stand on its
 * own host, and go when it removes their partition.  "": where
 * ipuof_files_directory() says.  Of the embedded controller each partition
 * knows it.
 */
void			 controller_set_files(struct controller *,
			    const char *directory);

/*
 * What a removed partition left behind, for those who are to be told: an IPUoF
 * file that could not be removed.  NULL: nothing stayed, or there is no
 * controller.  The text lives as long as the controller.
 */
const char		*controller_left(const struct controller *);

#endif
