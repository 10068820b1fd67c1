/*
 * Running helper commands, several at the same time: each gets a text or a file
 * on its standard input, and its output is kept.
 *
 * No command outlives children_run().  A command that exceeds its time limit,
 * and all commands after SIGINT, SIGQUIT, SIGTERM or SIGHUP (unless ignored),
 * are ended with their process groups: by SIGTERM, and by SIGKILL a second
 * later.  A command with `terminal` is ended alone.
 */
#ifndef CORE_PROCESS_CHILDREN_H
#define CORE_PROCESS_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
	CHILD_OUTPUT_MAX = 4 * 1024 * 1024, /* bytes kept per stream */
	CHILD_NOT_STARTED = 127 /* the status, as in a shell; `err` has the
				   reason */
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
	const char *input_file; /* path of a file instead */
	int64_t limit_ms;	/* 0: no limit */
	bool terminal;		/* it may prompt: it stays in the foreground and
				   shares our stderr */
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

#endif
