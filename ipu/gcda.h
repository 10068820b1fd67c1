/*
 * GCDA_OPTIONS: a JSON object in the environment that says how programs reach
 * their IPUs.  Values are texts, as for all these tools; numbers and booleans
 * count as well.
 *
 *	enableMonitoring                read the sensors (false)
 *	simulateSOCError.errorList      "IPUSOFTERR,...": the errors to make
 *	simulateSOCError.triggerCount   after so many calls of the engine;
 *	                                needed where there is a list
 *	simulateSOCError.rearmOnReset   again after a reset (false); only
 *	                                checked: no program here goes on
 *	                                after an error, and each begins armed
 *
 * Other keys are those of hardware that is not here, and are passed over.
 *
 * Source: Graphcore command line tools, chapter 2, runtime options.
 */
#ifndef IPU_GCDA_H
#define IPU_GCDA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

struct gcda_options {
	bool		monitoring;
	uint32_t	soc_errors;	/* a set (core/pod/soc_error.h) */
	uint32_t	trigger_count;
};

/*
 * The options of that text.  -1: not a JSON object, an error that does not
 * exist, a count that is not a number; `monitoring` is what it says all the
 * same.
 */
int	gcda_parse(struct gcda_options *, const char *text, struct error *);

/* Those of the environment: GCDA_OPTIONS, and GCDA_MONITOR=1. */
int	gcda_read(struct gcda_options *, struct error *);
/* Whether they ask for sensors to be read, wrong as they may be otherwise. */
bool	gcda_monitoring(void);

/* The errors that come when the program has made `calls` calls of an engine. */
uint32_t	gcda_soc_errors(const struct gcda_options *, uint32_t calls);

#endif
