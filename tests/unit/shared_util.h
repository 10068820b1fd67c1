/*
 * A job's directory, for tests that play its instances.
 */
#ifndef TESTS_UNIT_SHARED_UTIL_H
#define TESTS_UNIT_SHARED_UTIL_H

/* Make one below TMPDIR; the caller passes the path to shared_remove(). */
char *shared_new(void);

/* Remove it and free the path (NULL is fine).  Returns the files it held. */
int shared_remove(char *path);

#endif
