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
	HOSTLIST_MAX = 4096,		/* hosts of a list */
	HOST_NAME_MAX_LENGTH = 253	/* as the DNS has it */
};

/*
 * Add the hosts that the text stands for, in its order.  -1: the reason, and
 * none is added.
 */
int	hostlist_add(struct strvec *hosts, const char *text, struct error *);

/*
 * Add the hosts of a file's text: one list per line, `#` begins a comment, and
 * Open MPI's words behind the host (slots=4) are passed over.  `name` is for
 * messages, "NAME:LINE: ...".
 */
int	hostlist_add_lines(struct strvec *hosts, const char *name,
	    const char *text, size_t size, struct error *);

/* The same of the file itself. */
int	hostlist_add_file(struct strvec *hosts, const char *path,
	    struct error *);

/* Whether the text is a host's name or address, without brackets. */
bool	hostlist_name_is_valid(const char *);

#endif
