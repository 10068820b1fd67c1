/*
 * Converts IPUJobs to manifests for a present-day cluster.  They run there with
 * ipubox in an image and need no operator for IPUs.
 */
#ifndef CORE_KUBE_RENDER_RENDER_H
#define CORE_KUBE_RENDER_RENDER_H

#include "core/kube/schema/schema.h"

enum render_target {
	RENDER_MPIJOB, /* kubeflow.org/v2beta1 */
	RENDER_JOB     /* an Indexed Job, without any operator */
};

/* Their names, in that order. */
#define RENDER_TARGETS "mpijob or job"

/* The default image; it has this program as /ipubox. */
#define RENDER_IMAGE "ipubox:" IPUBOX_VERSION

struct render_options {
	enum render_target target;
	const char *queue;     /* of Kueue, or NULL */
	const char *scheduler; /* "volcano", or NULL */
	const char *image;     /* NULL: RENDER_IMAGE */
};

/* Make the documents that replace all objects of a manifest, in the order of
   creation: the items of the list *out, which belongs to the manifest.  Losses
   are added to the remarks as warnings, and requirements on the cluster as
   notes.  -1, ERROR_INVALID, without *out: lint_manifest(), which it calls,
   finds an error (except one of this host alone), or the target cannot express
   a job; the text is "FILE:LINE:COLUMN: PATH: TEXT". */
int render_manifest(struct manifest *, const struct render_options *,
    struct yaml_node **out, struct remarks *lost, struct error *);

#endif
