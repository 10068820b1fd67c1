/*
 * The parent between an engine and an instance, on any host: one loop over the
 * link, the signals and the program's output.  Read parent_run() at the end,
 * then parent_continue().
 */
#include "core/launch/parent.h"

#include <sys/signalfd.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/base/strvec.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "core/launch/launch.h"
#include "core/link/link.h"
#include "core/process/process.h"

enum {
	OUTPUTS = 2, /* stdout and stderr: streams 1, 2 */
	DIAL_MS = 30000,
	GRACE_BEFORE_START_MS = 2000, /* until poprun sends it */
	HOST_SIZE = 256
};

struct parent {
	struct link *link;
	struct tree tree;
	struct strvec argv;
	struct job_directory directory; /* the job's, on this host */
	char *address;			/* the link's, and its secret */
	char *digits;
	struct parent_start start;
	struct machine machine; /* this host, to bind the program */
	struct binding_rule binding;
	sigset_t held;	      /* blocked signals that the loop reads */
	sigset_t mask;	      /* the program's */
	int signals;	      /* signalfd */
	int outputs[OUTPUTS]; /* read ends; -1: none, or ended */
	struct parent_input input;
	int report[2];	 /* pipe for the errno of a failed execve(2) */
	pid_t pid;	 /* the program's; 0: not running */
	bool ended;	 /* it has run, or could not be started */
	int end_orders;	 /* how often poprun told it to end */
	int64_t look_ms; /* when to look at the tree again while ending it */
	bool tree_empty;
	bool end_reported; /* poprun knows that the tree is empty */
	bool released;
	bool link_lost; /* the link has ended */
};

/* Return the first number of a message. */
static int
parent_number(const struct link_message *m)
{
	uint32_t number = 0;
	size_t used = 0;

	(void)link_get(m, &used, &number);
	return (int)number;
}

static void
parent_tell(struct parent *p, enum link_kind kind, int first, int second,
    const char *text)
{
	unsigned char body[2 * sizeof(uint32_t) + HOST_SIZE];
	size_t used = 0, size = strlen(text);

	link_put(body, &used, (uint32_t)first);
	if (kind == LINK_ENDED)
		link_put(body, &used, (uint32_t)second);
	memcpy(body + used, text, size);
	link_send(p->link, kind, 0, body, used + size);
}

/* Begin to end the tree, with this signal first. */
static void
parent_end_tree(struct parent *p, int signal)
{
	if (p->tree.ending)
		return;
	tree_end(&p->tree, signal, clock_monotonic_ms());
	p->look_ms = 0;
}

/* Obey poprun's order to end; a second order kills the rest at once. */
static void
parent_take_order(struct parent *p, int signal)
{
	parent_end_tree(p, signal);
	if (p->end_orders++ > 0)
		tree_end(&p->tree, SIGKILL, clock_monotonic_ms());
	p->look_ms = 0;
}

/* Report that the program could not be started. */
static void
parent_cannot_start(struct parent *p, int reason)
{
	p->ended = true;
	parent_tell(p, LINK_CANNOT_START, reason, 0, "");
}

/* Open stdout as poprun asked; if no pseudo terminal is available, use a
   pipe. */
static int
parent_open_terminal(const struct parent *p, int fds[2])
{
	const struct winsize size = {
		.ws_row = (unsigned short)p->start.rows,
		.ws_col = (unsigned short)p->start.columns,
	};

	return p->start.terminal != 0 ? pty_open(fds, &size) : -1;
}

/* Make the program's streams.  Our ends do not block, so that at the end the
   available rest is taken. */
