/*
 * A copy of what a process writes, in a file of its own.
 */
#ifndef CORE_PROCESS_OUTPUT_COPY_H
#define CORE_PROCESS_OUTPUT_COPY_H

/*
 * Open DIRECTORY/1/rank.RANK/NAME for writing, empty, and make the directories;
 * the rank has as many digits as the number of ranks, as Open MPI has it.  A
 * descriptor, close-on-exec; -1 and errno.
 */
int	output_copy_open(const char *directory, int rank, int ranks,
	    const char *name);

#endif
