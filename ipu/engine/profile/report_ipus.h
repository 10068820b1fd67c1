/*
 * Sections of report.html: what each IPU did by both clocks, and what went
 * between IPUs.
 */
#ifndef IPU_ENGINE_PROFILE_REPORT_IPUS_H
#define IPU_ENGINE_PROFILE_REPORT_IPUS_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/*
 * Utilisation by closed form, model and host, a row for each IPU, and where
 * its time goes.  What is not of a stage's step is its bubble.
 */
void	report_ipus(FILE *, const struct profile_data *);

/* The tensors that go from one IPU to another: a row for each pair, bytes. */
void	report_ipus_exchange(FILE *, const struct profile_data *);

/* The PROFILE_LONGEST longest steps by each clock. */
void	report_ipus_longest(FILE *, const struct profile_data *);

#endif
