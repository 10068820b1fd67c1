/*
 * What the environment tells a PopTorch program: how much it says, and which
 * IPUs it runs on.
 *
 * Source: PopTorch user guide, environment variables; poptorch's logger and
 * device selection.
 */
#ifndef IPU_DEVICE_POPTORCH_H
#define IPU_DEVICE_POPTORCH_H

#include <stdbool.h>

#include "core/base/error.h"

/* The numbers of poptorch.setLogLevel(). */
enum poptorch_level {
	POPTORCH_TRACE = 0,	/* TRACE_ALL too */
	POPTORCH_DEBUG = 1,	/* DEBUG_IR too */
	POPTORCH_INFO = 2,
	POPTORCH_WARN = 3,	/* the default */
	POPTORCH_ERR = 4,
	POPTORCH_OFF = 6
};

struct poptorch {
	enum poptorch_level	level;		/* POPTORCH_LOG_LEVEL */
	bool			wait;		/* POPTORCH_WAIT_FOR_IPU */
	bool			wait_is_set;
	bool			ipu_model;	/* POPTORCH_IPU_MODEL */
};

/*
 * Read the variables.  Refused: a level that there is not, what should be a
 * number and is not; any number but 0 means yes.
 */
int	poptorch_read(struct poptorch *, struct error *);

/* Whether what is of that level is said. */
bool	poptorch_logs(const struct poptorch *, enum poptorch_level);

#endif
