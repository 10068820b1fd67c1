/*
 * How many instances each host of a job gets.
 *
 * Equal shares are the rule.  Where a list of hosts says how many processes a
 * host takes, its slots, the shares are as equal as these allow; the first
 * hosts get one more:
 *
 *	4 instances on a, b			2 2
 *	6 instances on a:4, b:2			4 2
 *	5 instances on a:4, b:4			3 2
 *	7 instances on a:2, b, c:2		2 3 2
 *
 * Source: PopRun user guide 2.8, "equal"; the slots are Open MPI's.
 */
#ifndef CORE_JOB_HOST_SHARES_H
#define CORE_JOB_HOST_SHARES_H

#include <stdbool.h>

#include "core/base/error.h"

/*
 * Write the share of each host to `shares`.  `slots` has a number for each of
 * the hosts, 0: it takes any.  Whoever oversubscribes need not have the slots,
 * nor equal shares where there are none.  -1 names the numbers that do not fit.
 */
int	host_shares_choose(int instances, const int *slots, int hosts,
	    bool oversubscribe, int *shares, struct error *);

/* Whether all hosts have the same share. */
bool	host_shares_are_equal(const int *shares, int hosts);

#endif
