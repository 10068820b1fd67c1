/*
 * Copies of what the processes of a job write, in files of their own, the bytes
 * as they came.
 */
#ifndef CORE_PROCESS_OUTPUT_COPY_H
#define CORE_PROCESS_OUTPUT_COPY_H

#include "core/base/error.h"
#include "core/base/files/directory.h"

/* A process's outputs: 0 is stdout, 1 stderr. */
enum { OUTPUT_COPY_FILES = 2 };

enum output_copy_form {
	OUTPUT_COPY_RANKS,    /* 1/rank.N/stdout, stderr; N has as many digits
				 as the number of processes: --output-filename
				 of Open MPI */
	OUTPUT_COPY_INSTANCES /* instance.N.out, instance.N.err */
};

struct output_copy {
	enum output_copy_form form;
	struct directory directory;
	int count; /* of processes */
};

/*
 * Find the directory, or make it with those above it.  A symbolic link that is
 * not the caller's or root's is refused.  -1: the text is the system's.  Its
 * owner calls output_copy_close() in any case.
 */
int output_copy_init(struct output_copy *, enum output_copy_form,
    const char *directory, int count, struct error *);
void output_copy_close(struct output_copy *);

/* Make all files, empty: what cannot be written is found before anything runs.
   -1: "FILE: REASON". */
int output_copy_make_files(const struct output_copy *, struct error *);

/* Open a file to add to it, close-on-exec.  -1, and the system's number. */
int output_copy_open(const struct output_copy *, int process, int output,
    int *number);

/*
 * An empty file of that name in the directory, close-on-exec.  -1: "NAME:
 * REASON"; a symbolic link and what is not a regular file are refused.
 */
int output_copy_open_named(const struct output_copy *, const char *name,
    struct error *);

/* The file's path for messages; the caller frees it. */
char *output_copy_path(const struct output_copy *, int process, int output);

#endif
