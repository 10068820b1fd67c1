/*
 * From the sections of a pod description to the pod.
 */
#ifndef CORE_POD_DOCUMENT_POD_BUILD_H
#define CORE_POD_DOCUMENT_POD_BUILD_H

#include "core/base/error.h"
#include "core/pod/document/pod_file.h"
#include "core/pod/pod.h"

/* Make the (initialised) pod of the sections, checked. */
int	pod_build(struct pod *, const struct pod_file *, struct error *);

#endif
