/*
 * Processes of a job: poprun starts them below a reaper and a supervisor, gives
 * them processors and standard input, forwards their output, and ends the whole
 * tree.  Other applets share the rest: helper commands with time limits,
 * sockets, and processes that give up rights.  Read supervisor.h first, then
 * tree.h and mux.h.
 */
#ifndef CORE_PROCESS_PROCESS_H
#define CORE_PROCESS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/process/binding.h"	/* which processors a process gets */
#include "core/process/job_directory.h" /* directory of a job's instances */
#include "core/process/link_address.h"	/* listening and connecting */
#include "core/process/mux.h"		/* forwards the output of a job */
#include "core/process/packet.h"	/* messages to and from supervisors */
#include "core/process/stdin_relay.h"	/* the standard input of a job */
#include "core/process/supervisor.h"	/* starts a job, and ends it */
#include "core/process/tag_format.h"	/* the tag before a line */
#include "core/process/tree.h"		/* ends a tree of processes */

/*
 * Running helper commands, several at the same time: each gets a text or a file
 * on its standard input, and its output is kept.
 *
 * No command outlives children_run().  A command that exceeds its time limit,
 * and all commands after SIGINT, SIGQUIT, SIGTERM or SIGHUP (unless ignored),
 * are ended with their process groups: by SIGTERM, and by SIGKILL a second
 * later.  A command with `terminal` is ended alone.
 */

enum {
	CHILD_OUTPUT_MAX = 4 * 1024 * 1024, /* bytes kept per stream */
	CHILD_NOT_STARTED = 127 /* the status, as in a shell; the reason is in
				   `err`, or printed with `terminal` */
};

/* The bytes of a stream, NUL-terminated, cut at CHILD_OUTPUT_MAX. */
struct child_text {
	char *text;
	size_t size; /* without the NUL */
	size_t room; /* allocated */
};

struct child {
	/* Set by the caller, with all else zero. */
	char *const *argv;	/* argv[0] is a path */
	const char *input;	/* a text; NULL: empty */
	const char *input_file; /* path of a file instead; NULL: `input` */
	int64_t limit_ms;	/* 0: no limit */
	bool terminal;		/* it may prompt: it stays in the foreground and
				   shares our stderr, and `err` is empty */
	bool shown;		/* its stdout goes to our stderr, and `out` is
				   empty */
	const sigset_t *mask;	/* its signal mask; NULL: the caller's */
	void *context;		/* for child_done */
	/* Results; all 0 if a signal came before the start. children_release()
	   frees the texts. */
	struct child_text out;
	struct child_text err;
	time_t started; /* of time(2) */
	time_t ended;
	int64_t started_ms; /* of clock_real_ms() */
	int64_t ended_ms;
	int status;	/* exit status, or 128 + signal */
	bool timed_out; /* it exceeded limit_ms and was ended */
};

/* Called for each child when it has ended or could not be started. */
typedef void child_done(struct child *);

/* Run the commands, at most `jobs` at a time.  Returns 0 when all have ended,
   with any status; or the signal that ended the rest, for which `done` was not
   called.  `done` may be NULL. */
int children_run(struct child *, size_t count, int jobs, child_done *);

/* Free the child's output.  Call it for each child after children_run(). */
void children_release(struct child *);

struct strvec;

/* ---- files of programs ---- */

/* Exit statuses of a program that cannot be started, as in a shell. */
enum { PROGRAM_CANNOT_EXECUTE = 126, PROGRAM_NOT_FOUND = 127 };

/* Find a program in the directories of `search` (a PATH; NULL: the usual one)
   unless its name contains a '/'.  Returns 0 and *path, which the caller frees;
   or one of the statuses above with the error set and *path NULL. */
int program_find(const char *name, const char *search, char **path,
    struct error *);

/* Check that the interpreter exists that a script names in its first line.
   Returns 0, also if the file is not a script or cannot be read; or one of the
   statuses above, with the remedy after a tab in the error. */
