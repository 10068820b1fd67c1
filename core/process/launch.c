/*
 * poprun's own part of a job: it waits for messages of the supervisor, signals,
 * events of the output and keyboard input, and finds the first cause of the
 * end.
 *
 *	poprun ---> reaper ---> supervisor ---> instances
 *	   ^---- messages ----------'              |
 *	   '---- mux thread <------ pipes ---------'
 *
 * Read launch_run() and run_to_end() first, then reaper.h, supervisor.h and
 * mux.h.
 */
#include "core/process/launch.h"

#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memstream.h"
#include "core/process/launch_signals.h"
#include "core/process/mux.h"
#include "core/process/packet.h"
#include "core/process/reaper.h"
#include "core/process/stdin_relay.h"
#include "core/process/supervisor.h"
#include "core/process/tree.h"

enum {
	GRACE_MS = 2000,		/* from SIGTERM to SIGKILL */
	/* After a signal ended the job: how long a blocked reader of our
	   output may take before what is left of it is dropped. */
	LAST_OUTPUT_MS = 1000,
	FILES_AN_INSTANCE = 2,		/* our ends of two pipes */
	FILES_BESIDE = 64
};

struct run {
	const struct launch	*launch;
	struct launch_result	*result;
	struct mux		*output;	/* NULL: not forwarded */
	struct memstream	 notes;		/* what the caller prints */
	struct stdin_relay	 relay;
	struct tree		 tree;		/* when the others are gone */
	pid_t			 reaper;	/* 0: it is gone */
	pid_t			 supervisor;	/* 0: not known yet */
	int			 socket;	/* of the supervisor; -1: it is
						   through, or gone */
	int64_t			 deadline_ms;	/* who is to be through with the
						   end by then; 0: none is */
	bool			 unsure;	/* a helper was killed: look
						   for what it left */
	int			 signals;
	int			 started;
	bool			 ended;		/* result is set */
	bool			 done;		/* nothing of the job is left */
	bool			 interrupted;	/* by a signal */
	bool			 output_done;
};

/*
 * From now on the reaper and the supervisor have so long to be through: the
 * time that the end of the tree takes, if it is not over yet, and then some.
 */
static void
launch_expect(struct run *r, int64_t end_ms)
{
	r->deadline_ms = clock_monotonic_ms() + end_ms + REAPER_PATIENCE_MS;
}

/* The first cause is the result; later ones are its consequences. */
static void
set_end(struct run *r, enum launch_end end, int instance, pid_t pid,
    int value)
{
	if (r->ended)
		return;
	r->ended = true;
	*r->result = (struct launch_result){
		.end = end, .instance = instance, .pid = pid, .value = value
	};
	launch_expect(r, GRACE_MS);
}

/*
 * Tell the caller; what it prints must not get into the midst of a line.
 * Mostly it prints nothing: then the stream stays open for the next event.
 */
static void
launch_report(struct run *r, enum launch_kind kind, int instance, pid_t pid,
    int value)
{
	const struct launch_event	event = {
		.kind = kind, .instance = instance, .pid = pid, .value = value
	};
	char				*text;
	size_t				 size;

	r->launch->event(r->launch->context, &event, r->notes.file);
	if (ftell(r->notes.file) == 0)
		return;
	text = memstream_close(&r->notes, &size);
	if (r->output != NULL)
		mux_note(r->output, 1, text, size);
	else
		(void)!write(STDERR_FILENO, text, size);
	free(text);
	(void)memstream_open(&r->notes);
}

/*
 * Without the supervisor the tree is the reaper's, which ends it already, or
 * ours: the first signal is as the supervisor would have sent it, and a second
 * one makes the end come at once.
 */
static void
notify_supervisor(struct run *r, enum supervisor_kind kind, int value)
{
	struct packet	p;

	packet_init(&p);
	p.messages[p.count++] = (struct supervisor_message){
		.kind = (int32_t)kind, .value = value
	};
	if (r->socket != -1)
		(void)packet_send(&p, r->socket);
	else if (kind == SUPERVISOR_END) {
		r->deadline_ms = clock_monotonic_ms();
		if (r->tree.ending)
			tree_end(&r->tree, value, r->deadline_ms);
	} else
		tree_signal(&r->tree, value);
}

