/*
 * Ending a tree of processes, whatever its members do.
 *
 * The caller becomes a child subreaper: a process below that loses its parent
 * becomes the caller's child, even if it changed its session.  So ending all
 * children again and again, until none remains, ends the tree.
 *
 * First each child's process group gets a signal it may react to: the given one
 * if we started it, SIGTERM if it was adopted.  After the grace time everything
 * is killed.  Time is a parameter, in milliseconds of any clock that only goes
 * forward.
 */
#ifndef CORE_PROCESS_TREE_H
#define CORE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	/* While killing, interval for looking for new children. */
	TREE_LOOK_AGAIN_MS = 20
};

struct pid_list {
	pid_t *pids;
	size_t count;
	size_t room;
};

struct tree {
	struct pid_list spared;	  /* children that existed before */
	struct pid_list known;	  /* tree_add() without tree_remove() */
	struct pid_list notified; /* children that got the signal */
	int64_t grace_ms;	  /* from the signal to SIGKILL */
	int64_t deadline_ms;	  /* time of SIGKILL */
	int signal;		  /* for processes that we started */
	int empty_looks;	  /* consecutive ones of tree_next() */
	bool ending;		  /* tree_end() was called */
};

/* Begin, and become a child subreaper.  Leaves existing children alone. */
void tree_init(struct tree *, int64_t grace_ms);
void tree_release(struct tree *);

/* Add a child that was started, or remove one that waitpid(2) returned. */
void tree_add(struct tree *, pid_t);
void tree_remove(struct tree *, pid_t);

/* Signal the process group of each started child; the end does not begin. */
void tree_signal(const struct tree *, int signal);

/* Set how the tree ends: by `signal`, followed by SIGKILL after the grace time;
   at a second call by SIGKILL at once.  The functions below send them. */
void tree_end(struct tree *, int signal, int64_t now_ms);

/* Continue the end, after tree_end().  Call it after reaping each child and
   when the returned time has passed.  Returns the ms to wait at most, or -1: no
   child remains, or only those of another user, which cannot be killed. */
int tree_continue(struct tree *, int64_t now_ms);

/* Do the same, but return -1 only after several calls in a row found that,
   because a process that just lost its parent may still be on its way. */
int tree_next(struct tree *, int64_t now_ms);

#endif
