/*
 * Shared by the tests of the state layer: separate states, partitions in them,
 * and the check that files and mirror agree.
 */
#ifndef TESTS_UNIT_STATE_UTIL_H
#define TESTS_UNIT_STATE_UTIL_H

#include <sys/types.h>

#include "core/state/state.h"

extern struct state_paths test_paths;

/* End the test if a preparing step has failed. */
void must(int status, const struct error *);

/* Use a new state directory and registry of that name. */
void use_state(const char *name);

/* Do the same, with the default pod. */
void make_state(const char *name);

/* Open the state's registry for writing; end the test on failure. */
void open_registry(struct registry *);

struct mirror;

/* Overwrite bytes of the mirror's file. */
void scribble(off_t at, const void *bytes, size_t size);

/* Change the mirror like a program that keeps its checksum correct: the
   function changes a copy, which is written back. */
void poke_mirror(void (*change)(struct mirror *));

/* Return a partition of `size` IPUs of cluster 0, from `first`, in one ILD. */
struct partition make_partition(const char *name, int first, int size);

/* Add such a partition to the state. */
void add_partition(const char *name, int first, int size);

/* Return the partitions that a new reader sees, or -1. */
int count_partitions(struct error *);

/* A child that holds IPUs until it is told to end, or killed. */
struct holder {
	pid_t pid;
	int end; /* closing it ends the child */
};

struct holder hold_ipus(int first, int count);
/* End it; signal 0: let it end by itself. */
void release_ipus(struct holder *, int signal);

/* Whether a registry made from the files alone is equal; else the reason. */
bool in_step(struct error *);
/* Check it as a test. */
void check_in_step(const char *name);

/* Let every user read the state's directories and files; make a registry. */
void allow_others(void);

/* Remove all states; return the result for main(). */
int state_util_done(void);

#endif
