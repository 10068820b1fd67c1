/*
 * The instances of a launch that an engine starts, seen over the links to their
 * parents: who is there, who has ended, and the end of them all.
 *
 *	launch --> this --> link_hub <--> parent --> instance
 *
 * The first failure ends the trees of all.  Parents that have ended theirs and
 * have sent all output wait for the others; then all are released together.
 */
#ifndef CORE_LAUNCH_LAUNCH_ENGINE_H
#define CORE_LAUNCH_LAUNCH_ENGINE_H

#include <sys/ioctl.h>

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/process/process.h"

enum launch_engine_kind {
	ENGINE_STARTED,	       /* pid, host */
	ENGINE_OUTPUT,	       /* value: a descriptor to read the instance's
				  `stream` from, the caller's from now on; or
				  stream -1, value: errno */
	ENGINE_CANNOT_START,   /* value: errno */
	ENGINE_INSTANCE_ENDED, /* value: status of waitpid(2), told */
	ENGINE_LOST,	       /* its parent is gone; value: 1, its host was
				  silent too long */
	ENGINE_VISITOR,	       /* value: a connection from the host of the
				  instance, the caller's */
	ENGINE_LINE	       /* of the engine's own output */
};

struct launch_engine_event {
	enum launch_engine_kind kind;
	int instance;
	pid_t pid;
	const char *host;
	int value;
	bool told;	  /* to end, before it ended */
	int stream;	  /* 0: stdout, 1: stderr */
	const char *line; /* without its newline */
};

struct launch_engine;

/*
 * Listen for `count` parents, in the directory or at `reach`, as
 * link_hub_new().  Each is told `starts[i]`.
 * Events come during launch_engine_continue() and launch_engine_finish().
 * NULL: that cannot be done.
 */
struct launch_engine *launch_engine_new(int count,
    const struct parent_start *starts, const char *directory,
    const struct link_reach *reach,
    void (*event)(void *context, const struct launch_engine_event *),
    void *context, struct error *);
void launch_engine_free(struct launch_engine *);

/* In a forked process that only keeps its environment: close the rest. */
void launch_engine_leave(struct launch_engine *);

/* The environment given, with what leads the parents here; as long as this
   lasts. */
char *const *launch_engine_environment(struct launch_engine *,
    char *const *environment);

/*
 * What the instances read: inputs[] of stdin_relay_open(), this one's from now
 * on, each set to -1; and a copy of standard input, where that is one of them.
 * -1: it cannot be copied, errno says why.
 */
int launch_engine_take_inputs(struct launch_engine *, int *inputs);

/* Read what the engine itself writes to stdout (0) or stderr (1) there; the
   descriptor is this one's from now on. */
void launch_engine_listen(struct launch_engine *, int output, int fd);

/* Readable when there is something to do; and do it, without waiting. */
int launch_engine_fd(const struct launch_engine *);
void launch_engine_continue(struct launch_engine *);

/* The engine is gone: take what has come from it and from the parents. */
void launch_engine_finish(struct launch_engine *);

/* Pass a signal on to all programs. */
void launch_engine_signal(struct launch_engine *, int signal);

/* The size of all pseudo terminals, from now on. */
void launch_engine_resize(struct launch_engine *, const struct winsize *);

/* End all trees, with this signal first; called again it kills at once. */
void launch_engine_end(struct launch_engine *, int signal);

/* Whether the end has begun: by the above, by a failure, or because all have
   ended. */
bool launch_engine_is_ending(const struct launch_engine *);

/* Let the parents go, whatever they have not sent yet; it comes by itself when
   none has anything left. */
void launch_engine_release(struct launch_engine *);
bool launch_engine_is_released(const struct launch_engine *);

/* How many parents never came. */
int launch_engine_missing(const struct launch_engine *);

/* Whether output waits for the reader of an instance's descriptor. */
bool launch_engine_holds_output(const struct launch_engine *);

#endif
