/*
 * The steps from fork(2) to execve(2) in the child.
 */
#include "core/process/process.h"

#include <sys/prctl.h>

#include <errno.h>
#include <unistd.h>

/* Make `fd` a standard stream of the program; -1 leaves the stream
   unchanged. */
static int
set_stream(int fd, int stream)
{
	return fd == -1 ? 0 : dup2(fd, stream) == -1 ? -1 : 0;
}

/* Let the kernel kill the program when its parent ends (PR_SET_PDEATHSIG), in
   case poprun, the reaper and the supervisor are all killed at once.  A parent
   that ended before that call is noticed by getppid(2). */
int
start_become(const struct start *s)
{
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0L, 0L, 0L);
	if (getppid() != s->parent)
		return 0;
	if (s->open_files.rlim_max != 0)
		(void)setrlimit(RLIMIT_NOFILE, &s->open_files);
	if (s->binding != NULL)
		binding_apply_rule(s->binding, s->index);
	if (set_stream(s->input, STDIN_FILENO) != 0 ||
	    set_stream(s->output, STDOUT_FILENO) != 0 ||
	    set_stream(s->errors, STDERR_FILENO) != 0 ||
	    (s->working != NULL && chdir(s->working) != 0))
		return errno;
	(void)signal(SIGPIPE, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, &s->mask, NULL);
	(void)execve(s->path, s->argv, s->environment);
	return errno;
}
