/*
 * poprun: its command line becomes settings.  The settings become a plan
 * (core/launch/plan/plan.h), which is run, checked or shown.  Read poprun.c
 * first.
 */
#ifndef APPLETS_POPRUN_POPRUN_H
#define APPLETS_POPRUN_POPRUN_H

#include "applets/applet.h"
#include "core/base/strvec.h"
#include "core/base/table.h"
#include "core/diag/diag.h"
#include "core/launch/plan/plan.h"

/* The action that the command line asks for. */
enum request {
	COMMAND_LINE_LAUNCH,
	COMMAND_LINE_HELP,
	COMMAND_LINE_VERSION,
	COMMAND_LINE_MISUSE /* the error has the reason; exit status 2 */
};

/* Set the defaults.  Call _release() at the end, also after a failure. */
void command_line_init(struct launch_settings *);
void command_line_release(struct launch_settings *);

/* Read the file of --import-config, then the command line, which takes
   precedence over the file.  One error names all unknown options.  The settings
   copy what they keep of argv. */
enum request command_line_read(struct launch_settings *, int argc, char **argv,
    struct error *);

/* Write the file of --export-config, if it was given.  If the file exists and
   --overwrite-config is off, a new file is written instead, with the time
   appended to the name. */
int command_line_export(const struct launch_settings *, struct error *);

/* Apply the option of that long name, which must exist.  The value must outlive
   the settings. */
int settings_apply(struct launch_settings *, const char *name,
    const char *value, struct error *);

/* Check the settings against each other, after all are applied.  Calls
   settings_run_check(). */
int settings_check(struct launch_settings *, struct error *);

/* Apply one option about the output or the end of a run: `key` must lie from
   KEY_ONLY_OUTPUT to KEY_CHECK.  The value must outlive the settings. */
int settings_run_apply(struct launch_settings *, int key, const char *value,
    struct error *);
/* Check that the instances that options of settings_run_apply() name exist. */
int settings_run_check(const struct launch_settings *, struct error *);

/* Print the version: with VERSION_TEXT on one line, else the versions of PopRun
   and PopDist (which are equal) and the path of the mpirun in the PATH.  The
   version is ipubox's, or that of the emulated SDK if one is set.  Returns an
   exit status. */
int version_print(const struct applet *, enum version_format);

/* Print the plan on stdout, as text or, if the settings ask for it, JSON. */
void dry_run_print(const struct plan *);

/* Do poprun --check: check all that the job needs, on its other hosts too,
   without starting the job or creating anything.  Print the findings.  Returns
   EXIT_FAILED if a check failed or the settings are invalid, else EXIT_DONE. */
int check_run(const struct launch_settings *);

/* A host and the findings there, which the caller releases. */
struct check_column {
	const char *host;
	struct diagnosis diagnosis;
};

/* For a job with other hosts, add the findings about this host's ipubox,
   network and mpirun; "reachable" and "clock" are always good here.  Calls
   plan_connect(), which chooses the plan's network and asks the other hosts. */
void check_hosts_run_own(struct plan *, struct diagnosis *);

/* Check all hosts but the column `own`, many at a time: ssh or the agent
   starts this program there.  The columns are the plan's hosts, preceded by
   this host if it is not among them.  Call check_hosts_run_own() before.  A
   host that is unreachable, silent or not asked in time has the finding
   "reachable" alone. */
void check_hosts_run(const struct plan *, struct check_column *, int count,
    int own);

/* Runs this program's check on another host: "FILE __ipubox __check". */
#define CHECK_REMOTE_WORD "__check"

/* Read a request until the end of the descriptor, change to its directory,
   check this host and print the answer on `out` (core/diag/check_answer.h).
   -1: the request is not valid, and nothing was done. */
int check_remote_run(int in, FILE *out, struct error *);

/*
 * A stored command line of poprun: its options and the program.  poprun(1)
 * describes the file: a line for each option with its long name, then [program]
 * and a line for each word.
 *
 * Source: PopRun user guide 2.9.  It shows no file, so the format is ours.
 */

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

void config_file_init(struct stored_command *);
/* Free the contents, and make the command empty again. */
void config_file_release(struct stored_command *);

/* Append a copy of an option. */
void config_file_add(struct stored_command *, const char *name,
    const char *value, int line);

/* Append the options and the program in the text of a file; text[size] must be
   NUL.  `path` is for messages, "PATH:LINE: ...".  The caller must check the
   names of options.  -1: a line is malformed; the options before
   it stay in the command. */
int config_file_parse(struct stored_command *, const char *path,
    const char *text, size_t size, struct error *);

/* Return the text of a file with this command; the caller frees it.  `size` is
   without the final NUL byte. */
char *config_file_text(const struct stored_command *, size_t *size);

#endif
