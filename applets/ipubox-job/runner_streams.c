/*
 * The descriptors of a runner, in itself and in its children.
 */
#include "applets/ipubox-job/runner_streams.h"

#include <unistd.h>

void
runner_streams_close(struct runner_pod *p)
{
	int	i;

	for (i = 0; i < RUNNER_OUTPUTS; i++) {
		if (p->outputs[i] != -1)
			(void)close(p->outputs[i]);
		p->outputs[i] = -1;
	}
	if (p->socket != -1)
		(void)close(p->socket);
	p->socket = -1;
	container_log_close(p->log);
	p->log = NULL;
}

void
runner_streams_leave(void *runner)
{
	struct job_runner		*r = runner;
	struct runner_instance	*in;
	int			 i, k;

	(void)close(r->lock);
	(void)close(r->signals);
	(void)close(r->changes);
	if (r->told != -1)
		(void)close(r->told);
	job_store_drop(r->store);
	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		if (i != r->starting)
			owner_lock_close(&in->partition.owner);
		if (in->partition.hold != -1)
			(void)close(in->partition.hold);
		if (in->partition.messages != -1)
			(void)close(in->partition.messages);
		for (k = 0; k < in->pod_count; k++)
			runner_streams_close(&in->pods[k]);
	}
}
