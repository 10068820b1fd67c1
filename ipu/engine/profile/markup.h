/*
 * Text for people and for HTML and SVG: numbers with their thousands apart,
 * bytes and times with a unit, and names from outside made harmless.
 */
#ifndef IPU_ENGINE_PROFILE_MARKUP_H
#define IPU_ENGINE_PROFILE_MARKUP_H

#include <stdint.h>
#include <stdio.h>

enum { MARKUP_SIZE = 48 };

/* Any bytes as text of XML: < > & " escaped, '?' for what may not stand. */
void	markup_text(FILE *, const char *);

/* "1,211,970", "624.0 kB", "76.9 %". */
const char	*markup_number(char out[MARKUP_SIZE], long long);
const char	*markup_bytes(char out[MARKUP_SIZE], double bytes);
const char	*markup_share(char out[MARKUP_SIZE], double share);

#endif
