/*
 * Allocation that does not fail: out of memory ends the program with one line
 * on stderr and exit status 1.  The caller frees the result with free().
 */
#ifndef CORE_BASE_ALLOC_H
#define CORE_BASE_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/* End the program because memory has run out elsewhere. */
void xfail(void) __attribute__((noreturn));

/* Do what the functions without the x do. */
void *xmalloc(size_t);
void *xcalloc(size_t count, size_t size);
/* Resize a block (NULL: allocate one) to count * size bytes, checked for
   overflow.  The block may move. */
void *xreallocarray(void *, size_t count, size_t size);
/* Allocate zeroed memory aligned to `align` bytes, a power of two. */
void *xaligned(size_t align, size_t size);
char *xstrdup(const char *);
char *xvasprintf(const char *, va_list) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *, ...) __attribute__((format(printf, 1, 2)));

/* The number of elements of an array, as a constant. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
