/*
 * Ending a tree of processes, whatever its members do.
 *
 * The caller is made a child subreaper: what loses its parent anywhere below
 * comes to the caller as a child, processes that changed their session too.
 * So ending all children again and again, until none is left, ends the tree.
 *
 * First each child's process group gets a signal it may act upon: the given
 * one what we started, SIGTERM what lost its parent.  After the grace time
 * everything is killed.  Time is a parameter, in milliseconds of
 * any clock that only goes forward.
 */
#ifndef CORE_PROCESS_TREE_H
#define CORE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	/* While killing, look for new children after this time. */
	TREE_LOOK_AGAIN_MS = 20,
	/* So many looks in turn must find nothing that can be ended. */
	TREE_EMPTY_LOOKS = 3
};

struct pid_list {
	pid_t *pids;
	size_t count;
	size_t room;
};

struct tree {
	struct pid_list spared;	  /* children from before */
	struct pid_list known;	  /* started by us and not reaped */
	struct pid_list notified; /* children that got the signal */
	int64_t grace_ms;
	int64_t deadline_ms;
	int signal;	 /* for what we started */
	int empty_looks; /* in turn */
	bool ending;
};

/* Children that the caller has already are none of the tree's. */
void tree_init(struct tree *, int64_t grace_ms);
void tree_release(struct tree *);

/* A child that was started, and one that waitpid(2) has returned. */
void tree_add(struct tree *, pid_t);
void tree_remove(struct tree *, pid_t);

/*
 * Signal the process group of each started child; this ends nothing by
 * itself.
 */
void tree_signal(const struct tree *, int signal);

/*
 * Begin the end: with `signal`, and SIGKILL after the grace time.  Called
 * again it kills at once.
 */
void tree_end(struct tree *, int signal, int64_t now_ms);

/*
 * Go on ending.  Call it after every death and when the returned time is
 * over: milliseconds to wait at most, or -1 when no child is left that could
 * be ended.
 */
int tree_continue(struct tree *, int64_t now_ms);

/*
 * The same, but one look that finds nothing is not enough: what has just lost
 * its parent may be on its way.  -1: nothing is left, or nothing that could be
 * ended, because it runs as another user.
 */
int tree_next(struct tree *, int64_t now_ms);

#endif
