/*
 * A directory of a job, as instances find it, for tests that are its instances.
 */
#ifndef TESTS_UNIT_SHARED_UTIL_H
#define TESTS_UNIT_SHARED_UTIL_H

/* A new one below TMPDIR; the path is the caller's to give back. */
char *shared_new(void);

/*
 * Remove it and free the path (NULL is fine).  Returns how many files stood in
 * it.
 */
int shared_remove(char *path);

#endif