/*
 * An instance ended.  Only the first that failed is the result: those after it
 * mostly die of what the supervisor does then.
 */
static void
take_end(struct run *r, const struct supervisor_message *m)
{
	tree_remove(&r->tree, (pid_t)m->pid);
	launch_report(r, LAUNCH_ENDED, m->instance, (pid_t)m->pid, m->value);
	if (WIFSIGNALED(m->value))
		set_end(r, LAUNCH_KILLED, m->instance, (pid_t)m->pid,
		    WTERMSIG(m->value));
	else if (WEXITSTATUS(m->value) != 0)
		set_end(r, LAUNCH_EXITED, m->instance, (pid_t)m->pid,
		    WEXITSTATUS(m->value));
}

/* Nothing more comes from the supervisor: it is through, or gone. */
static void
close_socket(struct run *r, int64_t end_ms)
{
	if (r->socket != -1)
		(void)close(r->socket);
	r->socket = -1;
	launch_expect(r, end_ms);
}

/* Where the reaper ended as it should, nothing of the job is left. */
static void
reap_reaper(struct run *r)
{
	const pid_t	reaper = r->reaper;
	int		status;

	if (reaper == 0 || waitpid(reaper, &status, WNOHANG) != reaper)
		return;
	r->reaper = 0;
	launch_expect(r, GRACE_MS);
	if (status == 0)
		return;
	r->unsure = true;
	if (r->socket != -1)
		set_end(r, LAUNCH_NO_REAPER, 0, reaper, 0);
}

/*
 * The next two descriptors of the packet, if it has them, are our ends of the
 * instance's pipes.  A process that has no room for them gets fewer.
 */
static void
take_outputs(struct run *r, const struct packet *p, size_t *used, int instance)
{
	int	i, reason = 0;

	if (r->output == NULL)
		return;
	for (i = 0; i < SUPERVISOR_OUTPUTS && reason == 0; i++)
		reason = *used == p->file_count ? EMFILE :
		    mux_add(r->output, instance, i, p->files[(*used)++]);
	if (reason == 0)
		return;
	set_end(r, LAUNCH_CANNOT_PIPE, instance, 0, reason);
	notify_supervisor(r, SUPERVISOR_END, SIGTERM);
}

static void
take_message(struct run *r, const struct supervisor_message *m)
{
	switch ((enum supervisor_kind)m->kind) {
	case SUPERVISOR_READY:
		r->supervisor = (pid_t)m->pid;
		break;
	case SUPERVISOR_STARTED:
		tree_add(&r->tree, (pid_t)m->pid);
		launch_report(r, LAUNCH_STARTED, m->instance, (pid_t)m->pid,
		    0);
		if (++r->started == r->launch->count)
			launch_report(r, LAUNCH_WAITING, 0, (pid_t)m->pid, 0);
		break;
	case SUPERVISOR_CANNOT_PIPE:
		set_end(r, LAUNCH_CANNOT_PIPE, m->instance, 0, m->value);
		break;
	case SUPERVISOR_CANNOT_FORK:
		set_end(r, LAUNCH_CANNOT_FORK, m->instance, 0, m->value);
		break;
	case SUPERVISOR_CANNOT_START:
		set_end(r, LAUNCH_CANNOT_START, m->instance, 0, m->value);
		break;
	case SUPERVISOR_ENDED:
		take_end(r, m);
		break;
	default:
		/* The thread ends while the reaper does. */
		if (r->output != NULL)
			mux_drain(r->output);
		close_socket(r, 0);
		break;
	}
}

/* One packet, or the end of the socket. */
static void
listen_to_supervisor(struct run *r)
{
	struct packet	p;
	size_t		i, used = 0;

	if (packet_receive(&p, r->socket) != 0) {
		set_end(r, LAUNCH_NO_SUPERVISOR, 0, r->supervisor, 0);
		close_socket(r, GRACE_MS);
	}
	for (i = 0; i < p.count; i++) {
		/* That it is started is said before its first line. */
		take_message(r, &p.messages[i]);
		if (p.messages[i].kind == SUPERVISOR_STARTED)
			take_outputs(r, &p, &used, p.messages[i].instance);
	}
	/* Of an instance that could not be started. */
	for (; used < p.file_count; used++)
		(void)close(p.files[used]);
}

