/*
 * The file of a program's name, as a shell finds it: POSIX's search of PATH,
 * with its two exit statuses, "not found" and "cannot execute".
 */
#include "core/process/process.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum { INTERPRETER_SIZE = 256 }; /* as the kernel reads */

static const char usual_directories[] = "/usr/local/bin:/usr/bin:/bin";

/* Return 0 or the errno that execve(2) would give. */
static int
program_check(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? EISDIR : EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
}

/* Set the error and return its exit status. */
static int
cannot_execute(const char *path, int reason, struct error *e)
{
	(void)error_set_number(e, reason, "cannot execute %s", path);
	return PROGRAM_CANNOT_EXECUTE;
}

/* Search the PATH, in which an empty part is the current directory.  As in
   execvp(3), a file that cannot be executed is skipped, and reported only if no
   other is found. */
static int
search_directories(const char *name, const char *search, char **path,
    struct error *e)
{
	char *candidate, *refused = NULL;
	size_t len;
	int reason, refusal = 0;

	for (;; search += len + 1) {
		len = strcspn(search, ":");
		candidate = xasprintf("%.*s/%s", len == 0 ? 1 : (int)len,
		    len == 0 ? "." : search, name);
		if ((reason = program_check(candidate)) == 0) {
			free(refused);
			*path = candidate;
			return 0;
		}
		if (reason == EACCES && refused == NULL) {
			refused = candidate;
			refusal = reason;
		} else
			free(candidate);
		if (search[len] == '\0')
			break;
	}
	if (refused == NULL) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "program '%s' not found in PATH", name);
		return PROGRAM_NOT_FOUND;
	}
	(void)cannot_execute(refused, refusal, e);
	free(refused);
	return PROGRAM_CANNOT_EXECUTE;
}

/* A name with a "/" is a path and is not searched for. */
int
program_find(const char *name, const char *search, char **path, struct error *e)
{
	int reason;

	*path = NULL;
	if (strchr(name, '/') == NULL && *name != '\0')
		return search_directories(name,
		    search != NULL ? search : usual_directories, path, e);
	reason = program_check(name);
	if (reason == ENOENT || reason == ENOTDIR) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "program '%s' not found", name);
		return PROGRAM_NOT_FOUND;
	}
	if (reason != 0)
		return cannot_execute(name, reason, e);
	*path = xstrdup(name);
	return 0;
}

/* The kernel executes the file that "#!FILE" names, up to a blank; env(1) takes
   the rest as the name of a program. */
int
program_check_interpreter(const char *path, struct error *e)
{
	char line[INTERPRETER_SIZE] = "", *name, *end;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd == -1 ? -1 : read(fd, line, sizeof(line) - 1);
	int reason;

	if (fd != -1)
		(void)close(fd);
	if (n < 2 || strncmp(line, "#!", 2) != 0)
		return 0;
	name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, "\n")] = '\0';
	end = name + strcspn(name, " \t");
	if (strncmp(name, "/usr/bin/env ", 13) == 0 && end[1] != '-' &&
	    strchr(end, '\r') != NULL) {
		name = end + 1;
		reason = ENOENT;
	} else {
		*end = '\0';
		if (access(name, X_OK) == 0)
			return 0;
		reason = errno;
	}
	(void)error_set_number(e, reason, "%s names the interpreter %s", path,
	    name);
	(void)error_append(e,
	    strchr(name, '\r') != NULL ?
		"\tits lines end with carriage returns: sed -i 's/\\r$//' %s "
		"removes them" :
		"\tinstall it, or change the first line of the file",
	    path);
	return reason == ENOENT ? PROGRAM_NOT_FOUND : PROGRAM_CANNOT_EXECUTE;
}

char *
program_own_file(const char *called, const char *search)
{
	char target[PATH_MAX], *path = NULL, *real = NULL;
	ssize_t len = readlink("/proc/self/exe", target, sizeof(target) - 1);

	if (len > 0) {
		target[len] = '\0';
		/* The file was replaced: "FILE (deleted)". */
		if (program_check(target) == 0)
			return xstrdup(target);
	}
	if (program_find(called, search, &path, NULL) == 0)
		real = realpath(path, NULL);
	free(path);
	return real;
}

/* EAGAIN means the user's limit if one is set; else the system's, or a control
   group's, which no command shows. */
int
program_fork_error(struct error *e, int number, const char *what)
{
	struct rlimit limit;

	(void)error_set_number(e, number, "cannot start %s", what);
	if (number != EAGAIN)
		return error_append(e, "; use fewer instances");
	if (getrlimit(RLIMIT_NPROC, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return error_append(e,
		    "; the system has too many processes, use fewer instances");
	return error_append(e,
	    "; raise ulimit -u (%llu processes and threads of this user) or "
	    "use fewer instances",
	    (unsigned long long)limit.rlim_cur);
}

/* ---- the program that started this process ---- */

enum { ASK_AGAIN_MS = 100 };

void
program_watch_parent(struct program_watch *w)
{
	w->pid = getppid();
	/* It is close-on-exec. */
	w->fd = (int)syscall(SYS_pidfd_open, (long)w->pid, 0L);
}

/* setsid() fails for a group leader, which gets no such signals either. */
void
program_watch_leave(const char *title)
{
	sigset_t none;

	(void)setsid();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)syscall(SYS_close_range, (long)STDERR_FILENO + 1, (long)INT_MAX,
	    0L);
	title_set(title);
}

int
program_watch_timeout(const struct program_watch *w)
{
	return w->fd == -1 ? ASK_AGAIN_MS : -1;
}

/* The kernel gives this process another parent after the program's end; in
   another pid namespace both have the number 0. */
bool
program_watch_has_ended(const struct program_watch *w)
{
	struct pollfd end = { .fd = w->fd, .events = POLLIN };

	return getppid() != w->pid || (w->fd != -1 && poll(&end, 1, 0) > 0);
}

void
program_watch_release(struct program_watch *w)
{
	if (w->fd != -1)
		(void)close(w->fd);
	w->fd = -1;
}
