/*
 * The running processes of a job: a file in the job's directory, in which the
 * supervisor holds one lock per process that it started, and one for itself.
 * The kernel drops the locks when the supervisor ends in any way, so a reused
 * process id is never mistaken for a live process.
 *
 *	pid of process 0, 1, 2 ...	32-bit integers, used only in messages
 *	byte N locked			process N has not been reaped
 *	byte ROSTER_SUPERVISOR locked	the supervisor runs
 *
 * Under mpirun the supervisor starts only its command, so the instances count
 * as running while that runs.
 */
#ifndef CORE_PROCESS_ROSTER_H
#define CORE_PROCESS_ROSTER_H

#include <sys/types.h>

enum { ROSTER_SUPERVISOR = 1 << 30 };

enum roster_state {
	ROSTER_RUNS,	     /* or was not started yet, or that is unknown */
	ROSTER_ENDED,	     /* the supervisor reaped it */
	ROSTER_NO_SUPERVISOR /* the supervisor has ended */
};

/* Make the file in the directory and lock all of it.  The supervisor must call
   it before it starts a process.  Returns a close-on-exec descriptor; or -1,
   with which the other functions do nothing. */
int roster_make(int directory);

/* _started: record the pid of process `index`, which runs.  _ended: record that
   process `index` was reaped. */
void roster_started(int roster, int index, pid_t);
void roster_ended(int roster, int index);

/* Open the file in an instance, for roster_look().  Returns a close-on-exec
   descriptor, or -1. */
int roster_open(int directory);

/* Return the state of process `index`, and set *pid to its pid; 0: unknown.
   With roster -1 the state is ROSTER_RUNS. */
enum roster_state roster_look(int roster, int index, pid_t *);

#endif
