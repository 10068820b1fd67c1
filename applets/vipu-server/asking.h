/*
 * Methods as table rows: the type of the request, the required rights, and the
 * function that handles it.
 */
#ifndef APPLETS_VIPU_SERVER_ASKING_H
#define APPLETS_VIPU_SERVER_ASKING_H

#include "applets/vipu-server/daemon.h"

/* A request with its caller. */
struct asking {
	struct rpc_call *call;
	struct daemon *daemon;
	struct controller *controller; /* acts for the caller; borrowed */
	struct identity id;
};

struct asking_row {
	const char *path;
	const pb_msgdesc_t *type; /* type of the request */
	size_t size;		  /* size of its struct */
	bool administers;	  /* administrators only */
	/* Handle a request.  The request is freed afterwards.  0: the call is
	   answered, or waits (waiters.h); -1: asking_take() refuses it with the
	   error. */
	int (*act)(const struct asking *, const void *request, struct error *);
};

/* The row of a method of the service; nanopb gives its messages that prefix. */
#define ASKING_ROW(service, prefix, method, admin, function) \
	{ \
		"/" service "/" #method, prefix##_##method##Request_fields, \
		    sizeof(prefix##_##method##Request), admin, function \
	}

/* Admit the caller, decode the bytes and let the row of the call's method
   handle it, or end the call with the reason.  The method must be in a row. */
void asking_take(const struct asking_row *, struct rpc_call *,
    const void *bytes, size_t size);

/* Return a text of a message, or "" if it is NULL. */
const char *asking_text(const char *);

#endif
