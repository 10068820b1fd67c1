/*
 * Faults on demand, for those who test what they do about them.
 *
 * A machine's faults are durable: they last until `up`, a reboot until its
 * time is over.  An IPU's errors are in the registry and last until their
 * remedy comes (core/pod/soc_error.h).
 */
#ifndef CORE_CONTROL_INJECT_H
#define CORE_CONTROL_INJECT_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"

enum fault {
	FAULT_DOWN,		/* the machine does not answer */
	FAULT_UP,		/* it does, and all its faults are over */
	FAULT_REBOOT,		/* it does again after `value` seconds */
	FAULT_FAIL_CONFIG,	/* `value` configurations fail */
	FAULT_SLOW,		/* each of them takes `value` ms */
	FAULT_SOC_ERROR		/* an IPU has errors as well; {0}: none */
};

/* "down", "fail-config"; NULL ends them. */
extern const char *const inject_words[];

struct injection {
	const char	*target;	/* selection_agents(), of SOC_ERROR
					   selection_ipu() */
	enum fault	 fault;
	int		 value;
	uint32_t	 soc_errors;
};

/*
 * Inject it, and let happen what follows from it at once.  Refused, and
 * nothing is changed: a target that does not exist.  Several machines are
 * changed one after the other; where the disk fails in between, those before
 * have it.
 */
int	inject_fault(struct controller *, const struct injection *,
	    struct error *);

/* The machine as the fault leaves it.  Pure. */
void	inject_apply(const struct injection *, int64_t now_ms,
	    struct agent *);

#endif
