/*
 * What is wrong, and what remedies it, judged from the probes alone.
 *
 * Source: the warnings of the V-IPU user guide 5.7 to 5.9 and of its
 * troubleshooting; the ways in which our own state can be spoilt.
 */
#ifndef CORE_DIAG_DOCTOR_H
#define CORE_DIAG_DOCTOR_H

#include "core/diag/diagnosis.h"

/*
 * Run all checks, which fill the diagnosis; diagnosis_release() ends it.  Pure:
 * what is not in the probes is not looked at.
 */
void	doctor_diagnose(const struct probes *, struct diagnosis *);

#endif
