/*
 * What reaches the disk: a model of what a power cut would lose, fed by the
 * calls that write, flush and rename.  Linked into durable_test alone.
 */
#ifndef TESTS_UNIT_CORE_BASE_DISK_WRAP_H
#define TESTS_UNIT_CORE_BASE_DISK_WRAP_H

/* From here on everything below the directory is watched, from nothing. */
void watch(const char *path);

/*
 * Tests: what was done since is acknowledged, so nothing is left to flush;
 * nothing was renamed before its flush, and pod.ini only behind all else.
 * With `wanted` also the steps, "create a,write a,fsync a": paths below the
 * directory, temporary names without what is random.
 */
void is_durable(const char *name);
void is_durable_by(const char *wanted, const char *name);

/* The same steps, and how many flushes, of files and of a file system. */
const char *watched_steps(void);
int watched_syncs(void);
int watched_file_system_syncs(void);

#endif
