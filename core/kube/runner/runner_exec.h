/*
 * Commands that pods of the job run in each other, where they cannot do so by
 * themselves: exec_relay.h.  For the runner alone.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_EXEC_H
#define CORE_KUBE_RUNNER_RUNNER_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A command that runs. */
struct runner_exec {
	pid_t		 pid;
	int		 socket;	/* of who asked, -1: gone */
};

struct runner_execs {
	int		 door;		/* where they are asked for, -1 */
	struct runner_exec *items;
	size_t		 count;
};

struct job_runner;

/*
 * Listen in the entry's directory.  Where that fails nobody can ask, and is
 * told so.
 */
void	runner_exec_open(struct job_runner *);

/* Somebody asks: a child joins the pod, if the job has it. */
void	runner_exec_accept(struct job_runner *);

/* One who asked has sent a signal, or is gone: then the command is ended. */
void	runner_exec_read(struct runner_exec *);

/* A child has ended: whether it was one of these; who asked is told. */
bool	runner_exec_reap(struct runner_execs *, pid_t);

#endif
