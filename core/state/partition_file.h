/*
 * A partition as the text of its INI file, and back.  Private to core/state.
 *
 * References are names in the file: a text is written and read with the pod
 * that the names are of.
 */
#ifndef CORE_STATE_PARTITION_FILE_H
#define CORE_STATE_PARTITION_FILE_H

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/pod/pod.h"

/* The whole text of the file; the caller frees it. */
char	*partition_file_text(const struct pod *, const struct partition *);

/*
 * Read the partition `name` of the pod from a file of the directory.  0, or -1
 * and "FILE:LINE: text" where the file is damaged, is of another name, or
 * refers to what the pod does not have.  That its IPUs are free is not checked.
 */
int	partition_file_read(const struct pod *, const struct directory *,
	    const char *file, const char *name, struct partition *,
	    struct error *);

#endif
