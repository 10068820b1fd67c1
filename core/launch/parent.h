/*
 * The parent of an instance that an engine starts (mpirun, later srun): a small
 * process of this program between the engine and the instance.
 *
 *	mpirun --> keeper --> parent --> instance --> ...
 *	                         |
 *	                     the link --> poprun
 *
 * The keeper is the process that the engine may kill.  The parent connects to
 * poprun and starts the program when poprun says so.  It forwards the program's
 * output to poprun, complete and in order, and passes signals on.  It is the
 * subreaper of everything that the program starts.  It ends that tree when
 * poprun says so, when the link breaks, or when the engine ends the parent
 * (SIGTERM).  It stays until poprun releases it, so that the engine does not
 * see one failure and end the other instances early.
 *
 * The program's environment loses IPUBOX_LINK, IPUBOX_LINK_SECRET,
 * IPUBOX_HOST_DIR, and IPUOF_CONFIG_PATH, which a host may have set
 * (parent_host.h).
 */
#ifndef CORE_LAUNCH_PARENT_H
#define CORE_LAUNCH_PARENT_H

#include <sys/types.h>

#include <poll.h>
#include <signal.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/link/link.h"

/* The word in "FILE __parent INSTANCE PROGRAM ARGUMENT ...". */
#define PARENT_WORD "__parent"

/*
 * Become the keeper and, in a forked process, the parent of the program argv[0]
 * with its arguments, as instance `instance`.  Returns in both processes, with
 * their exit statuses.  The parent returns 0 after poprun released it, however
 * the program ended: poprun knows that, and an engine that sees a failure would
 * end the others again.  It returns -1 with the error set if poprun cannot be
 * reached or the link broke, and PARENT_KEEPER_CUT_OFF if poprun's host was
 * silent too long.  The keeper returns the parent's exit status, or -1 if it
 * cannot fork.
 */
int parent_run(int instance, char *const *argv, struct error *);

/* Instead of INSTANCE, for a task of Slurm, which knows its number. */
#define PARENT_TASK_WORD "task"

/* Variables with the packed environments of all tasks ("ALL") or one ("3"):
   entries NAME=VALUE, and perhaps =DIRECTORY, each with a separator. */
#define PARENT_TASK_VARIABLE "IPUBOX_TASK_"
enum { PARENT_TASK_SEPARATOR = 1 };

/* Read INSTANCE; for a task also set its environment and its directory.  -1: it
   is neither a number nor a task, or the directory does not exist. */
int parent_task_enter(const char *word, int *instance, struct error *);

/* The instance's standard input: a pipe, filled from stream 0 of the link. */
struct parent_input {
	int epoll; /* readable when the pipe has room again */
	struct link_output pipe;
	bool close_reported; /* poprun knows that the reader is gone */
};

/* Begin without input, a state that all functions below accept. */
void parent_input_init(struct parent_input *);

/* Set *input to the program's standard input, which the caller closes.  If
   `reads`, it is a pipe that poprun may fill; returns -1 with errno set if that
   fails.  Else it is /dev/null, or -1 if that cannot be opened, and the result
   is 0 in both cases. */
int parent_input_open(struct parent_input *, struct link *, bool reads,
    int *input);
void parent_input_release(struct parent_input *);

/* Write the data of a LINK_DATA into the pipe, or close it after
   LINK_END_OF_STREAM. */
void parent_input_take(struct parent_input *, struct link *,
    const struct link_message *);

/* _poll: return the descriptor to wait for (fd -1: none).  _continue: write
   more, after poll(2) reported it. */
struct pollfd parent_input_poll(const struct parent_input *);
void parent_input_continue(struct parent_input *, struct link *);

/* The parent's exit status after poprun's host was silent too long.  The
   engine's process on this host would notice only much later, so the keeper
   ends that process. */
enum { PARENT_KEEPER_CUT_OFF = 75 };

/*
 * Fork the parent, in a separate process group.  An engine kills what it ends
 * (Open MPI one second after SIGTERM).  If it kills the keeper, the parent only
 * gets one more SIGTERM: it still ends its tree in its own time and sends the
 * remaining output to poprun.  Returns 0 in the parent.  In the keeper, returns
 * the parent's pid after the parent's whole tree has ended, with the parent's
 * exit status in *status (128 + signal if it was killed); or -1 with errno set.
 * `held` contains SIGCHLD and the blocked signals that are passed on to the
 * parent.
 */
pid_t parent_keeper_fork(const sigset_t *held, int *status);

#endif
