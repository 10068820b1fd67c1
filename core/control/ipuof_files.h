/*
 * The IPUoF files of a partition, in the directory where programs look for
 * them; ipuof.h describes their contents.
 *
 * The owner chooses the directory, so root writes and removes there with the
 * rights of the partition's owner (act_as()); all others use their own rights.
 */
#ifndef CORE_CONTROL_IPUOF_FILES_H
#define CORE_CONTROL_IPUOF_FILES_H

#include "core/pod/pod.h"

/* The directory that the programs of all users search. */
#define IPUOF_SYSTEM_DIRECTORY "/etc/ipuof.conf.d"

/* Path of a file: a directory, a name, "_gcd", a number, ".conf". */
enum { IPUOF_PATH_SIZE = DIRECTORY_SIZE + NAME_SIZE + 32 };

/* Find the directory for files: `directory` if not "", else
   $VIPU_CLI_IPUOF_CONFIG_LOCATION, else ~/.ipuof.conf.d.  `path`, of `size`
   bytes, becomes absolute, without a trailing slash.  -1: it does not fit, or
   HOME is not set or not absolute. */
int ipuof_files_directory(const char *directory, char *path, size_t size,
    struct error *);

/*
 * Write NAME.conf, or NAME_gcd0.conf, NAME_gcd1.conf ... for several GCDs, each
 * atomically, in partition->ipuof_directory ("": nowhere), created in its
 * parent if missing (0700; IPUOF_SYSTEM_DIRECTORY 0755).  Relocatable
 * partitions have no files.  Modes
 * are 0600 in ~/.ipuof.conf.d and, for sharing, 0666 in a chosen directory,
 * less the umask; the group can read files in a directory it may write.  A file
 * is replaced only if it names this partition or one that is gone.  If
 * NAME.conf is of another pod, the name gets a part of the identity:
 * NAME-1f2e3d4c.conf.  0: the files are on the disk, or none is wanted.  -1:
 * one could not be written, and all of this partition's were removed.
 */
int ipuof_files_write(const struct pod *, const struct partition *,
    const struct versions *, struct error *);

/* Do the same with given texts, one for each GCD. */
int ipuof_files_write_texts(const struct partition *, char *const *texts,
    struct error *);

/* Remove files with these names that name this partition.  Missing ones are not
   an error; removed ones stay gone after a crash of the machine.  -1: a file
   remains; ERROR_DENIED: only another user may remove it.  *removed, also for
   -1: whether any file was removed. */
int ipuof_files_remove(const struct partition *, bool *removed, struct error *);

/* Return -1 with the reason if ipuof_files_remove() would fail for a file that
   cannot be read or is a directory; else 0, even if the IPUoF directory cannot
   be opened or written. */
int ipuof_files_check_removal(const struct partition *, struct error *);

/* Write the files again, where possible, after a removal that stopped half-way.
   `removed` comes from ipuof_files_remove(); if false, nothing is done. */
void ipuof_files_restore(const struct pod *, const struct partition *,
    const struct versions *, bool removed);

/* Whether a file is missing, as after a crash during removal or creation; then
   `path` is the first missing one.  False if the directory is closed to the
   caller. */
bool ipuof_files_are_missing(const struct partition *,
    char path[IPUOF_PATH_SIZE]);

#endif
