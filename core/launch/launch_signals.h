/*
 * Which signals a launch takes.  Those that the caller ignores stay ignored, as
 * nohup(1) wants it.
 */
#ifndef CORE_LAUNCH_LAUNCH_SIGNALS_H
#define CORE_LAUNCH_LAUNCH_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * From here on the signals that end a job, or that are passed on, wait for
 * launch_run(), so that none comes between a partition and its removal.  *mask
 * is what it was before.
 */
void	launch_signals_hold(sigset_t *mask);

/* A held signal that has come and would end the job, or 0. */
int	launch_signals_pending(void);

/* Wait so long, or until there is such a signal. */
void	launch_signals_wait(int64_t ms);

/* All that launch_run() takes: those above, and SIGCHLD. */
void	launch_signals_held(sigset_t *);

/* Whether the signal ends the job; the others are passed on. */
bool	launch_signals_end(int signal);

#endif
