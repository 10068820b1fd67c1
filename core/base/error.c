#include "core/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
error_set(struct error *e, const char *fmt, ...)
{
	va_list	ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	(void)vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return -1;
}

int
error_set_errno(struct error *e, const char *fmt, ...)
{
	int	saved = errno;
	size_t	len;
	va_list	ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	(void)vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	len = strlen(e->text);
	(void)snprintf(e->text + len, sizeof(e->text) - len, ": %s",
	    strerror(saved));
	errno = saved;
	return -1;
}

int
error_prefix(struct error *e, const char *fmt, ...)
{
	struct error	old;
	size_t		len;
	va_list		ap;

	if (e == NULL)
		return -1;
	old = *e;
	va_start(ap, fmt);
	(void)vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	len = strlen(e->text);
	(void)snprintf(e->text + len, sizeof(e->text) - len, ": %.*s",
	    (int)(sizeof(old.text) - 1), old.text);
	return -1;
}

int
error_append(struct error *e, const char *fmt, ...)
{
	size_t	len;
	va_list	ap;

	if (e == NULL)
		return -1;
	len = strlen(e->text);
	va_start(ap, fmt);
	(void)vsnprintf(e->text + len, sizeof(e->text) - len, fmt, ap);
	va_end(ap);
	return -1;
}
