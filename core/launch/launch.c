/*
 * poprun's part of a job: it waits for messages of the supervisor and of the
 * parents, signals, events of the output and keyboard input, and finds the
 * first cause of the end.
 *
 *	poprun ---> reaper ---> supervisor ---> instances
 *	   ^---- messages ----------'              |
 *	   '---- mux thread <------ pipes ---------'
 *
 *	poprun ---> reaper ---> supervisor ---> engine ---> parents
 *	   ^---- links -----------------------------------------'
 *
 * In a job of several instances another thread of poprun runs the server that
 * their programs connect to (core/collective/collective.h).  Read launch_run()
 * and run_to_end() first, then supervisor.h, mux.h and launch_engine.h.
 */
#include "core/launch/launch.h"

#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/launch/launch_job.h"
#include "core/process/process.h"

enum {
	/* If the job ends while it starts, the engine may still be starting
	   instances; it needs longer than this to end them. */
	MISSING_MS = 500,
	/* The parents have this time to end their trees before they and the
	   engine are killed. */
	ENGINE_MARGIN_MS = 1000,
	/* After a signal ended the job: how long a blocked reader of our output
	   may take before the rest is dropped. */
	LAST_OUTPUT_MS = 1000,
	FILES_AN_INSTANCE = 2 * (1 + MUX_COPIES), /* our ends of two pipes and
						     their copies */
	FILES_A_LINK = 3,   /* the link and its output pipes */
	FILES_AN_INPUT = 2, /* both ends of another pipe at first */
	FILES_BESIDE = 64
};

/* If the reaper exited normally, every process of the job has ended. */
static void
reap_reaper(struct launch_job *r)
{
	const pid_t reaper = r->reaper;
	int status;

	if (reaper == 0 || waitpid(reaper, &status, WNOHANG) != reaper)
		return;
	r->reaper = 0;
	launch_job_expect(r, r->grace_ms);
	if (status == 0)
		return;
	r->helper_killed = true;
	if (r->socket != -1)
		launch_job_set_end(r, LAUNCH_NO_REAPER, 0, reaper, 0);
}

/* Instances must get the size before SIGWINCH: for our pseudo terminals,
   take_output_event() passes the signal on after they were resized. */
static void
launch_resize(struct launch_job *r, const struct winsize *size)
{
	if (r->engine == NULL) {
		mux_resize(r->output, size);
		return;
	}
	launch_engine_resize(r->engine, size);
	launch_job_tell_instances(r, SUPERVISOR_SIGNAL, SIGWINCH);
}

/* On SIGTSTP, stop the instances by message, then poprun itself with SIGSTOP,
   because SIGTSTP is held. */
