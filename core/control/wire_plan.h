/*
 * A document of a pod and the plan for it as messages of ipubox.v1, and back.
 * Messages that are filled are zeroed before; rpc_message_release() frees what
 * they hold.  Back, ERROR_INVALID says what cannot be.
 */
#ifndef CORE_CONTROL_WIRE_PLAN_H
#define CORE_CONTROL_WIRE_PLAN_H

#include <ipubox_v1.pb.h>

#include "core/base/error.h"
#include "core/pod/document/document.h"
#include "core/pod/edit/pod_plan.h"

void	wire_plan_put_document(const struct document *, ipubox_v1_Document *);
/* Its origin is the message's own text.  The caller releases it, also where
   that fails. */
int	wire_plan_get_document(const ipubox_v1_Document *, struct document *,
	    struct error *);

void	wire_plan_put(const struct pod_plan *, ipubox_v1_Plan *);
/* The caller releases it, also where that fails. */
int	wire_plan_get(const ipubox_v1_Plan *, struct pod_plan *,
	    struct error *);

#endif
