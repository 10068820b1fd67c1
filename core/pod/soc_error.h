/*
 * Errors of an IPU's system on chip (SoC), with the names and numbers of its
 * register CIUERRVR.  Several may be set at once, so they are passed as a set:
 * a word with the bit 1 << number of each.
 *
 * Which exception Poplar throws for each error is not published.  This is our
 * choice, so that a launch script can be tested with each kind:
 *
 *	...PGMERR, HEXOVERFLOWERR  application_runtime_error
 *	...SOFTERR                 recoverable_runtime_error, IPU_RESET
 *	NMLINKDN0, NMLINKDN1       recoverable_runtime_error, PARTITION_RESET
 *	MCUSOFTERR                 recoverable_runtime_error, FULL_RESET
 *
 * Source: the published register definitions (CIUERRVR.FIRSTERROR); Poplar API,
 * exceptions and RecoveryAction.
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

/* Ways to clear errors; each also clears those of the previous ones. */
enum soc_remedy {
	REMEDY_IPU_RESET,	/* done by the next program that attaches */
	REMEDY_PARTITION_RESET, /* vipu reset partition; any configuration */
	REMEDY_FULL_RESET	/* restart of the machine */
};

enum { SOC_TEXT_SIZE = 192 }; /* all names fit without a prefix */

#define SOC_BIT(error) ((uint32_t)1 << (error))

/* Parse a list "IPUSOFTERR,NMLINKDN0" (commas or spaces) into a set.  -1,
   ERROR_INVALID: an empty list, or an unknown name; the reason lists the known
   ones. */
int soc_error_parse(const char *list, uint32_t *set, struct error *);

/* Write the names of a set in the order of the numbers, each after `prefix`, as
   in "IPUSOFTERR, NMLINKDN0".  Cuts the text to `size`. */
void soc_error_text(uint32_t set, const char *prefix, char *, size_t size);

/* Return the weakest remedy that clears the whole set, also for an empty
   one. */
enum soc_remedy soc_error_remedy(uint32_t set);
/* Return the errors of the set that the remedy does not clear. */
uint32_t soc_error_left(uint32_t set, enum soc_remedy);

/* Return true if the hardware, not the program, caused any of the set. */
bool soc_error_recoverable(uint32_t set);
/* Return the word: "IPU_RESET", "PARTITION_RESET", "FULL_RESET". */
const char *soc_error_remedy_name(enum soc_remedy);

#endif
