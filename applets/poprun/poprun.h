/*
 * poprun: its command line becomes settings, the settings become a plan
 * (core/launch/plan/plan.h), which is run, checked or shown.  Read poprun.c
 * first.
 */
#ifndef APPLETS_POPRUN_POPRUN_H
#define APPLETS_POPRUN_POPRUN_H

#include <stdio.h>

#include "applets/applet.h"
#include "core/base/error.h"
#include "core/base/table.h"
#include "core/diag/diag.h"
#include "core/launch/plan/plan.h"

/* What the command line asks for. */
enum request {
	COMMAND_LINE_LAUNCH,
	COMMAND_LINE_HELP,
	COMMAND_LINE_VERSION,
	COMMAND_LINE_MISUSE /* the error says why; exit status 2 */
};

/* The defaults; command_line_release() frees what command_line_read() adds. */
void command_line_init(struct launch_settings *);
void command_line_release(struct launch_settings *);

/*
 * Read the file of --import-config, then the command line, whose options and
 * program take precedence.  One error names all unknown options.  The words of
 * argv must outlive the settings.
 */
enum request command_line_read(struct launch_settings *, int argc, char **argv,
    struct error *);

/* Write the file of --export-config; where it exists and may not be
   overwritten, a file with the time appended to its name. */
int command_line_export(const struct launch_settings *, struct error *);

/* Apply the option of that long name; the value must outlive the settings. */
int settings_apply(struct launch_settings *, const char *name,
    const char *value, struct error *);

/* Check the settings against each other. */
int settings_check(struct launch_settings *, struct error *);

/* The same for the keys from KEY_ONLY_OUTPUT to KEY_CHECK: the output of a run
   and its end. */
int settings_run_apply(struct launch_settings *, int key, const char *value,
    struct error *);
int settings_run_check(const struct launch_settings *, struct error *);

/*
 * Print the version: one line, or in full as text or JSON for poprun, PopDist,
 * which is the same file, and the Open MPI that would be used; of the release
 * that is emulated, if one is.  Returns an exit status.
 */
int version_print(const struct applet *, enum version_format);

/* Print the plan as text or JSON on stdout. */
void dry_run_print(const struct plan *);

/*
 * Do poprun --check: look at all that the job needs, without starting or
 * creating anything, and print the findings.  Returns the exit status, 1 if a
 * check failed.
 */
int check_run(const struct launch_settings *);

/* A host and the findings there. */
struct check_column {
	const char *host;
	struct diagnosis diagnosis;
};

/* For a job with other hosts, check what this one needs for them, after the
   launcher's checks; the plan's network is chosen. */
void check_hosts_run_own(struct plan *, struct diagnosis *);

/*
 * Check all hosts but that of index `own`, many at a time: this program is
 * started there by ssh or the agent.  The columns are those of the plan's
 * hosts, after one of this host where it is not among them.  A host that cannot
 * be reached has the finding "reachable" alone.
 */
void check_hosts_run(const struct plan *, struct check_column *, int count,
    int own);

/* "FILE __ipubox __check" is this program on another host. */
#define CHECK_REMOTE_WORD "__check"

/* Read a request to the end of the descriptor, check this host and print the
   answer (core/diag/check_answer.h).  -1: there is no valid request. */
int check_remote_run(int in, FILE *out, struct error *);

/*
 * Print the findings as text, a row for each check.  For one host the findings
 * end the row; for several those that are not "ok" follow the table, with their
 * hosts.  On a screen that is too narrow, hosts with such findings are shown,
 * in several tables if needed, and the others are counted.
 */
void check_table_print(const struct check_column *, int count,
    const struct table_screen *);

/* Print all findings as JSON. */
void check_table_print_json(const struct check_column *, int count);

#endif