int program_check_interpreter(const char *path, struct error *);

/* Set the error of a failed fork(2) or thread from its errno: "cannot start
   WHAT: REASON; MEND".  Returns -1. */
int program_fork_error(struct error *, int number, const char *what);

/* Return the path of this program's file, which the caller frees: the target of
   /proc/self/exe; without /proc, or if that was deleted, the file that `called`
   (its argv[0]) names, as program_find() finds it.  NULL: not found. */
char *program_own_file(const char *called, const char *search);

/* "FILE __ipubox ARGUMENT ..." runs ipubox under any file name. */
#define OWN_PROGRAM_WORD "__ipubox"

/* Pass the names of all applets, ending with NULL, and the original argv[0],
   from which the file is found.  Both are kept, not copied.  Must be called
   before the other own_program functions. */
void own_program_register(const char *const *names, const char *called);

/* Return true if it is the name of an applet. */
bool own_program_has(const char *name);

/* Return true if a file of that name is ipubox itself, as "ipubox" and
   "ipubox-0.1" but not "ipubox-train", which is an applet. */
bool own_program_is_ipubox(const char *name);

/*
 * Find the file of a program from the argv that a user typed.  Sets *path,
 * which the caller frees, and adds the argv to execute to `command`.  An applet
 * or ipubox that is not in the PATH is this program's file: "FILE APPLET
 * ARGUMENT ...", with OWN_PROGRAM_WORD after a FILE of another name than
 * ipubox.  Returns as program_find() does.  A failure leaves `command` alone.
 */
int own_program_find(char *const *program, char **path, struct strvec *command,
    struct error *);

/* Add the words that begin a command of ipubox, "FILE __ipubox".  -1: this
   program's file was not found. */
int own_program_add(struct strvec *command, struct error *);

/* Make symbolic links to `file`, this program's, in a directory: "ipubox" and
   the name of each applet.  Replaces other files of these names.  -1: one
   cannot be made; later ones are not tried. */
int own_program_link_all(const char *file, const char *directory,
    struct error *);

/* ---- a process and its rights ---- */

/* How a new process becomes a program of the job. */
struct start {
	const char *path; /* file to execute */
	char *const *argv;
	char *const *environment;
	const char *working; /* directory; NULL: unchanged */
	int input;	     /* standard streams; -1: those of this process */
	int output;
	int errors;
	pid_t parent;			    /* its parent, with which it is
					       killed (PR_SET_PDEATHSIG) */
	sigset_t mask;			    /* its signal mask */
	struct rlimit open_files;	    /* a maximum of 0: unchanged */
	const struct binding_rule *binding; /* its processors; NULL:
					       unchanged */
	int index;			    /* the instance's, for the rule */
};

/*
 * Execute the program in a process that was just made, in a new process group.
 * Returns only on failure: errno, or 0 if the parent has ended.  The memory may
 * be the parent's, so it only makes system calls and writes to its own stack.
 */
int start_become(const struct start *);

/* Bytes of a process's name in the kernel. */
enum { TITLE_MAX = 15 };

/* Remember the place of the command line; call it in main() before argv
   changes.  Otherwise title_set() only sets the name. */
void title_init(int argc, char *const *argv);

/* Set this process's name, of at most TITLE_MAX bytes, and make it the whole
   command line that ps(1) and pkill(1) see, cut to the old one's length.  No
   pointer to the words of main()'s argv may remain in use. */
void title_set(const char *name);

/*
 * Read the command line of a process (0: this one): the first word without its
 * directory, then the others; without `options`, only up to the first option.
 * It is cut if it does not fit.  -1: failed, with text "".
 */
int title_read(pid_t, bool options, char *text, size_t size);

/* The group of a user without an entry in /etc/passwd: usually "nogroup". */
enum { ACT_AS_UNKNOWN_GROUP = 65534 };

