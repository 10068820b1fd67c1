/*
 * Who of a job's processes still runs: a file in the job's directory, in which
 * the supervisor holds one lock per process that it started, and one for
 * itself.  The kernel drops the locks when the supervisor ends, however it
 * does; nobody is taken for alive because of a process id that is used again.
 *
 *	pid of process 0, 1, 2 ...	32 bits each, as text for a person
 *	byte N locked			process N has not been reaped
 *	byte ROSTER_SUPERVISOR locked	the supervisor runs
 *
 * Under mpirun or srun the supervisor started their command alone, so the
 * instances count as running as long as that does.
 */
#ifndef CORE_PROCESS_ROSTER_H
#define CORE_PROCESS_ROSTER_H

#include <sys/types.h>

enum { ROSTER_SUPERVISOR = 1 << 30 };

enum roster_state {
	ROSTER_RUNS, /* or nobody knows */
	ROSTER_ENDED,
	ROSTER_NO_SUPERVISOR
};

/*
 * For the supervisor, before it starts anything: make the file in the directory
 * of that descriptor and lock all of it.  The descriptor of the file, which is
 * closed in programs that are executed; -1 where it cannot be made, which the
 * other functions take.
 */
int roster_make(int directory);

/* Process `index` has that pid; it was reaped. */
void roster_started(int roster, int index, pid_t);
void roster_ended(int roster, int index);

/* For an instance: the file, -1 where there is none. */
int roster_open(int directory);

/* How process `index` is, and its pid, 0 where nobody knows it. */
enum roster_state roster_look(int roster, int index, pid_t *);

#endif
