/*
 * How a running job changes: messages of the supervisor and of the parents
 * become records, and the first cause of its end is found.
 */
#include "core/launch/launch_job.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/process/process.h"

void
launch_job_expect(struct launch_job *r, int64_t end_ms)
{
	r->deadline_ms = clock_monotonic_ms() + end_ms + REAPER_PATIENCE_MS;
}

void
launch_job_set_end(struct launch_job *r, enum launch_end end, int instance,
    pid_t pid, int value)
{
	if (r->ended)
		return;
	r->ended = true;
	r->result->end = end;
	r->result->instance = instance;
	r->result->pid = pid;
	r->result->value = value;
	launch_job_expect(r, r->launch->grace_ms);
}

/* Print the caller's text between complete lines.  Usually it printed nothing;
   then the stream stays open. */
static void
launch_job_put_notes(struct launch_job *r, int output)
{
	char *text;
	size_t size;

	if (ftell(r->notes.file) == 0)
		return;
	text = memstream_close(&r->notes, &size);
	if (r->output != NULL)
		mux_note(r->output, output, text, size);
	else
		(void)!write(output == 0 ? STDOUT_FILENO : STDERR_FILENO, text,
		    size);
	free(text);
	(void)memstream_open(&r->notes);
}

void
launch_job_report(struct launch_job *r, enum launch_kind kind, int instance,
    pid_t pid, int value)
{
	const struct launch_event event = { .kind = kind,
		.instance = instance,
		.pid = pid,
		.value = value };

	r->launch->event(r->launch->context, &event, r->notes.file);
	launch_job_put_notes(r, 1);
}

void
launch_job_report_copy(struct launch_job *r, const char *path, int number)
{
	const struct launch_event event = { .kind = LAUNCH_COPY_ENDED,
		.value = number,
		.path = path };

	r->launch->event(r->launch->context, &event, r->notes.file);
	launch_job_put_notes(r, 1);
}

void
launch_job_tell_supervisor(struct launch_job *r, enum supervisor_kind kind,
    int value)
{
	struct packet p;

	packet_init(&p);
	p.messages[p.count++] =
	    (struct supervisor_message){ .kind = (int32_t)kind,
		    .value = value };
	(void)packet_send(&p, r->socket);
}

/* Without the supervisor the tree belongs to the reaper, which is already
   ending it, or to poprun.  Then poprun sends a signal itself, and an order to
   end the job kills the tree at once. */
void
launch_job_tell_instances(struct launch_job *r, enum supervisor_kind kind,
    int value)
{
	if (r->engine != NULL && kind == SUPERVISOR_END) {
		r->hurry = launch_engine_is_ending(r->engine);
		if (r->hurry && r->socket != -1)
			launch_job_expect(r, 0);
		launch_engine_end(r->engine, value);
	} else if (r->engine != NULL)
		launch_engine_signal(r->engine, value);
	else if (r->socket != -1)
		launch_job_tell_supervisor(r, kind, value);
	if (r->socket != -1)
		return;
	if (kind == SUPERVISOR_END) {
		r->deadline_ms = clock_monotonic_ms();
		if (r->tree.ending)
			tree_end(&r->tree, value, r->deadline_ms);
	} else if (r->engine == NULL)
		tree_signal(&r->tree, value);
}

/* Record the start of an instance. */
static void
take_start(struct launch_job *r, int instance, pid_t pid, const char *host)
{
	launch_instance_started(&r->result->instances[instance], pid, host);
	launch_job_report(r, LAUNCH_STARTED, instance, pid, 0);
	r->started++;
	if (r->started == r->launch->count && r->engine == NULL)
		launch_job_report(r, LAUNCH_WAITING, instance, pid, 0);
}

/* Make the failure of an instance, or of the engine, the job's end if it is the
   first. */
