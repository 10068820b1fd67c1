/*
 * One thing done with the rights of another user, and what comes back of it.
 * As root only.
 */
#include "core/process/process.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/tap.h"

enum { NOBODY_KNOWN = 64011 }; /* no user of this machine has the number */

/* "uid gid groups umask", as the error's text. */
static int
say_who(void *context, struct error *e)
{
	const int *status = context;

	(void)error_set_code(e, ERROR_NO_ROOM, "%u %u %d %o",
	    (unsigned)geteuid(), (unsigned)getegid(), getgroups(0, NULL),
	    (unsigned)umask(0));
	return *status;
}

static int
open_shadow(void *context, struct error *e)
{
	FILE *f = fopen(context, "r");

	if (f == NULL)
		return error_set_errno(e, "closed");
	(void)fclose(f);
	return 0;
}

static int
end_at_once(void *context, struct error *e)
{
	(void)context;
	(void)e;
	_exit(0);
}

int
main(void)
{
	const gid_t groups[] = { 0, 7, 9 };
	struct error e = { .text = "" };
	char path[512];
	int status = 7;
	FILE *f;

	if (geteuid() != 0) {
		tap_skip("another user's rights", "needs root");
		return tap_done();
	}
	(void)alarm(60);
	(void)umask(022);
	is_int(setgroups(3, groups), 0, "root with groups");
	is_int(act_as(NOBODY_KNOWN, say_who, &status, &e), 7,
	    "what was done comes back");
	is_str(e.text, "64011 65534 0 77", "as the user, in no group of root");
	is_int(e.code, ERROR_NO_ROOM, "with its code");
	is_int((int)geteuid() + getgroups(0, NULL), 3, "root is root still");
	status = 0;
	e.text[0] = '\0';
	is_int(act_as(NOBODY_KNOWN, say_who, &status, &e), 0, "no failure");
	is_str(e.text, "", "has no text");
	(void)snprintf(path, sizeof(path), "%s/shadow", tap_directory());
	f = fopen(path, "w");
	ok(f != NULL && fclose(f) == 0 && chmod(path, 0600) == 0, "a file");
	is_int(act_as(NOBODY_KNOWN, open_shadow, path, &e), -1, "of root");
	is_int(e.code, ERROR_DENIED, "is closed to the user");
	is_int(act_as(0, open_shadow, path, &e), 0, "and open to root");
	is_int(act_as(NOBODY_KNOWN, end_at_once, NULL, &e), -1, "no answer");
	is_str(e.text, "the process that acted as uid 64011 gave no answer",
	    "is said");
	is_int(setgroups(0, NULL) + setuid(NOBODY_KNOWN), 0, "a user");
	is_int(act_as(0, say_who, &status, &e), -1, "does not become root");
	is_int(e.code, ERROR_DENIED, "and is told");
	return tap_done();
}
