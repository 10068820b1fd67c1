/*
 * What the tests of the state layer share: a state of their own, partitions
 * to put there, and the check that files and mirror say the same.
 */
#ifndef TESTS_UNIT_STATE_UTIL_H
#define TESTS_UNIT_STATE_UTIL_H

#include "core/state/state.h"

extern struct state_paths test_paths;

/* A new state folder and registry of that name, in a folder of the test. */
void	use_state(const char *name);

/* `size` IPUs of cluster 0, from `first` on, in one ILD. */
struct partition make_partition(const char *name, int first, int size);

/*
 * Whether a registry made from the files alone shows what this one does; the
 * reason where it does not.
 */
bool	in_step(struct error *);
/* The same as a test. */
void	check_in_step(const char *name);

/* Let every user read the state's folders and files, and make a registry. */
void	allow_others(void);

/* Remove all states; what main() returns. */
int	state_util_done(void);

#endif
