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

/* What stands behind the last '/'; never NULL, not allocated. */
const char	*base_name(const char *path);

/* What stands before it: ".", "/" or a directory.  The caller frees it. */
char		*directory_name(const char *path);

/*
 * The whole file as a NUL-terminated text of *size bytes, NUL bytes kept.
 * The caller frees it.  NULL when it cannot be read (ERROR_NOT_FOUND where
 * there is none), is no regular file or is larger than `limit` bytes
 * (ERROR_INVALID).
 */
char		*read_file(const char *path, size_t limit, size_t *size,
		    struct error *);
/*
 * The same with more flags of open(2), as O_NOFOLLOW, which refuses a symbolic
 * link (ERROR_UNSAFE); *st is the file's.
 */
struct stat;
char		*read_file_as(const char *path, int flags, size_t limit,
		    size_t *size, struct stat *st, struct error *);

/* What cannot be parsed is ERROR_INVALID, here and below. */

/*
 * A decimal number from min to max, with nothing before or behind it.
 * `what` names it in the message, as in "--size 0: too small, ...".
 */
int		 parse_number(const char *what, const char *text, long long min,
		    long long max, long long *value, struct error *);

/*
 * A decimal number with or without a fraction, as 0.001 or 1e-3, from low to
 * high; not infinite and no NaN.
 */
int		 parse_real(const char *what, const char *text, double low,
		    double high, double *value, struct error *);

/*
 * A duration in ms: seconds, or a number with s, m, h or d behind it.  From
 * one second to ten years.
 */
int		 parse_duration(const char *what, const char *text,
		    int64_t *ms, struct error *);

/* yes/no, on/off, true/false, 1/0 in any case. */
int		 parse_bool(const char *what, const char *text, bool *value,
		    struct error *);

/* Whether n is 1, 2, 4, 8, ... */
bool		 is_power_of_two(unsigned long n);

/*
 * A copy fit for a terminal, a table or JSON: control characters and what is
 * no UTF-8, which a program's name may hold, become '?'.
 */
void	printable_text(const char *, char *out, size_t size);

/*
 * Print the text from a column on, on lines of at most TEXT_COLUMNS; those that
 * follow begin at column `indent`.  Lines break at spaces, and within brackets
 * only where "[--option VALUE]" alone is wider than a line.  A line break in
 * the text stays one; none is put behind it.
 */
enum { TEXT_COLUMNS = 80 };
void	text_wrap(FILE *, const char *text, int column, int indent);

/*
 * Whether the name may be that of a pod object (partition, cluster, agent,
 * allocation, user): 1 to NAME_LENGTH_MAX characters from A-Z a-z 0-9 . _ -,
 * the first a letter or a digit.  Names become file names, so this is the
 * only gate between a command line and the state directory.
 */
enum { NAME_LENGTH_MAX = 63 };
int		 check_name(const char *what, const char *name, struct error *);
/* The same, and a copy of the name, which is left as it was when refused. */
int		 parse_name(const char *what, const char *text,
		    char name[NAME_LENGTH_MAX + 1], struct error *);

#endif
