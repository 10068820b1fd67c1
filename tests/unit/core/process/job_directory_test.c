/*
 * core/job/job_directory: who may enter a job's directory, what a kill leaves
 * of it, and who removes that.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/process.h"
#include "tests/unit/shared_util.h"
#include "tests/unit/tap.h"

static char *place; /* where they are made */

/* Make a directory as a job does, whose reaper removes others' remains. */
static bool
make(struct job_directory *d)
{
	const char *places[] = { NULL, "relative", "/nonexistent", place };
	struct error e = { .text = "" };

	if (job_directory_make(d, places, 4, &e) == 0) {
		job_directory_remove_stale(d);
		return true;
	}
	printf("# %s\n", e.text);
	return false;
}

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void
put_file(const struct job_directory *d, const char *name)
{
	int fd = openat(d->fd, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd == -1)
		abort();
	(void)close(fd);
}

static void
check_life(void)
{
	struct job_directory d, other;
	struct stat st;
	int fd;

	job_directory_init(&d);
	job_directory_remove(&d);
	job_directory_release(&d);
	ok(make(&d), "made in the first place that there is");
	ok(strncmp(d.path, place, strlen(place)) == 0 &&
		strlen(d.path) == strlen(place) + strlen("/ipubox-job-") + 32,
	    "with a random name");
	ok(stat(d.path, &st) == 0 && (st.st_mode & 07777) == 0700 &&
		st.st_uid == geteuid(),
	    "its user's alone");
	ok((fcntl(d.fd, F_GETFD) & FD_CLOEXEC) != 0 &&
		(fcntl(d.owner, F_GETFD) & FD_CLOEXEC) != 0,
	    "programs do not inherit it");
	ok((fd = job_directory_open(d.path, NULL)) != -1, "an instance opens");
	(void)close(fd);
	put_file(&d, "collective");
	ok(make(&other), "another job");
	ok(strcmp(d.path, other.path) != 0, "with another name");
	ok(exists(d.path), "leaves the first alone");
	job_directory_remove(&other);
	job_directory_remove(&other);
	ok(!exists(other.path), "removed, twice");
	job_directory_release(&other);
	job_directory_remove(&d);
	ok(!exists(d.path), "with what was in it");
	job_directory_release(&d);
	ok(d.path == NULL, "and released");
}

/* A process makes one and is killed; its child may hold the lock on. */
static char *
leave_one(bool with_child, int *until)
{
	struct job_directory d;
	char name[256] = "", *path;
	int result[2], hold[2];
	ssize_t n;
	pid_t pid;

	if (pipe(result) != 0 || pipe(hold) != 0)
		abort();
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (!make(&d))
			_exit(1);
		put_file(&d, "collective");
		if (with_child && fork() == 0) {
			(void)close(hold[1]);
			(void)close(result[1]);
			(void)!read(hold[0], name, 1);
			_exit(0);
		}
		(void)!write(result[1], d.path, strlen(d.path));
		(void)raise(SIGKILL);
	}
	(void)close(result[1]);
	(void)close(hold[0]);
	(void)waitpid(pid, NULL, 0);
	n = read(result[0], name, sizeof(name) - 1);
	path = n > 0 ? xstrdup(name) : NULL;
	(void)close(result[0]);
	*until = hold[1];
	return path;
}

static void
check_kills(void)
{
	struct job_directory d;
	char *path;
	int until, tries;

	path = leave_one(true, &until);
	ok(path != NULL && exists(path), "killed: it is left");
	ok(make(&d) && exists(path), "stays while a child of poprun lives");
	job_directory_remove(&d);
	job_directory_release(&d);
	(void)close(until);
	/* The child ends with the pipe; nobody here can wait for it. */
	for (tries = 0; tries < 10000 && exists(path); tries++) {
		if (!make(&d))
			break;
		job_directory_remove(&d);
		job_directory_release(&d);
	}
	ok(!exists(path), "the next job removes it when that is gone");
	free(path);
}

/* Directories that are named alike; which of them the next job removes. */
static void
check_alike(void)
{
	const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };
	struct job_directory d;
	char *names[5];
	int i;

	for (i = 0; i < 5; i++)
		names[i] = xasprintf("%s/ipubox-job-%d", place, i);
	if (mkdir(names[0], 0700) != 0 || mkdir(names[1], 0700) != 0 ||
	    mkdir(names[2], 0755) != 0 || mkdir(names[3], 0700) != 0 ||
	    symlink(names[3], names[4]) != 0 || rmdir(names[3]) != 0 ||
	    chmod(names[2], 0755) != 0)
		abort();
	for (i = 1; i < 3; i++)
		if (utimensat(AT_FDCWD, names[i], old, 0) != 0)
			abort();
	ok(make(&d), "a job beside them");
	ok(exists(names[0]), "one that is being made stays");
	ok(!exists(names[1]), "an old one without an owner's file goes");
	ok(exists(names[2]), "one that others may enter is not a job's");
	ok(exists(names[4]), "nor is a link");
	job_directory_remove(&d);
	job_directory_release(&d);
	(void)unlink(names[4]);
	(void)rmdir(names[0]);
	(void)rmdir(names[2]);
	for (i = 0; i < 5; i++)
		free(names[i]);
}

