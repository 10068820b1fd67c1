/*
 * Allocation that does not fail: out of memory ends the program with one
 * line on stderr and exit status 1.  The caller owns the result and gives it
 * back with free().
 */
#ifndef CORE_BASE_ALLOC_H
#define CORE_BASE_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/* The end of the program, for who finds elsewhere that memory is out. */
void xfail(void) __attribute__((noreturn));

/* As their namesakes without the x. */
void *xmalloc(size_t);
void *xcalloc(size_t count, size_t size);
/* count * size bytes, checked for overflow. */
void *xreallocarray(void *, size_t count, size_t size);
/* Zeroed and aligned to `align` bytes, a power of two. */
void *xaligned(size_t align, size_t size);
char *xstrdup(const char *);
char *xvasprintf(const char *, va_list) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *, ...) __attribute__((format(printf, 1, 2)));

/* The number of elements of an array, as a constant. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
