/*
 * The descriptors of a runner, in itself and in its children, and the output of
 * the pods; events, and identities of objects.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/ioctl.h>

#include <bsd/stdlib.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"

enum { READ_SIZE = 64 * 1024 }; /* of a pipe */

int
runner_streams_read(struct runner_pod *p, int output)
{
	static char bytes[READ_SIZE];
	ssize_t n = read(p->outputs[output], bytes, sizeof(bytes));

	if (n > 0)
		(void)container_log_add(p->log,
		    output == 0 ? CONTAINER_STDOUT : CONTAINER_STDERR, bytes,
		    (size_t)n, clock_real_ns(), NULL);
	if (n > 0 || (n == -1 && (errno == EAGAIN || errno == EINTR)))
		return 0;
	(void)close(p->outputs[output]);
	p->outputs[output] = -1;
	return -1;
}

void
runner_streams_take_rest(struct runner_pod *p)
{
	int i, left;

	for (i = 0; i < RUNNER_OUTPUTS; i++) {
		/* Read once as much as the pipe holds, without waiting for a
		   process that keeps writing. */
		if (p->outputs[i] != -1 &&
		    ioctl(p->outputs[i], FIONREAD, &left) == 0 && left > 0)
			(void)runner_streams_read(p, i);
		if (p->outputs[i] != -1)
			(void)close(p->outputs[i]);
		p->outputs[i] = -1;
	}
}

void
runner_streams_close(struct runner_pod *p)
{
	int i;

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
	struct job_runner *r = runner;
	struct runner_instance *in;
	int i, k;

	(void)close(r->lock);
	(void)close(r->signals);
	(void)close(r->changes);
	if (r->starter != -1)
		(void)close(r->starter);
	job_store_unlock(r->store);
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

void
runner_event_add(struct job_runner *r, const char *type, const char *reason,
    const char *object, const char *format, ...)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *event = yaml_new_map(arena);
	char now[CLOCK_TEXT_SIZE], text[1024];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	clock_text(clock_real_ms() / 1000, now);
	yaml_set_text(arena, event, "time", now);
	yaml_set_text(arena, event, "type", type);
	yaml_set_text(arena, event, "reason", reason);
	yaml_set_text(arena, event, "object", object);
	yaml_set_text(arena, event, "message", text);
	job_entry_add_event(r->entry, event);
	yaml_arena_free(arena);
}

void
runner_draw_uid(char uid[RUNNER_UID_SIZE])
{
	uint8_t b[16];

	arc4random_buf(b, sizeof(b));
	b[6] = (uint8_t)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (uint8_t)((b[8] & 0x3f) | 0x80); /* its variant */
	(void)snprintf(uid, RUNNER_UID_SIZE,
	    "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%"
	    "02x",
	    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
	    b[11], b[12], b[13], b[14], b[15]);
}
