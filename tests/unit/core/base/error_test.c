/* core/base/error: texts and codes that are set, handed on, and cut. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tests/unit/tap.h"

static void
check_long_texts(void)
{
	struct error e;
	char text[2 * sizeof(e.text)];

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

/* What callers branch on, and what an errno that nobody thought of is. */
static void
check_errno(void)
{
	static const struct {
		int number;
		enum error_code code;
	} rows[] = {
		{ ENOENT, ERROR_NOT_FOUND },
		{ ENOTDIR, ERROR_INVALID }, /* not as if it were gone */
		{ EINVAL, ERROR_INVALID },
		{ EEXIST, ERROR_EXISTS },
		{ EACCES, ERROR_DENIED },
		{ EPERM, ERROR_DENIED },
		{ EROFS, ERROR_DENIED },
		{ EBUSY, ERROR_BUSY },
		{ ELOOP, ERROR_UNSAFE },
		{ ENOSPC, ERROR_IO }, /* no room on a disk */
		{ EDQUOT, ERROR_IO },
		{ EIO, ERROR_IO },
		{ ENOMEM, ERROR_IO },
		{ ESTALE, ERROR_STALE },
		{ EAGAIN, ERROR_UNAVAILABLE },
		{ ETIMEDOUT, ERROR_TIMED_OUT },
		{ EINTR, ERROR_INTERRUPTED },
		{ EBADMSG, ERROR_DAMAGED },
		{ ENOSYS, ERROR_UNSUPPORTED },
		{ EINPROGRESS, ERROR_FAILED }, /* no system call means our own
						  "unconfirmed" */
		{ 0, ERROR_FAILED },
		{ 123456, ERROR_FAILED },
	};
	struct error e;
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(error_from_errno(rows[i].number), rows[i].code,
		    strerror(rows[i].number));
		errno = rows[i].number;
		(void)error_set_errno(&e, "a");
		is_int(e.code, rows[i].code, "the code of errno");
		errno = 0;
		(void)error_set_number(&e, rows[i].number, "%s", "b");
		is_int(e.code, rows[i].code, "the code of a number");
		(void)snprintf(text, sizeof(text), "b: %s",
		    strerror(rows[i].number));
		is_str(e.text, text, "and its text");
		(void)error_set_reason(&e, rows[i].number);
		is_int(e.code, rows[i].code, "the code of a reason");
		is_str(e.text, strerror(rows[i].number), "and nothing else");
	}
}

/* What a text quotes is escaped; a line break of the format is one. */
static void
check_escapes(void)
{
	struct error e = { .text = "" };

	(void)error_set(&e, "no '%s'", "a\033\n\t\233\303\244");
	is_str(e.text, "no 'a\\x1b\\x0a\\x09\\x9b\303\244'", "escaped");
	(void)error_append(&e, "\nbehind %s", "\a");
	(void)error_prefix(&e, "%s", "x\177");
	is_str(e.text,
	    "x\\x7f: no 'a\\x1b\\x0a\\x09\\x9b\303\244'\nbehind \\x07",
	    "once, and the line break stays");
	(void)error_set(&e, "%s", "two\nlines\033");
	is_str(e.text, "two\nlines\\x1b", "a whole text keeps its lines");
}

/* Each way to set, change and hand on a code. */
static void
check_codes(void)
{
	struct error e = { .text = "" }, other;

	is_int(e.code, ERROR_NONE, "nothing has failed");
	is_int(error_set(&e, "x"), -1, "error_set");
	is_int(e.code, ERROR_FAILED, "has the code of no other reason");
	is_int(error_set_code(&e, ERROR_STALE, "a %s", "pod"), -1,
	    "error_set_code");
	is_int(e.code, ERROR_STALE, "its code");
	is_str(e.text, "a pod", "its text");
	(void)error_append(&e, "; open it");
	(void)error_prefix(&e, "r");
	is_int(e.code, ERROR_STALE, "more text keeps the code");
	is_int(error_recode(&e, ERROR_BUSY), -1, "error_recode");
	is_int(e.code, ERROR_BUSY, "another code");
	is_str(e.text, "r: a pod; open it", "keeps the text");
	is_int(error_copy(&other, &e), -1, "error_copy");
	is_int(other.code, ERROR_BUSY, "takes the code");
	is_str(other.text, e.text, "and the text");
	(void)error_copy(&e, &e);
	is_str(e.text, "r: a pod; open it", "onto itself");
	is_int(error_set(&e, "y"), -1, "set anew");
	is_int(e.code, ERROR_FAILED, "no code is left over");
	is_int(error_set_code(NULL, ERROR_BUSY, "x"), -1, "without a struct");
	is_int(error_set_number(NULL, EIO, "x"), -1, "without one, of errno");
	is_int(error_set_reason(NULL, EIO), -1, "without one, the reason");
	is_int(error_recode(NULL, ERROR_BUSY), -1, "without one, recoded");
	is_int(error_copy(NULL, &e), -1, "without one, copied");
}

int
main(void)
{
	struct error e;

	check_escapes();
	is_int(error_set(&e, "partition %s: %d", "p", 4), -1, "error_set");
	is_str(e.text, "partition p: 4", "its text");
	is_int(error_prefix(&e, "%s:%d", "a.ini", 7), -1, "error_prefix");
	is_str(e.text, "a.ini:7: partition p: 4", "its text");
	errno = ENOENT;
	is_int(error_set_errno(&e, "cannot open %s", "x"), -1,
	    "error_set_errno");
	is_str(e.text, "cannot open x: No such file or directory", "its text");
	is_int(error_set(NULL, "x"), -1, "error_set without a struct");
	is_int(error_set_errno(NULL, "x"), -1, "error_set_errno without one");
	is_int(error_prefix(NULL, "x"), -1, "error_prefix without one");
	check_long_texts();
	check_errno();
	check_codes();
	return tap_done();
}
