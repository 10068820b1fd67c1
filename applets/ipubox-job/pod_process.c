/*
 * A process that becomes a container, or joins one, by the pod's sheet.
 */

#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/kube/runtime/job_entry.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/process/process.h"

enum {
	STAT_BYTES_MAX = 4096,
	CONTAINER_UMASK = 022,
	CANNOT_BECOME = 128	/* as Kubernetes has it of a container that
				   could not be made */
};

/* "PID START": who the container is, once it is where it belongs. */
static const char	process_file[] = "process";

/* Where a process is whose start is compared: field 22 of proc(5)'s stat. */
static int64_t
process_start(pid_t pid)
{
	char		path[64], *text, *at;
	size_t		size;
	long long	start = 0;
	int		field;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = file_read(path, STAT_BYTES_MAX, &size, NULL);
	at = text != NULL ? strrchr(text, ')') : NULL;
	for (field = 2; at != NULL && field < 22; field++)
		if ((at = strchr(at + 1, ' ')) == NULL)
			break;
	if (at != NULL) {
		at[1 + strcspn(at + 1, " \n")] = '\0';
		(void)parse_number("start", at + 1, 0, INT64_MAX, &start,
		    NULL);
	}
	free(text);
	return start;
}

/*
 * Said when it is where it belongs, and not before: others join it then, and
 * the runner hears that there is one to join.
 */
static int
tell_process(int fd, int waker, struct error *e)
{
	char	text[64];

	(void)snprintf(text, sizeof(text), "%d %" PRId64 "\n", (int)getpid(),
	    process_start(getpid()));
	if (ftruncate(fd, 0) != 0 || file_put(fd, text, strlen(text)) != 0)
		return error_set_errno(e, "cannot write the pod's file %s",
		    process_file);
	(void)!write(waker, "", 1);
	return 0;
}

/* Enter the place, or what stands for it where nobody may mount. */
static int
enter_place(const struct read_sheet *r, struct error *e)
{
	if (yaml_get_bool(r->node, "isolated", false))
		return sandbox_enter(&r->place, e);
	if (chdir(r->place.working) == 0)
		return 0;
	return error_set_errno(e, "workingDir %s", r->place.working);
}

/*
 * The program by the container's own PATH, in the place where it runs.  Its
 * files have the modes that container runtimes give them, whatever the runner
 * or the caller of exec keeps to itself.
 */
static int
execute(char *const *argv, char *const *environment, struct error *e)
{
	const char	*search = NULL;
	char		*path;
	size_t		 i;
	int		 status;

	for (i = 0; environment[i] != NULL; i++)
		if (strncmp(environment[i], "PATH=", 5) == 0)
			search = environment[i] + 5;
	status = program_find(argv[0], search, &path, e);
	if (status != 0)
		return status;
	(void)umask(CONTAINER_UMASK);
	(void)execve(path, argv, environment);
	free(path);
	(void)error_set_errno(e, "cannot execute %s", argv[0]);
	return PROGRAM_CANNOT_EXECUTE;
}

/* Where the container begins; comes back where that fails. */
static int
enter_and_go(const char *directory, const struct read_sheet *r, int waker,
    struct error *e)
{
	struct directory	d = DIRECTORY_NONE;
	int			fd = -1, status = CANNOT_BECOME;

	if (directory_open(&d, directory, e) == 0)
		fd = file_open(&d, process_file, O_WRONLY | O_CREAT, e);
	directory_close(&d);
	if (fd != -1 && enter_place(r, e) == 0 && tell_process(fd, waker,
	    e) == 0)
		status = 0;
	if (fd != -1)
		(void)close(fd);
	if (status != 0)
		return status;
	if (!yaml_get_bool(r->node, "waiting", false))
		return execute(r->argv, r->environment, e);
	title_set("ipubox-pause");
	for (;;)
		(void)pause();
}

int
pod_process_run(const char *directory, struct error *e)
{
	struct read_sheet	r;
	int			waker = job_entry_open_waker(directory);
	int			status = CANNOT_BECOME;

	if (pod_sheet_read(directory, &r, e) == 0)
		status = enter_and_go(directory, &r, waker, e);
	pod_sheet_release(&r);
	if (waker != -1)
		(void)close(waker);
	return status;
}

pid_t
pod_process_find(const char *directory)
{
	char		*path = xasprintf("%s/%s", directory, process_file);
	char		*text, *space;
	size_t		 size;
	long long	 pid = 0, start = 0;

	text = file_read(path, STAT_BYTES_MAX, &size, NULL);
	free(path);
	if (text != NULL && (space = strchr(text, ' ')) != NULL) {
		*space++ = '\0';
		space[strcspn(space, "\n")] = '\0';
		if (parse_number("pid", text, 1, INT32_MAX, &pid, NULL) != 0 ||
		    parse_number("start", space, 1, INT64_MAX, &start,
		    NULL) != 0 || process_start((pid_t)pid) != start)
			pid = 0;
	}
	free(text);
	return (pid_t)pid;
}

/* Its pidfd first, then the look whether it is the one. */
static int
join(const char *directory, const struct read_sheet *r, struct error *e)
{
	pid_t	pid = pod_process_find(directory);
	int	fd, status;

	if (pid == 0)
		return error_set_code(e, ERROR_NOT_FOUND, "its container does "
		    "not run");
	if (!yaml_get_bool(r->node, "isolated", false))
		return 0;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd == -1 || pod_process_find(directory) != pid) {
		if (fd != -1)
			(void)close(fd);
		return error_set_code(e, ERROR_NOT_FOUND, "its container has "
		    "just ended");
	}
	status = sandbox_join(fd, e);
	(void)close(fd);
	return status;
}

static int
join_and_go(const char *directory, const struct read_sheet *r, struct error *e)
{
	if (join(directory, r, e) != 0)
		return -1;
	return chdir(r->place.working) == 0 ? 0 : error_set_errno(e,
	    "workingDir %s", r->place.working);
}

int
pod_process_exec(const char *directory, char *const *argv, struct error *e)
{
	struct read_sheet	r;
	int			status = CANNOT_BECOME;

	if (pod_sheet_read(directory, &r, e) == 0 && join_and_go(directory,
	    &r, e) == 0)
		status = execute(argv, r.environment, e);
	pod_sheet_release(&r);
	return status;
}

int
pod_process_visit(const char *directory, struct error *e)
{
	struct read_sheet	r;
	int			status = pod_sheet_read(directory, &r, e);

	if (status == 0)
		status = pod_process_find(directory) == 0 ? enter_place(&r,
		    e) : join_and_go(directory, &r, e);
	pod_sheet_release(&r);
	return status;
}
