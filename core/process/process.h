/*
 * Processes of a job: poprun starts them below a reaper and a supervisor, gives
 * each its processors and its standard input, forwards what it writes, and ends
 * the whole tree.  Beside them stand the tools that other applets share: helper
 * commands with time limits, sockets, and processes that give up rights.  Read
 * supervisor.h first, then tree.h and mux.h.
 */
#ifndef CORE_PROCESS_PROCESS_H
#define CORE_PROCESS_PROCESS_H

#include <sys/ioctl.h>
#include <sys/resource.h>

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/process/binding.h"	/* which processors a process gets */
#include "core/process/children.h"	/* helper commands, output kept */
#include "core/process/job_directory.h" /* where instances of a host meet */
#include "core/process/link_address.h"	/* listening and connecting */
#include "core/process/mux.h"		/* forwards the output of a job */
#include "core/process/packet.h"	/* messages to and from supervisors */
#include "core/process/roster.h"	/* which processes of a job run */
#include "core/process/send_queue.h"	/* sending without waiting */
#include "core/process/stdin_relay.h"	/* the standard input of a job */
#include "core/process/supervisor.h"	/* starts a job, and ends it */
#include "core/process/tag_format.h"	/* what stands before a line */
#include "core/process/tree.h"		/* ends a tree of processes */

struct strvec;

/* ---- files of programs ---- */

/* Exit statuses of a program that could not be started, as a shell's. */
enum { PROGRAM_CANNOT_EXECUTE = 126, PROGRAM_NOT_FOUND = 127 };

/*
 * Looks the program up: in the directories of `search` (a PATH, NULL: the usual
 * ones) unless its name holds a '/'.  0 and *path, which the caller frees, or
 * one of the statuses above and the reason.
 */
int program_find(const char *name, const char *search, char **path,
    struct error *);

/*
 * Sets the error of fork(2), or of a thread, by its errno: "cannot start WHAT:
 * REASON; MEND".  Returns -1.
 */
int program_fork_error(struct error *, int number, const char *what);

/*
 * Returns the path of this program's own file: what /proc/self/exe points at;
 * without a /proc, the file that `called`, its argv[0], leads to, in the
 * directories of `search` where it holds no '/'.  NULL: not found.  The caller
 * frees it.
 */
char *program_own_file(const char *called, const char *search);

/* "FILE __ipubox ARGUMENT ..." is ipubox, whatever its file is called. */
#define OWN_PROGRAM_WORD "__ipubox"

/* Call it first: the names of all applets, ending with NULL, and argv[0] as it
   came, from which the file is found.  Both are kept, not copied. */
void own_program_register(const char *const *names, const char *called);

/* Whether that is the name of an applet. */
bool own_program_has(const char *name);

/* Whether a file of that name is the program itself: "ipubox", "ipubox-0.1"
   and the like are, "ipubox-train", which is an applet, is not. */
bool own_program_is_ipubox(const char *name);

/*
 * Finds what starts a program, given with its arguments as a user typed it: the
 * file to execute in *path, which the caller frees, and the argv, which is
 * added to `command`.  An applet, or ipubox, that the PATH does not have is our
 * own file: "FILE APPLET ARGUMENT ...".  Returns as program_find() does.
 */
int own_program_find(char *const *program, char **path, struct strvec *command,
    struct error *);

/* Adds the words that begin a command of ipubox itself, "FILE __ipubox"; -1
   where this program's own file is not found. */
int own_program_add(struct strvec *command, struct error *);

/* Makes symbolic links to that file of this program, for all its names. */
int own_program_link_all(const char *file, const char *directory,
    struct error *);

/* ---- what a process is, and what it may do ---- */

/* How a new process becomes a program of the job. */
struct start {
	const char *path; /* of the file to execute */
	char *const *argv;
	char *const *environment;
	const char *working; /* directory, NULL: this one */
	int input;	     /* its standard streams; -1: those of this
				process */
	int output;
	int errors;
	pid_t parent;		  /* who dies with it: PR_SET_PDEATHSIG */
	sigset_t mask;		  /* its signal mask */
	struct rlimit open_files; /* a maximum of 0: as it is */
	const struct binding_rule *binding; /* where it runs, NULL: as it is */
	int index;			    /* of the instance, for the rule */
};

/*
 * For a process that was just made: executes the program, in a process group of
 * its own.  Returns only where that failed: the errno, or 0 where the parent is
 * gone already.  The memory may be the parent's, so it makes system calls and
 * writes to its own stack alone.
 */
int start_become(const struct start *);

/* Bytes that the kernel keeps of a process's name. */
enum { TITLE_MAX = 15 };

