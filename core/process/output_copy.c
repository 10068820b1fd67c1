/*
 * Files for --output-filename.
 *
 * Source: Open MPI 4.1, mpirun(1); the names as it makes them.
 */
#include "core/process/output_copy.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* Each directory above the file, from the first on; one that is there is
   fine. */
static int
make_above(char *path)
{
	char	*slash = path;
	int	 status = 0;

	while (status == 0 && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			status = -1;
		*slash = '/';
	}
	return status;
}

int
output_copy_open(const char *directory, int rank, int ranks, const char *name)
{
	char	*path = xasprintf("%s/1/rank.%0*d/%s", directory,
	    text_digits(ranks), rank, name);
	int	 fd = -1;

	if (make_above(path) == 0)
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
		    O_NOCTTY, 0666);
	free(path);
	return fd;
}
