#include "core/base/text.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>
#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/array.h"

const char *
base_name(const char *path)
{
	const char	*slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

char *
directory_name(const char *path)
{
	const char	*slash = strrchr(path, '/');

	if (slash == NULL)
		return xstrdup(".");
	return xasprintf("%.*s", slash == path ? 1 : (int)(slash - path),
	    path);
}

/* Read at most `limit` bytes; refused where there is more. */
static char *
read_all(int fd, const char *path, size_t limit, size_t *size,
    struct error *e)
{
	size_t	 used = 0, room = 4096;
	char	*text = xmalloc(room);
	ssize_t	 n;

	while ((n = read(fd, text + used, room - used - 1)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 || used + (size_t)n > limit) {
			(void)error_set_number(e, n == -1 ? errno : EFBIG,
			    "cannot read %s", path);
			if (n != -1)
				(void)error_recode(e, ERROR_INVALID);
			free(text);
			return NULL;
		}
		used += (size_t)n;
		if (room - used < 2) {
			text = xreallocarray(text, room, 2);
			room *= 2;
		}
	}
	text[used] = '\0';
	*size = used;
	return text;
}

char *
read_file(const char *path, size_t limit, size_t *size, struct error *e)
{
	struct stat	st;

	return read_file_as(path, 0, limit, size, &st, e);
}

char *
read_file_as(const char *path, int flags, size_t limit, size_t *size,
    struct stat *st, struct error *e)
{
	char	*text = NULL;
	int	 fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd == -1 && errno == ELOOP && (flags & O_NOFOLLOW) != 0) {
		(void)error_set_code(e, ERROR_UNSAFE, "%s is a symbolic link, "
		    "which is not followed here", path);
		return NULL;
	}
	if (fd == -1) {
		(void)error_set_errno(e, "cannot open %s", path);
		return NULL;
	}
	if (fstat(fd, st) != 0)
		(void)error_set_errno(e, "cannot read %s", path);
	else if (!S_ISREG(st->st_mode))
		(void)error_set_number(e, S_ISDIR(st->st_mode) ? EISDIR :
		    EINVAL, "cannot read %s", path);
	else
		text = read_all(fd, path, limit, size, e);
	(void)close(fd);
	return text;
}

int
parse_number(const char *what, const char *text, long long min, long long max,
    long long *value, struct error *e)
{
	const char	*digits = text + (*text == '-');
	const char	*reason;

	/* strtonum(3) alone would take spaces and a '+' before the digits. */
	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': not a whole number", what, text);
	*value = strtonum(text, min, max, &reason);
	if (reason != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': %s, must be %lld to %lld", what,
		    text, reason, min, max);
	return 0;
}

int
parse_real(const char *what, const char *text, double low, double high,
    double *value, struct error *e)
{
	char	*end = NULL;

	/* strtod(3) alone would take spaces, hexadecimal digits, "nan". */
	if (*text != '\0' && text[strspn(text, "0123456789.eE+-")] == '\0' &&
	    *text != '+')
		*value = strtod(text, &end);
	if (end == NULL || end == text || *end != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': not a number", what, text);
	if (*value >= low && *value <= high)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "%s '%s': too %s, must be %g to %g", what, text,
	    *value < low ? "small" : "large", low, high);
}

int
parse_duration(const char *what, const char *text, int64_t *ms,
    struct error *e)
{
	static const struct { char suffix; int64_t seconds; } units[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }
	};
	const int64_t	most = INT64_C(3652) * 86400;
	int64_t		unit = 1;
	long long	number;
	char		digits[24];
	size_t		i, len = strspn(text, "0123456789");

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (text[len] == units[i].suffix) {
			unit = units[i].seconds;
			break;
		}
	if (len == 0 || (text[len] != '\0' && (text[len + 1] != '\0' ||
	    i == ARRAY_SIZE(units))))
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': not a time: seconds, or a number "
		    "with s, m, h or d behind it", what, text);
	(void)strlcpy(digits, text, len + 1 < sizeof(digits) ? len + 1 :
	    sizeof(digits));
	number = strtonum(digits, 1, most / unit, NULL);
	if (number == 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': must be one second to ten years",
		    what, text);
	*ms = number * unit * 1000;
	return 0;
}