static void
take_signal(struct launch_job *r)
{
	struct signalfd_siginfo info;
	struct winsize size;
	int signal;

	if (read(r->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	signal = (int)info.ssi_signo;
	if (signal == SIGCHLD) {
		reap_reaper(r);
		return;
	}
	if (launch_signals_end(signal)) {
		r->interrupted = true;
		launch_job_report(r, LAUNCH_SIGNAL, 0, 0, signal);
		launch_job_set_end(r, LAUNCH_INTERRUPTED, 0, 0, signal);
		launch_job_tell_instances(r, SUPERVISOR_END, signal);
		return;
	}
	if (signal == SIGWINCH && r->output != NULL &&
	    r->launch->terminal != NULL &&
	    mux_terminal_size(r->launch->count, &r->launch->output,
		STDOUT_FILENO, &size)) {
		launch_resize(r, &size);
		return;
	}
	launch_job_tell_instances(r, SUPERVISOR_SIGNAL, signal);
	if (signal == SIGTSTP)
		(void)raise(SIGSTOP);
}

/* Report copies that ended, each kind once; the job continues. */
static void
take_copy_errors(struct launch_job *r)
{
	char *path;
	int number;

	while ((path = mux_copy_error(r->output, &number)) != NULL) {
		launch_job_report_copy(r, path, number);
		free(path);
	}
}

/* End the job if an output can no longer be written (its reader is gone, the
   disk is full), as SIGPIPE ends a program. */
static void
take_output_event(struct launch_job *r)
{
	int which, error;

	r->output_done = mux_ended(r->output);
	take_copy_errors(r);
	if (mux_resized(r->output))
		launch_job_tell_instances(r, SUPERVISOR_SIGNAL, SIGWINCH);
	error = mux_error(r->output, &which);
	if (error == 0)
		return;
	if (!r->ended && !r->done)
		launch_job_tell_instances(r, SUPERVISOR_END, SIGTERM);
	launch_job_set_end(r, LAUNCH_CANNOT_WRITE, which, 0, error);
}

/* End the processes that killed helpers left; poprun has adopted them as the
   subreaper.  Returns the time to wait in ms. */
static int
launch_end_tree(struct launch_job *r)
{
	const int64_t now = clock_monotonic_ms();
	int timeout;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		tree_remove(&r->tree, pid);
	if (!r->tree.ending)
		tree_end(&r->tree, SIGTERM, now);
	timeout = tree_next(&r->tree, now);
	r->done = timeout == -1;
	return r->done ? 0 : timeout;
}

/* Kill a helper that missed its deadline, because it is stopped or hangs.  Its
   children are then adopted; their grace time is over. */
static void
launch_take_over(struct launch_job *r)
{
	if (r->socket != -1)
		(void)close(r->socket);
	r->socket = -1;
	if (r->reaper != 0) {
		(void)kill(r->reaper, SIGKILL);
		(void)waitpid(r->reaper, NULL, 0);
		r->reaper = 0;
	}
	r->helper_killed = true;
	tree_end(&r->tree, SIGKILL, clock_monotonic_ms() - r->grace_ms);
}

/* Wait once for all events; -1 ms waits without limit. */
static void
wait_once(struct launch_job *r, int timeout)
{
	struct pollfd fds[6];

	fds[0] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = r->socket, .events = POLLIN };
	fds[2] = (struct pollfd){
		.fd = r->output != NULL ? mux_event_fd(r->output) : -1,
		.events = POLLIN
	};
	/* No input before all are started: an engine is slow, and may not start
	   them at all. */
	fds[3] = r->engine != NULL && r->started < r->launch->count ?
	    (struct pollfd){ .fd = -1 } :
	    stdin_relay_poll(&r->relay);
	fds[4] = (struct pollfd){
		.fd = r->engine != NULL ? launch_engine_fd(r->engine) : -1,
		.events = POLLIN
	};
	fds[5] = (struct pollfd){ .fd = r->collectives != NULL ?
		    collective_server_fd(r->collectives) :
		    -1,
		.events = POLLIN };
	if (poll(fds, ARRAY_SIZE(fds), timeout) <= 0)
		return;
	/* A program that connected may have ended already: the server must run
	   before it is told of that. */
	if (fds[5].revents != 0)
		launch_job_serve_collectives(r);
	if (fds[0].revents != 0)
		take_signal(r);
	if (fds[4].revents != 0)
		launch_engine_continue(r->engine);
	if (fds[1].revents != 0)
		launch_job_listen(r);
	if (fds[2].revents != 0)
		take_output_event(r);
	if (fds[3].revents != 0)
		stdin_relay_continue(&r->relay);
}

/* End the job at the caller's time limits, while they still matter. */
static void
launch_check_limits(struct launch_job *r, int64_t now)
{
	const struct launch *l = r->launch;

	if (r->ended || r->over == l->count)
		r->limit_ms = r->start_limit_ms = 0;
	if (r->started == l->count)
		r->start_limit_ms = 0;
	if (r->limit_ms != 0 && now >= r->limit_ms)
		launch_job_set_end(r, LAUNCH_TIMED_OUT, 0, 0, l->timeout_s);
	else if (r->start_limit_ms != 0 && now >= r->start_limit_ms)
		launch_job_set_end(r, LAUNCH_NOT_STARTED_IN_TIME, 0, 0,
		    l->start_timeout_s);
	else
		return;
	r->limit_ms = r->start_limit_ms = 0;
	launch_job_tell_instances(r, SUPERVISOR_END, SIGTERM);
}

/*
 * End the engine.  It normally exits after its parents.  If some never
 * connected, or the deadline has passed, it is told to end, and killed if the
 * user insisted.  Output that waits for its reader extends the deadline, except
 * after a signal.
 */
static void
launch_end_engine(struct launch_job *r, int64_t now)
{
	const bool holds = launch_engine_holds_output(r->engine);
	int stops = 0;

	if (!launch_engine_is_ending(r->engine))
		return;
	if (launch_engine_missing(r->engine) == 0)
		r->missing_limit_ms = 0;
	else if (launch_engine_is_released(r->engine) &&
	    r->missing_limit_ms == 0)
		r->missing_limit_ms = now + MISSING_MS;
	if (r->deadline_ms == 0 || (holds && !r->interrupted))
		launch_job_expect(r, r->launch->grace_ms);
	if (r->interrupted && holds && r->over == r->launch->count) {
		if (r->output_limit_ms == 0)
			r->output_limit_ms = now + LAST_OUTPUT_MS;
		else if (now >= r->output_limit_ms &&
		    !launch_engine_is_released(r->engine))
			launch_engine_release(r->engine);
	}
	if (now >= r->deadline_ms ||
	    (r->missing_limit_ms != 0 && now >= r->missing_limit_ms))
		stops = r->hurry ? 2 : 1;
	if (r->stops < stops)
		launch_job_expect(r, r->hurry ? 0 : r->grace_ms);
	for (; r->stops < stops; r->stops++)
		launch_job_tell_supervisor(r, SUPERVISOR_END, SIGTERM);
}

/* Return the time until the first of these moments, in ms; -1: none is set. */
static int
launch_wait_ms(const struct launch_job *r, int64_t now)
{
	const int64_t moments[] = { r->deadline_ms, r->limit_ms,
		r->start_limit_ms,
		r->output_limit_ms > now ? r->output_limit_ms : 0,
		r->missing_limit_ms > now ? r->missing_limit_ms : 0 };
	int64_t first = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moments); i++)
		if (moments[i] != 0 && (first == 0 || moments[i] < first))
			first = moments[i];
	return first == 0	  ? -1 :
	    first <= now	  ? 0 :
	    first - now > INT_MAX ? INT_MAX :
				    (int)(first - now);
}

