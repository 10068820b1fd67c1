/*
 * What all methods do alike.
 */
#include "applets/vipu-server/asking.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"

const char *
asking_text(const char *text)
{
	return text != NULL ? text : "";
}

void
asking_take(const struct asking_row *row, struct rpc_call *call,
    const void *bytes, size_t size)
{
	struct asking	 a = { .call = call,
	    .daemon = rpc_call_context(call) };
	struct error	 e;
	void		*request;

	while (strcmp(row->path, rpc_call_path(call)) != 0)
		row++;
	request = xcalloc(1, row->size);
	if (rpc_message_take(call, row->type, bytes, size, request) == 0) {
		a.controller = row->administers ?
		    daemon_ask_administrator(call, &a.id) :
		    daemon_ask(call, &a.id);
		if (a.controller != NULL && row->act(&a, request, &e) != 0)
			rpc_call_refuse(call, &e);
		rpc_message_release(row->type, request);
	}
	free(request);
}
