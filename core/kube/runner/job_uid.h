/*
 * Identities of objects.
 */
#ifndef CORE_KUBE_RUNNER_JOB_UID_H
#define CORE_KUBE_RUNNER_JOB_UID_H

enum { JOB_UID_SIZE = 40 };

/* A new identity, as metadata.uid has it: a random UUID (RFC 4122). */
void	job_uid_draw(char uid[JOB_UID_SIZE]);

#endif
