/*
 * The partition of one instance of a job.  A process requests it, and reports
 * the progress in lines of text:
 *
 *	waiting TEXT
 *	ready PORT HOST
 *	failed TEXT
 *
 * A partition of the embedded controller belongs to the runner by a lock
 * (core/state/owner_lock.h), and the process ends once it exists.  A server's
 * partition is a lease, which the process holds as long as the runner keeps the
 * pipe open.
 */
#include "core/kube/runner/runner.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/process/process.h"
#include "core/server/server.h"

enum { RETRY_MS = 1000 }; /* before the next request */

/* Context of the requesting process. */
struct requester {
	const struct partition_request *request;
	const char *owner;
	struct owner_lock *lock;
	bool adopted; /* left by the last runner */
	int messages;
	int hold;
};

void
runner_partition_init(struct runner_partition *p)
{
	*p = (struct runner_partition){ .messages = -1,
		.hold = -1,
		.owner = { .fd = -1 } };
}

static void
tell(const struct requester *a, const char *word, const char *text)
{
	char line[1200];
	size_t length, i;

	(void)snprintf(line, sizeof(line), "%s %s", word, text);
	for (i = 0; line[i] != '\0'; i++)
		if (line[i] == '\n')
			line[i] = ' ';
	length = strlen(line);
	line[length] = '\n';
	(void)file_put(a->messages, line, length + 1);
}

static void
requester_notify(void *context, const char *text)
{
	tell(context, "waiting", text);
}

/* Take the partition that this job's last runner left, or create one. */
static int
obtain_partition(const struct requester *a, struct controller *c,
    struct partition *p, struct error *e)
{
	const bool is_local = controller_where(c) == NULL;
	struct partition_owner owner = { .kind = is_local ? PO_IPUJOB :
							    PO_LEASE,
		.lock = is_local ? a->lock : NULL,
		.text = a->owner };
	struct requester copy = *a;
	struct wait_options wait = { .wait_ms = -1,
		.notify = requester_notify,
		.context = &copy };

	if (a->adopted) {
		if (reset_partition(c, a->request->name, false, false, p, e) !=
		    0)
			return -1;
	} else if (queue_create(c, a->request, &owner, &wait, p, e) != 0) {
		return -1;
	}
	return wait_configured(c, -1, p, e);
}

/* Report "8090 10.1.3.7"; the embedded controller has the usual port. */
static void
tell_ready(const struct requester *a, const struct controller *c)
{
	const char *where = controller_where(c), *colon;
	char text[320];

	if (where == NULL || (colon = strrchr(where, ':')) == NULL)
		(void)snprintf(text, sizeof(text), "8090 local");
	else
		(void)snprintf(text, sizeof(text), "%s %.*s", colon + 1,
		    (int)(colon - where), where);
	tell(a, "ready", text);
}

/* Report the partition, and keep it as long as the runner holds it. */
static int
hold(const struct requester *a, struct controller *c, const struct partition *p,
    struct error *e)
{
	if (p->state != PS_ACTIVE)
		return error_set(e,
		    "partition %s is in state PS_%s, not PS_ACTIVE%s%s",
		    p->name, partition_state_name(p->state),
		    p->last_error[0] != '\0' ? ": " : "", p->last_error);
	tell_ready(a, c);
	if (controller_where(c) != NULL)
		(void)controller_hold(c, a->hold, NULL);
	return 0;
}

/* A server with too many waiting calls, or that restarts, is asked again. */
static int
requester_run(const struct requester *a, struct error *e)
{
	struct controller *c;
	struct partition p;
	int status;

	for (;;) {
		c = server_open_controller(NULL, NULL, e);
		status = c != NULL ? obtain_partition(a, c, &p, e) : -1;
		if (status == 0)
			status = hold(a, c, &p, e);
		controller_close(c);
		if (status == 0 || e->code != ERROR_UNAVAILABLE)
			return status;
		tell(a, "waiting", e->text);
		(void)poll(NULL, 0, RETRY_MS);
	}
}

static void __attribute__((noreturn)) asker_main(const struct requester *a)
{
	struct error e;
	sigset_t none;

	title_set("ipubox-queue");
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	/* Its place in the queue must not outlive the runner. */
	(void)prctl(PR_SET_PDEATHSIG, (long)SIGTERM, 0L, 0L, 0L);
	if (requester_run(a, &e) != 0)
		tell(a, "failed", e.text);
	_exit(0);
}

static void
close_pipes(struct runner_partition *p)
{
	if (p->messages != -1)
		(void)close(p->messages);
	if (p->hold != -1)
		(void)close(p->hold);
	p->messages = p->hold = -1;
	owner_lock_close(&p->owner);
}

/* Open the lock of the existing partition, or of the one to create. */
static int
open_lock(const struct partition_request *request, const char *text,
    struct owner_lock *lock, bool *adopted, struct error *e)
{
	const struct partition_owner owner = { .kind = PO_IPUJOB,
		.lock = lock,
		.text = text };
	struct controller *c = server_open_controller(NULL, NULL, e);

