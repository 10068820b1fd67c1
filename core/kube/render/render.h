/*
 * Manifests for a cluster of today, made of IPUJobs: they run there with ipubox
 * in an image, and need no operator for IPUs.
 */
#ifndef CORE_KUBE_RENDER_RENDER_H
#define CORE_KUBE_RENDER_RENDER_H

#include "core/base/error.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

enum render_target {
	RENDER_MPIJOB, /* kubeflow.org/v2beta1 */
	RENDER_JOB     /* an Indexed Job, without any operator */
};

/* In the order of the enumeration. */
#define RENDER_TARGETS "mpijob or job"

/* An image that has this program as /ipubox, where no other one is named. */
#define RENDER_IMAGE "ipubox:" IPUBOX_VERSION

struct render_options {
	enum render_target target;
	const char *queue;     /* of Kueue, or NULL */
	const char *scheduler; /* "volcano", or NULL */
	const char *image;     /* NULL: RENDER_IMAGE */
};

/*
 * The documents that stand for all objects of a manifest, in the order in which
 * they are to be created: the items of the list *out, which is the manifest's.
 * What is lost there is added to the remarks as a warning, and as a note what
 * the cluster needs to have.  -1, ERROR_INVALID: what lint_manifest() finds
 * wrong, but for what only this host cannot do, or a job that cannot be had
 * there; "FILE:LINE:COLUMN: PATH: TEXT".
 */
int render_manifest(struct manifest *, const struct render_options *,
    struct yaml_node **out, struct remarks *lost, struct error *);

#endif
