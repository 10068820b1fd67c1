/*
 * The end of a command on a host, and the script's reports of the host.
 */
#ifndef APPLETS_COPY_SSH_OUTCOME_H
#define APPLETS_COPY_SSH_OUTCOME_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* The reports of a script that ran on another host: lines "MARK WORD REST"
   among other output of a login shell.  Returned texts are UTF-8 without
   control characters, so they may be printed. */
struct reply {
	const char *next; /* rest of the caller's text */
	char *line;	  /* owned until the next line */
	char *word;	  /* both point into `line` */
	char *rest;
};

/* First word of the script's report lines, followed by a space. */
#define MARK "copy-ssh"

/* Start reading the report lines of `text` (NULL: none), which the caller
   keeps. */
void reply_begin(struct reply *, const char *text);
void reply_release(struct reply *);

/* Read the next report line; false: no more lines, and nothing to release. */
bool reply_next(struct reply *);

/* Cut the next word off *rest, in place, and return it; "" at the end. */
char *reply_word(char **rest);

/* Copy the last line that has any text, in printable form; "" without one. */
void reply_last_line(const char *text, char *out, size_t size);

/* Whether the text starts like an OpenSSH public key: TYPE BLOB in the allowed
   characters, and then the end or a space. */
bool reply_is_key(const char *);

/* Evaluate the end of the script on the host `name`.  Only a report "end" and
   status 0 are success.  Otherwise *check becomes the check that failed, and
   the error has the reason and the remedy. */
enum ssh_outcome {
	OUTCOME_DONE,
	OUTCOME_DENIED, /* ssh's "Permission denied" */
	OUTCOME_FAILED
};
/* Decides the remedy for "Permission denied"; WHEN_AUTHORISED: the key was
   added to the host's authorized_keys. */
enum situation { WHILE_SETTING_UP, WHEN_AUTHORISED, WHILE_VERIFYING };
enum ssh_outcome outcome_judge(const struct copy_ssh_run *, const char *name,
    const struct child *, enum situation, enum host_check *, struct error *);

/* Store the script's reports of the host's name, user and key in the struct
   host, and add its changes to the run's steps. */
void outcome_read_host(struct copy_ssh_run *, struct host *,
    const struct child *);
/* Do the same for one report line.  Returns false, and does nothing, for any
   other line; also for "authorised", which outcome_read_host() handles. */
bool outcome_read_line(struct copy_ssh_run *, struct host *,
    const struct reply *);

/*
 * The findings and actions of the steps, for people and as JSON.
 */

/* Report an action: a line on stdout or, with --json, an entry in the JSON of
   findings_finish().  A NULL host means this host. */
void findings_note(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));
/* Report a problem: always on stderr and, with --json, also in that JSON.
   Marks nothing as failed. */
void findings_complain(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));

/* Set the verdict of a host's check, with the text of the finding.  Does
   nothing to a SKIPPED check; GOOD does not replace BAD. */
void findings_set(struct host *, enum host_check, enum host_verdict,
    const char *, ...) __attribute__((format(printf, 4, 5)));
/* Set a host's check to BAD and report it.  If `failed`, later steps skip the
   host, and untried checks before this one in enum host_check become GOOD.  If
   not `failed`, the host stays in use, and a SKIPPED check is neither changed
   nor reported. */
void findings_fail_host(struct copy_ssh_run *, struct host *, enum host_check,
    bool failed, const char *);

/* Print the matrix of hosts and checks (if the hosts were verified), or
   everything as JSON; list the failed hosts on stderr.  Returns EXIT_FAILED if
   a check or the run failed, else EXIT_DONE. */
int findings_finish(struct copy_ssh_run *);

#endif
