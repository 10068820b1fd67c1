/*
 * The process between poprun and the supervisor: it waits for the end of
 * either, and does the work of the one that is gone.  Read reaper_keep() first.
 */
#include "core/process/supervisor.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/process/process.h"
#include "core/process/stdin_relay.h"
#include "core/process/tree.h"

struct reaper {
	const struct supervisor_plan *plan;
	struct tree tree;
	pid_t poprun;
	pid_t supervisor;    /* 0: it has ended */
	int64_t deadline_ms; /* limit for the supervisor to end the tree; 0:
				poprun lives */
	bool childless;
};

static void
reaper_reap(struct reaper *g)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		tree_remove(&g->tree, pid);
		if (pid != g->supervisor)
			continue;
		g->supervisor = 0;
		if (status != 0 && g->plan->directory != NULL)
			job_directory_remove(g->plan->directory);
		if (status != 0 && g->plan->scratch != NULL)
			job_directory_remove(g->plan->scratch);
	}
	g->childless = pid == -1 && errno == ECHILD;
}

/* Begin the end when it is due. */
static void
reaper_look(struct reaper *g, int64_t now)
{
	/* The kernel gives this process another parent after poprun's end. */
	if (g->deadline_ms == 0 && getppid() != g->poprun)
		g->deadline_ms = now + g->plan->grace_ms + REAPER_PATIENCE_MS;
	if (g->tree.ending)
		return;
	if (g->supervisor == 0)
		tree_end(&g->tree, SIGTERM, now);
	else if (g->deadline_ms != 0 && now >= g->deadline_ms)
		tree_end(&g->tree, SIGKILL, now - g->plan->grace_ms);
}

/* Wait for the next death of a child or of poprun; -1 ms: no limit. */
static void
reaper_wait(const sigset_t *deaths, int64_t timeout_ms)
{
	const struct timespec limit = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000,
	};

	(void)sigtimedwait(deaths, NULL, timeout_ms == -1 ? NULL : &limit);
}

static void
reaper_keep(struct reaper *g)
{
	sigset_t deaths;
	int64_t now, timeout;

	(void)sigemptyset(&deaths);
	(void)sigaddset(&deaths, SIGCHLD);
	for (;;) {
		reaper_reap(g);
		if (g->childless)
			return;
		now = clock_monotonic_ms();
		reaper_look(g, now);
		timeout = -1;
		if (g->tree.ending) {
			timeout = tree_next(&g->tree, now);
			if (timeout == -1)
				return;
		} else if (g->deadline_ms != 0)
			timeout = g->deadline_ms - now;
		reaper_wait(&deaths, timeout);
	}
}

/* PR_SET_PDEATHSIG turns poprun's end into a SIGCHLD like a child's; getppid(2)
   shows an earlier end. */
static void
reaper_main(const struct supervisor_plan *plan, pid_t poprun, int socket)
{
	struct reaper g = { .plan = plan, .poprun = poprun };
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	tree_init(&g.tree, plan->grace_ms);
	g.supervisor = supervisor_start(plan, socket);
	/* The rest is done while the supervisor begins. */
	(void)setpgid(0, 0);
	title_set("ipubox-reaper");
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGCHLD, 0L, 0L, 0L);
	if (g.supervisor == -1)
		_exit(EXIT_SUCCESS);
	(void)close(socket);
	supervisor_close_inputs(plan);
	stdin_relay_give_up();
	tree_add(&g.tree, g.supervisor);
	/* Listing a large directory takes long, so do it beside the job. */
	if (plan->directory != NULL)
		job_directory_remove_stale(plan->directory);
	if (plan->scratch != NULL)
		job_directory_remove_stale(plan->scratch);
	reaper_keep(&g);
	_exit(EXIT_SUCCESS);
}

int
reaper_start(const struct supervisor_plan *plan, void (*in_reaper)(void *),
    void *context, pid_t *reaper, struct error *e)
{
	const pid_t poprun = getpid();
	int sockets[2], number;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
		return error_set_errno(e, "cannot make a socket");
	*reaper = fork();
	if (*reaper == 0) {
		(void)close(sockets[0]);
		in_reaper(context);
		reaper_main(plan, poprun, sockets[1]);
	}
	number = errno;
	(void)close(sockets[1]);
	if (*reaper == -1) {
		(void)close(sockets[0]);
		return program_fork_error(e, number, "the keeper");
	}
	return sockets[0];
}
