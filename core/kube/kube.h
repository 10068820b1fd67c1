/*
 * IPUJobs of Kubernetes without a cluster: everything that the applet
 * ipubox-job needs.  Each layer has a main header, and includes only
 * layers above it in this list:
 *
 *	yaml/yaml.h		texts as trees of nodes, and back
 *	schema/schema.h		the objects of a manifest, and their fields
 *	runtime/runtime.h	the files of a job, and the plan of a container
 *	sandbox/sandbox.h	the namespaces and mounts of a container
 *	lint/lint.h		the checks of a manifest
 *	render/render.h		a manifest for a present-day cluster
 *	runner/runner.h		the process that runs a job
 *
 * Read schema/manifest.h and runtime/job_entry.h first.
 */
#ifndef CORE_KUBE_KUBE_H
#define CORE_KUBE_KUBE_H

#include "core/kube/lint/lint.h"
#include "core/kube/render/render.h"
#include "core/kube/runner/runner.h"
#include "core/kube/sandbox/sandbox.h"

#endif
