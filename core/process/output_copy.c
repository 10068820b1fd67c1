/*
 * Files for --output-filename and --log-dir.
 *
 * Source: Open MPI 4.1, mpirun(1), for its names.
 */
#include "core/process/tag_format.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* A process's outputs: 0 is stdout, 1 stderr. */
enum { OUTPUT_COPY_FILES = 2 };

enum { NAME_BYTES = 64 };

static const char *const names[][OUTPUT_COPY_FILES] = {
	[OUTPUT_COPY_RANKS] = { "stdout", "stderr" },
	[OUTPUT_COPY_JOB_RANKS] = { "stdout", "stderr" },
	[OUTPUT_COPY_INSTANCES] = { "out", "err" },
};

/* Make each missing directory on the path, from the first on. */
static int
make_path(const char *path)
{
	char *copy = xasprintf("%s/", path), *slash = copy;
	int status = 0;

	while (status == 0 && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			status = -1;
		*slash = '/';
	}
	free(copy);
	return status;
}

int
output_copy_init(struct output_copy *c, enum output_copy_form form,
    const char *directory, int count, struct error *e)
{
	char path[PATH_MAX];

	*c = (struct output_copy){ .form = form,
		.count = count,
		.directory = DIRECTORY_NONE };
	if (directory_resolve(directory, path, sizeof(path), e) != 0)
		return -1;
	if (make_path(path) != 0)
		return error_set_reason(e, errno);
	if (directory_open_resolved(&c->directory, path, NULL) != 0)
		return error_set_reason(e, errno);
	/* Messages use the path that the caller gave. */
	free(c->directory.path);
	c->directory.path = xstrdup(directory);
	return 0;
}

void
output_copy_close(struct output_copy *c)
{
	directory_close(&c->directory);
}

static void
file_name(const struct output_copy *c, int process, int output,
    char name[NAME_BYTES])
{
	const char *last = names[c->form][output];

	if (c->form != OUTPUT_COPY_INSTANCES)
		(void)snprintf(name, NAME_BYTES, "%srank.%0*d/%s",
		    c->form == OUTPUT_COPY_JOB_RANKS ? "1/" : "",
		    text_digits(c->count), process, last);
	else
		(void)snprintf(name, NAME_BYTES, "instance.%d.%s", process,
		    last);
}

/* Make the directories of a name, below the open one. */
static void
make_above(const struct output_copy *c, char *name)
{
	char *slash = name;

	while ((slash = strchr(slash, '/')) != NULL) {
		*slash = '\0';
		(void)mkdirat(c->directory.fd, name, 0777);
		*slash++ = '/';
	}
}

/* Open a regular file.  Returns -1 with an errno: ENXIO for other types, as for
   a FIFO without a reader, which would block without O_NONBLOCK. */
static int
open_regular(const struct output_copy *c, const char *name, int truncate,
    int *number)
{
	struct stat st;
	int fd;

	fd = openat(c->directory.fd, name,
	    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
		O_CLOEXEC | truncate,
	    0666);
	*number = errno;
	if (fd == -1 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	(void)close(fd);
	*number = ENXIO;
	return -1;
}

int
output_copy_open_named(const struct output_copy *c, const char *name,
    struct error *e)
{
	int number, fd = open_regular(c, name, O_TRUNC, &number);

	if (fd != -1)
		return fd;
	if (number == ELOOP)
		return error_set(e, "%s is a symbolic link; remove it", name);
	if (number == ENXIO)
		return error_set(e, "%s is not a regular file", name);
	return error_set_number(e, number, "%s", name);
}

int
output_copy_make_files(const struct output_copy *c, struct error *e)
{
	char name[NAME_BYTES];
	int i, fd;

	for (i = 0; i < c->count * OUTPUT_COPY_FILES; i++) {
		file_name(c, i / OUTPUT_COPY_FILES, i % OUTPUT_COPY_FILES,
		    name);
		make_above(c, name);
		fd = output_copy_open_named(c, name, e);
		if (fd == -1)
			return -1;
		(void)close(fd);
	}
	return 0;
}

int
output_copy_open(const struct output_copy *c, int process, int output,
    int *number)
{
	char name[NAME_BYTES];

	file_name(c, process, output, name);
	return open_regular(c, name, 0, number);
}

/* A file that cannot be written is reported by the run that follows. */
void
output_copy_mark(const struct output_copy *c, const char *text)
{
	struct stat st;
	int i, fd, number;

	for (i = 0; i < c->count * OUTPUT_COPY_FILES; i++) {
		fd = output_copy_open(c, i / OUTPUT_COPY_FILES,
		    i % OUTPUT_COPY_FILES, &number);
		if (fd == -1)
			continue;
		(void)dprintf(fd, "%s%s\n",
		    fstat(fd, &st) == 0 && st.st_size == 0 ? "" : "\n", text);
		(void)close(fd);
	}
}

char *
output_copy_path(const struct output_copy *c, int process, int output)
{
	char name[NAME_BYTES];

	file_name(c, process, output, name);
	return xasprintf("%s/%s", c->directory.path, name);
}
