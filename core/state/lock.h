/*
 * The writer's lock of a state directory: an open-file-description lock
 * (fcntl(2)) on byte 0 of STATE/lock, which the kernel drops when its holder
 * ends.
 *
 * The holder leaves a record in the file: its command, pid and time.  The
 * record is only a hint for people, because a user that may lock may write it
 * too.  Private to core/state, except for waiting and inspection.
 */
#ifndef CORE_STATE_LOCK_H
#define CORE_STATE_LOCK_H

#include <stdint.h>

#include "core/base/files/directory.h"

enum {
	LOCK_LIMIT_MS = 60000,	/* default wait */
	LOCK_NOTIFY_MS = 1000,	/* see lock_set_notify() */
	LOCK_RECORD_SIZE = 256, /* bytes of a record in the file */
	LOCK_COMMAND_SIZE = 128,
	LOCK_TEXT_SIZE = LOCK_COMMAND_SIZE + 128
};

/* For limit_ms: until the process's deadline, but at least 1 s; without a
   deadline LOCK_LIMIT_MS. */
#define LOCK_PATIENTLY ((int64_t)-1)

enum lock_life {
	LOCK_UNKNOWN, /* no readable record */
	LOCK_GONE,    /* no such process visible here */
	LOCK_FOREIGN, /* its pid belongs to another pid namespace */
	LOCK_STOPPED, /* SIGSTOP, ^Z or a debugger */
	LOCK_ALIVE
};

struct lock_holder {
	enum lock_life life;
	pid_t pid;
	int64_t since_ms;		 /* of the record, since the epoch */
	char command[LOCK_COMMAND_SIZE]; /* printable; the words before the
					    first option */
};

/*
 * Open the directory's file `lock` with flags of open(2).  Returns a descriptor
 * that the caller closes, or -1 with the system's text; a symbolic link, or a
 * file with a second name, is ERROR_UNSAFE.  _name: a file that will become the
 * lock; _path: for a directory that is not open.
 */
int lock_open(const struct directory *, int flags, struct error *);
int lock_open_name(const struct directory *, const char *name, int flags,
    struct error *);
int lock_open_path(const char *directory, int flags, struct error *);

/* Take the lock, waiting at most limit_ms (or LOCK_PATIENTLY; 0: try once), and
   write this process's record.  -1, ERROR_TIMED_OUT: another process still
   holds the lock; the text names that process and the remedy.  Uses SIGRTMIN.
   lock_drop() leaves fd open. */
int lock_take(int fd, const char *directory, int64_t limit_ms, struct error *);
void lock_drop(int fd);

/* Return true if the lock is held, or if that cannot be determined.  The first
   does not see a lock that was taken through `fd` itself.  The second sees each
   lock, and returns false if the directory has no file `lock`. */
bool lock_is_held(int fd);
bool lock_has_holder(const char *directory);

/* Write this process's record at that byte of the open file, or read a record,
   all 0 (LOCK_UNKNOWN) if it is unreadable; neither locks. */
void lock_write_record(int fd, int64_t at);
void lock_read_record(int fd, int64_t at, struct lock_holder *);

/* Read the holder of a directory's lock from the record.  Returns false, with
   all 0, if the lock is free or its file cannot be opened. */
bool lock_find_holder(const char *directory, struct lock_holder *);

/* Write words for a message.  _describe: "vipu create partition p (pid 12,
   stopped, since 2026-11-21T06:44:00Z)", or that the holder is unknown or not
   visible.  _remedy: for a stopped holder "kill -CONT 12 lets it go on", for
   others to try again or to end it. */
void lock_describe(const struct lock_holder *, char text[LOCK_TEXT_SIZE]);
void lock_remedy(const struct lock_holder *, char text[LOCK_TEXT_SIZE]);

/*
 * Set how this process waits.  `notify`, which may be NULL, is called once in
 * each wait longer than LOCK_NOTIFY_MS, with "waiting for the lock of
 * DIRECTORY, held by ...".  The deadline, for LOCK_PATIENTLY, is a time of
 * clock_monotonic_ms(); 0: none.  Call these before other threads start.
 */
void lock_set_notify(void (*notify)(const char *text));
void lock_set_deadline(int64_t deadline_ms);

#endif
