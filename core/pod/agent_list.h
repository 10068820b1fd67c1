/*
 * Names and addresses that count up: "ag[01-16]", 10.1.5.1 and on.
 */
#ifndef CORE_POD_AGENT_LIST_H
#define CORE_POD_AGENT_LIST_H

#include "core/pod/pod.h"

/*
 * Call each() with every name of the list "ag[01-04],spare", until it returns
 * other than 0.  -1: each() refused, or the list is wrong.
 */
int	agent_list_each(const char *list,
	    int (*each)(void *, const char *, struct error *), void *,
	    struct error *);

/*
 * The way back: the next item of a list of these names (at least one),
 * "ag[01-04]" where they count up.  Returns how many of them it stands for.
 */
enum { AGENT_ITEM_SIZE = 2 * NAME_SIZE + 8 };
int	agent_list_item(const char *const *names, int count,
	    char item[AGENT_ITEM_SIZE]);

/*
 * The n-th address, from 0, counted from the first one on, into
 * out[ADDRESS_SIZE].  IPv4 counts 10.1.5.1 to 10.1.5.254, then 10.1.6.1: a
 * last number of 0 or 255 is no machine's.
 */
int	agent_list_address(const char *first, int n, char *out, struct error *);

#endif
