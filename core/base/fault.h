/*
 * Fault points: places where a test ends the process, or makes a call fail,
 * to see that nothing is lost.
 *
 *	if (FAULT_POINT("rename") != 0 || rename(a, b) != 0)
 *
 * In the release FAULT_POINT() is 0.  In builds with IPUBOX_FAULTS the
 * environment variable IPUBOX_FAULT=N kills the process (SIGKILL) at the N-th
 * point it comes to, counted from 1; IPUBOX_FAULT_STOP=N stops it there
 * (SIGSTOP), and it goes on from there.
 *
 * Only sources include this file, and each that has points does: all others
 * are compiled once for the release and the tests (Makefile).
 */
#ifndef CORE_BASE_FAULT_H
#define CORE_BASE_FAULT_H

#ifdef IPUBOX_FAULTS

#define FAULT_POINT(name) fault_point(name)

/* The point itself: 0, or -1 with errno set; or the process dies here. */
int fault_point(const char *name);

/*
 * Count from here: at the n-th point die when `number` is 0, else fail with
 * errno `number`, once.  0 disarms.
 */
void fault_arm(long n, int number);
/* How many points were passed since. */
long fault_count(void);

#else

#define FAULT_POINT(name) 0

#endif
#endif
