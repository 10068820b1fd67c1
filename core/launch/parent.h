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
 * IPUBOX_HOST_DIR and IPUOF_CONFIG_PATH.
 */
#ifndef CORE_LAUNCH_PARENT_H
#define CORE_LAUNCH_PARENT_H

#include "core/link/link.h"
#include "core/process/process.h"

/* The word in "FILE __parent INSTANCE PROGRAM ARGUMENT ...". */
#define PARENT_WORD "__parent"

/*
 * Become the keeper and, in a forked process, the parent of the program argv[0]
 * with its arguments, as instance `instance`.  Returns in both processes, with
 * their exit statuses.  The parent returns 0 after poprun released it, however
 * the program ended.  It returns -1 with the error set if poprun cannot be
 * reached or the link broke, and PARENT_KEEPER_CUT_OFF if poprun's host was
 * silent too long.  The keeper returns the parent's exit status, or -1 if it
 * cannot fork.
 */
int parent_run(int instance, char *const *argv, struct error *);

/* The instance's standard input: a pipe, filled from stream 0 of the link. */
struct parent_input {
	int epoll; /* readable when the pipe has room again */
	struct link_output pipe;
	size_t reported;     /* bytes that poprun knows the program took */
	bool close_reported; /* poprun knows that the reader is gone */
};

/* Begin without input; the functions below accept that. */
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

/* Report how much the program took, when it and its children have ended. */
void parent_input_end(struct parent_input *, struct link *);

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

/* The state of a job on each of several hosts: the path of a directory, the
   same on all hosts, that its parents there share and the last of them removes.
   Set by poprun, removed from the program's environment. */
#define PARENT_HOST_VARIABLE "IPUBOX_HOST_DIR"
/* Name of the executable cache in it (PopRun user guide 2.4.3). */
#define PARENT_HOST_CACHE "executables"

/* Make or join the directory of PARENT_HOST_VARIABLE, before the parent is
   forked from its keeper; both call job_directory_leave() at their end.
   Without the variable the job has no such directory.  If the directory cannot
   be made, a cache in it is not used, and each instance compiles for itself.
   Also unsets IPUOF_CONFIG_PATH, which another host may set and which would
   lead to other IPUs. */
void parent_host_enter(struct job_directory *);

/*
 * Start a relay from the instance's programs to poprun's collectives, which are
 * at `address` and know the secret, `digits` (hexadecimal).  It listens in a
 * directory for this instance, below the host's, which JOB_DIRECTORY_VARIABLE
 * then names.  The relay ends with the caller.  If it cannot be started,
 * JOB_DIRECTORY_VARIABLE is unset, and a program that uses collectives reports
 * that.  Does nothing if JOB_DIRECTORY_VARIABLE does not name the host's
 * directory, or `address` or `digits` is NULL.
 */
void parent_host_start_relay(const struct job_directory *, int instance,
    const char *address, const char *digits);

/* Set JOB_HOST_ADDRESS_VARIABLE to this host's address, if the link is TCP. */
void parent_host_tell_address(int link_fd);

#endif
