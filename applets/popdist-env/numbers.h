/*
 * Elements of a vector as text: what a shell has, and what it gets back.
 */
#ifndef APPLETS_POPDIST_ENV_NUMBERS_H
#define APPLETS_POPDIST_ENV_NUMBERS_H

#include <stddef.h>

#include "core/base/error.h"

enum { NUMBERS_TEXT_SIZE = 32 };

/* One element of the type, which can be added up, from text. */
int	numbers_read(int type, const char *text, void *element,
	    struct error *);

/*
 * As text: the shortest that reads back as the same value, whole numbers below
 * 2^53 without an exponent; "inf", "-inf", "nan".
 */
void	numbers_format(int type, const void *element,
	    char out[NUMBERS_TEXT_SIZE]);

#endif
