/*
 * Small things about objects that several verbs need.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_OBJECT_H
#define APPLETS_IPUBOX_JOB_JOB_OBJECT_H

#include "core/ipujob/manifest.h"

enum { JOB_UID_SIZE = 40 };

/* A new identity, as metadata.uid has it: a random UUID (RFC 4122). */
void	job_uid_draw(char uid[JOB_UID_SIZE]);

/* "ipujobs.graphcore.ai", "configmaps": how refusals call an object's kind. */
const char	*job_object_plural(const struct manifest_object *);

#endif