/*
 * SIGTSTP stops the instances by message and then poprun itself: raise(2) of
 * SIGSTOP, because SIGTSTP is held.
 */
static void
take_signal(struct run *r)
{
	struct signalfd_siginfo	info;
	int			signal;

	if (read(r->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	signal = (int)info.ssi_signo;
	if (signal == SIGCHLD) {
		reap_reaper(r);
		return;
	}
	if (signal == SIGALRM) {
		set_end(r, LAUNCH_TIMED_OUT, 0, 0, r->launch->timeout_s);
		notify_supervisor(r, SUPERVISOR_END, SIGTERM);
		return;
	}
	if (launch_signals_end(signal)) {
		r->interrupted = true;
		launch_report(r, LAUNCH_SIGNAL, 0, 0, signal);
		set_end(r, LAUNCH_INTERRUPTED, 0, 0, signal);
		notify_supervisor(r, SUPERVISOR_END, signal);
		return;
	}
	notify_supervisor(r, SUPERVISOR_SIGNAL, signal);
	if (signal == SIGTSTP)
		(void)raise(SIGSTOP);
}

/*
 * An output that cannot be written any more (its reader is gone, the disk is
 * full) ends the job, as SIGPIPE ends a program.
 */
static void
take_output_event(struct run *r)
{
	int	which, error;

	r->output_done = mux_ended(r->output);
	error = mux_error(r->output, &which);
	if (error == 0)
		return;
	if (!r->ended && !r->done)
		notify_supervisor(r, SUPERVISOR_END, SIGTERM);
	set_end(r, LAUNCH_CANNOT_WRITE, which, 0, error);
}

/*
 * What helpers that were killed have left came to us, as the subreaper above
 * them.  Returns the time to wait in ms.
 */
static int
launch_end_tree(struct run *r)
{
	const int64_t	now = clock_monotonic_ms();
	int		timeout;
	pid_t		pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		tree_remove(&r->tree, pid);
	if (!r->tree.ending)
		tree_end(&r->tree, SIGTERM, now);
	timeout = tree_next(&r->tree, now);
	r->done = timeout == -1;
	return r->done ? 0 : timeout;
}

/*
 * A helper that is not through in time is stopped, or hangs.  What is below it
 * comes to us then, and has had its time.
 */
static void
launch_take_over(struct run *r)
{
	if (r->socket != -1)
		(void)close(r->socket);
	r->socket = -1;
	if (r->reaper != 0) {
		(void)kill(r->reaper, SIGKILL);
		(void)waitpid(r->reaper, NULL, 0);
		r->reaper = 0;
	}
	r->unsure = true;
	tree_end(&r->tree, SIGKILL, clock_monotonic_ms() - GRACE_MS);
}

/* One poll(2) of everything; -1 ms waits for ever. */
static void
wait_once(struct run *r, int timeout)
{
	struct pollfd	fds[4];

	fds[0] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = r->socket, .events = POLLIN };
	fds[2] = (struct pollfd){
		.fd = r->output != NULL ? mux_event_fd(r->output) : -1,
		.events = POLLIN
	};
	fds[3] = stdin_relay_poll(&r->relay);
	if (poll(fds, 4, timeout) <= 0)
		return;
	if (fds[0].revents != 0)
		take_signal(r);
	if (fds[1].revents != 0)
		listen_to_supervisor(r);
	if (fds[2].revents != 0)
		take_output_event(r);
	if (fds[3].revents != 0)
		stdin_relay_continue(&r->relay);
}

/*
 * What is to be done before the next wait, and its length in ms; -1: for ever.
 */
static int
launch_continue(struct run *r)
{
	int64_t	left;

	if (r->socket == -1 && r->reaper == 0) {
		r->done = !r->unsure;
		return r->done ? 0 : launch_end_tree(r);
	}
	if (r->deadline_ms == 0)
		return -1;
	left = r->deadline_ms - clock_monotonic_ms();
	if (left > 0)
		return (int)left;
	launch_take_over(r);
	return 0;
}

/* Until the supervisor and the reaper are through, or we in their stead. */
static void
run_to_end(struct run *r)
{
	int	timeout;

	while (!r->done) {
		timeout = launch_continue(r);
		if (!r->done)
			wait_once(r, timeout);
	}
}

/*
 * The rest of the output.  Whoever reads it may be slow, but not after a
 * signal: then it gets a little time.  Returns whether all is written.
 */
static bool
finish_output(struct run *r)
{
	int64_t	deadline = 0, left;

	mux_drain(r->output);
	while (!r->output_done) {
		left = -1;
		if (r->interrupted) {
			if (deadline == 0)
				deadline = clock_monotonic_ms() +
				    LAST_OUTPUT_MS;
			left = deadline - clock_monotonic_ms();
			if (left <= 0)
				return false;
		}
		wait_once(r, (int)left);
	}
	return true;
}

/* Room for the pipes' descriptors; *before is the old limit. */
static void
raise_file_limit(int count, struct rlimit *before)
{
	struct rlimit	limit;
	rlim_t		wanted;

	*before = (struct rlimit){ .rlim_max = 0 };
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	*before = limit;
	wanted = (rlim_t)count * FILES_AN_INSTANCE + FILES_BESIDE;
	if (wanted <= limit.rlim_cur)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Called in the reaper, which must not hold poprun's ends, nor hand them on: a
 * pipe whose reader is gone has to break.
 */
static void
close_poprun_ends(void *context)
{
	struct run	*r = context;

	(void)close(r->signals);
	stdin_relay_release(&r->relay);
}

/* Reaper, supervisor, thread: everything but waiting. */
static int
launch_start(struct run *r, struct error *e)
{
	const struct launch	*l = r->launch;
	struct supervisor_plan	 plan = {
		.count = l->count, .path = l->path, .argv = l->argv,
		.environments = l->environments, .forward = l->forward,
		.grace_ms = GRACE_MS, .mask = l->mask,
		.directory = l->directory, .scratch = l->scratch,
		.working = l->working, .merge_stderr = l->merge_stderr
	};
	sigset_t		 held;

	raise_file_limit(l->count, &plan.open_files);
	launch_signals_held(&held);
	r->signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signals == -1)
		return error_set_errno(e, "cannot wait for signals");
	plan.input = stdin_relay_init(&r->relay, STDIN_FILENO);
	tree_init(&r->tree, GRACE_MS);
	r->socket = reaper_start(&plan, close_poprun_ends, r, &r->reaper, e);
	supervisor_close_input(&plan);
	if (r->socket == -1) {
		r->reaper = 0;
		return -1;
	}
	if (!l->forward)
		return 0;
	r->output = mux_new(l->count, l->only_output, l->output_directory);
	(void)alarm((unsigned)l->timeout_s);
	return mux_start(r->output, STDOUT_FILENO, STDERR_FILENO, e);
}

int
launch_run(const struct launch *l, struct launch_result *result,
    struct error *e)
{
	struct run	r = {
		.launch = l, .result = result, .socket = -1, .signals = -1
	};
	int		status;
	bool		written = true;

	*result = (struct launch_result){ .end = LAUNCH_DONE };
	r.relay.terminal = r.relay.pipe = -1;
	(void)memstream_open(&r.notes);
	status = launch_start(&r, e);
	/* The end of the socket ends what was started. */
	if (status != 0)
		close_socket(&r, GRACE_MS);
	run_to_end(&r);
	(void)alarm(0);
	if (status == 0 && r.output != NULL)
		written = finish_output(&r);
	stdin_relay_release(&r.relay);
	if (r.output != NULL && written)
		mux_free(r.output);
	if (r.signals != -1)
		(void)close(r.signals);
	tree_release(&r.tree);
	free(memstream_close(&r.notes, NULL));
	return status;
}
