/*
 * The only gate between a name on a command line and a file of that name.
 */
#include "core/base/parse.h"

#include <bsd/string.h>

#include "core/base/text.h"

int
name_check(const char *what, const char *name, struct error *e)
{
	static const char allowed[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	char shown[NAME_LENGTH_MAX + 1];
	size_t len = strlen(name);

	/* Fast path: a large pod has many names, nearly all of them valid. */
	if (len > 0 && len <= NAME_LENGTH_MAX && strspn(name, allowed) == len &&
	    strchr("._-", name[0]) == NULL)
		return 0;
	text_printable(name, shown, sizeof(shown));
	if (len == 0)
		return error_set_code(e, ERROR_INVALID, "%s name: empty", what);
	if (len > NAME_LENGTH_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s name '%.20s...': %zu characters, the limit is %d", what,
		    shown, len, NAME_LENGTH_MAX);
	return error_set_code(e, ERROR_INVALID,
	    "%s name '%s': only letters, digits and . _ - are allowed, and the "
	    "first must be a letter or a digit",
	    what, shown);
}

int
name_parse(const char *what, const char *text, char name[NAME_LENGTH_MAX + 1],
    struct error *e)
{
	if (name_check(what, text, e) != 0)
		return -1;
	(void)strlcpy(name, text, NAME_LENGTH_MAX + 1);
	return 0;
}