static void
check_refusals(void)
{
	const char *none[] = { NULL, "/nonexistent" };
	struct job_directory d;
	struct error e = { .text = "" };
	char *text = xasprintf("IPUBOX_JOB_DIR: %s must be a directory that "
			       "only this user may use",
	    place);

	is_int(job_directory_make(&d, none, 2, &e), -1, "no place at all");
	ok(strstr(e.text,
	       "TMPDIR, /tmp and the state directory cannot be written: No "
	       "such file or directory") != NULL,
	    e.text);
	is_int(job_directory_open("/nonexistent", &e), -1, "no directory");
	is_str(e.text,
	    "IPUBOX_JOB_DIR: cannot open /nonexistent: No such file or "
	    "directory",
	    "its reason");
	if (chmod(place, 0750) != 0)
		abort();
	is_int(job_directory_open(place, &e), -1, "one that others may enter");
	is_str(e.text, text, "its reason");
	free(text);
	if (chmod(place, 0700) != 0)
		abort();
	if (geteuid() != 0) {
		tap_skip("another user's", "needs root");
		return;
	}
	if (chown(place, 1, (gid_t)-1) != 0)
		abort();
	is_int(job_directory_open(place, &e), -1, "another user's");
	if (chown(place, 0, (gid_t)-1) != 0)
		abort();
}

/* A child that joins it too and waits for its end on the pipe. */
static pid_t
join_in_child(const char *path, int said[2])
{
	struct job_directory d;
	struct error e;
	const pid_t pid = fork();
	char c = '!';

	if (pid != 0)
		return pid;
	if (job_directory_join(&d, path, &e) != 0)
		c = '?';
	(void)!write(said[1], &c, 1);
	(void)pause();
	_exit(0);
}

/* Several processes of a host, one directory: the last one removes it. */
static void
check_shared(void)
{
	struct job_directory first, second, other;
	struct error e;
	char *path = job_directory_new_path(place);
	int said[2], status;
	char c = 0;
	pid_t pid;

	ok(!exists(path), "a new path is not there");
	is_int(job_directory_join(&first, path, &e), 0, "the first makes it");
	is_int(job_directory_join(&second, path, &e), 0, "the second joins");
	put_file(&second, "file");
	ok(make(&other) && exists(path), "another job leaves it there");
	job_directory_remove(&other);
	job_directory_release(&other);
	job_directory_leave(&first);
	ok(exists(path), "one is left");
	job_directory_leave(&first);
	job_directory_leave(&second);
	ok(!exists(path), "the last one removes it, with all that is in it");

	if (pipe(said) != 0)
		abort();
	pid = join_in_child(path, said);
	ok(read(said[0], &c, 1) == 1 && c == '!', "a child makes it");
	is_int(job_directory_join(&first, path, &e), 0, "its parent joins");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	ok(exists(path), "the child is killed");
	job_directory_leave(&first);
	ok(!exists(path), "nobody else is left");

	pid = join_in_child(path, said);
	ok(read(said[0], &c, 1) == 1 && c == '!', "a child makes it again");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	ok(exists(path) && make(&other) && !exists(path),
	    "the next job removes what a kill has left");
	job_directory_remove(&other);
	job_directory_release(&other);
	free(path);
}

/* A parent leaves before its keeper, which has the same lock and ends later:
   the last parent need not wait for that one. */
static void
check_keepers(void)
{
	struct job_directory first, second;
	struct error e;
	char *path = job_directory_new_path(place);
	int keeper;

	is_int(job_directory_join(&first, path, &e), 0, "one parent");
	is_int(job_directory_join(&second, path, &e), 0, "another parent");
	keeper = fcntl(first.owner, F_DUPFD_CLOEXEC, 0);
	job_directory_leave(&first);
	ok(exists(path), "the other is there");
	job_directory_leave(&second);
	ok(!exists(path), "the keeper of the first holds nothing");
	(void)close(keeper);
	free(path);
}

/* What cannot be joined. */
static void
check_not_shared(void)
{
	struct job_directory d;
	struct error e;
	char *path = job_directory_new_path(place);

	ok(job_directory_join(&d, place, &e) == -1 && e.code == ERROR_INVALID,
	    "no directory of a job");
	ok(job_directory_join(&d, "ipubox-job-1", &e) == -1 &&
		e.code == ERROR_INVALID,
	    "no whole path");
	ok(job_directory_join(&d, "/nonexistent/ipubox-job-1", &e) == -1,
	    "no place");
	if (mkdir(path, 0755) != 0 || chmod(path, 0755) != 0)
		abort();
	ok(job_directory_join(&d, path, &e) == -1, "one that others may enter");
	ok(exists(path) && rmdir(path) == 0, "stays as it is");
	if (symlink(place, path) != 0)
		abort();
	ok(job_directory_join(&d, path, &e) == -1, "a link");
	ok(exists(path) && unlink(path) == 0, "stays as well");
	free(path);
}

int
main(void)
{
	(void)alarm(60);
	place = shared_new();
	check_life();
	check_kills();
	check_alike();
	check_refusals();
	check_shared();
	check_keepers();
	check_not_shared();
	is_int(shared_remove(place), 0, "nothing is left");
	return tap_done();
}
