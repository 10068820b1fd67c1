/*
 * The reason of a failure: setting its text and its code.
 */
#include "core/base/error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* Codes of errno values.  Any other errno is ERROR_FAILED. */
static const struct {
	int number;
	enum error_code code;
} error_codes[] = {
	{ EINVAL, ERROR_INVALID },
	{ ENOTDIR, ERROR_INVALID },
	{ EISDIR, ERROR_INVALID },
	{ ENAMETOOLONG, ERROR_INVALID },
	{ E2BIG, ERROR_INVALID },
	{ ENOEXEC, ERROR_INVALID },
	{ ENOENT, ERROR_NOT_FOUND },
	{ ESRCH, ERROR_NOT_FOUND },
	{ EEXIST, ERROR_EXISTS },
	{ EACCES, ERROR_DENIED },
	{ EPERM, ERROR_DENIED },
	{ EROFS, ERROR_DENIED },
	{ EBUSY, ERROR_BUSY },
	{ ENOTEMPTY, ERROR_BUSY },
	{ ETXTBSY, ERROR_BUSY },
	{ ELOOP, ERROR_UNSAFE }, /* O_NOFOLLOW met a symbolic link */
	{ ENOSPC, ERROR_IO },
	{ EDQUOT, ERROR_IO },
	{ EFBIG, ERROR_IO },
	{ EIO, ERROR_IO },
	{ ENXIO, ERROR_IO },
	{ ENODEV, ERROR_IO },
	{ ENOMEM, ERROR_IO },
	{ EMFILE, ERROR_IO },
	{ ENFILE, ERROR_IO },
	{ EPIPE, ERROR_IO },
	{ ESTALE, ERROR_STALE },
	{ EAGAIN, ERROR_UNAVAILABLE },
	{ ECONNREFUSED, ERROR_UNAVAILABLE },
	{ ECONNRESET, ERROR_UNAVAILABLE },
	{ EHOSTUNREACH, ERROR_UNAVAILABLE },
	{ ENETUNREACH, ERROR_UNAVAILABLE },
	{ ETIMEDOUT, ERROR_TIMED_OUT },
	{ EINTR, ERROR_INTERRUPTED },
	{ ECANCELED, ERROR_INTERRUPTED },
	{ EBADMSG, ERROR_DAMAGED },
	{ ENOSYS, ERROR_UNSUPPORTED },
	{ EOPNOTSUPP, ERROR_UNSUPPORTED },
	{ EAFNOSUPPORT, ERROR_UNSUPPORTED },
};

enum error_code
error_from_errno(int number)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(error_codes); i++)
		if (error_codes[i].number == number)
			return error_codes[i].code;
	return ERROR_FAILED;
}

/* Print the text escaped for a terminal, because it may quote anything.  Line
   breaks stay if the format has one, as after PopTorch's first line, and so do
   tabs.  Both stay with the format "%s", which passes on a finished text. */
static void __attribute__((format(printf, 3, 0)))
error_format(char *out, size_t size, const char *fmt, va_list ap)
{
	const bool whole = strcmp(fmt, "%s") == 0;
	char raw[sizeof(((struct error *)NULL)->text)], keep[3];
	size_t n = 0;

	if (whole || strchr(fmt, '\n') != NULL)
		keep[n++] = '\n';
	if (whole || strchr(fmt, '\t') != NULL)
		keep[n++] = '\t';
	keep[n] = '\0';
	(void)vsnprintf(raw, sizeof(raw), fmt, ap);
	text_escape(raw, keep, out, size);
}

/* Set the text and the code unless e is NULL.  Returns -1. */
static int __attribute__((format(printf, 3, 0)))
error_fill(struct error *e, enum error_code code, const char *fmt, va_list ap)
{
	if (e == NULL)
		return -1;
	error_format(e->text, sizeof(e->text), fmt, ap);
	e->code = code;
	return -1;
}

/* Do the same with the code of an errno, and append the errno's text. */
static int __attribute__((format(printf, 3, 0)))
error_fill_number(struct error *e, int number, const char *fmt, va_list ap)
{
	(void)error_fill(e, error_from_errno(number), fmt, ap);
	return error_append(e, ": %s", strerror(number));
}

int
error_set(struct error *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)error_fill(e, ERROR_FAILED, fmt, ap);
	va_end(ap);
	return -1;
}

int
error_set_list(struct error *e, const char *fmt, va_list ap)
{
	return error_fill(e, ERROR_FAILED, fmt, ap);
}

int
error_set_code(struct error *e, enum error_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)error_fill(e, code, fmt, ap);
	va_end(ap);
	return -1;
}

/* Save errno first, because formatting may change it. */
int
error_set_errno(struct error *e, const char *fmt, ...)
{
	int number = errno;
	va_list ap;

	va_start(ap, fmt);
	(void)error_fill_number(e, number, fmt, ap);
	va_end(ap);
	return -1;
}

int
error_set_number(struct error *e, int number, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)error_fill_number(e, number, fmt, ap);
	va_end(ap);
	return -1;
}

int
error_set_reason(struct error *e, int number)
{
	return error_set_code(e, error_from_errno(number), "%s",
	    strerror(number));
}

/* Cut text that does not fit.  The code stays. */
int
error_append(struct error *e, const char *fmt, ...)
{
	size_t len;
	va_list ap;

	if (e == NULL)
		return -1;
	len = strlen(e->text);
	va_start(ap, fmt);
	error_format(e->text + len, sizeof(e->text) - len, fmt, ap);
	va_end(ap);
	return -1;
}

/* Copy the old text first, because the new one is printed over it. */
int
error_prefix(struct error *e, const char *fmt, ...)
{
	struct error old;
	size_t len;
	va_list ap;

	if (e == NULL)
		return -1;
	old = *e;
	va_start(ap, fmt);
	error_format(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	len = strlen(e->text);
	(void)snprintf(e->text + len, sizeof(e->text) - len, ": %.*s",
	    (int)(sizeof(old.text) - 1), old.text);
	return -1;
}

int
error_recode(struct error *e, enum error_code code)
{
	if (e != NULL)
		e->code = code;
	return -1;
}

int
error_copy(struct error *e, const struct error *from)
{
	if (e != NULL && e != from)
		*e = *from;
	return -1;
}
