/*
 * The signals of a launch: those that end the job, those that are passed on,
 * and holding them from before the job has anything to end.
 */
#include "core/launch/launch.h"

#include <sys/signalfd.h>

#include <poll.h>
#include <unistd.h>

#include "core/base/alloc.h"

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int passed_signals[] = { SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT,
	SIGWINCH };

/* Add signals that the caller does not ignore, as nohup(1) needs. */
static void
add_signals(sigset_t *set, const int *signals, size_t count)
{
	struct sigaction old;
	size_t i;

	for (i = 0; i < count; i++)
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			(void)sigaddset(set, signals[i]);
}

void
launch_signals_held(sigset_t *set)
{
	(void)sigemptyset(set);
	add_signals(set, ending_signals, ARRAY_SIZE(ending_signals));
	add_signals(set, passed_signals, ARRAY_SIZE(passed_signals));
	(void)sigaddset(set, SIGCHLD);
}

void
launch_signals_hold(sigset_t *mask)
{
	sigset_t held;

	launch_signals_held(&held);
	(void)sigprocmask(SIG_BLOCK, &held, mask);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
}

int
launch_signals_pending(void)
{
	sigset_t pending;
	size_t i;

	if (sigpending(&pending) != 0)
		return 0;
	for (i = 0; i < ARRAY_SIZE(ending_signals); i++)
		if (sigismember(&pending, ending_signals[i]) == 1)
			return ending_signals[i];
	return 0;
}

/* poll(2) sees the signal but leaves it pending. */
void
launch_signals_wait(int64_t ms)
{
	struct pollfd fd = { .events = POLLIN };
	sigset_t ending;

	(void)sigemptyset(&ending);
	add_signals(&ending, ending_signals, ARRAY_SIZE(ending_signals));
	fd.fd = signalfd(-1, &ending, SFD_CLOEXEC);
	(void)poll(&fd, 1, (int)ms);
	if (fd.fd != -1)
		(void)close(fd.fd);
}

bool
launch_signals_end(int signal)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ending_signals); i++)
		if (ending_signals[i] == signal)
			return true;
	return false;
}
