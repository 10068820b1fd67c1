/*
 * Errors of an IPU's system on chip (SoC), as its register CIUERRVR names and
 * numbers them.  Several may stand at once, so they travel as a set: a word
 * with the bit 1 << number of each.
 *
 * Which exception Poplar throws for which error is not published; the choice
 * here gives launch scripts one of each to meet:
 *
 *	...PGMERR, HEXOVERFLOWERR  application_runtime_error
 *	...SOFTERR                 recoverable_runtime_error, IPU_RESET
 *	NMLINKDN0, NMLINKDN1       recoverable_runtime_error, PARTITION_RESET
 *	MCUSOFTERR                 recoverable_runtime_error, FULL_RESET
 *
 * Source: the published register definitions (CIUERRVR.FIRSTERROR); Poplar
 * API, exceptions and RecoveryAction.
 */
#ifndef CORE_POD_SOC_ERROR_H
#define CORE_POD_SOC_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum soc_error {
	SOC_SOC0PGMERR = 1,
	SOC_SOC1PGMERR,
	SOC_ELINKPGMERR,
	SOC_HEXOVERFLOWERR,
	SOC_MCUPGMERR,
	SOC_SOC0SOFTERR,
	SOC_SOC1SOFTERR,
	SOC_ELINKSOFTERR,
	SOC_IPUSOFTERR,
	SOC_NMLINKDN0,
	SOC_NMLINKDN1,
	SOC_MCUSOFTERR,
	SOC_ERRORS_END
};

/* What takes an error away; each does what stands before it as well. */
enum soc_remedy {
	REMEDY_IPU_RESET,	/* the next program that attaches does it */
	REMEDY_PARTITION_RESET, /* vipu reset partition; any configuration */
	REMEDY_FULL_RESET	/* the machine is started again */
};

enum { SOC_TEXT_SIZE = 192 }; /* all names fit */

#define SOC_BIT(error) ((uint32_t)1 << (error))

/*
 * The set of a list "IPUSOFTERR,NMLINKDN0".  -1: an unknown name, and the
 * reason lists those there are; or none at all.
 */
int soc_error_parse(const char *list, uint32_t *set, struct error *);

/* The names of a set by number, each behind `prefix`: "IPUSOFTERR, ...". */
void soc_error_text(uint32_t set, const char *prefix, char *, size_t size);

/* What the whole set needs. */
enum soc_remedy soc_error_remedy(uint32_t set);
/* What stays of it after a remedy. */
uint32_t soc_error_left(uint32_t set, enum soc_remedy);

/* Whether it is the hardware's doing and not the program's own. */
bool soc_error_recoverable(uint32_t set);
/* The word: "IPU_RESET", "PARTITION_RESET", "FULL_RESET". */
const char *soc_error_remedy_name(enum soc_remedy);

#endif
