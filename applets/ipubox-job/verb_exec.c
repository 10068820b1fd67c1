/*
 * Commands and files in pods: exec, cp.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file_set.h"
#include "core/base/text.h"

/* Refuse a container that the pod lacks, or that has ended, as kubectl and its
   server do. */
static int
check_container(const struct job_call *c, const struct resource_found *found)
{
	const char *name = c->container;

	if (name == NULL ||
	    strcmp(name,
		yaml_get_text(pod_object_container(found->object), "name")) ==
		0)
		return EXIT_DONE;
	if (pod_node_container(yaml_get(found->object, "spec"), name) == NULL)
		return job_call_server_error("BadRequest",
		    "container %s is not valid for pod %s", name, found->name);
	return job_call_refuse(
	    "unable to upgrade connection: container not found (\"%s\")", name);
}

/* Find a pod that has not ended, and its directory, which the caller frees;
   otherwise print the refusal. */
static int
take_running(struct job_call *c, const char *word, char **directory)
{
	struct founds f;
	const char *phase;
	int status = founds_find_pod(c, word, &f);

	*directory = NULL;
	if (status != EXIT_DONE) {
		founds_release(&f);
		return status;
	}
	phase = yaml_get_text(f.items[0].object, "status/phase");
	if (phase != NULL &&
	    (strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0))
		status = job_call_refuse("cannot exec into a container in a "
					 "completed pod; current phase is %s",
		    phase);
	else if ((status = check_container(c, &f.items[0])) == EXIT_DONE)
		*directory = job_entry_pod_path(f.items[0].entry,
		    f.items[0].name);
	founds_release(&f);
	return status;
}

/* Without -i the command reads nothing. */
static void
set_input(const struct job_call *c)
{
	int fd;

	if (c->terminal && !isatty(STDIN_FILENO))
		fprintf(stderr,
		    "Unable to use a TTY - input is not a terminal or the "
		    "right kind of file\n");
	if (c->input || c->terminal)
		return;
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd != -1)
		(void)dup2(fd, STDIN_FILENO);
}

/*
 * Become the command: its exit status, terminal and signals are the caller's.
 */
int
verb_exec(struct job_call *c)
{
	struct error e, reason;
	char *directory, **command = c->command;
	int status, relayed;

	if (c->count == 0)
		return job_call_misuse(c,
		    "pod, type/name or --filename must be specified");
	if (command == NULL && c->count > 1)
		command = c->operands + 1;
	if (command == NULL || command[0] == NULL)
		return job_call_misuse(c,
		    "you must specify at least one command for the container");
	status = take_running(c, c->operands[0], &directory);
	if (status != EXIT_DONE)
		return status;
	set_input(c);
	status = pod_process_exec(directory, command, &e);
	/* A pod may not join another pod, but the runner can. */
	relayed = e.code == ERROR_DENIED &&
		getenv(SANDBOX_MEMBER_VARIABLE) != NULL ?
	    runner_exec_run(directory, command, &reason) :
	    -1;
	free(directory);
	if (relayed != -1)
		return relayed;
	(void)job_call_failed(&e);
	return status;
}

/* "[NAMESPACE/]POD:PATH" or "TYPE/NAME:PATH". */
struct copy_end {
	char *pod;   /* NULL: this host */
	char *space; /* NULL: the call's */
	const char *path;
};

static struct copy_end
copy_end(const char *word)
{
	struct copy_end end = { .path = word };
	const char *colon = strchr(word, ':');
	char *slash;
	enum resource_type type;

	if (colon == NULL || colon == word || *word == '.' || *word == '/')
		return end;
	end.pod = xasprintf("%.*s", (int)(colon - word), word);
	end.path = colon + 1;
	slash = strchr(end.pod, '/');
	if (slash != NULL &&
	    resource_type_find(end.pod, (size_t)(slash - end.pod), &type,
		NULL) != 0) {
		*slash = '\0';
		end.space = end.pod;
		end.pod = xstrdup(slash + 1);
	}
	return end;
}

/* Return the last part of a path that may end in slashes; "." if it is all
   slashes. */
static char *
last_part(const char *path)
{
	char *copy = xstrdup(path), *part;
	size_t length = strlen(copy);

	while (length > 1 && copy[length - 1] == '/')
		copy[--length] = '\0';
	part = xstrdup(path_base_name(copy));
	free(copy);
	return part;
}

/* Open the parent directory of a path, in the process's present place.  Sets
   *name to the last part, which the caller frees. */
static int
verb_exec_open_above(const char *path, char **name, struct error *e)
{
	char *above = path_directory_name(path);
	int fd = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*name = last_part(path);
	if (fd == -1)
		(void)error_set_errno(e, "%s", above);
	free(above);
	return fd;
}