static int
parent_make_streams(struct parent *p, int *input, int writers[OUTPUTS])
{
	int fds[2], i;

	if (parent_input_open(&p->input, p->link, p->start.input != 0, input) !=
	    0)
		return -1;
	for (i = 0; i < OUTPUTS; i++) {
		if ((i != 0 || parent_open_terminal(p, fds) != 0) &&
		    pipe2(fds, O_CLOEXEC) != 0)
			return -1;
		(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
		p->outputs[i] = fds[0];
		writers[i] = fds[1];
	}
	return 0;
}

static void
parent_close_output(struct parent *p, int output)
{
	if (p->outputs[output] == -1)
		return;
	(void)close(p->outputs[output]);
	p->outputs[output] = -1;
	link_send(p->link, LINK_END_OF_STREAM, output + 1, NULL, 0);
}

/* Choose the program's processors.  poprun may be another version: an unknown
   policy binds nothing. */
static void
parent_choose_binding(struct parent *p)
{
	const struct parent_start *s = &p->start;

	if (s->placement < 0 || s->placement >= BINDING_NONE ||
	    s->local_index < 0 || s->local_index >= s->local_count)
		return;
	p->binding = (struct binding_rule){ .machine = &p->machine,
		.count = s->local_count,
		.policy = (enum binding_policy)s->placement };
	machine_read_own(&p->machine, binding_detail(p->binding.policy));
}

/* Execute the program in the child. */
static void
parent_become(const struct parent *p, const char *path, int input,
    const int *writers, pid_t self)
{
	const int reason = start_become(&(struct start){ .path = path,
	    .argv = p->argv.items,
	    .environment = environ,
	    .input = input,
	    .output = writers[0],
	    .errors = writers[p->start.merge_errors != 0 ? 0 : 1],
	    .parent = self,
	    .mask = p->mask,
	    .binding = p->binding.machine != NULL ? &p->binding : NULL,
	    .index = p->start.local_index });

	(void)!write(p->report[1], &reason, sizeof(reason));
	_exit(PROGRAM_CANNOT_EXECUTE);
}

/* Start the program.  Returns 0 with its pid set, or an errno. */
static int
parent_fork(struct parent *p, const char *path)
{
	const pid_t self = getpid();
	int writers[OUTPUTS] = { -1, -1 }, input = -1, i, number;
	pid_t pid = -1;

	if (pipe2(p->report, O_CLOEXEC | O_NONBLOCK) == 0 &&
	    parent_make_streams(p, &input, writers) == 0 && (pid = fork()) == 0)
		parent_become(p, path, input, writers, self);
	number = errno;
	if (input != -1)
		(void)close(input);
	for (i = 0; i < OUTPUTS; i++)
		if (writers[i] != -1)
			(void)close(writers[i]);
	if (pid == -1)
		return number;
	p->pid = pid;
	return 0;
}

static void
parent_start_program(struct parent *p, const struct link_message *m)
{
	char host[HOST_SIZE] = "", *path;
	int status, reason;

	if (p->pid != 0 || p->tree.ending || !parent_start_get(m, &p->start))
		return;
	p->tree.grace_ms = p->start.grace_ms;
	parent_choose_binding(p);
	status = program_find(p->argv.items[0], getenv("PATH"), &path, NULL);
	if (status != 0) {
		parent_cannot_start(p,
		    status == PROGRAM_NOT_FOUND ? ENOENT : EACCES);
		return;
	}
	reason = parent_fork(p, path);
	free(path);
	if (reason != 0) {
		parent_cannot_start(p, reason);
		return;
	}
	/* The child does it too; either may be first. */
	(void)setpgid(p->pid, p->pid);
	tree_add(&p->tree, p->pid);
	p->tree_empty = false;
	(void)gethostname(host, sizeof(host) - 1);
	parent_tell(p, LINK_STARTED, (int)p->pid, 0, host);
}

/* Report the program's end; told_to_end: as poprun or the engine ordered. */
static void
parent_take_end(struct parent *p, int status, bool told_to_end)
{
	int reason;

	p->pid = 0;
	if (WIFEXITED(status) &&
	    WEXITSTATUS(status) == PROGRAM_CANNOT_EXECUTE &&
	    read(p->report[0], &reason, sizeof(reason)) ==
		(ssize_t)sizeof(reason)) {
		parent_cannot_start(p, reason);
		return;
	}
	p->ended = true;
	parent_tell(p, LINK_ENDED, status, told_to_end, "");
}

static void
parent_reap(struct parent *p)
{
	const bool told_to_end = p->tree.ending;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		tree_remove(&p->tree, pid);
		p->look_ms = 0;
		if (pid == p->pid)
			parent_take_end(p, status, told_to_end);
	}
	p->tree_empty = pid == -1 && errno == ECHILD;
}

