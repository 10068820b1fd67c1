/*
 * What the tests of the state layer share: a state of their own, partitions
 * to put there, and the check that files and mirror say the same.
 */
#ifndef TESTS_UNIT_STATE_UTIL_H
#define TESTS_UNIT_STATE_UTIL_H

#include <sys/types.h>

#include "core/state/state.h"

extern struct state_paths test_paths;

/* End the test where a step that prepares it has failed. */
void must(int status, const struct error *);

/*
 * A new state directory and registry of that name, in a directory of the test.
 */
void use_state(const char *name);

/* The same, and its default pod is made. */
void make_state(const char *name);

/* The registry of the state, writable; ends the test where it cannot. */
void open_registry(struct registry *);

struct mirror;

/* Write over some bytes of the mirror's file. */
void scribble(off_t at, const void *bytes, size_t size);

/*
 * Change the mirror as a neighbour would who keeps its checksum: the function
 * gets a copy, which is written back.
 */
void poke_mirror(void (*change)(struct mirror *));

/* `size` IPUs of cluster 0, from `first` on, in one ILD. */
struct partition make_partition(const char *name, int first, int size);

/* Such a partition is added to the state. */
void add_partition(const char *name, int first, int size);

/* How many partitions a new reader sees, or -1. */
int count_partitions(struct error *);

/* A child that holds IPUs until it is told to end, or is killed. */
struct holder {
	pid_t pid;
	int end; /* closing it ends the child */
};

struct holder hold_ipus(int first, int count);
/* With signal 0 it ends by itself. */
void release_ipus(struct holder *, int signal);

/*
 * Whether a registry made from the files alone shows what this one does; the
 * reason where it does not.
 */
bool in_step(struct error *);
/* The same as a test. */
void check_in_step(const char *name);

/*
 * Let every user read the state's directories and files, and make a registry.
 */
void allow_others(void);

/* Remove all states; what main() returns. */
int state_util_done(void);

#endif
