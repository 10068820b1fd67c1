/* core/base/error: texts that are set, prefixed, and cut at their room. */
#include <errno.h>
#include <string.h>

#include "core/base/error.h"
#include "tests/unit/tap.h"

static void
check_long_texts(void)
{
	struct error	e;
	char		text[2 * sizeof(e.text)];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	is_int(error_set(&e, "%s", text), -1, "a text that is too long");
	is_int((long long)strlen(e.text), sizeof(e.text) - 1, "is cut");
	is_int(error_prefix(&e, "head"), -1, "a prefix to a full text");
	is_int((long long)strlen(e.text), sizeof(e.text) - 1, "is cut, too");
	ok(strncmp(e.text, "head: xxx", 9) == 0, "with the prefix in front");
	errno = EIO;
	is_int(error_set_errno(&e, "%s", text), -1, "errno without room");
	is_int((long long)strlen(e.text), sizeof(e.text) - 1, "is left out");
	is_int(error_prefix(&e, "%s", text), -1, "a prefix that fills it");
	is_int((long long)strlen(e.text), sizeof(e.text) - 1, "is cut, three");
}

int
main(void)
{
	struct error	e;

	is_int(error_set(&e, "partition %s: %d", "p", 4), -1, "error_set");
	is_str(e.text, "partition p: 4", "its text");
	is_int(error_prefix(&e, "%s:%d", "a.ini", 7), -1, "error_prefix");
	is_str(e.text, "a.ini:7: partition p: 4", "its text");
	errno = ENOENT;
	is_int(error_set_errno(&e, "cannot open %s", "x"), -1,
	    "error_set_errno");
	is_str(e.text, "cannot open x: No such file or directory",
	    "its text");
	is_int(errno, ENOENT, "errno stays");
	is_int(error_set(NULL, "x"), -1, "error_set without a struct");
	is_int(error_set_errno(NULL, "x"), -1, "error_set_errno without one");
	is_int(error_prefix(NULL, "x"), -1, "error_prefix without one");
	check_long_texts();
	return tap_done();
}
