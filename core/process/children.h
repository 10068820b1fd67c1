/*
 * Running many commands, some of them at the same time: each gets a text on
 * its standard input, and what it writes is kept.
 *
 * Nothing outlives children_run(): a command that is over its time, and each
 * one when SIGINT, SIGQUIT, SIGTERM or SIGHUP comes, is ended with its process
 * group, with SIGTERM and a second later with SIGKILL.
 */
#ifndef CORE_PROCESS_CHILDREN_H
#define CORE_PROCESS_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
	CHILD_OUTPUT_MAX = 4 * 1024 * 1024, /* bytes kept of a stream */
	CHILD_NOT_STARTED = 127		    /* the status, as a shell's */
};

/* What a stream brought: always a text, cut at CHILD_OUTPUT_MAX. */
struct child_text {
	char *text;
	size_t size;
	size_t room;
};

struct child {
	/* What the caller fills. */
	char *const *argv;	/* argv[0] is a path */
	const char *input;	/* a text, NULL: none */
	const char *input_file; /* the path of a file in its place */
	int64_t limit_ms;	/* 0: as long as it takes */
	bool terminal;		/* it may ask there: it stays in the foreground,
				   its stderr is ours */
	bool shown;		/* its stdout is our stderr */
	const sigset_t *mask;	/* its signals; NULL: the caller's */
	void *context;
	/* What it gets; children_release() frees it. */
	struct child_text out;
	struct child_text err;
	time_t started; /* of time(2) */
	time_t ended;
	int64_t started_ms; /* of clock_real_ms() */
	int64_t ended_ms;
	int status; /* exit status, or 128 + signal */
	bool timed_out;
};

/* Called when a child is over, in the order of their ends. */
typedef void child_done(struct child *);

/*
 * Run them, at most `jobs` at a time.  0: all are over, however they ended.
 * Above 0: the signal that ended the rest; `done` was not called for those.
 */
int children_run(struct child *, size_t count, int jobs, child_done *);

/* Free what the child wrote. */
void children_release(struct child *);

#endif
