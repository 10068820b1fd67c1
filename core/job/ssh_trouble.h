/*
 * What went wrong with ssh, read from its own words: its exit status, 255, is
 * the same for all of it.
 */
#ifndef CORE_JOB_SSH_TROUBLE_H
#define CORE_JOB_SSH_TROUBLE_H

#include "core/base/error.h"

enum ssh_trouble {
	SSH_OTHER,		/* none of these */
	SSH_UNKNOWN_NAME,	/* the host's name has no address */
	SSH_REFUSED,		/* nothing listens there */
	SSH_SILENT,		/* no answer */
	SSH_CLOSED,		/* it answers, and closes the connection */
	SSH_CHANGED_KEY,	/* the host's key is another one than before */
	SSH_UNKNOWN_KEY,	/* the host's key is not known */
	SSH_DENIED,		/* it does not accept this host's key */
	SSH_TROUBLES
};

/* What the words of ssh or ssh-keyscan, a line or many, tell. */
enum ssh_trouble	ssh_trouble_find(const char *text);

/*
 * The trouble and its remedy in a sentence whose subject is the host; `names`
 * is what copy-ssh(1) is given.  Always -1.
 */
int	ssh_trouble_describe(enum ssh_trouble, const char *names,
	    struct error *);

#endif
