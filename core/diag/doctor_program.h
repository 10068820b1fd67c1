/*
 * The checks of what programs and commands are told.  Private to core/diag.
 */
#ifndef CORE_DIAG_DOCTOR_PROGRAM_H
#define CORE_DIAG_DOCTOR_PROGRAM_H

#include "core/diag/diagnosis.h"

/* In the order in which they make sense; ends with a NULL name. */
extern const struct check doctor_program_checks[];

#endif
