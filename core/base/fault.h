/*
 * Fault points: places where a test kills the process, or makes a call fail, to
 * check that nothing is lost.
 *
 *	if (FAULT_POINT("rename") != 0 || rename(a, b) != 0)
 *
 * In the release FAULT_POINT() is 0.  In builds with IPUBOX_FAULTS the
 * environment variable IPUBOX_FAULT=N kills the process (SIGKILL) at the N-th
 * point it reaches, counted from 1; IPUBOX_FAULT_STOP=N stops it there
 * (SIGSTOP), and it continues from there.
 *
 * Only sources that have such points include this file: all others are compiled
 * once for both the release and the tests (Makefile).
 */
#ifndef CORE_BASE_FAULT_H
#define CORE_BASE_FAULT_H

#ifdef IPUBOX_FAULTS

#define FAULT_POINT(name) fault_point(name)

/* Count the point.  Return 0, or -1 with errno set as fault_arm() asks; or kill
   or stop the process here. */
int fault_point(const char *name);

/* Count from here: at the n-th point kill the process if `number` is 0, else
   fail once with errno `number`.  n = 0 disarms. */
void fault_arm(long n, int number);
/* Return how many points were reached since fault_arm(). */
long fault_count(void);

#else

#define FAULT_POINT(name) 0

#endif
#endif
