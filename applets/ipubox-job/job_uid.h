/*
 * Identities of objects.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_UID_H
#define APPLETS_IPUBOX_JOB_JOB_UID_H

enum { JOB_UID_SIZE = 40 };

/* A new identity, as metadata.uid has it: a random UUID (RFC 4122). */
void	job_uid_draw(char uid[JOB_UID_SIZE]);

#endif