static void
parent_take_signals(struct parent *p)
{
	struct signalfd_siginfo info;
	int signal;

	while (read(p->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		signal = (int)info.ssi_signo;
		if (launch_signals_end(signal))
			parent_end_tree(p, signal);
		else if (signal != SIGCHLD)
			tree_signal(&p->tree, signal);
	}
}

/* This fails for a pipe, which does no harm. */
static void
parent_resize(const struct parent *p, const struct link_message *m)
{
	uint32_t rows = 0, columns = 0;
	size_t used = 0;

	if (p->outputs[0] != -1 && link_get(m, &used, &rows) &&
	    link_get(m, &used, &columns))
		pty_set_size(p->outputs[0],
		    &(struct winsize){ .ws_row = (unsigned short)rows,
			.ws_col = (unsigned short)columns });
}

static void
parent_take_message(struct parent *p, const struct link_message *m)
{
	switch (m->kind) {
	case LINK_DATA:
	case LINK_END_OF_STREAM:
		parent_input_take(&p->input, p->link, m);
		break;
	case LINK_START:
		parent_start_program(p, m);
		break;
	case LINK_SIGNAL:
		tree_signal(&p->tree, parent_number(m));
		break;
	case LINK_WINDOW_SIZE:
		parent_resize(p, m);
		break;
	case LINK_END_TREE:
		parent_take_order(p, parent_number(m));
		break;
	case LINK_RELEASE:
		p->released = true;
		break;
	default:
		break;
	}
}

static void
parent_listen(struct parent *p)
{
	struct link_message m;
	int status;

	while ((status = link_receive(p->link, &m, NULL)) == 1)
		parent_take_message(p, &m);
	if (status != -1)
		return;
	p->link_lost = true;
	/* If poprun is killed while it ends the job, nothing waits. */
	if (p->tree.ending)
		tree_end(&p->tree, SIGKILL, clock_monotonic_ms());
	p->look_ms = 0;
}

/* Forward as much of an output as poprun has room for.  Once the tree is empty,
   the available bytes are the rest. */
static void
parent_forward(struct parent *p, int output)
{
	static char buffer[LINK_BODY_MAX];
	size_t room;
	ssize_t n;

	while (p->outputs[output] != -1 && !p->link_lost &&
	    (room = link_room(p->link, output + 1)) > 0) {
		n = read(p->outputs[output], buffer,
		    room < sizeof(buffer) ? room : sizeof(buffer));
		if (n > 0)
			link_send_data(p->link, output + 1, buffer, (size_t)n);
		else if (n == -1 && errno == EINTR)
			continue;
		else if (n == -1 && errno == EAGAIN && !p->tree_empty)
			return;
		else
			parent_close_output(p, output);
		if (n < (ssize_t)sizeof(buffer) && !p->tree_empty)
			return;
	}
}

/* Continue to end the tree when it is time to look again.  Returns the time to
   wait in ms. */
static int
parent_continue_end(struct parent *p)
{
	const int64_t now = clock_monotonic_ms();
	int timeout;

	if (now < p->look_ms)
		return (int)(p->look_ms - now);
	timeout = tree_next(&p->tree, now);
	p->tree_empty = timeout == -1;
	p->look_ms = now + timeout;
	return timeout;
}

/* Tell poprun that everything has ended, after all output was sent. */
static void
parent_tell_over(struct parent *p)
{
	if (p->end_reported || p->outputs[0] != -1 || p->outputs[1] != -1)
		return;
	p->end_reported = true;
	parent_input_end(&p->input, p->link);
	link_send(p->link, LINK_OVER, 0, NULL, 0);
}

/* Do the work before the next wait.  Returns its length in ms; -1: no limit;
   -2: finished. */
static int
parent_continue(struct parent *p)
{
	int timeout = -1, i;

	parent_reap(p);
	if (p->link_lost || p->released)
		parent_end_tree(p, SIGTERM);
	if (p->tree.ending && !p->tree_empty)
		timeout = parent_continue_end(p);
	for (i = 0; i < OUTPUTS; i++)
		parent_forward(p, i);
	if (!p->tree_empty)
		return timeout;
	if (p->link_lost || (p->tree.ending && !link_is_open(p->link)))
		return -2;
	/* Nothing runs before the start either. */
	if (p->tree.ending || p->ended)
		parent_tell_over(p);
	return p->released && link_is_flushed(p->link) ? -2 : -1;
}

static void
parent_wait(struct parent *p, int timeout)
{
	struct pollfd fds[2 + OUTPUTS + 1];
	int i;

	fds[0] = (struct pollfd){ .fd = p->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = p->link_lost ? -1 : link_fd(p->link),
		.events = link_events(p->link) };
	for (i = 0; i < OUTPUTS; i++)
		fds[2 + i] = (struct pollfd){ .fd = !p->link_lost &&
				link_room(p->link, i + 1) > 0 ?
			    p->outputs[i] :
			    -1,
			.events = POLLIN };
	fds[2 + OUTPUTS] = parent_input_poll(&p->input);
	if (poll(fds, 2 + OUTPUTS + 1, timeout) <= 0)
		return;
	if (fds[2 + OUTPUTS].revents != 0)
		parent_input_continue(&p->input, p->link);
	if (fds[0].revents != 0)
		parent_take_signals(p);
	if (fds[1].revents != 0)
		parent_listen(p);
}

/* Connect and prove that this process knows the secret. */
static int
parent_dial(struct parent *p, int instance, struct error *e)
{
	unsigned char secret[LINK_SECRET_BYTES];
	int fd = -1;

	if (p->address == NULL || p->digits == NULL ||
	    hex_parse(p->digits, secret, sizeof(secret)) != 0)
		(void)error_set(e,
		    "%s and %s do not contain poprun's address and secret",
		    LINK_ADDRESS_VARIABLE, LINK_SECRET_VARIABLE);
	else
		fd = link_address_connect(p->address,
		    clock_monotonic_ms() + DIAL_MS, e);
	if (fd != -1) {
		parent_host_tell_address(fd);
		p->link = link_new(fd, LINK_PROCESS, secret, instance);
	}
	explicit_bzero(secret, sizeof(secret));
	return fd == -1 ? -1 : 0;
}

/* Hold the signals for the loop.  SIGTERM counts even if it was ignored,
   because it reports the keeper's end. */
static void
parent_hold_signals(struct parent *p)
{
	(void)signal(SIGTERM, SIG_DFL);
	launch_signals_hold(&p->mask);
	launch_signals_held(&p->held);
}

/* Copy the words, because the title overwrites them. */
static void
parent_take_words(struct parent *p, char *const *argv)
{
	strvec_init(&p->argv);
	for (; *argv != NULL; argv++)
		strvec_add(&p->argv, mpirun_shown_word(*argv));
}

/* Do the parent's work in the forked process. */
static int
parent_work(struct parent *p, int instance, struct error *e)
{
	int timeout, status;

	title_set("ipubox-parent");
	tree_init(&p->tree, GRACE_BEFORE_START_MS);
	p->signals = signalfd(-1, &p->held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (p->signals == -1)
		return error_set_errno(e, "cannot wait for signals");
	if (parent_dial(p, instance, e) != 0)
		return -1;
	while ((timeout = parent_continue(p)) != -2)
		parent_wait(p, timeout);
	if (!p->link_lost || p->released)
		return 0;
	status = link_receive(p->link, &(struct link_message){ 0 }, e);
	return e->code == ERROR_TIMED_OUT && link_is_open(p->link) ?
	    PARENT_KEEPER_CUT_OFF :
	    status;
}

int
parent_run(int instance, char *const *argv, struct error *e)
{
	struct parent p = { .signals = -1,
		.outputs = { -1, -1 },
		.report = { -1, -1 },
		.tree_empty = true };
	int status = 0;
	pid_t pid;

	p.address = variable_take(LINK_ADDRESS_VARIABLE);
	p.digits = variable_take(LINK_SECRET_VARIABLE);
	parent_input_init(&p.input);
	parent_take_words(&p, argv);
	parent_hold_signals(&p);
	parent_host_enter(&p.directory);
	parent_host_start_relay(&p.directory, instance, p.address, p.digits);
	pid = parent_keeper_fork(&p.held, &status);
	if (pid == -1)
		status = program_fork_error(e, errno, "the parent");
	else if (pid == 0)
		status = parent_work(&p, instance, e);
	job_directory_leave(&p.directory);
	parent_input_release(&p.input);
	link_free(p.link);
	machine_release(&p.machine);
	tree_release(&p.tree);
	strvec_release(&p.argv);
	free(p.address);
	free(p.digits);
	return status;
}
