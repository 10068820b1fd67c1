/*
 * What administrators ask of a controller on a vipu-server: the pod, its
 * faults and its users.  They are functions of struct controller_operations.  Private to
 * core/server.
 */
#ifndef CORE_SERVER_REMOTE_IPUBOX_POD_H
#define CORE_SERVER_REMOTE_IPUBOX_POD_H

#include "core/control/operations.h"

/* Of the pod: change_pod, test_cluster and inject. */
int	remote_ipubox_pod_change(struct controller *,
	    int (*change)(struct inventory *, void *, struct error *), void *,
	    struct error *);
int	remote_ipubox_pod_test(struct controller *, const char *cluster,
	    bool force, struct cluster_test *results, struct error *);
int	remote_ipubox_pod_inject(struct controller *,
	    const struct injection *, struct error *);

/* Of users: get_user, list_users, create_user, update_user, remove_user. */
int	remote_ipubox_pod_user(struct controller *, const char *name,
	    struct user *, struct error *);
int	remote_ipubox_pod_users(struct controller *, struct user **out,
	    struct error *);
int	remote_ipubox_pod_create_user(struct controller *, const char *name,
	    const struct user_change *, struct error *);
int	remote_ipubox_pod_update_user(struct controller *, const char *name,
	    const struct user_change *, struct error *);
int	remote_ipubox_pod_remove_user(struct controller *, const char *name,
	    struct error *);

#endif