/*
 * Copy like kubectl: an entry keeps its name in an existing directory, but the
 * contents of a directory go into it.  The directory may be a link, because the
 * user names it.
 */
static int
copy_between(int from, const char *name, int to, const char *to_name,
    struct strvec *links, struct error *e)
{
	struct stat source, target;
	int below, status;

	if (fstatat(from, name, &source, AT_SYMLINK_NOFOLLOW) != 0)
		return error_set_errno(e, "%s", name);
	if (fstatat(to, to_name, &target, 0) != 0 || !S_ISDIR(target.st_mode))
		return directory_copy(from, name, to, to_name, links, e);
	below = openat(to, to_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (below == -1)
		return error_set_errno(e, "%s", to_name);
	status = directory_copy(from, name, below,
	    S_ISDIR(source.st_mode) ? "." : name, links, e);
	(void)close(below);
	return status;
}

/*
 * Name the links of a pod, which are left out: a second copy could write
 * through them, to any file of the user on this host.
 */
static void
warn_links(const struct copy_end *from, const struct strvec *links)
{
	size_t i;

	for (i = 0; i < links->count; i++) {
		fputs("warning: skipping symlink: \"", stderr);
		text_put(stderr, links->items[i]);
		fputs("\"", stderr);
		if (i == 0) {
			fputs(" (consider using \"ipubox-job exec ", stderr);
			text_put(stderr, from->pod);
			fputs(" -- tar cf - ", stderr);
			text_put(stderr, from->path);
			fputs(" | tar xf -\")", stderr);
		}
		fputs("\n", stderr);
	}
}

/* Copy in a child: it opens this host's end before it enters the pod's
   place. */
static int
copy_in_child(const struct copy_end *from, const struct copy_end *to,
    const char *directory, struct error *e)
{
	char *from_name = NULL, *to_name = NULL;
	int from_fd = -1, to_fd = -1, status;
	struct strvec links;

	if (from->pod == NULL)
		from_fd = verb_exec_open_above(from->path, &from_name, e);
	else
		to_fd = verb_exec_open_above(to->path, &to_name, e);
	if ((from_fd == -1 && to_fd == -1) ||
	    pod_process_visit(directory, e) != 0)
		return -1;
	if (from->pod == NULL)
		to_fd = verb_exec_open_above(to->path, &to_name, e);
	else
		from_fd = verb_exec_open_above(from->path, &from_name, e);
	if (from_fd == -1 || to_fd == -1)
		return -1;
	strvec_init(&links);
	status = copy_between(from_fd, from_name, to_fd, to_name,
	    from->pod != NULL ? &links : NULL, e);
	warn_links(from, &links);
	return status;
}

static int
run_copy(const struct copy_end *from, const struct copy_end *to,
    const char *directory)
{
	struct error e;
	pid_t pid;
	int status;

	(void)fflush(NULL);
	pid = fork();
	if (pid == -1) {
		(void)error_set_errno(&e,
		    "cannot start a process for the copy");
		return job_call_failed(&e);
	}
	if (pid == 0) {
		if (copy_in_child(from, to, directory, &e) == 0)
			_exit(EXIT_DONE);
		(void)job_call_failed(&e);
		_exit(EXIT_FAILED);
	}
	while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

int
verb_cp(struct job_call *c)
{
	struct copy_end from, to;
	const struct copy_end *pod;
	struct founds f;
	char *directory;
	int status = EXIT_DONE;

	if (c->count != 2)
		return job_call_misuse(c,
		    "source and destination are required");
	from = copy_end(c->operands[0]);
	to = copy_end(c->operands[1]);
	pod = from.pod != NULL ? &from : &to;
	if ((from.pod == NULL) == (to.pod == NULL))
		status = job_call_refuse(
		    "one of src or dest must be a %s file specification",
		    to.pod == NULL ? "remote" : "local");
	else if (*from.path == '\0' || *to.path == '\0')
		status = job_call_refuse("filepath can not be empty");
	if (status == EXIT_DONE) {
		if (pod->space != NULL)
			c->space = pod->space;
		status = founds_find_pod(c, pod->pod, &f);
		if (status == EXIT_DONE)
			status = check_container(c, &f.items[0]);
		if (status == EXIT_DONE) {
			directory = job_entry_pod_path(f.items[0].entry,
			    f.items[0].name);
			status = run_copy(&from, &to, directory);
			free(directory);
		}
		founds_release(&f);
	}
	free(from.pod);
	free(from.space);
	free(to.pod);
	free(to.space);
	return status;
}
