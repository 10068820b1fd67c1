/*
 * The IPUoF files of a partition in the directory where programs look for
 * them; what stands in them, ipuof.h says.
 *
 * The directory is its owner's choice: root writes and removes there with the
 * rights of the partition's owner (act_as()), everybody else with his own.
 */
#ifndef CORE_CONTROL_IPUOF_FILES_H
#define CORE_CONTROL_IPUOF_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/* The path of such a file: a directory, a name, "_gcd", a number, ".conf". */
enum { IPUOF_PATH_SIZE = DIRECTORY_SIZE + NAME_SIZE + 32 };

/*
 * The directory that files are written to: `directory` if it is not "", else
 * $VIPU_CLI_IPUOF_CONFIG_LOCATION, else ~/.ipuof.conf.d.  Absolute, without
 * a slash at the end.  `path` may be `directory`.
 */
int ipuof_files_directory(const char *directory, char *path, size_t size,
    struct error *);

/*
 * Write NAME.conf, or NAME_gcd0.conf, NAME_gcd1.conf ... for several GCDs,
 * each complete or not at all; make the directory (0700) where it is missing.
 * None for a relocatable partition.  partition->ipuof_directory says where, ""
 * for nowhere.  A file's mode is 0600 in ~/.ipuof.conf.d and 0666 in a
 * directory that was chosen, to share it; less the umask, but the group of a
 * directory that its group may write can read it.  On failure none is left.
 * 0: they are on the disk.
 */
int ipuof_files_write(const struct pod *, const struct partition *,
    const struct versions *, struct error *);

/* The same with what somebody else says of each GCD: texts[num_gcds]. */
int ipuof_files_write_texts(const struct partition *, char *const *texts,
    struct error *);

/*
 * Remove them: what stands under their names and names this partition.  0 also
 * for those that are gone already; they do not come back after a crash of the
 * machine.  ERROR_DENIED: only another user may.  *removed, also for -1: one
 * was there.
 */
int ipuof_files_remove(const struct partition *, bool *removed, struct error *);

/* Whether they could be removed: -1 with the reason of ipuof_files_remove(). */
int ipuof_files_check_removal(const struct partition *, struct error *);

/*
 * Write again what can be written, where a removal stopped half-way and had
 * removed something: files come back, none comes into being.
 */
void ipuof_files_restore(const struct pod *, const struct partition *,
    const struct versions *, bool removed);

/*
 * Whether one of them is not there, as after a crash in the middle of a removal
 * or a creation; the path of the first.  false where it cannot be told, because
 * the directory is closed to the caller.
 */
bool ipuof_files_are_missing(const struct partition *,
    char path[IPUOF_PATH_SIZE]);

/*
 * How many files that are not this partition's stand in its directory.  Poplar
 * ignores all files of a directory that holds more than one.
 */
int ipuof_files_count_others(const struct partition *);

#endif
