/*
 * IPUJobs of Kubernetes without a cluster: everything that the applet
 * ipubox-job needs.  Each of the layers has a door of its own, and includes
 * only those above it in this list:
 *
 *	yaml/yaml.h		texts as trees of nodes, and back
 *	schema/schema.h		the objects of a manifest, and their fields
 *	runtime/runtime.h	the files of a job, and the plan of a container
 *	sandbox/sandbox.h	the place that a container runs in
 *	lint/lint.h		what is wrong with a manifest
 *	render/render.h		a manifest for a cluster of today
 *	runner/runner.h		the process that runs a job
 *
 * Read schema/manifest.h and runtime/job_entry.h first.
 */
#ifndef CORE_KUBE_KUBE_H
#define CORE_KUBE_KUBE_H

#include "core/kube/lint/lint.h"
#include "core/kube/render/render.h"
#include "core/kube/runner/runner.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

#endif
