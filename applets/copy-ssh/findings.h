/*
 * The findings and actions of the steps, for people and as JSON.
 */
#ifndef APPLETS_COPY_SSH_FINDINGS_H
#define APPLETS_COPY_SSH_FINDINGS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Report an action: a line on stdout or, with --json, an entry in the JSON of
   findings_finish().  A NULL host means this host. */
void findings_note(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));
/* Do the same for a problem, with a line on stderr also with --json. */
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
