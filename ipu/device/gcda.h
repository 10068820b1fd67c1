/*
 * GCDA_OPTIONS as programs on IPUs take them: read once, and asked when errors
 * come.  core/state/gcda_options.h lists the options.
 */
#ifndef IPU_DEVICE_GCDA_H
#define IPU_DEVICE_GCDA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/state/state.h"

/*
 * The options of the environment.  -1 with the first problem that a program
 * must not begin with: not a JSON object, an error that does not exist, a count
 * that is not a number.  The options are what they are all the same.
 */
int	gcda_read(struct gcda_options *, struct error *);
/* Whether they ask for sensors to be read, wrong as they may be otherwise. */
bool	gcda_monitoring(void);

/* The errors that come when the program has made `calls` calls of an engine. */
uint32_t	gcda_soc_errors(const struct gcda_options *, uint32_t calls);

#endif
