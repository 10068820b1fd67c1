/*
 * A child process that becomes a user, does one thing, and sends back the
 * result.  It never becomes root again, and leaves by _exit(2).
 */
#include "core/process/process.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The user may stop the process, which is now that user's, so waiting is
   limited. */
enum { ANSWER_MAX_MS = 10000 };

struct act_as_answer {
	int status;
	struct error error;
};

/* Set all three ids of user and group, groups first, because later they cannot
   be changed.  Check that it cannot be undone. */
static int
act_as_become(uid_t uid, struct error *e)
{
	const struct passwd *user = getpwuid(uid);
	gid_t group = user != NULL ? user->pw_gid : ACT_AS_UNKNOWN_GROUP;
	uid_t real, effective, saved;

	if ((user != NULL ? initgroups(user->pw_name, group) :
			    setgroups(0, NULL)) != 0 ||
	    setresgid(group, group, group) != 0 ||
	    setresuid(uid, uid, uid) != 0) {
		(void)error_set_errno(e, "cannot act as uid %lu",
		    (unsigned long)uid);
		return error_recode(e, ERROR_DENIED);
	}
	if (getresuid(&real, &effective, &saved) != 0 || real != uid ||
	    effective != uid || saved != uid || (uid != 0 && setuid(0) == 0))
		return error_set_code(e, ERROR_DENIED,
		    "cannot act as uid %lu: the system did not change the user",
		    (unsigned long)uid);
	if (user == NULL)
		(void)umask(0077);
	else if (setenv("HOME", user->pw_dir, 1) != 0)
		return error_set_errno(e, "cannot set HOME");
	return 0;
}

/* Send the answer, which a pipe takes at once; a failure cannot be reported. */
static void
answer_and_exit(int fd, uid_t uid, int (*act)(void *, struct error *),
    void *context)
{
	struct act_as_answer answer;

	memset(&answer, 0, sizeof(answer));
	answer.status = act_as_become(uid, &answer.error) != 0 ?
	    -1 :
	    act(context, &answer.error);
	_exit(write(fd, &answer, sizeof(answer)) == sizeof(answer) ? 0 : 1);
}

/* Return true if the whole answer came in time. */
static bool
act_as_receive(int fd, struct act_as_answer *answer)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;
	int ready;

	do {
		ready = poll(&p, 1, ANSWER_MAX_MS);
	} while (ready == -1 && errno == EINTR);
	if (ready != 1)
		return false;
	do {
		n = read(fd, answer, sizeof(*answer));
	} while (n == -1 && errno == EINTR);
	return n == sizeof(*answer);
}

int
act_as(uid_t uid, int (*act)(void *context, struct error *), void *context,
    struct error *e)
{
	struct act_as_answer answer;
	int fds[2];
	pid_t pid;
	bool answered;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(e, "cannot make a pipe");
	if ((pid = fork()) == 0)
		answer_and_exit(fds[1], uid, act, context);
	if (pid == -1) {
		(void)error_set_errno(e, "cannot start a process as uid %lu",
		    (unsigned long)uid);
		(void)close(fds[0]);
		(void)close(fds[1]);
		return -1;
	}
	(void)close(fds[1]);
	answered = act_as_receive(fds[0], &answer);
	(void)close(fds[0]);
	/* It has no work left; the user may have stopped it. */
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) == -1 && errno == EINTR)
		;
	if (!answered)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "the process that acted as uid %lu gave no answer",
		    (unsigned long)uid);
	if (answer.status != 0)
		(void)error_copy(e, &answer.error);
	return answer.status;
}
