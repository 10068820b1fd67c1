/*
 * A file that a user named, whose writer is killed or fails at each point: it
 * is the old one or the new one, and the next writer removes what was left.
 */
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/base/files/file_link.h"
#include "tests/unit/tap.h"

static char *path;

static int
write_text(const char *text)
{
	return output_file_write(path, OUTPUT_KEPT, text, strlen(text), NULL);
}

/* The names in the directory, but "." and "..". */
static int
count_names(void)
{
	DIR *dir = opendir(tap_directory());
	int n = 0;

	if (dir == NULL)
		abort();
	while (readdir(dir) != NULL)
		n++;
	(void)closedir(dir);
	return n - 2;
}

static bool
holds(const char *text)
{
	size_t size;
	char *has = file_read(path, 100, &size, NULL);
	bool same = has != NULL && strcmp(has, text) == 0;

	free(has);
	return same;
}

static void
test_kills(void)
{
	bool whole = true, clean = true;
	int status = -1, most = 0, n;
	pid_t pid;

	for (n = 1; status != 0; n++) {
		clean = clean && write_text("old") == 0 && count_names() == 1;
		(void)fflush(stdout);
		if ((pid = fork()) == 0) {
			fault_arm(n, 0);
			_exit(write_text("new") != 0);
		}
		(void)waitpid(pid, &status, 0);
		if (status != 0 &&
		    (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL))
			break;
		whole = whole && (holds("old") || holds("new"));
		if (count_names() > most)
			most = count_names();
	}
	is_int(status, 0, "killed at each point");
	ok(whole, "it is the old one or the new one");
	is_int(most, 2, "a killed writer leaves its temporary file");
	ok(clean, "the next one removes it");
	ok(holds("new"), "and the last was written");
}

static void
test_failures(void)
{
	bool clean = true;
	int status = -1, n;

	(void)write_text("old");
	for (n = 1; status != 0; n++) {
		fault_arm(n, ENOSPC);
		status = write_text("new");
		fault_arm(0, 0);
		clean = clean && count_names() == 1 &&
		    (status == 0 || holds("old") || holds("new"));
	}
	ok(n > 4, "each step fails once");
	ok(clean, "and leaves no temporary file");
}

/* Another writer of the same name has its temporary file locked. */
static void
test_held(void)
{
	char *other = xasprintf("%s/.a.Held12.tmp", tap_directory());
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int fd = open(other, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd == -1 || fcntl(fd, F_OFD_SETLK, &l) != 0)
		abort();
	is_int(write_text("new"), 0, "beside another writer");
	is_int(access(other, F_OK), 0, "whose temporary file stays");
	is_int(output_file_check(path, OUTPUT_KEPT, NULL), 0, "a check");
	is_int(access(other, F_OK), 0, "leaves it as well");
	(void)close(fd);
	is_int(write_text("new"), 0, "when that is gone");
	is_int(access(other, F_OK), -1, "it is removed");
	is_int(count_names(), 1, "and nothing else is left");
	free(other);
}

int
main(void)
{
	path = xasprintf("%s/a", tap_directory());
	test_kills();
	test_failures();
	test_held();
	(void)unlink(path);
	free(path);
	return tap_done();
}
