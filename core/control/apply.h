/*
 * Making a pod what a document asks for, step by step: `vipu-admin apply`.
 */
#ifndef CORE_CONTROL_APPLY_H
#define CORE_CONTROL_APPLY_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/edit/pod_plan.h"

/* Plan the document from what is now; see pod_plan_make(). */
int	apply_plan(struct controller *, const struct document *,
	    struct pod_plan *, struct error *);

/*
 * Do what is planned.  Refused before anything is changed: removing
 * partitions, unless forced; while a program is attached to one of them, which
 * the reason names, or to an IPU whose number would be another one's.  A
 * failure after that says how far it came; the next plan does the rest.
 * `files`: write the IPUoF files of new partitions, where the document says or
 * the caller's files go.
 */
int	apply_run(struct controller *, struct pod_plan *, bool force,
	    bool files, struct error *);

#endif
