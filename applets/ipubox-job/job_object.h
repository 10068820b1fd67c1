/*
 * What the verbs call the objects of manifests.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_OBJECT_H
#define APPLETS_IPUBOX_JOB_JOB_OBJECT_H

#include "core/ipujob/manifest.h"

/* "ipujobs.graphcore.ai", "configmaps": how refusals call an object's kind. */
const char	*job_object_plural(const struct manifest_object *);

#endif