int
parse_bool(const char *what, const char *text, bool *value, struct error *e)
{
	static const char *const words[] = {
		"no", "yes", "off", "on", "false", "true", "0", "1"
	};
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*value = i % 2 == 1;
			return 0;
		}
	}
	return error_set_code(e, ERROR_INVALID,
	    "%s '%s': must be yes or no (on/off, true/false "
	    "and 1/0 mean the same)", what, text);
}

bool
is_power_of_two(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/*
 * Bytes of the UTF-8 character at `text`, 0 where there is none.  Overlong
 * forms and surrogates are refused, as a JSON reader does.
 */
static size_t
character_size(const unsigned char *text)
{
	size_t		size = *text < 0x80 ? 1 : *text < 0xc2 ? 0 :
	    *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
	size_t		i;

	for (i = 1; i < size; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] >= 0xa0) ||
	    (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] >= 0x90))
		return 0;
	return size;
}

/* The two-byte characters below U+00A0 are control characters as well. */
static bool
is_control(const unsigned char *text)
{
	return *text < ' ' || *text == 127 ||
	    (*text == 0xc2 && text[1] < 0xa0);
}

void
printable_text(const char *text, char *out, size_t size)
{
	unsigned char	*c = (unsigned char *)out;
	size_t		 n;

	(void)strlcpy(out, text, size);
	for (; *c != '\0'; c += n) {
		n = character_size(c);
		if (n == 0 || is_control(c)) {
			n = n == 0 ? 1 : n;
			memset(c, '?', n);
		}
	}
}

/*
 * Bytes up to a space or the end, and the columns that they take; with `whole`
 * a space between brackets is one of them.
 */
static int
unit_size(const char *text, bool whole, int *columns)
{
	int	i, depth = 0;

	*columns = 0;
	for (i = 0; text[i] != '\0' && text[i] != '\n' &&
	    (text[i] != ' ' || (whole && depth > 0)); i++) {
		depth += (text[i] == '[') - (text[i] == ']');
		/* All bytes of a character but its first are 10xxxxxx. */
		*columns += (text[i] & 0xc0) != 0x80;
	}
	return i;
}

void
text_wrap(FILE *out, const char *text, int column, int indent)
{
	int	size, spaces, width;

	for (; *text != '\0'; text += size) {
		if (*text == '\n') {
			fputc('\n', out);
			column = 0;
			size = 1;
			continue;
		}
		spaces = (int)strspn(text, " ");
		text += spaces;
		size = unit_size(text, true, &width);
		if (width > TEXT_COLUMNS - indent)
			size = unit_size(text, false, &width);
		if (column + spaces + width > TEXT_COLUMNS &&
		    column > indent) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			spaces = 0;
		}
		fprintf(out, "%*s%.*s", spaces, "", size, text);
		column += spaces + width;
	}
}

int
check_name(const char *what, const char *name, struct error *e)
{
	static const char	allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789._-";
	char			shown[NAME_LENGTH_MAX + 1];
	size_t			len = strlen(name);

	printable_text(name, shown, sizeof(shown));
	if (len == 0)
		return error_set_code(e, ERROR_INVALID, "%s name: empty", what);
	if (len > NAME_LENGTH_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s name '%.20s...': %zu characters, the "
		    "limit is %d", what, shown, len, NAME_LENGTH_MAX);
	if (strspn(name, allowed) != len || strchr("._-", name[0]) != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "%s name '%s': only letters, digits and "
		    ". _ - are allowed, and the first must be a letter or a "
		    "digit", what, shown);
	return 0;
}

int
parse_name(const char *what, const char *text, char name[NAME_LENGTH_MAX + 1],
    struct error *e)
{
	if (check_name(what, text, e) != 0)
		return -1;
	(void)strlcpy(name, text, NAME_LENGTH_MAX + 1);
	return 0;
}
