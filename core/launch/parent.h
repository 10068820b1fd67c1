/*
 * The parent of an instance that an engine starts (mpirun, later srun): a small
 * process of this program between the engine and the instance.
 *
 *	mpirun --> keeper --> parent --> instance --> ...
 *	                         |
 *	                     the link --> poprun
 *
 * The keeper is the process that the engine may kill.  The parent dials
 * poprun, starts the program when poprun says so, brings what the program
 * writes to poprun, whole and in order, passes signals on, and is the subreaper
 * of all that the program starts: when poprun says so, when the link is over,
 * or when the engine ends it (SIGTERM), it ends that whole tree.  It stays
 * until poprun releases it, so that one that has failed does not make the
 * engine end the others before their time.
 *
 * The variables IPUBOX_LINK and IPUBOX_LINK_SECRET are taken out of the
 * program's environment, and IPUOF_CONFIG_PATH, which a host may have set
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

/* "FILE __parent INSTANCE PROGRAM ARGUMENT ...": the word. */
#define PARENT_WORD "__parent"

/*
 * Be the parent of the program argv[0] with its arguments, as instance
 * `instance`.  0 where poprun has released it, whatever became of the program:
 * poprun knows it, and an engine that sees a failure would only end the others
 * once more.  -1 and the reason where poprun cannot be reached, or no longer;
 * PARENT_KEEPER_CUT_OFF where its host was silent for too long.
 */
int parent_run(int instance, char *const *argv, struct error *);

/* The standard input of the instance: a pipe, filled from stream 0 of the
   link. */
struct parent_input {
	int epoll; /* the pipe has room again */
	struct link_output pipe;
	bool told; /* poprun: nobody reads it */
};

/* Without input; the functions below accept that. */
void parent_input_init(struct parent_input *);

/*
 * *input is what becomes the program's: a pipe, for which poprun gets its
 * credit, where it `reads`; otherwise an empty input, or -1 where the host has
 * none.  The caller closes it.  -1: no pipe can be made, errno says why.
 */
int parent_input_open(struct parent_input *, struct link *, bool reads,
    int *input);
void parent_input_release(struct parent_input *);

/* LINK_DATA, or LINK_END_OF_STREAM. */
void parent_input_take(struct parent_input *, struct link *,
    const struct link_message *);

/* What to wait for (fd -1: nothing), and what to do when it came. */
struct pollfd parent_input_poll(const struct parent_input *);
void parent_input_continue(struct parent_input *, struct link *);

/*
 * The parent's exit status after its host heard nothing from poprun's for too
 * long.  The engine's process on this host would learn that only much later, so
 * the keeper ends it.
 */
enum { PARENT_KEEPER_CUT_OFF = 75 };

/*
 * Fork the parent, with a process group of its own.  An engine kills what it
 * ends (Open MPI a second after SIGTERM); that the keeper is killed is only one
 * more SIGTERM for the parent, which ends its tree in its own time and brings
 * poprun what was written until then.  Returns 0 in the parent; in the keeper
 * the parent's pid, after the parent and all that it started have ended, with
 * its exit status in *status; or -1 and errno.  `held` are the blocked signals
 * that are passed on to the parent, and SIGCHLD.
 */
pid_t parent_keeper_fork(const sigset_t *held, int *status);

#endif
