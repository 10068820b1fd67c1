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
 * Each option has a line with its long name; repeated options keep their order;
 * an option without an argument has the value "yes".  Each word of the program
 * has a line.  Empty lines and lines that begin with `#` are ignored.  A value
 * is in double quotes if it is empty, begins or ends with a space, begins with
 * a quote, `#` or `[`, or holds a byte that is not printable ASCII.  In quotes
 * \n, \t, \", \\ and \xNN stand for such bytes.
 *
 * Source: PopRun user guide 2.9.  It shows no file, so the format is ours.
 */
#ifndef APPLETS_POPRUN_CONFIG_FILE_H
#define APPLETS_POPRUN_CONFIG_FILE_H

#include "core/base/strvec.h"

/* An option of a file or of a command line; it owns its texts. */
struct stored_option {
	char *name; /* long, without dashes */
	char *value;
	int line; /* in the file; 0: command line */
};

struct stored_command {
	struct stored_option *options;
	size_t count;
	struct strvec program; /* and its arguments */
};

/* Begin an empty command. */
void config_file_init(struct stored_command *);
/* Free the contents, and make the command empty again. */
void config_file_release(struct stored_command *);

/* Append a copy of an option. */
void config_file_add(struct stored_command *, const char *name,
    const char *value, int line);

/* Append the options and the program in the text of a file; text[size] must be
   NUL.  `path` is for messages, "PATH:LINE: ...".  Names of options are not
   checked: the caller must do it.  -1: a line is malformed; the options before
   it stay in the command. */
int config_file_parse(struct stored_command *, const char *path,
    const char *text, size_t size, struct error *);

/* Return the text of a file with this command; the caller frees it.  `size` is
   without the final NUL byte. */
char *config_file_text(const struct stored_command *, size_t *size);

#endif