static void
set_failure(struct launch_job *r, int instance, pid_t pid, int status)
{
	if (WIFSIGNALED(status))
		launch_job_set_end(r, LAUNCH_KILLED, instance, pid,
		    WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		launch_job_set_end(r, LAUNCH_EXITED, instance, pid,
		    WEXITSTATUS(status));
}

/* Record the end of an instance.  Only the first failure is the result, because
   later ones are usually its consequences. */
static void
take_end(struct launch_job *r, int instance, int status, bool told_to_end)
{
	struct launch_instance *record = &r->result->instances[instance];

	launch_instance_ended(record, LAUNCH_INSTANCE_ENDED, status,
	    told_to_end);
	r->over++;
	launch_job_report(r, LAUNCH_ENDED, instance, record->pid, status);
	if (r->collectives != NULL)
		collective_server_ended(r->collectives, instance, record->pid,
		    status);
	if (!told_to_end || r->engine == NULL)
		set_failure(r, instance, record->pid, status);
}

static void
take_refusal(struct launch_job *r, int instance, int reason)
{
	launch_instance_ended(&r->result->instances[instance],
	    LAUNCH_INSTANCE_REFUSED, reason, false);
	r->over++;
	launch_job_set_end(r, LAUNCH_CANNOT_START, instance, 0, reason);
}

void
launch_job_close_socket(struct launch_job *r, int64_t end_ms)
{
	if (r->socket != -1)
		(void)close(r->socket);
	r->socket = -1;
	launch_job_expect(r, end_ms);
}

/* End the job: an instance without the pipes of its output is useless. */
static void
take_no_pipe(struct launch_job *r, int instance, int reason)
{
	launch_job_set_end(r, LAUNCH_CANNOT_PIPE, instance, 0, reason);
	launch_job_tell_instances(r, SUPERVISOR_END, SIGTERM);
}

static void
take_output(struct launch_job *r, int instance, int output, int fd)
{
	const int reason = mux_add(r->output, instance, output, fd);

	if (reason != 0)
		take_no_pipe(r, instance, reason);
}

/* Take the next two descriptors of the packet: our ends of the pipes of the
   instance, or of the engine itself.  The packet has fewer if this process
   could not take more. */
static void
take_outputs(struct launch_job *r, const struct packet *p, size_t *used,
    int instance)
{
	int i;

	for (i = 0; i < SUPERVISOR_OUTPUTS; i++) {
		if (*used == p->file_count) {
			take_no_pipe(r, instance, EMFILE);
			return;
		}
		if (r->engine != NULL)
			launch_engine_listen(r->engine, i, p->files[(*used)++]);
		else
			take_output(r, instance, i, p->files[(*used)++]);
	}
}

void
launch_job_serve_collectives(struct launch_job *r)
{
	const int reason = collective_server_start(r->collectives);

	if (reason == 0)
		return;
	launch_job_set_end(r, LAUNCH_CANNOT_SERVE, 0, 0, reason);
	launch_job_tell_instances(r, SUPERVISOR_END, SIGTERM);
	collective_server_free(r->collectives);
	r->collectives = NULL;
}

void
launch_job_take_engine_event(void *context,
    const struct launch_engine_event *event)
{
	struct launch_job *r = context;
	struct launch_instance *record = event->kind == ENGINE_LINE ?
	    NULL :
	    &r->result->instances[event->instance];

	switch (event->kind) {
	case ENGINE_STARTED:
		take_start(r, event->instance, event->pid, event->host);
		break;
	case ENGINE_OUTPUT:
		if (event->stream == -1)
			take_no_pipe(r, event->instance, event->value);
		else
			take_output(r, event->instance, event->stream,
			    event->value);
		break;
	case ENGINE_CANNOT_START:
		take_refusal(r, event->instance, event->value);
		break;
	case ENGINE_INSTANCE_ENDED:
		take_end(r, event->instance, event->value, event->told_to_end);
		break;
	case ENGINE_LOST:
		launch_instance_ended(record, LAUNCH_INSTANCE_LOST, 0, false);
		if (r->lost == -1) {
			r->lost = event->instance;
			r->silent = event->value != 0;
		}
		break;
	case ENGINE_VISITOR:
		if (r->collectives != NULL &&
		    collective_server_fd(r->collectives) != -1)
			launch_job_serve_collectives(r);
		if (r->collectives != NULL)
			collective_server_adopt(r->collectives, event->value);
		else
			(void)close(event->value);
		break;
	case ENGINE_LINE:
		r->launch->engine_line(r->launch->context, event->line,
		    event->stream == 1, r->notes.file);
		launch_job_put_notes(r, event->stream);
		break;
	}
}

/* Make the first lost parent the cause, unless the engine's failure explains
   it: the engine was killed, or it failed before the instance had started. */
static void
set_loss(struct launch_job *r, int status)
{
	const struct launch_instance *record;

	if (r->lost == -1)
		return;
	record = &r->result->instances[r->lost];
	if (status == 0 || r->stops > 0 ||
	    (!WIFSIGNALED(status) && record->pid != 0))
		launch_job_set_end(r, LAUNCH_NO_PARENT, r->lost, record->pid,
		    r->silent ? LINK_ADDRESS_SILENCE_MS / 1000 : 0);
}

/* Handle the engine's end.  It is the result if the engine ended before the
   job, or failed without being told to end.  If it ended instances for an
   unknown reason, the first of them is the result. */
static void
take_engine_end(struct launch_job *r, pid_t pid, int status)
{
	const struct launch_instance *record = r->result->instances;
	int i;

	launch_engine_finish(r->engine);
	/* Finished parents wait for the others, which cannot come any more. */
	if (!launch_engine_is_ending(r->engine))
		launch_engine_end(r->engine, SIGTERM);
	launch_job_report(r, LAUNCH_ENDED, LAUNCH_ENGINE, pid, status);
	set_loss(r, status);
	if ((status != 0 && r->stops == 0) || r->over < r->launch->count)
		launch_job_set_end(r, LAUNCH_ENGINE_ENDED, LAUNCH_ENGINE, pid,
		    status);
	for (i = 0; i < r->launch->count; i++)
		set_failure(r, i, record[i].pid, record[i].status);
}

/* Handle a message about the engine, which the supervisor started. */
static void
take_engine_message(struct launch_job *r, const struct supervisor_message *m)
{
	switch ((enum supervisor_kind)m->kind) {
	case SUPERVISOR_STARTED:
		tree_add(&r->tree, (pid_t)m->pid);
		launch_job_report(r, LAUNCH_STARTED, LAUNCH_ENGINE,
		    (pid_t)m->pid, 0);
		launch_job_report(r, LAUNCH_WAITING, LAUNCH_ENGINE,
		    (pid_t)m->pid, 0);
		break;
	case SUPERVISOR_CANNOT_START:
		launch_job_set_end(r, LAUNCH_CANNOT_START, LAUNCH_ENGINE, 0,
		    m->value);
		break;
	default:
		tree_remove(&r->tree, (pid_t)m->pid);
		take_engine_end(r, (pid_t)m->pid, m->value);
		break;
	}
}

/* Handle a message about an instance that the supervisor started. */
static void
take_instance_message(struct launch_job *r, const struct supervisor_message *m)
{
	switch ((enum supervisor_kind)m->kind) {
	case SUPERVISOR_STARTED:
		tree_add(&r->tree, (pid_t)m->pid);
		take_start(r, m->instance, (pid_t)m->pid, "");
		break;
	case SUPERVISOR_CANNOT_START:
		take_refusal(r, m->instance, m->value);
		break;
	default:
		tree_remove(&r->tree, (pid_t)m->pid);
		take_end(r, m->instance, m->value, m->told_to_end != 0);
		break;
	}
}

static void
take_message(struct launch_job *r, const struct supervisor_message *m)
{
	switch ((enum supervisor_kind)m->kind) {
	case SUPERVISOR_READY:
		r->supervisor = (pid_t)m->pid;
		break;
	case SUPERVISOR_STARTED:
	case SUPERVISOR_CANNOT_START:
	case SUPERVISOR_ENDED:
		if (r->engine != NULL)
			take_engine_message(r, m);
		else
			take_instance_message(r, m);
		break;
	case SUPERVISOR_CANNOT_PIPE:
		launch_job_set_end(r, LAUNCH_CANNOT_PIPE, m->instance, 0,
		    m->value);
		break;
	case SUPERVISOR_CANNOT_FORK:
		launch_job_set_end(r, LAUNCH_CANNOT_FORK, m->instance, 0,
		    m->value);
		break;
	default:
		r->tree_empty = true;
		if (r->engine == NULL)
			mux_drain(r->output);
		launch_job_close_socket(r, 0);
		break;
	}
}

void
launch_job_listen(struct launch_job *r)
{
	struct packet p;
	size_t i, used = 0;

	if (packet_receive(&p, r->socket) != 0) {
		launch_job_set_end(r, LAUNCH_NO_SUPERVISOR, 0, r->supervisor,
		    0);
		launch_job_close_socket(r, r->grace_ms);
	}
	for (i = 0; i < p.count; i++) {
		/* Report the start before the first line. */
		take_message(r, &p.messages[i]);
		if (p.messages[i].kind == SUPERVISOR_STARTED)
			take_outputs(r, &p, &used, p.messages[i].instance);
	}
	/* These belong to an instance that could not be started. */
	for (; used < p.file_count; used++)
		(void)close(p.files[used]);
}
