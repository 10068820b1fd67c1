/*
 * Tests of a cluster and faults on demand as messages of ipubox.v1, and back.
 * Messages that are filled are zeroed before; rpc_message_release() frees what
 * they hold.  Back, ERROR_INVALID says what cannot be.
 */
#ifndef CORE_SERVER_WIRE_TRIAL_H
#define CORE_SERVER_WIRE_TRIAL_H

#include <ipubox_v1.pb.h>

#include "core/base/error.h"
#include "core/control/control.h"

/* All of them: results[WIRING_TESTS]. */
void	wire_trial_put_results(const struct cluster_test *results,
	    ipubox_v1_TestClusterReply *);
int	wire_trial_get_results(const ipubox_v1_TestClusterReply *,
	    struct cluster_test *results, struct error *);

void	wire_trial_put_injection(const struct injection *,
	    ipubox_v1_InjectFaultRequest *);
/* The target is the message's own text, and lasts as long. */
int	wire_trial_get_injection(const ipubox_v1_InjectFaultRequest *,
	    struct injection *, struct error *);

#endif
