/*
 * Durable files: complete or not there, and no temporary file left.
 */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

static const char *root;

static const char *
path_of(const char *name)
{
	static char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

/* All names in the directory, dot files too, in one line. */
static const char *
names_in(const char *directory)
{
	static char line[512];
	char command[512];
	FILE *f;
	int fd[2];
	size_t n = 0;
	pid_t pid;

	(void)snprintf(command, sizeof(command),
	    "cd '%s' && ls -A | sed 's/[.]......[.]tmp$/.TMP/' | tr '\\n' ' '",
	    directory);
	if (pipe(fd) != 0 || (pid = fork()) == -1)
		exit(1);
	if (pid == 0) {
		(void)dup2(fd[1], STDOUT_FILENO);
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	(void)close(fd[1]);
	f = fdopen(fd[0], "r");
	if (f != NULL) {
		n = fread(line, 1, sizeof(line) - 1, f);
		(void)fclose(f);
	}
	(void)waitpid(pid, NULL, 0);
	line[n] = '\0';
	return line;
}

static const char *
content(const char *name)
{
	static char text[64];
	size_t size;
	char *read = file_read(path_of(name), 32, &size, NULL);

	(void)snprintf(text, sizeof(text), "%s", read != NULL ? read : "-");
	free(read);
	return text;
}

static void
test_replace(void)
{
	struct error e;
	struct stat st;

	is_int(file_replace(root, "a.ini", "one", 3, &e), 0, "a new file");
	is_str(content("a.ini"), "one", "has its text");
	ok(stat(path_of("a.ini"), &st) == 0 && (st.st_mode & 0777) == 0600,
	    "and is the user's alone");
	is_int(file_replace(root, "a.ini", "second", 6, &e), 0, "replaced");
	is_str(content("a.ini"), "second", "has the new text");
	is_str(names_in(root), "a.ini ", "nothing else is left");
	is_int(file_replace("/nonexistent", "a", "", 0, &e), -1, "no folder");
	is_str(e.text, "cannot write /nonexistent/a: No such file or directory",
	    "is named");
	is_int(e.code, ERROR_NOT_FOUND, "with its code");
	is_int(file_remove(directory_at(root), "a.ini", &e), 0, "removed");
	is_int(file_remove(directory_at(root), "a.ini", &e), 0,
	    "removed again: it is gone");
	is_str(names_in(root), "", "nothing is left");
}

/* Each step fails once: the old file stays, no temporary file does. */
static void
test_failures(void)
{
	struct error e;
	long n, points;
	int status;

	(void)file_replace(root, "a", "old", 3, &e);
	fault_arm(0, 0);
	(void)file_replace(root, "a", "old", 3, &e);
	points = fault_count();
	is_int(points, 6, "create, write, written, fsync, rename, fsync");
	for (n = 1; n <= points; n++) {
		(void)file_replace(root, "a", "old", 3, &e);
		fault_arm(n, ENOSPC);
		status = file_replace(root, "a", "new", 3, &e);
		is_int(status, -1, "it fails");
		is_int(e.code, n < points ? ERROR_IO : ERROR_UNCONFIRMED,
		    "as it did");
		is_str(content("a"), n < points ? "old" : "new",
		    "the old file up to the last step");
		is_str(names_in(root), "a ", "and no other");
	}
	ok(strstr(e.text, "No space left on device") != NULL, "says why");
	fault_arm(2, EIO);
	is_int(file_remove(directory_at(root), "a", &e), -1,
	    "a folder not flushed");
	is_int(e.code, ERROR_UNCONFIRMED, "may be removed or not");
	fault_arm(0, 0);
	(void)file_remove(directory_at(root), "a", &e);
}

/* A disk that is really full, as far as this process can see. */
static void
test_limit(void)
{
	struct rlimit limit = { 1000, 1000 };
	struct error e;
	char big[4000];
	int status;
	pid_t pid;

	memset(big, 'x', sizeof(big));
	(void)file_replace(root, "a", "old", 3, &e);
	pid = fork();
	if (pid == 0) {
		(void)signal(SIGXFSZ, SIG_IGN);
		(void)setrlimit(RLIMIT_FSIZE, &limit);
		_exit(file_replace(root, "a", big, sizeof(big), &e) == -1 &&
			    e.code == ERROR_IO ?
			0 :
			1);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "half a file is refused");
	is_str(content("a"), "old", "the old one is there");
	is_str(names_in(root), "a ", "and no other");
	(void)file_remove(directory_at(root), "a", &e);
}

static void
test_leftovers(void)
{
	struct error e;
	char **names;
	long count;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		fault_arm(3, 0); /* killed when half of it is written */
		(void)file_replace(root, "a.ini", "text", 4, &e);
		_exit(0);
	}
	(void)waitpid(pid, NULL, 0);
	(void)file_replace(root, "c.ini", "", 0, &e);
	(void)file_replace(root, "b.ini", "", 0, &e);
	(void)file_replace(root, "b.txt", "", 0, &e);
	is_str(names_in(root), ".a.ini.TMP b.ini b.txt c.ini ",
	    "a kill leaves a temporary file");
	count = directory_names(directory_at(root), ".ini", &names, &e);
	is_int(count, 2, "which no reader takes");
	is_str(count == 2 ? names[0] : "", "b.ini", "names are sorted");
	directory_names_free(names, count);
	directory_clean(directory_at(root));
	is_str(names_in(root), "b.ini b.txt c.ini ", "and which is cleaned");
}

static void
test_directories(void)
{
	struct error e;
	struct stat st;

	is_int(make_directory(path_of("x/y/z"), &e), 0, "three folders");
	ok(stat(path_of("x/y"), &st) == 0 && (st.st_mode & 0777) == 0700,
	    "of the user alone");
	is_int(make_directory(path_of("x/y/z"), &e), 0, "they are there");
	is_int(file_write(directory_at(path_of("x/y/z")), "f", "text", 4, &e),
	    0, "a file");
	is_str(content("x/y/z/f"), "text", "with its text");
	is_int(make_directory(path_of("x/y/z/f/g"), &e), -1,
	    "not below a file");
	is_int(e.code, ERROR_INVALID, "which is no mishap of the disk");
	is_int(directory_sync_all(directory_at(path_of("x/y/z")), &e), 0,
	    "flushed");
	is_int(directory_remove_below(directory_at(path_of("x/y")), "z", &e), 0,
	    "removed");
	is_int(directory_remove_below(directory_at(path_of("x/y")), "z", &e), 0,
	    "and gone");
	(void)rmdir(path_of("x/y"));
	(void)rmdir(path_of("x"));
}

/* ---- reading a whole file ---- */

/* A file of `size` bytes 'x', and one NUL in its middle. */
static void
write_file(const char *path, size_t size)
{
	FILE *out = fopen(path, "w");
	size_t i;

	for (i = 0; out != NULL && i < size; i++)
		fputc(i == size / 2 ? '\0' : 'x', out);
	if (out == NULL || fclose(out) != 0)
		perror(path);
}

static void
check_file(size_t file_size, size_t limit, bool readable)
{
	char name[64], *text;
	size_t size = 0;
	struct error error;

	(void)snprintf(name, sizeof(name), "%zu bytes, limit %zu", file_size,
	    limit);
	write_file("file", file_size);
	text = file_read("file", limit, &size, &error);
	ok((text != NULL) == readable, name);
	if (text != NULL) {
		is_int((long long)size, (long long)file_size, "its size");
		ok(text[size] == '\0', "a NUL behind it");
		ok(size == 0 || text[size / 2] == '\0', "a NUL within it");
	} else {
		is_int(error.code, ERROR_INVALID, "a file too large");
		is_str(error.text, "cannot read file: File too large",
		    "the reason");
	}
	free(text);
}

static void
check_files(void)
{
	struct error error;
	size_t size;

	check_file(0, 0, true);
	check_file(1, 0, false);
	check_file(100, 100, true);
	check_file(101, 100, false);
	check_file(4094, 8192, true);
	check_file(4095, 8192, true);
	check_file(4096, 8192, true);
	check_file(100000, 100000, true);
	check_file(100001, 100000, false);
	ok(file_read("none", 9, &size, &error) == NULL, "a file that is none");
	is_str(error.text, "cannot open none: No such file or directory",
	    "its reason");
	is_int(error.code, ERROR_NOT_FOUND, "its code");
	ok(file_read(".", 9, &size, &error) == NULL, "a folder");
	is_str(error.text, "cannot read .: Is a directory", "its reason");
	ok(file_read("/dev/null", 9, &size, &error) == NULL, "a device");
	is_int(error.code, ERROR_INVALID, "its code");
	is_str(error.text, "cannot read /dev/null: Invalid argument",
	    "its reason");
}

int
main(void)
{
	root = tap_directory();
	test_replace();
	test_failures();
	test_limit();
	test_directories();
	test_leftovers();
	check_files();
	(void)directory_remove_below(directory_at("/"), root + 1, NULL);
	return tap_done();
}
