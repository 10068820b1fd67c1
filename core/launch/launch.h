/*
 * Running a job: start its instances, forward what they write, pass signals on,
 * and wait until nothing of it is left.  The supervisor starts them, or an
 * engine such as mpirun, which the supervisor starts and which starts a parent
 * (parent.h) for each of them.
 */
#ifndef CORE_LAUNCH_LAUNCH_H
#define CORE_LAUNCH_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/launch/launch_result.h"
#include "core/launch/parent_start.h"
#include "core/process/process.h"

enum { LAUNCH_ENGINE = -1 };		/* in place of an instance */

enum launch_kind {
	LAUNCH_STARTED,
	LAUNCH_ENDED,			/* value: status of waitpid(2) */
	LAUNCH_WAITING,			/* all are started */
	LAUNCH_COPY_ENDED,		/* value: errno; path: the file that
					   cannot be written any more */
	LAUNCH_SIGNAL			/* value: poprun got this signal */
};

struct launch_event {
	enum launch_kind	kind;
	int			instance;
	pid_t			pid;
	int			value;
	const char		*path;	/* of a file, or NULL */
};

struct launch {
	int		 count;		/* instances */
	bool		 engine;	/* one process is executed, which
					   starts a parent for each instance */
	const struct link_reach *reach;	/* where the parents on other hosts
					   find this one; NULL: all are on
					   it */
	const struct parent_start *starts; /* what each parent is told, or
					   NULL where there is no engine */
	const char	*path;
	char *const	*argv;
	char *const *const *environments; /* one per process */
	const struct job_directory *directory; /* of the job, removed when
					   nothing of the job is left; or
					   NULL where there is no engine */
	const struct job_directory *scratch; /* another that is removed with
					   it, or NULL */
	bool		 keep_scratch;	/* while the caller is there */
	const char *const *working;	/* one directory per process, NULL: the
					   caller's; or NULL */
	int64_t		 grace_ms;	/* from SIGTERM to SIGKILL */
	int		 stdin_to;	/* who reads standard input, if there
					   is no engine: it, or STDIN_... */
	int		 timeout_s;	/* the job ends then; 0: it may run */
	int64_t		 began_ms;	/* since then, monotonic; 0: now */
	int		 start_timeout_s; /* all instances are started by
					   then; 0: whenever */
	/* Of what the instances write: */
	bool		 merge_stderr;	/* stderr goes where stdout does */
	struct mux_options output;	/* of `count` instances */
	const struct winsize *terminal;	/* stdout is one of that size where one
					   can be had; NULL: a pipe */
	const struct binding_rule *binding; /* NULL: they run where they may */
	sigset_t	 mask;		/* as launch_signals_hold() gave it */
	/* Told of each event, and of each line that the engine itself writes.
	   What they print goes to stderr, or where the line came from. */
	void		(*event)(const void *context,
			    const struct launch_event *, FILE *notes);
	void		(*engine_line)(const void *context, const char *line,
			    bool is_error, FILE *notes);
	const void	*context;
};

/*
 * Run the job to its end.  -1 when it could not be started at all.  The
 * caller's standard input is /dev/null afterwards.  To be called from the main
 * thread.
 */
int	launch_run(const struct launch *, struct launch_result *,
	    struct error *);

#endif
