/*
 * IPUoF configuration files: how a program without access to the controller
 * learns its IPUs.  One JSON object a GCD, keys "attributes" (text to text,
 * with "GCD Id", "Num GCDs", "IPUoF Partition Id") and "devices" (one an IPU).
 *
 * Source: V-IPU user guide 5.8; field names of IpuofDevice in the contract.
 */
#ifndef CORE_CONTROL_IPUOF_H
#define CORE_CONTROL_IPUOF_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/state/registry.h"

/* Of the first IPU of a machine's IPUoF server; the others follow. */
enum { IPUOF_SERVER_PORT = 50052 };

/* The file's text for one GCD; for gcd -1 that of a partition with one GCD,
   else an array of all GCDs.  Ends with a newline; the caller frees it. */
char	*ipuof_text(const struct pod *, const struct partition *, int gcd);

/*
 * The directory that files are written to: `directory` if it is not "", else
 * $VIPU_CLI_IPUOF_CONFIG_LOCATION, else ~/.ipuof.conf.d.  Absolute, without
 * a slash at the end.
 */
int	ipuof_files_directory(const char *directory, char *path, size_t size,
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
int	ipuof_files_write(const struct pod *, const struct partition *,
	    struct error *);
/* 0 also for those that are gone already; they do not come back after a crash
   of the machine. */
int	ipuof_files_remove(const struct partition *, struct error *);
/* Write again what can be written, where a removal stopped half-way. */
void	ipuof_files_restore(const struct pod *, const struct partition *);

/*
 * How many files that are not this partition's stand in its directory.  Poplar
 * ignores all files of a directory that holds more than one.
 */
int	ipuof_files_count_others(const struct partition *);

/* What a program reads from such a file: which partition, which GCD. */
struct ipuof_reference {
	char	partition[NAME_SIZE];
	int	gcd;			/* -1: all GCDs */
	int	num_gcds;
	int	device_count;
};

int	ipuof_parse(const char *path, struct ipuof_reference *,
	    struct error *);

#endif
