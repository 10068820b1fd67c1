/*
 * The instances that an engine starts, seen over the links to their parents:
 * which have connected, which have ended, and how all are ended.
 *
 *	launch --> launch_engine --> link_hub <--> parent --> instance
 *
 * The first failure ends the process trees of all instances.  Parents that have
 * ended their tree and sent all output wait for the others; then all are
 * released together.
 */
#ifndef CORE_LAUNCH_LAUNCH_ENGINE_H
#define CORE_LAUNCH_LAUNCH_ENGINE_H

#include "core/launch/launch.h"

enum launch_engine_kind {
	ENGINE_STARTED, /* pid, host */
	/* value: a descriptor for reading the instance's `stream`, owned by the
	   caller; or stream -1, value: errno */
	ENGINE_OUTPUT,
	ENGINE_CANNOT_START,   /* value: errno */
	ENGINE_INSTANCE_ENDED, /* value: status of waitpid(2); told_to_end */
	ENGINE_LOST,	       /* parent is lost; value 1: host was silent */
	/* value: a connection from the instance's host, owned by the caller */
	ENGINE_VISITOR,
	ENGINE_LINE /* a line of the engine's own output */
};

/* Its texts are valid during the callback only. */
struct launch_engine_event {
	enum launch_engine_kind kind;
	int instance;
	pid_t pid;
	const char *host;
	int value;
	bool told_to_end; /* poprun told it to end */
	int stream;	  /* 0: stdout, 1: stderr */
	const char *line; /* without its newline */
};

struct launch_engine;

/*
 * Listen for `count` parents, in the directory or at `reach`, as link_hub_new()
 * does.  Parent i gets starts[i], which must stay valid; `input` is set by
 * launch_engine_take_inputs().  Events are delivered during
 * launch_engine_continue() and launch_engine_finish().  NULL: it cannot listen;
 * the error says why.
 */
struct launch_engine *launch_engine_new(int count,
    const struct parent_start *starts, const char *directory,
    const struct link_reach *reach,
    void (*event)(void *context, const struct launch_engine_event *),
    void *context, struct error *);
void launch_engine_free(struct launch_engine *); /* or NULL */

/* In a forked process that needs only the environment, close all else. */
void launch_engine_leave(struct launch_engine *);

/* Return the given environment with the variables that lead the parents here.
   It is freed with the launch_engine.  Call it once. */
char *const *launch_engine_environment(struct launch_engine *,
    char *const *environment);

/* Take over the instances' input descriptors (inputs[] of stdin_relay_open())
   and set each to -1.  Standard input is duplicated if it is among them.
   Returns 0, or -1 with errno set if the duplication fails; all are taken even
   then. */
int launch_engine_take_inputs(struct launch_engine *, int *inputs);

/* Read the engine's own stdout (0) or stderr (1) from this descriptor, which
   then belongs to the launch_engine. */
void launch_engine_listen(struct launch_engine *, int output, int fd);

/* Return a descriptor that is readable when launch_engine_continue() has work.
   Neither function waits. */
int launch_engine_fd(const struct launch_engine *);
void launch_engine_continue(struct launch_engine *);

/* After the engine has ended: handle what it and the parents had sent. */
void launch_engine_finish(struct launch_engine *);

/* Pass a signal on to all instances. */
void launch_engine_signal(struct launch_engine *, int signal);

/* Set the size of all pseudo terminals. */
void launch_engine_resize(struct launch_engine *, const struct winsize *);

/* End all trees, with this signal first.  If the end has already begun, also by
   a failure, kill them at once. */
void launch_engine_end(struct launch_engine *, int signal);

/* Return true if the end has begun: by launch_engine_end(), by a failure, or
   because all instances have ended. */
bool launch_engine_is_ending(const struct launch_engine *);

/* Release the parents, even if output is unsent.  It happens by itself once the
   end has begun and all output has been sent. */
void launch_engine_release(struct launch_engine *);
bool launch_engine_is_released(const struct launch_engine *);

/* Return how many parents have not connected yet. */
int launch_engine_missing(const struct launch_engine *);

/* Return true if output waits for the reader of an instance's descriptor. */
bool launch_engine_holds_output(const struct launch_engine *);

#endif