	/* A server may come back; an unsafe state stays unsafe. */
	if (c == NULL && e->code == ERROR_UNSAFE)
		return -1;
	*adopted = c != NULL && controller_where(c) == NULL &&
	    adopt_partition(c, request->name, &owner, NULL, NULL) == 0;
	controller_close(c);
	return *adopted ? 0 : owner_lock_open(lock, e);
}

int
runner_partition_request(struct runner_partition *p,
    const struct partition_request *request, const char *owner,
    void (*in_child)(void *), void *context, struct error *e)
{
	struct requester a = { .request = request,
		.owner = owner,
		.lock = &p->owner };
	int messages[2] = { -1, -1 }, hold[2], number;

	(void)strlcpy(p->name, request->name, sizeof(p->name));
	p->text[0] = '\0';
	if (open_lock(request, owner, &p->owner, &a.adopted, e) != 0)
		return -1;
	if (pipe2(messages, O_CLOEXEC) != 0 || pipe2(hold, O_CLOEXEC) != 0) {
		(void)error_set_errno(e, "cannot make a pipe");
		(void)close(messages[0]);
		(void)close(messages[1]);
		owner_lock_close(&p->owner);
		return -1;
	}
	p->pid = fork();
	number = errno;
	if (p->pid == 0) {
		a.messages = messages[1];
		a.hold = hold[0];
		(void)close(messages[0]);
		(void)close(hold[1]);
		in_child(context);
		asker_main(&a);
	}
	(void)close(messages[1]);
	(void)close(hold[0]);
	p->messages = messages[0];
	p->hold = hold[1];
	if (p->pid == -1) {
		p->pid = 0;
		close_pipes(p);
		return program_fork_error(e, number,
		    "the process that asks for the partition");
	}
	(void)fcntl(p->messages, F_SETFL, O_NONBLOCK);
	p->state = RUNNER_PARTITION_REQUESTED;
	return 0;
}

static void
read_line(struct runner_partition *p, const char *line)
{
	long long port;
	char number[16];
	const char *rest = strchr(line, ' '), *host;
	size_t length;

	if (rest == NULL)
		return;
	rest++;
	if (strncmp(line, "ready ", 6) == 0) {
		length = strcspn(rest, " ");
		host = rest + length + (rest[length] == ' ');
		(void)snprintf(number, sizeof(number), "%.*s", (int)length,
		    rest);
		if (parse_number("port", number, 1, 65535, &port, NULL) == 0)
			p->port = (int)port;
		(void)strlcpy(p->server, host, sizeof(p->server));
		p->state = RUNNER_PARTITION_READY;
		return;
	}
	(void)strlcpy(p->text, rest, sizeof(p->text));
	p->state = line[0] == 'w' ? RUNNER_PARTITION_WAITING :
				    RUNNER_PARTITION_FAILED;
}

/* Lines arrive whole: each is one write of less than PIPE_BUF. */
void
runner_partition_read(struct runner_partition *p)
{
	char text[8192], *line, *end;
	ssize_t n = read(p->messages, text, sizeof(text) - 1);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		text[n] = '\0';
		for (line = text; (end = strchr(line, '\n')) != NULL;
		     line = end + 1) {
			*end = '\0';
			read_line(p, line);
		}
		return;
	}
	(void)close(p->messages);
	p->messages = -1;
	if (p->pid != 0)
		(void)waitpid(p->pid, NULL, 0);
	p->pid = 0;
	/* A server's partition ends with its connection. */
	if (p->state != RUNNER_PARTITION_FAILED &&
	    (p->state != RUNNER_PARTITION_READY ||
		strcmp(p->server, "local") != 0)) {
		p->state = RUNNER_PARTITION_FAILED;
		(void)strlcpy(p->text,
		    "the connection to the controller was lost",
		    sizeof(p->text));
	}
}

int
runner_partition_reset(struct runner_partition *p, struct error *e)
{
	struct controller *c = server_open_controller(NULL, NULL, e);
	struct partition after;
	int status;

	if (c == NULL)
		return -1;
	status = reset_partition(c, p->name, false, true, &after, e);
	if (status == 0)
		status = wait_configured(c, -1, &after, e);
	controller_close(c);
	return status;
}

/*
 * Opening the state removes partitions of dead owners; a server does so when
 * the connection ends.
 */
void
runner_partition_release(struct runner_partition *p)
{
	struct registry registry;
	pid_t pid = p->pid;

	if (p->state == RUNNER_PARTITION_NONE)
		return;
	close_pipes(p);
	if (pid != 0) {
		(void)kill(pid, SIGTERM);
		(void)waitpid(pid, NULL, 0);
	}
	if (reader_open(&registry, NULL) == 0)
		registry_close(&registry);
	runner_partition_init(p);
}
