/*
 * Members are found in /proc, killed and waited for, in rounds, because each
 * may start others until it is dead.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/syscall.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/kube/sandbox/mount_call.h"

enum {
	ANCESTORS_MAX = 256,
	WAITED_MAX = 64 /* number of ends that a round waits for */
};

struct member_round {
	pid_t spared[ANCESTORS_MAX]; /* this process and its ancestors */
	int spared_count;
	struct pollfd waited[WAITED_MAX];
	nfds_t waited_count;
	int killed; /* in this round */
	pid_t left; /* a process that cannot be killed */
	int reason; /* and its errno, or 0 */
};

/* ---- membership ---- */

static bool
sandbox_member_has_variable(pid_t pid, const char *value)
{
	static const char name[] = SANDBOX_MEMBER_VARIABLE "=";
	char path[64], *word = NULL;
	size_t room = 0;
	bool found = false;
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%ld/environ", (long)pid);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	while (!found && getdelim(&word, &room, '\0', f) > 0)
		found = strncmp(word, name, sizeof(name) - 1) == 0 &&
		    strcmp(word + sizeof(name) - 1, value) == 0;
	free(word);
	(void)fclose(f);
	return found;
}

bool
sandbox_member_is(pid_t pid, const struct sandbox_mark *mark)
{
	return sandbox_member_has_variable(pid, mark->text) ||
	    (mark->directory != NULL && mountinfo_has(pid, mark->directory));
}

/* ---- spared processes ---- */

/* Parse "PID (NAME) STATE PARENT ..."; the name may contain ")"; 0: unknown. */
static pid_t
parent_of(pid_t pid)
{
	char path[64], text[512], *end;
	long long parent;
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	if ((end = strrchr(text, ')')) == NULL || strlen(end) < 5)
		return 0;
	end += 4;
	end[strcspn(end, " ")] = '\0';
	return parse_number("parent", end, 1, INT_MAX, &parent, NULL) == 0 ?
	    (pid_t)parent :
	    0;
}

static void
member_spare(struct member_round *r)
{
	pid_t pid = getpid();

	for (; pid != 0 && r->spared_count < ANCESTORS_MAX;
	     pid = parent_of(pid))
		r->spared[r->spared_count++] = pid;
}

static bool
is_spared(const struct member_round *r, pid_t pid)
{
	int i;

	for (i = 0; i < r->spared_count; i++)
		if (r->spared[i] == pid)
			return true;
	return false;
}

/* ---- killing ---- */

/*
 * Open the descriptor first, then check the process: if it ended in between and
 * its number was reused, no process gets the signal.
 */
static void
member_end(struct member_round *r, pid_t pid, const struct sandbox_mark *mark)
{
	const int fd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);

	if (fd == -1)
		return;
	if (!sandbox_member_is(pid, mark)) {
		(void)close(fd);
		return;
	}
	if (syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0) {
		r->killed++;
		if (r->waited_count < WAITED_MAX) {
			r->waited[r->waited_count++] =
			    (struct pollfd){ .fd = fd, .events = POLLIN };
			return;
		}
	} else if (errno != ESRCH) {
		r->left = pid;
		r->reason = errno;
	}
	(void)close(fd);
}

static int
member_round(struct member_round *r, const struct sandbox_mark *mark,
    struct error *e)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	long long pid;

	if (proc == NULL)
		return error_set_errno(e, "/proc");
	r->killed = r->reason = 0;
	while ((entry = readdir(proc)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    parse_number("pid", entry->d_name, 1, INT_MAX, &pid,
			NULL) == 0 &&
		    !is_spared(r, (pid_t)pid))
			member_end(r, (pid_t)pid, mark);
	(void)closedir(proc);
	return 0;
}

/* A pidfd becomes readable when its process has ended. */
static void
member_wait(struct member_round *r, int64_t deadline_ms)
{
	int64_t left_ms;
	nfds_t i;

	for (i = 0; i < r->waited_count; i++) {
		left_ms = deadline_ms - clock_monotonic_ms();
		(void)poll(&r->waited[i], 1, left_ms > 0 ? (int)left_ms : 0);
		(void)close(r->waited[i].fd);
	}
	r->waited_count = 0;
}

int
sandbox_member_kill(const struct sandbox_mark *mark, int64_t limit_ms,
    struct error *e)
{
	const int64_t deadline_ms = clock_monotonic_ms() + limit_ms;
	struct member_round r = { .spared_count = 0 };
	int count = 0;

	if (mark->directory != NULL && mountinfo_has(0, mark->directory))
		return error_set_code(e, ERROR_INVALID,
		    "%s is also a mount point of this process, so it cannot "
		    "identify the processes of a pod",
		    mark->directory);
	member_spare(&r);
	do {
		if (member_round(&r, mark, e) != 0)
			return -1;
		count += r.killed;
		member_wait(&r, deadline_ms);
	} while (r.killed != 0 && clock_monotonic_ms() < deadline_ms);
	if (r.reason != 0)
		return error_set_number(e, r.reason,
		    "cannot end process %ld of the pod", (long)r.left);
	if (r.killed != 0)
		return error_set_code(e, ERROR_TIMED_OUT,
		    "the pod starts processes faster than they can be ended, "
		    "or one of them does not end; %d were killed",
		    count);
	return count;
}
