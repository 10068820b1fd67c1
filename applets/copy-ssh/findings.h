/*
 * What the steps found and did, as people and JSON get it.
 */
#ifndef APPLETS_COPY_SSH_FINDINGS_H
#define APPLETS_COPY_SSH_FINDINGS_H

#include "applets/copy-ssh/copy-ssh_internal.h"

/*
 * Findings.  Say what was done, on stdout as it happens, or for the JSON at
 * the end; host NULL: here.
 */
void findings_note(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));
/* The same of something that went wrong without ending a host's part. */
void findings_complain(struct copy_ssh_run *, const struct host *, const char *,
    ...) __attribute__((format(printf, 3, 4)));

/*
 * The verdict of a check, with what was found.  One that is skipped stays so,
 * and a bad one is not made good by another look.
 */
void findings_set(struct host *, enum host_check, enum host_verdict,
    const char *, ...) __attribute__((format(printf, 4, 5)));
/* A host's check failed: say so; with `failed` it takes part no longer. */
void findings_fail_host(struct copy_ssh_run *, struct host *, enum host_check,
    bool failed, const char *);

/* The matrix, or all as JSON; the exit status. */
int findings_finish(struct copy_ssh_run *);

#endif
