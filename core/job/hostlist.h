/*
 * Lists of hosts for poprun and copy-ssh:
 *
 *	10.1.3.[101-104]	four addresses
 *	pod[1-3,7]-[a,b]	pod1-a pod1-b pod2-a ... pod7-b
 *	n[08-10], login		n08 n09 n10 login
 *
 * A set in brackets has numbers, ranges (leading zeros are kept) or words,
 * separated by commas.  A name may have several; the last one varies fastest.
 * Spaces around commas between names are ignored.
 *
 * A name has letters, digits and . _ - : and does not begin with . or -, so
 * that it cannot be an option or shell text.  A list has no name twice, without
 * regard to case; a file may repeat a name, for a slot each time.
 *
 * Source: PopRun user guide, --host; the sets are those of Slurm's lists.
 */
#ifndef CORE_JOB_HOSTLIST_H
#define CORE_JOB_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

enum {
	HOSTLIST_MAX = 4096, /* hosts of a list */
	HOSTLIST_SLOTS_MAX = 4096,
	HOSTLIST_FILE_MAX = 1024 * 1024, /* bytes */
	HOST_NAME_MAX_LENGTH = 253	 /* limit of the DNS */
};

/* Slots of each host in the list's order; begins zeroed, with an empty list. */
struct hostlist_slots {
	int *counts;	/* 0: not given */
	size_t count;	/* number of hosts */
	size_t room;	/* private */
	bool has_users; /* a host was named USER@HOST, without effect */
};

/* Free the counts and make the struct empty again. */
void hostlist_slots_release(struct hostlist_slots *);

/*
 * Add the hosts of a list in order to the hosts that were added before.  With
 * `slots`, which may be NULL, an item may have slots as in mpirun,
 * "pod[1-4]:8"; without, ":8" is a part of the name.  -1: nothing is added.
 */
int hostlist_add(struct strvec *hosts, struct hostlist_slots *slots,
    const char *text, struct error *);

/*
 * Add the hosts of a file's text: a list per line, comments after `#`, and Open
 * MPI's words after the list: slots=4, count=4 or cpu=4, and max_slots=8, which
 * is ignored.  A repeated name is one host with the slots of all its lines,
 * where a line without slots has one.  `name` is for messages, "NAME:LINE:
 * ...".  -1: nothing is added; ERROR_INVALID: the text has no host.
 */
int hostlist_add_lines(struct strvec *hosts, struct hostlist_slots *slots,
    const char *name, const char *text, size_t size, struct error *);

/* Do the same for the file `path`.  -1 also if it cannot be read. */
int hostlist_add_file(struct strvec *hosts, struct hostlist_slots *slots,
    const char *path, struct error *);

/* Whether the text is a host name or address, without brackets. */
bool hostlist_name_is_valid(const char *);

#endif
