/*
 * Lists of hosts, as poprun and copy-ssh take them:
 *
 *	10.1.3.[101-104]	four addresses
 *	pod[1-3,7]-[a,b]	pod1-a pod1-b pod2-a ... pod7-b
 *	n[08-10], login		n08 n09 n10 login
 *
 * A set stands in brackets: numbers, ranges of numbers (leading zeros are
 * kept) or words, with commas between; a name may hold several, the last one
 * changes fastest.  Spaces around the commas between names are passed over.
 *
 * A name has letters, digits and . _ - : and begins with none of . and -, so
 * that none is taken for an option or for shell text.  None is there twice.
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
	HOST_NAME_MAX_LENGTH = 253	 /* as the DNS has it */
};

/* How many processes each host of a list is to take, in the list's order; begun
   with zeros. */
struct hostlist_slots {
	int *counts; /* 0 where the list does not say */
	size_t count;
	size_t room;
};

/* The end of one; it may be begun again. */
void hostlist_slots_release(struct hostlist_slots *);

/*
 * Add the hosts that the text stands for, in its order.  -1: the reason, and
 * none is added.  With `slots` an item may end with them, as mpirun takes it:
 * "pod[1-4]:8"; where `slots` is NULL there are none.
 */
int hostlist_add(struct strvec *hosts, struct hostlist_slots *slots,
    const char *text, struct error *);

/*
 * Add the hosts of a file's text: one list per line, `#` begins a comment, and
 * behind the list Open MPI's words may stand: slots=4, count=4 or cpu=4, and
 * max_slots=8, which is passed over.  `name` is for messages,
 * "NAME:LINE: ...".  ERROR_INVALID: no host is in it.
 */
int hostlist_add_lines(struct strvec *hosts, struct hostlist_slots *slots,
    const char *name, const char *text, size_t size, struct error *);

/* The same of the file itself. */
int hostlist_add_file(struct strvec *hosts, struct hostlist_slots *slots,
    const char *path, struct error *);

/* Whether the text is a host's name or address, without brackets. */
bool hostlist_name_is_valid(const char *);

#endif
