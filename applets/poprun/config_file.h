/*
 * A stored command line of poprun: its options and the program.
 *
 *	# poprun options; poprun --import-config FILE runs the job again.
 *	num-replicas = 32
 *	host = pod[1-4]
 *	mpi-global-args = "  --tag-output"
 *
 *	[program]
 *	python3
 *	train.py
 *
 * One option per line by its long name, options that may be repeated in
 * their order; then one word of the program per line.  A value stands as it
 * is, or in double quotes where it is empty, begins or ends with a space,
 * begins with a quote, `#` or `[`, or holds a byte that is not printable
 * ASCII: there \n, \t, \", \\ and \xNN stand for such a byte.
 *
 * Source: PopRun user guide 2.9, which shows no file: the form is ours.
 */
#ifndef APPLETS_POPRUN_CONFIG_FILE_H
#define APPLETS_POPRUN_CONFIG_FILE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

/* One option of a file or of a command line; the texts are its own. */
struct stored_option {
	char *name; /* long, without dashes */
	char *value;
	int line; /* in the file, 0: of a command line */
};

struct stored_command {
	struct stored_option *options;
	size_t count;
	struct strvec program; /* and its arguments */
};

/* An empty one, and its end: it is empty again. */
void config_file_init(struct stored_command *);
void config_file_release(struct stored_command *);

/* Add a copy of an option behind those that are there. */
void config_file_add(struct stored_command *, const char *name,
    const char *value, int line);

/*
 * Read a file's text; `path` is for messages, "PATH:LINE: ...".  Which names
 * there are is for the caller to know.  -1: what was read before stays for
 * config_file_release().
 */
int config_file_parse(struct stored_command *, const char *path,
    const char *text, size_t size, struct error *);

/* The text of a file that reads as this; the caller frees it. */
char *config_file_text(const struct stored_command *, size_t *size);

#endif
