/*
 * Small pieces of text work that the C library lacks.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"

/* What cannot be parsed is ERROR_INVALID, here and below. */

/*
 * A copy fit for a terminal, a table or JSON: control characters and what is
 * no UTF-8, which a program's name may hold, become '?'.
 */
void	text_printable(const char *, char *out, size_t size);

/*
 * Print the text from a column on, on lines of at most TEXT_COLUMNS; those that
 * follow begin at column `indent`.  Lines break at spaces, and within brackets
 * only where "[--option VALUE]" alone is wider than a line.  A line break in
 * the text stays one; none is put behind it.
 */
enum { TEXT_COLUMNS = 80 };
void	text_wrap(FILE *, const char *text, int column, int indent);

#endif
