/*
 * Methods as rows: what they get decoded, who asks them, and the function that
 * does it; and those functions that stand in files of their own.
 */
#ifndef APPLETS_VIPU_SERVER_ASKING_H
#define APPLETS_VIPU_SERVER_ASKING_H

#include <pb.h>

#include <stdbool.h>
#include <stddef.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/error.h"

/* One who asks. */
struct asking {
	struct rpc_call *call;
	struct daemon *daemon;
	struct controller *controller; /* in its name */
	struct identity id;
};

struct asking_row {
	const char *path;
	const pb_msgdesc_t *type; /* of the request */
	size_t size;		  /* of its struct */
	bool administers;	  /* only for administrators */
	/* 0: the call is answered, or kept; -1: it is to be refused. */
	int (*act)(const struct asking *, const void *request, struct error *);
};

/* A row of a method of the service, whose messages nanopb gives that prefix. */
#define ASKING_ROW(service, prefix, method, admin, function) \
	{ \
		"/" service "/" #method, prefix##_##method##Request_fields, \
		    sizeof(prefix##_##method##Request), admin, function \
	}

/* A call with its bytes, from its arrival to its answer.  Its method has one of
   the rows. */
void asking_take(const struct asking_row *, struct rpc_call *,
    const void *bytes, size_t size);

/* A text of a message, which may be none. */
const char *asking_text(const char *);

/* What administrators ask of a pod through ipubox.v1. */
/* Requests are those of the methods: ReplacePod. */
int administration_replace(const struct asking *, const void *, struct error *);

/* TestCluster, InjectFault. */
int administration_test(const struct asking *, const void *, struct error *);
int administration_inject(const struct asking *, const void *, struct error *);

/* ListUsers, CreateUser, UpdateUser, RemoveUser. */
int administration_list_users(const struct asking *, const void *,
    struct error *);
int administration_create_user(const struct asking *, const void *,
    struct error *);
int administration_update_user(const struct asking *, const void *,
    struct error *);
int administration_remove_user(const struct asking *, const void *,
    struct error *);

#endif
