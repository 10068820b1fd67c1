/*
 * Copies of the output of a job's processes in separate files, byte for byte.
 */
#ifndef CORE_PROCESS_OUTPUT_COPY_H
#define CORE_PROCESS_OUTPUT_COPY_H

#include "core/base/error.h"
#include "core/base/files/directory.h"

/* A process's outputs: 0 is stdout, 1 stderr. */
enum { OUTPUT_COPY_FILES = 2 };

enum output_copy_form {
	OUTPUT_COPY_RANKS,    /* 1/rank.N/stdout, stderr; N has as many digits
				 as the number of processes (Open MPI's
				 --output-filename) */
	OUTPUT_COPY_INSTANCES /* instance.N.out, instance.N.err */
};

struct output_copy {
	enum output_copy_form form;
	struct directory directory;
	int count; /* of processes */
};

/* Open the directory, or make it with its parents.  -1: the error has only the
   reason, without the directory's name.  Refuses a symbolic link that is not
   owned by the caller or root.  Call output_copy_close() in any case. */
int output_copy_init(struct output_copy *, enum output_copy_form,
    const char *directory, int count, struct error *);
void output_copy_close(struct output_copy *);

/* Make or empty all files, so that errors show before anything runs.  Fails as
   output_copy_open_named() does. */
int output_copy_make_files(const struct output_copy *, struct error *);

/* Open an output's file for appending, close-on-exec; the caller closes it.
   -1: *number is an errno, ENXIO if it is not a regular file. */
int output_copy_open(const struct output_copy *, int process, int output,
    int *number);

/* Append a line to all files, after an empty line unless it is the first. */
void output_copy_mark(const struct output_copy *, const char *line);

/* Make or empty a file of this name in the directory, and open it for
   appending, close-on-exec.  Refuses all but regular files, and symbolic links.
   -1: the error begins with the name, without the directory. */
int output_copy_open_named(const struct output_copy *, const char *name,
    struct error *);

/* Return the file's path for messages; the caller frees it. */
char *output_copy_path(const struct output_copy *, int process, int output);

#endif