/*
 * Call act(context, error) with the rights of the user `uid` only, for root
 * working among users' files.  It runs in a child process with the user's uid,
 * groups and HOME.  A user missing from /etc/passwd gets ACT_AS_UNKNOWN_GROUP
 * alone.  Changes of memory are lost.  Returns the result of `act`; if that is
 * not 0, also its error.  Also returns -1 if this process may not become that
 * user (ERROR_DENIED), if the child ended without an answer or did not answer
 * in 10 seconds (ERROR_UNAVAILABLE), or if it cannot be started.
 */
int act_as(uid_t uid, int (*act)(void *context, struct error *), void *context,
    struct error *);

/* A file, or a directory with everything below, that stays accessible. */
struct confine_place {
	const char *path; /* NULL or missing: ignored */
	bool is_written;  /* false: read only */
};

/* The restrictions in force. */
struct confinement {
	bool no_new_privileges;
	int landlock; /* its version in use, at most 6; 0: not in force */
	bool seccomp;
};

/*
 * Make this thread, and everything that it starts, give up for good:
 *
 * - gaining rights through executed programs (prctl(2));
 * - files outside these places, TCP ports, and signals to other processes
 *   (landlock(7), as far as the kernel's version goes).  Open files stay open,
 *   and sockets with a path stay reachable;
 * - calls that only an intruder would make, such as execute, mount, trace, or
 *   make a namespace or code.  They are rows of confine.c and fail with EPERM
 *   (seccomp(2)).  The list names refused calls, not allowed ones, because the
 *   calls that a C library makes change from release to release.
 *
 * Restrictions missing in the kernel are skipped; *out tells which are in
 * force.  With sanitizers only the first is: they trace and write reports.
 */
void confine_apply(const struct confine_place *, size_t count,
    struct confinement *out);

/* Describe it: "no new privileges, Landlock 6, seccomp", or "nothing". */
enum { CONFINE_TEXT_SIZE = 64 };
void confine_describe(const struct confinement *, char text[CONFINE_TEXT_SIZE]);

/* ---- the program that started this process ---- */

/* The parent to watch.  A pipe from it does not reveal its end, because its
   other children may have inherited the pipe. */
struct program_watch {
	pid_t pid;
	int fd; /* readable when the program has ended; -1: not supported */
};

/* Watch this process's parent.  It is certain to be the right process if it
   waits for a first word of this one; else it may have ended already, and the
   process that adopts orphans is watched. */
void program_watch_parent(struct program_watch *);

/* Leave the program's session: a signal from the terminal must not end this
   process if the program survives it.  Unblocks signals, ignores SIGPIPE, and
   sets the title.  Closes all inherited descriptors but the standard streams,
   since a pipe that stayed open here would never reach its end. */
void program_watch_leave(const char *title);

/* Return how long poll(2) may wait before the next program_watch_has_ended(),
   in ms; -1: the descriptor reports the end. */
int program_watch_timeout(const struct program_watch *);

/* Return true if the program has ended, even if it was not reaped. */
bool program_watch_has_ended(const struct program_watch *);

/* End the watch. */
void program_watch_release(struct program_watch *);

/* ---- pseudo terminals ---- */

/*
 * Open a pseudo terminal as a program's standard output, so that the program
 * prints at once, in lines, in colour and in the terminal's width.  It is raw:
 * bytes pass unchanged and are not echoed.  It controls no process, so no key
 * and no hangup sends a signal.  The caller reads fds[0]; fds[1] is the
 * program's.  Both are close-on-exec.  `size` may be NULL.  Returns 0, or
 * errno, as without devpts.
 *
 * After the last process has closed the program's end, the rest can be read;
 * then read(2) fails with EIO, which means the end.
 */
int pty_open(int fds[2], const struct winsize *size);

/* Get the size of the terminal `fd` without its first columns, which something
   else uses; if it has no more than these, its whole size.  Returns false, with
   all zero, if it is not a terminal. */
bool pty_size_after(int fd, int columns, struct winsize *);

/* Set the size through the reading end.  The caller sends SIGWINCH. */
void pty_set_size(int fd, const struct winsize *);

#endif
