/*
 * The findings and actions of the steps, for people and as JSON.
 */
#ifndef APPLETS_COPY_SSH_FINDINGS_H
#define APPLETS_COPY_SSH_FINDINGS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/* Report an action on stdout, or with --json in the final JSON.  host NULL:
   this host. */
void findings_note(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));
/* Report a problem on stderr and in the final JSON. */
void findings_complain(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));

/* Set the verdict of a check, with its finding.  A skipped check stays skipped,
   and a later success does not replace a failure. */
void findings_set(struct host *, enum host_check, enum host_verdict,
    const char *, ...) __attribute__((format(printf, 4, 5)));
/* Report a failed check of a host.  With `failed` later steps skip the host,
   and earlier checks that were not tried become GOOD.  Without it a skipped
   check stays skipped, without a report. */
void findings_fail_host(struct copy_ssh_run *, struct host *, enum host_check,
    bool failed, const char *);

/* Print the matrix of hosts and checks (if the hosts were verified), or
   everything as JSON; list the failed hosts on stderr.  Returns EXIT_DONE or
   EXIT_FAILED. */
int findings_finish(struct copy_ssh_run *);

#endif