/* Do the work before the next wait.  Returns its length in ms; -1: no limit. */
static int
launch_continue(struct launch_job *r)
{
	const int64_t now = clock_monotonic_ms();

	if (r->socket == -1 && r->reaper == 0) {
		r->done = !r->helper_killed;
		return r->done ? 0 : launch_end_tree(r);
	}
	launch_check_limits(r, now);
	if (r->engine != NULL && r->socket != -1)
		launch_end_engine(r, now);
	if (r->deadline_ms != 0 && now >= r->deadline_ms) {
		launch_take_over(r);
		return 0;
	}
	return launch_wait_ms(r, now);
}

static void
launch_step(struct launch_job *r)
{
	const int timeout = launch_continue(r);

	if (!r->done)
		wait_once(r, timeout);
}

/* Run until the supervisor and the reaper have ended, or poprun did their work.
   Without an engine, the output is finished while the reaper ends. */
static void
run_to_end(struct launch_job *r)
{
	while (!r->done && (!r->tree_empty || r->engine != NULL))
		launch_step(r);
	if (r->engine != NULL)
		launch_engine_finish(r->engine);
}

/* Write the remaining output.  Its reader may be slow, but after a signal it
   only gets a short time.  Returns true if everything was written. */
static bool
finish_output(struct launch_job *r)
{
	int64_t left;

	while (!r->output_done) {
		if (r->engine == NULL || !launch_engine_holds_output(r->engine))
			mux_drain(r->output);
		left = -1;
		if (r->interrupted) {
			if (r->output_limit_ms == 0)
				r->output_limit_ms = clock_monotonic_ms() +
				    LAST_OUTPUT_MS;
			left = r->output_limit_ms - clock_monotonic_ms();
			if (left <= 0)
				return false;
		}
		wait_once(r, (int)left);
	}
	return true;
}

/* Raise the limit of open files for the pipes; *before is the limit of what is
   started: the old one, or this one if an engine needs it. */
static void
raise_file_limit(const struct launch *l, struct rlimit *before)
{
	const int files = FILES_AN_INSTANCE + (l->engine ? FILES_A_LINK : 0) +
	    (l->stdin_to == STDIN_ALL ? FILES_AN_INPUT : 0);
	struct rlimit limit;
	rlim_t wanted;

	*before = (struct rlimit){ .rlim_max = 0 };
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	*before = limit;
	wanted = (rlim_t)l->count * (rlim_t)files + FILES_BESIDE;
	if (wanted <= limit.rlim_cur)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (l->engine &&
	    before->rlim_cur <
		(rlim_t)(mpirun_open_files(l->count) + FILES_BESIDE))
		*before = limit;
}

/* Close poprun's ends in the reaper, which must not inherit them or pass them
   on: a pipe that has lost its reader has to break. */
static void
close_poprun_ends(void *context)
{
	struct launch_job *r = context;

	(void)close(r->signals);
	stdin_relay_release(&r->relay);
	collective_server_leave(r->collectives);
	if (r->engine != NULL)
		launch_engine_leave(r->engine);
}

/* The terminal has shown the typed line, before an instance answers it. */
static void
take_typed_line(void *context)
{
	const struct launch_job *r = context;

	mux_echoed(r->output);
}

/* Describe what the supervisor starts: the instances, or the engine. */
static int
launch_start_tree(struct launch_job *r, struct supervisor_plan *plan,
    struct error *e)
{
	const struct launch *l = r->launch;
	char *const *environment;
	int *inputs;