/* In main(), before argv is changed: remembers where the command line is.
   Without it title_set() sets only the name. */
void title_init(int argc, char *const *argv);

/*
 * Gives this process that name, of at most TITLE_MAX bytes, and nothing else as
 * its command line, as ps(1) and pkill(1) see it.  Where that was shorter, the
 * name is cut there.  Nothing may point to the words of main()'s argv any more.
 */
void title_set(const char *name);

/*
 * Reads the command line of a process (0: of this one) from /proc: the first
 * word without its directory, then the others; without `options` only those
 * before the first option.  Cut where there is no room.  -1, and an empty text:
 * it cannot be read.
 */
int title_read(pid_t, bool options, char *text, size_t size);

/* The group of a user whom /etc/passwd does not have: nobody's, as usual. */
enum { ACT_AS_UNKNOWN_GROUP = 65534 };

/*
 * Calls act(context, error) with the rights of the user `uid` alone, for root
 * among files of users: in a child process that has its uid, its primary group
 * and its groups, and its home in HOME.  A user whom /etc/passwd does not have
 * gets ACT_AS_UNKNOWN_GROUP and no other.  What the call changes in memory is
 * lost.  Returns what `act` returns, with its error.  -1 as well: this process
 * may not become that user (ERROR_DENIED), or the child gave no answer in 10
 * seconds.
 */
int act_as(uid_t uid, int (*act)(void *context, struct error *), void *context,
    struct error *);

/* A directory, or a file, that stays open with all that is below. */
struct confine_place {
	const char *path; /* NULL, or not there: none */
	bool is_written;  /* else it is only read */
};

/* What is in force. */
struct confinement {
	bool no_new_privileges;
	int landlock; /* its version, 0: the kernel has none */
	bool seccomp;
};

/*
 * Makes this thread, and all that it starts, give up for good what it does not
 * need:
 *
 * - rights by programs that it executes (prctl(2));
 * - files but those of these places, TCP ports, and signals to processes other
 *   than its own (landlock(7), as far as the kernel's version goes).  What is
 *   open stays open, and sockets with a path can be reached;
 * - calls that only an intruder would make: execute, mount, trace, make a
 *   namespace or code, and so on.  They are rows of confine.c, and end with
 *   EPERM (seccomp(2)).  The list says what is refused, because the calls that
 *   a C library makes by itself change from release to release.
 *
 * What the kernel does not have is left out, and *out says so.  With
 * sanitizers only the first is in force: they trace, and report into files.
 */
void confine_apply(const struct confine_place *, size_t count,
    struct confinement *out);

/* "no new privileges, Landlock 7, seccomp", or "nothing". */
enum { CONFINE_TEXT_SIZE = 64 };
void confine_describe(const struct confinement *, char text[CONFINE_TEXT_SIZE]);

/* ---- the program that started this process ---- */

/* A pipe from it is not enough to learn of its end: its other children may have
   inherited the pipe. */
struct program_watch {
	pid_t pid;
	int fd; /* readable when the program has ended; -1: the system has no
		   such descriptor */
};

/*
 * Watches this process's parent.  The parent is known for sure where it waits
 * for a first word of this process; else it may have ended before, and the
 * process that takes in orphans is watched.
 */
void program_watch_parent(struct program_watch *);

/* How long poll(2) may wait before program_watch_is_gone() is asked again, in
   ms; -1: the descriptor tells it. */
int program_watch_timeout(const struct program_watch *);

/* Whether the program has ended, even if its status was not asked for. */
bool program_watch_is_gone(const struct program_watch *);

/* Ends the watch.  Without the descriptor it can still be asked for. */
void program_watch_release(struct program_watch *);

/* ---- pseudo terminals ---- */

/*
 * Opens one as a program's standard output, so that the program shows what it
 * prints at once, in lines, colours and the terminal's width.  It is raw: the
 * bytes come out as they went in, and nothing is echoed.  It controls no
 * process, so no key and no closing of it sends a signal.  fds[0] is to be
 * read; fds[1] is the program's.  Both are close-on-exec.  `size` may be NULL.
 * 0, or the errno, as where there is no devpts.
 *
 * When the last process has closed the program's end, what is left can be read,
 * and after it read(2) says EIO: that is the end.
 */
int pty_open(int fds[2], const struct winsize *size);

/* The size of the terminal `fd` without its first columns, which something else
   takes.  False, and all zero: it is not a terminal. */
bool pty_size_behind(int fd, int columns, struct winsize *);

/* By the end that is read.  Sends no SIGWINCH: the caller passes it on. */
void pty_set_size(int fd, const struct winsize *);

#endif
