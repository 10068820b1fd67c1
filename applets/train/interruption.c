/*
 * A thread that waits for a signal which ends the program.
 */
#include "applets/train/interruption.h"

#include <errno.h>
#include <stddef.h>

#include "core/base/alloc.h"

/* SIGQUIT is none of them: it ends a program at once, whatever it does. */
static const int	interruption_signals[] = {
	SIGINT, SIGTERM, SIGHUP, SIGXCPU
};

void
interruption_init(struct interruption *n,
    void (*save)(void *context, int signal), void *context)
{
	*n = (struct interruption){ .save = save, .context = context };
	(void)pthread_mutex_init(&n->lock, NULL);
}

void
interruption_lock(struct interruption *n)
{
	(void)pthread_mutex_lock(&n->lock);
}

void
interruption_unlock(struct interruption *n)
{
	(void)pthread_mutex_unlock(&n->lock);
}

/*
 * Others of the signals wait until all is written: a terminal's SIGINT and
 * poprun's SIGTERM come together.  The lock is never given back, so that nobody
 * writes another profile behind this one.
 */
static void *
interruption_main(void *argument)
{
	struct interruption	*n = argument;
	int			 signal, code;

	do
		code = sigwait(&n->signals, &signal);
	while (code == EINTR);
	if (code != 0)
		return NULL;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	interruption_lock(n);
	n->save(n->context, signal);
	(void)pthread_sigmask(SIG_UNBLOCK, &n->signals, NULL);
	(void)raise(signal);
	return NULL;
}

/* Those of the list that would end the program now. */
static void
choose_signals(sigset_t *set)
{
	struct sigaction	action;
	sigset_t		blocked;
	size_t			i;

	(void)sigemptyset(set);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	for (i = 0; i < ARRAY_SIZE(interruption_signals); i++)
		if (sigaction(interruption_signals[i], NULL, &action) == 0 &&
		    action.sa_handler == SIG_DFL &&
		    sigismember(&blocked, interruption_signals[i]) == 0)
			(void)sigaddset(set, interruption_signals[i]);
}

int
interruption_start(struct interruption *n, struct error *e)
{
	int	code;

	choose_signals(&n->signals);
	(void)pthread_sigmask(SIG_BLOCK, &n->signals, NULL);
	code = pthread_create(&n->thread, NULL, interruption_main, n);
	if (code != 0) {
		(void)pthread_sigmask(SIG_UNBLOCK, &n->signals, NULL);
		(void)error_set_reason(e, code);
		return error_prefix(e, "cannot start a thread");
	}
	n->started = true;
	return 0;
}

void
interruption_stop(struct interruption *n)
{
	if (!n->started)
		return;
	n->started = false;
	(void)pthread_cancel(n->thread);
	(void)pthread_join(n->thread, NULL);
	(void)pthread_sigmask(SIG_UNBLOCK, &n->signals, NULL);
}
