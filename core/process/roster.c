/*
 * The running processes of a job: the supervisor's locks, and the pids.
 */
#include "core/process/job_directory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

static const char roster_name[] = "processes";

static bool
roster_lock(int roster, int command, short type, off_t first, off_t count,
    struct flock *l)
{
	*l = (struct flock){ .l_type = type,
		.l_whence = SEEK_SET,
		.l_start = first,
		.l_len = count };
	return fcntl(roster, command, l) == 0;
}

/* Make the file under another name first, so that its readers always find it
   locked. */
int
roster_make(int directory)
{
	static const char new_name[] = ".processes";
	const int roster = openat(directory, new_name,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct flock l;

	if (roster == -1)
		return -1;
	if (roster_lock(roster, F_OFD_SETLK, F_WRLCK, 0,
		(off_t)ROSTER_SUPERVISOR + 1, &l) &&
	    renameat(directory, new_name, directory, roster_name) == 0)
		return roster;
	(void)unlinkat(directory, new_name, 0);
	(void)close(roster);
	return -1;
}

/* If a pid cannot be written, it is only missing from a message. */
void
roster_started(int roster, int index, pid_t pid)
{
	const int32_t number = (int32_t)pid;

	if (roster != -1)
		(void)!pwrite(roster, &number, sizeof(number),
		    (off_t)sizeof(number) * index);
}

void
roster_ended(int roster, int index)
{
	struct flock l;

	if (roster != -1)
		(void)roster_lock(roster, F_OFD_SETLK, F_UNLCK, index, 1, &l);
}

int
roster_open(int directory)
{
	return openat(directory, roster_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
}

static bool
is_locked(int roster, off_t byte)
{
	struct flock l;

	return !roster_lock(roster, F_OFD_GETLK, F_WRLCK, byte, 1, &l) ||
	    l.l_type != F_UNLCK;
}

enum roster_state
roster_look(int roster, int index, pid_t *pid)
{
	int32_t number = 0;

	*pid = 0;
	if (roster == -1)
		return ROSTER_RUNS;
	if (pread(roster, &number, sizeof(number),
		(off_t)sizeof(number) * index) == (ssize_t)sizeof(number))
		*pid = number;
	if (is_locked(roster, index))
		return ROSTER_RUNS;
	return is_locked(roster, ROSTER_SUPERVISOR) ?
	    ROSTER_ENDED :
	    ROSTER_NO_SUPERVISOR;
}
