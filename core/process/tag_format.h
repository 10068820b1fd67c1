/*
 * The tag before each line of an instance's output, from a format such as
 * "[1,%i]<%s>:".  poprun(1) lists the words that are replaced.  Other
 * characters stand for themselves.  An empty format means no tags.
 */
#ifndef CORE_PROCESS_TAG_FORMAT_H
#define CORE_PROCESS_TAG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"

/* The format of mpirun --tag-output; parsers rely on every byte of it. */
#define TAG_FORMAT_DEFAULT "[1,%i]<%s>:"

/* That of mpirun --tag-output --timestamp-output. */
#define TAG_FORMAT_TIMESTAMP "%c" TAG_FORMAT_DEFAULT

enum {
	TAG_FORMAT_HOST_MAX = 253, /* bytes of a host's name (DNS) */
	TAG_FORMAT_MAX = 512,	   /* bytes of a tag: a host's name and as much
				      again */
	TAG_FORMAT_SIZE = TAG_FORMAT_MAX + 1
};

/* The values of a format's words, except the time. */
struct tag_values {
	int instance;
	int local_index;
	int restarts;
	const char *host;
	const char *stream; /* "stdout" or "stderr" */
};

/*
 * Return -1 for a format with an unknown word, a control character or a byte
 * that is not UTF-8, or with tags that might exceed TAG_FORMAT_MAX for some
 * values.  The error begins with `what`, the name of the option, and has the
 * place of the fault: the number of the character, from 1.
 */
int tag_format_check(const char *what, const char *format, struct error *);

/* Write the tag, NUL-terminated, for a format that tag_format_check() accepted.
   `real_ms` is the time since the epoch.  Returns the tag's length.  Control
   characters in a host's name are escaped. */
size_t tag_format_expand(const char *format, const struct tag_values *,
    int64_t real_ms, char tag[TAG_FORMAT_SIZE]);

/* Return a period in ms: a tag only changes when the time reaches a multiple of
   it.  0: it never changes, because it contains no time. */
int tag_format_tick_ms(const char *format);

/* Return the screen columns of the tag, the same at all times. */
int tag_format_columns(const char *format, const struct tag_values *);

/*
 * Copies of the output of a job's processes in separate files, byte for byte.
 */

enum output_copy_form {
	OUTPUT_COPY_RANKS,     /* rank.N/stdout, stderr; N has as many digits as
				 the number of processes (Open MPI's
				 --output-filename) */
	OUTPUT_COPY_JOB_RANKS, /* the same below a directory "1" */
	OUTPUT_COPY_INSTANCES  /* instance.N.out, instance.N.err */
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

/* Open or make an output's file for appending, close-on-exec; the caller closes
   it.  -1: *number is an errno, ENXIO if it is not a regular file. */
int output_copy_open(const struct output_copy *, int process, int output,
    int *number);

/* Append a line to each file that can be opened; it and "\n" come after an
   empty line unless the file is empty. */
void output_copy_mark(const struct output_copy *, const char *line);

/* Make or empty a file of this name in the directory, and open it as
   output_copy_open() does.  Refuses all but regular files, and symbolic links.
   -1: the error begins with the name, without the directory. */
int output_copy_open_named(const struct output_copy *, const char *name,
    struct error *);

/* Return the file's path for messages; the caller frees it. */
char *output_copy_path(const struct output_copy *, int process, int output);

#endif
