/*
 * Fault points: counting them, and dying or failing at one.  Only in test
 * builds.
 */
#include "core/base/fault.h"

#ifdef IPUBOX_FAULTS

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/parse.h"

/* Threads reach points too, so the counters are atomic. */
static atomic_long reached;
static atomic_long armed = -1;		  /* -1: the environment was not read
					     yet */
static atomic_int fault_number;		  /* errno to fail with; 0: die */
static atomic_int fault_signal = SIGKILL; /* signal to die by */

void
fault_arm(long n, int error_number)
{
	armed = n;
	fault_number = error_number;
	reached = 0;
}

long
fault_count(void)
{
	return reached;
}

/* Return the point set by a variable; 0: none. */
static long
read_point(const char *variable)
{
	const char *text = getenv(variable);
	long long n;

	return text != NULL &&
		parse_number(variable, text, 1, LONG_MAX, &n, NULL) == 0 ?
	    (long)n :
	    0;
}

/* Read the variables at the first point; a kill wins over a stop. */
static void
arm_by_environment(void)
{
	long n = read_point("IPUBOX_FAULT");

	if (n == 0 && (n = read_point("IPUBOX_FAULT_STOP")) != 0)
		fault_signal = SIGSTOP;
	armed = n;
}

int
fault_point(const char *name)
{
	(void)name; /* visible in a core or a debugger */
	if (armed == -1)
		arm_by_environment();
	if (++reached != armed)
		return 0;
	if (fault_number == 0 && raise(fault_signal) == 0)
		return 0; /* it was stopped, and continues */
	errno = fault_number;
	return -1;
}

#else

/* ISO C requires a declaration in every file. */
typedef int fault_unused;

#endif
