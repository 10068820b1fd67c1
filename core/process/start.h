/*
 * How a new process becomes a program of the job: what it inherits, and where
 * it runs.  The one place for it, whoever starts the program.
 */
#ifndef CORE_PROCESS_START_H
#define CORE_PROCESS_START_H

#include <sys/resource.h>

#include <signal.h>
#include <sys/types.h>

#include "core/process/binding.h"

struct start {
	const char	*path;		/* of the file to execute */
	char *const	*argv;
	char *const	*environment;
	const char	*working;	/* directory, NULL: this one */
	int		 input;		/* its standard streams; -1: those of
					   this process */
	int		 output;
	int		 errors;
	pid_t		 parent;	/* who dies with it: PR_SET_PDEATHSIG */
	sigset_t	 mask;		/* its signal mask */
	struct rlimit	 open_files;	/* a maximum of 0: as it is */
	const struct binding_rule *binding; /* where it runs, NULL: as it is */
	int		 index;		/* of the instance, for the rule */
};

/*
 * For a process that was just made: execute the program, in a process group of
 * its own.  It comes back only where that failed: the system's number of the
 * reason, or 0 where the parent is gone already.  The memory may be the
 * parent's: it makes system calls, and writes to its own stack alone.
 */
int	start_become(const struct start *);

#endif