	if (l->engine) {
		r->engine = launch_engine_new(l->count, l->starts,
		    l->directory->path, l->reach, launch_job_take_engine_event,
		    r, e);
		if (r->engine == NULL)
			return -1;
		environment = launch_engine_environment(r->engine,
		    l->environments[0]);
		plan->count = 1;
		plan->environments = &environment;
	}
	inputs = xcalloc((size_t)l->count, sizeof(*inputs));
	plan->inputs = inputs;
	tree_init(&r->tree, r->grace_ms);
	if (stdin_relay_open(&r->relay, STDIN_FILENO, l->stdin_to, inputs,
		l->count) != 0 ||
	    (l->engine && launch_engine_take_inputs(r->engine, inputs) != 0))
		(void)error_set_errno(e,
		    "cannot make the pipes for the instances' standard input; "
		    "raise ulimit -n or use fewer instances");
	else
		r->socket = reaper_start(plan, close_poprun_ends, r, &r->reaper,
		    e);
	supervisor_close_inputs(plan);
	r->relay.typed = take_typed_line;
	r->relay.context = r;
	if (r->relay.source == -1)
		stdin_relay_give_up();
	free(inputs);
	if (r->socket == -1)
		r->reaper = 0;
	return r->socket == -1 ? -1 : 0;
}

/* Start the reaper, the supervisor and the threads; waiting follows. */
static int
launch_start(struct launch_job *r, struct error *e)
{
	const struct launch *l = r->launch;
	const int64_t now = clock_monotonic_ms();
	struct supervisor_plan plan = { .count = l->count,
		.path = l->path,
		.argv = l->argv,
		.environments = l->environments,
		.grace_ms = r->grace_ms,
		.mask = l->mask,
		.directory = l->directory,
		.scratch = l->scratch,
		.keep_scratch = l->keep_scratch,
		.working = l->working,
		.merge_stderr = l->merge_stderr && !l->engine,
		.terminal = l->engine ? NULL : l->terminal,
		.binding = l->binding };
	sigset_t held;

	raise_file_limit(l, &plan.open_files);
	launch_signals_held(&held);
	r->signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signals == -1)
		return error_set_errno(e, "cannot wait for signals");
	if (l->count > 1 && l->directory != NULL &&
	    l->directory->path != NULL &&
	    (r->collectives = collective_server_new(l->directory->path,
		 l->count, e)) == NULL)
		return -1;
	if (launch_start_tree(r, &plan, e) != 0)
		return -1;
	r->output = mux_new(l->count, &l->output);
	if (l->timeout_s != 0)
		r->limit_ms = (l->began_ms != 0 ? l->began_ms : now) +
		    (int64_t)l->timeout_s * 1000;
	if (l->start_timeout_s != 0)
		r->start_limit_ms = now + (int64_t)l->start_timeout_s * 1000;
	return mux_start(r->output, STDOUT_FILENO, STDERR_FILENO, e);
}

/* Keep the last lines of the instance that failed. */
static void
take_tail(struct launch_job *r)
{
	struct launch_result *result = r->result;

	if ((result->end == LAUNCH_EXITED || result->end == LAUNCH_KILLED) &&
	    result->instance != LAUNCH_ENGINE)
		result->tail = mux_tail(r->output, result->instance,
		    &result->tail_size);
}

int
launch_run(const struct launch *l, struct launch_result *result,
    struct error *e)
{
	struct launch_job r = { .launch = l,
		.result = result,
		.socket = -1,
		.signals = -1,
		.lost = -1,
		.grace_ms = l->grace_ms + (l->engine ? ENGINE_MARGIN_MS : 0) };
	int status;
	bool written = true;

	*result = (struct launch_result){ .end = LAUNCH_DONE,
		.count = l->count,
		.instances = xcalloc((size_t)l->count,
		    sizeof(*result->instances)) };
	stdin_relay_init(&r.relay);
	(void)memstream_open(&r.notes);
	status = launch_start(&r, e);
	/* Closing the socket ends what was started. */
	if (status != 0)
		launch_job_close_socket(&r, r.grace_ms);
	run_to_end(&r);
	if (status == 0)
		written = finish_output(&r);
	stdin_relay_release(&r.relay);
	if (r.output != NULL && written) {
		take_tail(&r);
		mux_free(r.output);
		r.output = NULL;
	}
	while (!r.done)
		launch_step(&r);
	launch_engine_free(r.engine);
	collective_server_free(r.collectives);
	if (r.signals != -1)
		(void)close(r.signals);
	tree_release(&r.tree);
	free(memstream_close(&r.notes, NULL));
	return status;
}
