/*
 * The writer's lock of a state directory: byte 0 of STATE/lock, of the open
 * file description (fcntl(2)), which the kernel drops with its holder.
 *
 * The holder leaves a record in the file: who it is, and since when.  It is a
 * hint for people and never more: anybody who may lock may write there too.
 * Private to core/state, but for who waits and who looks.
 */
#ifndef CORE_STATE_LOCK_H
#define CORE_STATE_LOCK_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"

enum {
	LOCK_LIMIT_MS = 60000, /* how long to wait where nobody says */
	LOCK_LEAST_MS = 1000,  /* so long also behind a deadline: another change
				  is over by then */
	LOCK_LOOK_MS = 300,    /* for whoever only looks at the state */
	LOCK_NOTIFY_MS = 1000,
	LOCK_RECORD_SIZE = 256,
	LOCK_COMMAND_SIZE = 128,
	LOCK_TEXT_SIZE = LOCK_COMMAND_SIZE + 128
};

/* The limit of whoever changes: the deadline, else LOCK_LIMIT_MS. */
#define LOCK_PATIENTLY ((int64_t)-1)

enum lock_life {
	LOCK_UNKNOWN, /* no record that makes sense */
	LOCK_GONE,    /* no such process is to be seen here */
	LOCK_FOREIGN, /* its pid is of another pid namespace */
	LOCK_STOPPED, /* SIGSTOP, ^Z or a debugger */
	LOCK_ALIVE
};

struct lock_holder {
	enum lock_life life;
	pid_t pid;
	int64_t since_ms;		 /* since the epoch */
	char command[LOCK_COMMAND_SIZE]; /* printable; its words up to the first
					    option */
};

/*
 * Open the directory's file `lock` with flags of open(2): the descriptor, which
 * is the caller's.  -1: the text is the system's; a symbolic link, or a file
 * with a second name, is ERROR_UNSAFE.  _name: of a file that is to become it;
 * _path: where the directory is not open.
 */
int lock_open(const struct directory *, int flags, struct error *);
int lock_open_name(const struct directory *, const char *name, int flags,
    struct error *);
int lock_open_path(const char *directory, int flags, struct error *);

/*
 * Take the lock, and wait for it at most limit_ms.  ERROR_TIMED_OUT: somebody
 * holds it still; the text says who, and what helps.
 */
int lock_take(int fd, const char *directory, int64_t limit_ms, struct error *);
void lock_drop(int fd);

/*
 * Whether somebody holds the lock of the open file, or of the directory: as if
 * so where that cannot be found out, false where there is no such file.
 */
bool lock_is_held(int fd);
bool lock_has_holder(const char *directory);

/* Leave the record of this process at that byte of the open file, and read what
   stands there. */
void lock_write_record(int fd, int64_t at);
void lock_read_record(int fd, int64_t at, struct lock_holder *);

/* Who holds the lock, as the record says. false: nobody does. */
bool lock_find_holder(const char *directory, struct lock_holder *);

/*
 * "vipu create partition p (pid 12, stopped, since 2026-11-21T06:44:00Z)", and
 * what lets it go on: "kill -CONT 12 lets it go on".
 */
void lock_describe(const struct lock_holder *, char text[LOCK_TEXT_SIZE]);
void lock_remedy(const struct lock_holder *, char text[LOCK_TEXT_SIZE]);

/*
 * How this process waits.  `notify` is called once in each wait that is longer
 * than LOCK_NOTIFY_MS: "waiting for the lock of DIRECTORY, held by ..."; NULL:
 * nobody is told.  The deadline is a time of clock_monotonic_ms(), 0: none.
 * Set by the one thread that the process has when it begins.
 */
void lock_set_notify(void (*notify)(const char *text));
void lock_set_deadline(int64_t deadline_ms);

#endif
