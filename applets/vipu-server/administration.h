/*
 * What administrators ask of a pod through ipubox.v1: the pod itself, its
 * users, tests and faults.  Each function acts for a row of asking.h.
 */
#ifndef APPLETS_VIPU_SERVER_ADMINISTRATION_H
#define APPLETS_VIPU_SERVER_ADMINISTRATION_H

#include "applets/vipu-server/asking.h"

/* Requests are those of the methods: ReplacePod. */
int	administration_replace(const struct asking *, const void *,
	    struct error *);

/* TestCluster, InjectFault. */
int	administration_test(const struct asking *, const void *,
	    struct error *);
int	administration_inject(const struct asking *, const void *,
	    struct error *);

/* ListUsers, CreateUser, UpdateUser, RemoveUser. */
int	administration_list_users(const struct asking *, const void *,
	    struct error *);
int	administration_create_user(const struct asking *, const void *,
	    struct error *);
int	administration_update_user(const struct asking *, const void *,
	    struct error *);
int	administration_remove_user(const struct asking *, const void *,
	    struct error *);

#endif
