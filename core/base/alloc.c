/*
 * Allocation that succeeds, so that callers need not check it.
 */
#include "core/base/alloc.h"

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_TEXT = 256 };

void
xfail(void)
{
	errx(1, "out of memory");
}

void *
xmalloc(size_t size)
{
	return xreallocarray(NULL, 1, size);
}

void *
xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (p == NULL)
		xfail();
	return p;
}

void *
xreallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(count, size, &bytes))
		xfail();
	p = realloc(old, bytes ? bytes : 1);
	if (p == NULL)
		xfail();
	return p;
}

void *
xaligned(size_t align, size_t size)
{
	void *p;

	if (posix_memalign(&p, align, size ? size : 1) != 0)
		xfail();
	return memset(p, 0, size);
}

char *
xstrdup(const char *s)
{
	size_t size = strlen(s) + 1;
	char *p = xmalloc(size);

	return memcpy(p, s, size);
}

/* Print short texts once: musl's vasprintf(3) formats every text twice, once
   for its length, and a job of some hundred instances has thousands of
   words. */
char *
xvasprintf(const char *fmt, va_list ap)
{
	char text[SHORT_TEXT], *p;
	va_list again;
	int length;

	va_copy(again, ap);
	length = vsnprintf(text, sizeof(text), fmt, ap);
	if (length < 0)
		xfail();
	if ((size_t)length < sizeof(text))
		p = memcpy(xmalloc((size_t)length + 1), text,
		    (size_t)length + 1);
	else if (vasprintf(&p, fmt, again) == -1)
		xfail();
	va_end(again);
	return p;
}

char *
xasprintf(const char *fmt, ...)
{
	char *p;
	va_list ap;

	va_start(ap, fmt);
	p = xvasprintf(fmt, ap);
	va_end(ap);
	return p;
}
