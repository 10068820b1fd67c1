/*
 * Common steps of all methods.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/server/rpc/rpc.h"

const char *
asking_text(const char *text)
{
	return text != NULL ? text : "";
}

/* Admit the caller; the controller acts for it until the method returns.  Or
   end the call. */
static int
admit(const struct asking_row *row, struct asking *a)
{
	struct error e;

	if (daemon_identify(a->daemon, a->call, &a->id, &e) == 0) {
		log_debug("%s by %s", row->path, a->id.text);
		a->controller = a->daemon->controller;
		if (!row->administers || a->id.may_administer)
			return 0;
		(void)error_set_code(&e, ERROR_DENIED,
		    "only administrators may do this: root on the server's "
		    "host, and the users that its configuration names");
	}
	daemon_note_refusal(a->call, &e);
	rpc_call_refuse(a->call, &e);
	return -1;
}

void
asking_take(const struct asking_row *row, struct rpc_call *call,
    const void *bytes, size_t size)
{
	struct asking a = { .call = call, .daemon = rpc_call_context(call) };
	struct error e;
	void *request;

	while (strcmp(row->path, rpc_call_path(call)) != 0)
		row++;
	/* A stranger's message is not read: that may be dear. */
	if (admit(row, &a) != 0)
		return;
	request = xcalloc(1, row->size);
	if (rpc_message_take(call, row->type, bytes, size, request) == 0) {
		if (row->act(&a, request, &e) != 0)
			rpc_call_refuse(call, &e);
		rpc_message_release(row->type, request);
	}
	free(request);
}
