/*
 * Fault points: places where a test kills the process, or makes a call fail, to
 * check that nothing is lost.
 *
 *	if (FAULT_POINT("rename") != 0 || rename(a, b) != 0)
 *
 * Without IPUBOX_FAULTS, as in the release, FAULT_POINT() is 0.  In builds with
 * IPUBOX_FAULTS the environment variable IPUBOX_FAULT=N kills the process
 * (SIGKILL) at the N-th point it reaches, counted from 1; IPUBOX_FAULT_STOP=N
 * stops it there (SIGSTOP), and it continues from there.
 *
 * Only sources that have such points include this file: all others are compiled
 * once for both the release and the tests (Makefile).
 */
#ifndef CORE_BASE_FAULT_H
#define CORE_BASE_FAULT_H

#ifdef IPUBOX_FAULTS

#define FAULT_POINT(name) fault_point(name)

/* Count the point; its name is only for a debugger.  Return 0; or, at the point
   that was armed, kill or stop the process, or return -1 with the errno given
   to fault_arm().  After a stop it returns 0. */
int fault_point(const char *name);

/* Begin to count at 0.  At the n-th point fault_point() kills the process if
   `number` is 0; else it fails, once, with errno `number`. n = 0 disarms. */
void fault_arm(long n, int number);
/* Return how many points were reached since fault_arm(). */
long fault_count(void);

#else

#define FAULT_POINT(name) 0

#endif
#endif
